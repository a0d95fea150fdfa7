//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm-profstore stats: is what was collected lately enough for a good profile,
// and which functions are hotter or colder than before?
//
// A share of the samples is a share of time. It has changed if the difference
// is more than chance explains: samples are counts of independent events, and
// the difference of two shares has the variance of both.
//
//===----------------------------------------------------------------------===//

#include "BinarySet.h"
#include "Printing.h"
#include "Subcommands.h"
#include "SumEstimation.h"
#include "VirtualCounts.h"
#include "inlay/Store/Aggregation.h"
#include "inlay/Store/Schema.h"
#include "inlay/Store/TimeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <map>

using namespace llvm;

namespace inlay {

cl::SubCommand StatsCommand("stats",
                            "Is the profile dense enough; what has changed");

#define STATS_OPTION cl::cat(ProfstoreCategory), cl::sub(StatsCommand)

static cl::opt<std::string> Application("app", STATS_OPTION,
                                        cl::value_desc("name"),
                                        cl::desc("The application"));
static cl::opt<std::string>
    Period("period", STATS_OPTION, cl::value_desc("time"), cl::init("7d"),
           cl::desc("Compare the last 7d with those before (default)"));
static cl::opt<double>
    Goal("goal", STATS_OPTION, cl::value_desc("percent"), cl::init(80),
         cl::desc("What part of the executed instructions is to be counted "
                  "within a factor of two (default: 80)"));
static cl::list<std::string> BinaryPaths("binary", STATS_OPTION,
                                         cl::value_desc("path"),
                                         cl::desc("As for export"));
static cl::list<std::string> DebugDirectories("debug-dir", STATS_OPTION,
                                              cl::value_desc("dir"),
                                              cl::desc("As for export"));

namespace {

/// Samples of an application in a stretch of time.
struct Stretch {
  std::vector<SummedSamples> Sums;
  std::map<std::string, uint64_t> Functions;
  uint64_t Known = 0; ///< samples in functions
};

struct Change {
  std::string Function;
  double Before, Now; ///< shares of the samples in functions
};

} // namespace

static Error read(Database &DB, const CaptureSelection &Selection,
                  Stretch &Into) {
  Expected<std::vector<CaptureGroup>> Groups =
      selectCaptures(DB, Selection, {});
  if (!Groups)
    return Groups.takeError();
  return sumCaptures(DB, Application, *Groups).moveInto(Into.Sums);
}

static void countFunctions(Stretch &Of, BinarySet &Binaries) {
  for (const SummedSamples &Sum : Of.Sums) {
    Expected<ProfiledBinary *> Binary = Binaries.find(Sum.Samples);
    if (!Binary) {
      consumeError(Binary.takeError());
      continue;
    }
    BinarySamples Samples = Sum.Samples;
    addVirtualCounts(Sum.VirtualCounts, **Binary, Samples);
    for (auto [Offset, Count] : Samples.Counts)
      if (std::optional<uint64_t> Address = (*Binary)->addressOf(Offset))
        if (const FunctionRange *Function = (*Binary)->functionAt(*Address)) {
          Of.Functions[Function->Name.str()] += Count;
          Of.Known += Count;
        }
  }
}

static std::vector<Change> changes(const Stretch &Before, const Stretch &Now) {
  std::map<std::string, std::pair<uint64_t, uint64_t>> Both;
  for (const auto &[Function, Count] : Before.Functions)
    Both[Function].first = Count;
  for (const auto &[Function, Count] : Now.Functions)
    Both[Function].second = Count;
  // Of a share that was seen; none of a few is no proof of none.
  auto Variance = [](uint64_t Count, uint64_t Total) {
    double Share =
        static_cast<double>(Count + 1) / static_cast<double>(Total + 2);
    return Share * (1 - Share) / static_cast<double>(Total);
  };
  std::vector<Change> Changes;
  for (const auto &[Function, Counts] : Both) {
    double Old = static_cast<double>(Counts.first) /
                 static_cast<double>(Before.Known),
           New = static_cast<double>(Counts.second) /
                 static_cast<double>(Now.Known);
    double Deviation = std::sqrt(Variance(Counts.first, Before.Known) +
                                 Variance(Counts.second, Now.Known));
    constexpr double Deviations = 4;
    if (std::abs(New - Old) > Deviations * Deviation)
      Changes.push_back({Function, Old, New});
  }
  llvm::sort(Changes, [](const Change &L, const Change &R) {
    return std::pair(-std::abs(L.Now - L.Before), L.Function) <
           std::pair(-std::abs(R.Now - R.Before), R.Function);
  });
  return Changes;
}

/// How sure the counts of the hottest binary are.
static Error printDensity(const Stretch &Now, BinarySet &Binaries,
                          DiagnosticSink &Diagnostics) {
  for (const SummedSamples &Sum : Now.Sums) {
    Expected<ProfiledBinary *> Binary = Binaries.find(Sum.Samples);
    if (!Binary) {
      consumeError(Binary.takeError());
      continue;
    }
    Expected<MachineFrequencies> Frequencies =
        estimateSum(Sum, **Binary, {}, Diagnostics);
    if (!Frequencies)
      return Frequencies.takeError();
    outs() << printableName(Sum.Samples.Path) << ": "
           << counted(Sum.Samples.Total, "sample") << " of "
           << printableName(Sum.Event.Name);
    if (Frequencies->SureShare)
      outs() << format("; %.0f %% of the executed instructions are counted "
                       "within a factor of two: ",
                       std::floor(100 * *Frequencies->SureShare))
             << (100 * *Frequencies->SureShare >= Goal ? "enough"
                                                       : "not enough")
             << format(" for a goal of %g %%", Goal.getValue());
    if (Frequencies->Advice)
      outs() << "; " << Frequencies->Advice->Factor
             << format(" times the samples would make that about %.0f %%",
                       std::floor(100 * Frequencies->Advice->SureShare));
    outs() << '\n';
    return Error::success();
  }
  return createStringError(inconvertibleErrorCode(),
                           "none of the binaries of '" + Application +
                               "' can be found; give them as --binary or "
                               "their directory as --debug-dir");
}

Error stats() {
  StderrDiagnostics Diagnostics(ToolName, isQuiet());
  Expected<std::string> URL = storeURL();
  if (!URL)
    return URL.takeError();
  if (Application.empty())
    return createStringError(inconvertibleErrorCode(),
                             "no application; say --app NAME");
  Expected<int64_t> Length = parseDuration(Period, "--period");
  if (!Length)
    return Length.takeError();
  if (!(Goal >= 0 && Goal <= 100))
    return createStringError(inconvertibleErrorCode(),
                             "--goal takes a percentage, 0 to 100");
  double Days =
      std::max(1.0, static_cast<double>(*Length) / (1000.0 * SecondsPerDay));
  BinarySet Binaries({DebugDirectories.begin(), DebugDirectories.end()});
  for (const std::string &Path : BinaryPaths)
    if (Error E = Binaries.add(Path))
      return E;
  Expected<std::unique_ptr<Database>> DB =
      openStore(*URL, DatabaseAccess::Read);
  if (!DB)
    return DB.takeError();
  Stretch Now, Before;
  {
    Expected<Transaction> Snapshot =
        Transaction::begin(**DB, TransactionKind::Read);
    if (!Snapshot)
      return Snapshot.takeError();
    CaptureSelection Selection;
    Selection.Application = Application;
    Selection.SinceDays = Days;
    if (Error E = read(**DB, Selection, Now))
      return E;
    Selection.SinceDays = 2 * Days;
    Selection.BeforeDays = Days;
    // There may be none.
    if (Error E = read(**DB, Selection, Before))
      consumeError(std::move(E));
  }
  if (Error E = printDensity(Now, Binaries, Diagnostics))
    return E;
  countFunctions(Now, Binaries);
  countFunctions(Before, Binaries);
  if (!Before.Known || !Now.Known) {
    outs() << "nothing from before to compare with\n";
    return Error::success();
  }
  std::vector<Change> Changes = changes(Before, Now);
  outs() << "functions with another share of the samples: " << Changes.size()
         << " (" << counted(Now.Known, "sample") << ", before " << Before.Known
         << ")\n";
  constexpr size_t MostChanges = 20;
  for (const Change &Changed : ArrayRef(Changes).take_front(MostChanges))
    outs() << format("  %6.2f %% -> %6.2f %%  ", 100 * Changed.Before,
                     100 * Changed.Now)
           << printableName(Changed.Function) << '\n';
  return Error::success();
}

} // namespace inlay
