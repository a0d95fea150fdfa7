//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm-profstore export: one profile of all captures of an application.
//
// The database sums samples for each event and binary. Each of these sums is
// estimated and attributed by itself, with the rates of its event and the debug
// information of its own binary; what comes out is in executions of source
// lines, which are the same thing in every release, and is added up. What was
// made of the same sum before is taken from the store.
//
//===----------------------------------------------------------------------===//

#include "BinarySet.h"
#include "Printing.h"
#include "ProfileCache.h"
#include "Subcommands.h"
#include "inlay/Attribution/Attribution.h"
#include "inlay/Object/BinaryLocator.h"
#include "inlay/Profile/ProfileFile.h"
#include "inlay/Store/Aggregation.h"
#include "inlay/Store/Schema.h"
#include "inlay/Store/TimeText.h"
#include "inlay/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace llvm;

namespace inlay {

cl::SubCommand ExportCommand("export",
                             "Write one profile of an application's captures");

#define EXPORT_OPTION cl::cat(ProfstoreCategory), cl::sub(ExportCommand)

static cl::opt<std::string> Application("app", EXPORT_OPTION,
                                        cl::value_desc("name"),
                                        cl::desc("The application"));
static cl::opt<std::string>
    OutputPath("o", EXPORT_OPTION, cl::value_desc("file"),
               cl::desc("Write the profile to <file>; - is standard output"));
static cl::opt<std::string>
    FormatName("format", EXPORT_OPTION, cl::value_desc("text|extbinary"),
               cl::init("extbinary"),
               cl::desc("Format of the profile (default: extbinary)"));
static cl::opt<std::string>
    Since("since", EXPORT_OPTION, cl::value_desc("time"),
          cl::desc("Take captures of the last 7d, say, counted from the newest "
                   "one, in whole days. Default: all"));
static cl::opt<std::string>
    HalfLife("half-life", EXPORT_OPTION, cl::value_desc("time"),
             cl::desc("A capture that is older than the newest by this counts "
                      "half. Default: age does not matter"));
static cl::list<std::string>
    Versions("version", EXPORT_OPTION, cl::value_desc("glob"),
             cl::CommaSeparated,
             cl::desc("Take these versions, such as 2.*. Default: all"));
static cl::list<std::string>
    Hosts("hosts", EXPORT_OPTION, cl::value_desc("glob"), cl::CommaSeparated,
          cl::desc("Take these hosts, such as web*,db1. Default: all"));
static cl::opt<double> MaxHostShare(
    "max-host-share", EXPORT_OPTION, cl::value_desc("percent"),
    cl::desc("No host has more than that part of the samples; 0 makes all "
             "hosts equal"));
static cl::opt<double> MaxVersionShare(
    "max-version-share", EXPORT_OPTION, cl::value_desc("percent"),
    cl::desc("No version has more than that part of the samples; 0 makes all "
             "versions equal"));
static cl::opt<std::string>
    EventName("event", EXPORT_OPTION, cl::value_desc("name"),
              cl::desc("Take the samples of this event. Default: of all events "
                       "that tell how often code ran"));
static cl::list<std::string>
    BinaryPaths("binary", EXPORT_OPTION, cl::value_desc("path"),
                cl::desc("Symbolize with this binary, and take samples of "
                         "named binaries only; may be repeated, once for each "
                         "release. Default: all binaries that are found"));
static cl::list<std::string> DebugDirectories(
    "debug-dir", EXPORT_OPTION, cl::value_desc("dir"),
    cl::desc("Look here for binaries and their debug files, by build ID "
             "(dir/.build-id/xx/yyyy[.debug]) and by path; may be repeated"));
static cl::opt<std::string> EstimatorName("estimator", EXPORT_OPTION,
                                          cl::value_desc("name"),
                                          cl::desc("As of llvm-profconv"));
static cl::opt<std::string> RatesPath("rates", EXPORT_OPTION,
                                      cl::value_desc("file"),
                                      cl::desc(RatesHelp));

namespace {

struct ExportOptions {
  ProfileFormat Format = ProfileFormat::ExtBinary;
  CaptureSelection Selection;
  CaptureWeighting Weighting;
  EstimatorRequest Estimator;
};

/// What became of the samples.
struct Totals {
  uint64_t Samples = 0, Attributed = 0, Functions = 0;
  std::set<std::string> BuildIDs;
};

} // namespace

static Error complain(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

static Expected<std::optional<double>> days(StringRef Text, StringRef Option) {
  if (Text.empty())
    return std::nullopt;
  Expected<int64_t> Duration = parseDuration(Text, Option);
  if (!Duration)
    return Duration.takeError();
  return static_cast<double>(*Duration) / (1000.0 * SecondsPerDay);
}

static Expected<std::optional<double>> share(const cl::opt<double> &Option) {
  if (!Option.getNumOccurrences())
    return std::nullopt;
  if (!(Option >= 0 && Option <= 100))
    return complain("--" + Option.ArgStr + " takes a percentage, 0 to 100");
  return Option / 100;
}

static Expected<ExportOptions> checkCommandLine() {
  ExportOptions Options;
  if (Application.empty())
    return complain("no application; say --app NAME (llvm-profstore list shows "
                    "which there are)");
  if (OutputPath.empty())
    return complain("no output file; say -o app.prof");
  if (FormatName == "text")
    Options.Format = ProfileFormat::Text;
  else if (FormatName != "extbinary")
    return complain("unknown format '" + FormatName +
                    "'; --format takes text or extbinary");
  Options.Selection.Application = Application;
  Options.Selection.Versions.assign(Versions.begin(), Versions.end());
  Options.Selection.Hosts.assign(Hosts.begin(), Hosts.end());
  if (Error E = days(Since, "--since").moveInto(Options.Selection.SinceDays))
    return E;
  if (Error E = days(HalfLife, "--half-life")
                    .moveInto(Options.Weighting.HalfLifeDays))
    return E;
  if (Error E = share(MaxHostShare).moveInto(Options.Weighting.MaxHostShare))
    return E;
  if (Error E =
          share(MaxVersionShare).moveInto(Options.Weighting.MaxVersionShare))
    return E;
  Options.Estimator.Name = EstimatorName;
  Options.Estimator.RatesPath = RatesPath;
  if (Error E = checkEstimatorRequest(Options.Estimator))
    return E;
  if (Error E = checkOutputPath(OutputPath, "-o"))
    return E;
  for (const std::string &Path : BinaryPaths)
    if (Error E = checkNotOverwritten(OutputPath, Path, "-o"))
      return E;
  return Options;
}

/// The profile of \p Sum.
static Expected<SumProfile> makeSumProfile(const SummedSamples &Sum,
                                           ProfiledBinary &Binary,
                                           const EstimatorRequest &Estimator,
                                           DiagnosticSink &Diagnostics) {
  Expected<MachineFrequencies> Frequencies =
      estimateSum(Sum, Binary, Estimator, Diagnostics);
  if (!Frequencies)
    return Frequencies.takeError();
  SumProfile Profile;
  AttributionStatistics Statistics =
      attribute(*Frequencies, Binary, Profile.Map);
  if (Statistics.AttributedSamples == 0)
    return fileError(Binary.path(),
                     "none of its " + Twine(Sum.Samples.Total) +
                         " samples is at an instruction whose source line is "
                         "known; compile with -gmlt "
                         "-fdebug-info-for-profiling");
  if (Frequencies->Resolution)
    Profile.Map.Resolution = std::max(*Frequencies->Resolution, 1.0);
  addSymbols(Binary, Profile.Map);
  Profile.Samples = Statistics.AttributedSamples;
  Profile.Functions = Statistics.Functions;
  return Profile;
}

namespace {

/// Passes everything on, and counts warnings.
class CountedWarnings final : public DiagnosticSink {
public:
  explicit CountedWarnings(DiagnosticSink &To) : To(To) {}
  void warning(const Twine &Message) override {
    ++Warnings;
    To.warning(Message);
  }
  void note(const Twine &Message) override { To.note(Message); }
  unsigned Warnings = 0;

private:
  DiagnosticSink &To;
};

} // namespace

/// Adds the profile of the sum \p Index, kept or made, to \p Map.
static Error addSamples(const SummedSamples &Sum, size_t Index,
                        const EstimatorRequest &Estimator, BinarySet &Binaries,
                        ProfileCache &Cache, ContextSummaryMap &Map,
                        Totals &Total, DiagnosticSink &Diagnostics) {
  auto Add = [&](const SumProfile &Profile) {
    Map.merge(Profile.Map);
    Total.Attributed = SaturatingAdd(Total.Attributed, Profile.Samples);
    Total.Functions += Profile.Functions;
    Total.BuildIDs.insert(formatBuildID(Sum.Samples.BuildID));
  };
  // Which binaries are named decides what is taken.
  if (const SumProfile *Kept = Cache.find(Index);
      Kept && !Binaries.hasNamed()) {
    Add(*Kept);
    return Error::success();
  }
  Expected<ProfiledBinary *> Binary = Binaries.find(Sum.Samples);
  if (!Binary)
    return Binary.takeError();
  // A binary that was named may be another one, or not tell.
  const bool IsSame = (*Binary)->buildID() == ArrayRef(Sum.Samples.BuildID);
  if (const SumProfile *Kept = Cache.find(Index); Kept && IsSame) {
    Add(*Kept);
    return Error::success();
  }
  CountedWarnings Counted(Diagnostics);
  Expected<SumProfile> Profile =
      makeSumProfile(Sum, **Binary, Estimator, Counted);
  if (!Profile)
    return Profile.takeError();
  Add(*Profile);
  // What came with a warning shall come with it again.
  if (IsSame && !Counted.Warnings)
    Cache.add(Index, *Profile);
  return Error::success();
}

/// What was left out, and why: most samples first.
static std::string describeReasons(ArrayRef<std::string> Reasons) {
  constexpr size_t MaxReasons = 5;
  std::string Text;
  for (const std::string &Reason : Reasons.take_front(MaxReasons))
    Text += "\n  " + Reason;
  if (Reasons.size() > MaxReasons)
    Text += "\n  and " + std::to_string(Reasons.size() - MaxReasons) + " more";
  return Text;
}

static Expected<ContextSummaryMap>
makeProfile(StringRef StoreName, ArrayRef<SummedSamples> Sums,
            const ExportOptions &Options, BinarySet &Binaries,
            ProfileCache &Cache, Totals &Total, DiagnosticSink &Diagnostics) {
  ContextSummaryMap Map;
  std::vector<std::string> Reasons;
  uint64_t Missing = 0;
  std::set<std::string> Events;
  for (const auto &[Index, Sum] : enumerate(Sums)) {
    Events.insert(Sum.Event.Name);
    if (!EventName.empty() && Sum.Event.Name != EventName)
      continue;
    Total.Samples = SaturatingAdd(Total.Samples, Sum.Samples.Total);
    auto LeaveOut = [&](Error E) {
      Reasons.push_back(toString(std::move(E)) + " (" +
                        std::to_string(Sum.Samples.Total) + " samples)");
      Missing = SaturatingAdd(Missing, Sum.Samples.Total);
    };
    // What happens in few places says nothing of how often others ran.
    if (EventName.empty() && Options.Estimator.Name.empty() &&
        !sampledEventOf(Sum.Event) && Sum.Samples.Ranges.empty()) {
      LeaveOut(complain("the event " + Sum.Event.Name +
                        " does not tell how often code ran; --event=" +
                        Sum.Event.Name + " takes it nevertheless"));
      continue;
    }
    if (Error E = addSamples(Sum, Index, Options.Estimator, Binaries, Cache,
                             Map, Total, Diagnostics))
      LeaveOut(std::move(E));
  }
  if (!EventName.empty() && !Events.count(EventName))
    return complain(StoreName + ": '" + Application + "' has no event '" +
                    EventName + "'; it has " + join(Events, ", "));
  if (const ProfiledBinary *Unused = Binaries.unusedNamed())
    return fileError(Unused->path(),
                     StoreName + " holds no samples of this binary (build ID " +
                         formatBuildID(Unused->buildID()) +
                         ") in what was selected; llvm-profstore show --app " +
                         Application + " lists the build IDs that it has");
  if (Map.empty())
    return complain(StoreName + ": nothing of '" + Application +
                    "' can be symbolized; give its binaries as --binary or "
                    "their directory as --debug-dir:" +
                    describeReasons(Reasons));
  // Percentages of the samples beyond which a profile may mislead.
  if (Missing && !Reasons.empty()) {
    std::string Text =
        percentage(Missing, Total.Samples) +
        " of the samples are left out:" + describeReasons(Reasons);
    if (static_cast<double>(Missing) > 0.3 * static_cast<double>(Total.Samples))
      Diagnostics.warning(Text);
    else
      Diagnostics.note(Text);
  }
  return Map;
}

Error exportProfile() {
  StderrDiagnostics Diagnostics(ToolName, isQuiet());
  Expected<std::string> URL = storeURL();
  if (!URL)
    return URL.takeError();
  Expected<ExportOptions> Options = checkCommandLine();
  if (!Options)
    return Options.takeError();
  BinarySet Binaries({DebugDirectories.begin(), DebugDirectories.end()});
  for (const std::string &Path : BinaryPaths)
    if (Error E = Binaries.add(Path))
      return E;

  Expected<std::unique_ptr<Database>> DB =
      openStore(*URL, DatabaseAccess::Read);
  if (!DB)
    return DB.takeError();
  std::string StoreName = (*DB)->name().str();
  std::vector<CaptureGroup> Groups;
  std::vector<SummedSamples> Sums;
  ProfileCache Cache;
  {
    Expected<Transaction> Snapshot =
        Transaction::begin(**DB, TransactionKind::Read);
    if (!Snapshot)
      return Snapshot.takeError();
    if (Error E = selectCaptures(**DB, Options->Selection, Options->Weighting)
                      .moveInto(Groups))
      return E;
    if (Error E = sumCaptures(**DB, Application, Groups).moveInto(Sums))
      return E;
    if (Error E = Cache.load(**DB, Sums, Options->Estimator, Diagnostics))
      return E;
  }
  // The connection is not kept busy by what may take minutes.
  DB->reset();

  Totals Total;
  Expected<ContextSummaryMap> Map = makeProfile(
      StoreName, Sums, *Options, Binaries, Cache, Total, Diagnostics);
  if (!Map)
    return Map.takeError();
  if (Error E = writeProfile(OutputPath, *Map, Options->Format))
    return E;
  Cache.save(*URL, Diagnostics);

  uint64_t Recorded = 0;
  std::set<int64_t> HostIDs, VersionIDs;
  for (const CaptureGroup &Group : Groups) {
    Recorded = SaturatingAdd(Recorded, Group.Samples);
    HostIDs.insert(Group.HostID);
    VersionIDs.insert(Group.VersionID);
  }
  Diagnostics.note(
      counted(Recorded, "sample") + " of " + counted(HostIDs.size(), "host") +
      " and " + counted(VersionIDs.size(), "version") + ", " +
      formatDay(Groups.front().On) + " to " + formatDay(Groups.back().On) +
      "; weighted " + std::to_string(Total.Samples) + ", used " +
      std::to_string(Total.Attributed) + " in " +
      counted(Total.BuildIDs.size(), "executable") + " (" +
      counted(Total.Functions, "function") + "), written to " + OutputPath);
  return Error::success();
}

} // namespace inlay
