//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm-profconv convert: samples to a profile.
//
// Read the file, choose the event, choose the binaries, and for each of them
// estimate frequencies, attribute them to the source and write what came out.
// Everything that can be known to be wrong is checked before the work begins.
//
//===----------------------------------------------------------------------===//

#include "BinaryChoice.h"
#include "EstimatorChoice.h"
#include "RawProfileReading.h"
#include "Subcommands.h"
#include "inlay/Attribution/Attribution.h"
#include "inlay/Object/BinaryLocator.h"
#include "inlay/Profile/ProfileFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;

namespace inlay {

cl::SubCommand ConvertCommand("convert",
                              "Convert a perf.data file (the default)");

#define CONVERT_OPTION                                                         \
  cl::cat(ProfconvCategory), cl::sub(cl::SubCommand::getTopLevel()),           \
      cl::sub(ConvertCommand)

static cl::opt<std::string> PerfDataPath(cl::Positional, CONVERT_OPTION,
                                         cl::desc("perf.data"));
static cl::opt<std::string>
    OutputPath("o", CONVERT_OPTION, cl::value_desc("file"),
               cl::desc("Write the profile to <file>; - is standard output"));
static cl::list<std::string> BinaryPaths(
    "binary", CONVERT_OPTION, cl::value_desc("path"),
    cl::desc("Convert the samples of this executable or shared library; may be "
             "repeated. Default: the binary with most samples that is found "
             "and has debug information"));
static cl::list<std::string> DebugDirectories(
    "debug-dir", CONVERT_OPTION, cl::value_desc("dir"),
    cl::desc(
        "Look here for binaries and their separate debug files, by build "
        "ID (dir/.build-id/xx/yyyy[.debug]) and by path; may be repeated"));
static cl::opt<std::string>
    FormatName("format", CONVERT_OPTION, cl::value_desc("text|extbinary"),
               cl::init("extbinary"),
               cl::desc("Format of the profile (default: extbinary)"));
static cl::opt<std::string>
    EventName("event", CONVERT_OPTION, cl::value_desc("name"),
              cl::desc("Use the samples of this event. Default: the event with "
                       "most samples"));
static cl::opt<std::string>
    EstimatorName("estimator", CONVERT_OPTION,
                  cl::value_desc("model|max|mean|mean-flow"),
                  cl::desc(EstimatorHelp));
static cl::opt<std::string> RatesPath("rates", CONVERT_OPTION,
                                      cl::value_desc("file"),
                                      cl::desc(RatesHelp));
static cl::opt<bool>
    Merged("merged", CONVERT_OPTION,
           cl::desc("Several binaries: write one profile of them all to -o. "
                    "Without --binary: of all that have debug information"));
static cl::opt<std::string> OutputDirectory(
    "output-dir", CONVERT_OPTION, cl::value_desc("dir"),
    cl::desc("Several binaries: write dir/<binary>.prof for each. Without "
             "--binary: for all that have debug information"));
static cl::opt<bool>
    IgnoreBuildID("ignore-build-id", CONVERT_OPTION,
                  cl::desc("Accept a binary whose build ID is not the recorded "
                           "one; lines may come out wrong"));
static cl::opt<bool> Quiet("quiet", CONVERT_OPTION,
                           cl::desc("Print errors only"));

namespace {

/// The command line, checked.
struct ConvertOptions {
  ProfileFormat Format;
  EstimatorRequest Estimator;
};

/// What became of a run's samples, for the closing line.
struct Totals {
  uint64_t Samples = 0;
  uint64_t SamplesWithoutLine = 0;
  uint64_t Functions = 0;
  std::vector<std::string> Outputs;
};

} // namespace

/// An error if a file cannot be made in the directory of \p Path.
static Error checkOutputPath(StringRef Path) {
  if (Path == "-")
    return Error::success();
  if (sys::fs::is_directory(Path))
    return fileError(Path, "is a directory; -o needs a file name");
  StringRef Parent = sys::path::parent_path(Path);
  if (Parent.empty())
    Parent = ".";
  if (!sys::fs::is_directory(Parent))
    return fileError(Path, "the directory " + Parent +
                               " does not exist; make it first");
  if (std::error_code EC = sys::fs::access(
          sys::fs::exists(Path) ? Path : Parent, sys::fs::AccessMode::Write))
    return fileError(Path, "cannot be written: " + EC.message());
  return Error::success();
}

/// An error if writing to \p Output would replace \p Input.
static Error checkNotOverwritten(StringRef Output, StringRef Input) {
  if (Output == "-" || !sys::fs::equivalent(Output, Input))
    return Error::success();
  return fileError(Output, "is an input of this conversion (" + Input +
                               "); -o needs another file");
}

static Expected<ConvertOptions> checkCommandLine() {
  auto Complain = [](const Twine &Message) {
    return createStringError(inconvertibleErrorCode(), Message);
  };
  ConvertOptions Options;
  if (PerfDataPath.empty())
    return Complain("no input file; usage: llvm-profconv perf.data -o "
                    "app.prof (--help shows all options)");
  if (FormatName == "text")
    Options.Format = ProfileFormat::Text;
  else if (FormatName == "extbinary")
    Options.Format = ProfileFormat::ExtBinary;
  else
    return Complain("unknown format '" + FormatName +
                    "'; --format takes text or extbinary");
  Options.Estimator.Name = EstimatorName;
  Options.Estimator.RatesPath = RatesPath;
  if (Error E = checkEstimatorRequest(Options.Estimator))
    return E;

  if (!OutputDirectory.empty()) {
    if (!OutputPath.empty() || Merged)
      return Complain("--output-dir writes several files; -o and --merged do "
                      "not go with it");
    if (!sys::fs::is_directory(OutputDirectory))
      return fileError(OutputDirectory,
                       "the output directory does not exist; make it first");
    return Options;
  }
  if (OutputPath.empty())
    return Complain("no output file; say -o app.prof");
  if (BinaryPaths.size() > 1 && !Merged)
    return Complain("several binaries: say --merged for one profile of them "
                    "all, or --output-dir=DIR (without -o) for one of each");
  if (Error E = checkOutputPath(OutputPath))
    return E;
  if (Error E = checkNotOverwritten(OutputPath, PerfDataPath))
    return E;
  return Options;
}

/// Says what was chosen, and what is left out.
static void describeChoice(const RawProfile &Profile, const EventSamples &Event,
                           ArrayRef<BinarySamples> Sampled,
                           ArrayRef<ChosenBinary> Chosen,
                           DiagnosticSink &Diagnostics) {
  uint64_t Inside = 0;
  std::vector<const BinarySamples *> ChosenSamples;
  for (const ChosenBinary &Binary : Chosen) {
    Inside += Binary.Samples->Total;
    ChosenSamples.push_back(Binary.Samples);
    StringRef DebugPath = Binary.Binary->debugPath();
    Diagnostics.note("converting " + Binary.Binary->path() + ": " +
                     percentage(Binary.Samples->Total, Event.Total) + " of " +
                     samples(Event.Total) +
                     (DebugPath == Binary.Binary->path()
                          ? Twine()
                          : ", debug information from " + DebugPath));
  }

  uint64_t Outside = Event.Total - Inside;
  std::string Places = describePlaces(Event, Sampled, ChosenSamples);
  // Percentages of the samples beyond which a profile may mislead.
  if (Outside * 10 > Event.Total * 3)
    Diagnostics.warning(percentage(Outside, Event.Total) +
                        " of the samples are elsewhere: " + Places);
  else if (Outside)
    Diagnostics.note("the other samples are in: " + Places);
  if (Inside < 1000)
    Diagnostics.warning(
        "only " + samples(Inside) +
        " to go by; record longer or with a higher frequency (perf record -F)");
  if (Profile.LostEvents)
    Diagnostics.warning("perf lost " + Twine(Profile.LostEvents) +
                        " events while recording; record with a larger buffer "
                        "(perf record -m) or a lower frequency");
}

/// The error for a binary of whose samples none found a line.
static Error explainNothing(const ChosenBinary &Chosen,
                            const MachineFrequencies &Frequencies,
                            const AttributionStatistics &Statistics) {
  StringRef Path = Chosen.Binary->path();
  if (Frequencies.SamplesInFunctions == 0)
    return fileError(Path, "none of its " + samples(Chosen.Samples->Total) +
                               " is in a function that its symbol table knows; "
                               "is it the binary that ran?");
  const FunctionFrequencies *Hottest = &Frequencies.Functions.front();
  for (const FunctionFrequencies &Function : Frequencies.Functions)
    if (Function.Samples > Hottest->Samples)
      Hottest = &Function;
  StringRef Name = Chosen.Binary->functionAt(Hottest->Begin)->Name;
  if (Statistics.SamplesWithoutFirstLine > Statistics.SamplesWithoutDebugInfo)
    return fileError(Path, "its debug information does not tell where "
                           "functions begin (the hottest is " +
                               Name +
                               "); compile with -fdebug-info-for-profiling "
                               "and record again");
  return fileError(Path, "has no debug information for the functions that were "
                         "sampled (the hottest is " +
                             Name +
                             "); compile them with -gmlt "
                             "-fdebug-info-for-profiling and record again");
}

static void warnAboutDebugInfo(const ProfiledBinary &Binary,
                               const MachineFrequencies &Frequencies,
                               const AttributionStatistics &Statistics,
                               DiagnosticSink &Diagnostics) {
  uint64_t Total =
      Frequencies.SamplesInFunctions + Frequencies.SamplesOutsideFunctions;
  auto WarnIfMany = [&](uint64_t Samples, const Twine &What) {
    if (Samples * 10 > Total * 3)
      Diagnostics.warning(Binary.path() + ": " + percentage(Samples, Total) +
                          " of its samples are " + What);
  };
  WarnIfMany(Frequencies.SamplesOutsideFunctions,
             "outside all functions of its symbol table");
  WarnIfMany(Statistics.SamplesWithoutDebugInfo,
             "in functions without debug information; compile them with -gmlt "
             "-fdebug-info-for-profiling");
  WarnIfMany(Statistics.SamplesWithoutFirstLine,
             "in functions whose first line is unknown; compile them with "
             "-fdebug-info-for-profiling");
  // In some small programs no line needs a discriminator.
  if (!Statistics.HasDiscriminators && Statistics.Functions >= 20)
    Diagnostics.warning(Binary.path() +
                        ": no discriminators, so blocks of one line cannot be "
                        "told apart; compile with -fdebug-info-for-profiling");
}

/// Adds the profile of one binary to \p Map.
static Error addBinary(const ChosenBinary &Chosen,
                       const EstimationOptions &Estimation,
                       const EstimatorRequest &Request, ContextSummaryMap &Map,
                       Totals &Sum, DiagnosticSink &Diagnostics) {
  Expected<MachineFrequencies> FrequenciesOrErr = estimateOrFallBack(
      *Chosen.Samples, *Chosen.Binary, Estimation, Request, Diagnostics);
  if (!FrequenciesOrErr)
    return FrequenciesOrErr.takeError();
  const MachineFrequencies &Frequencies = *FrequenciesOrErr;
  AttributionStatistics Statistics =
      attribute(Frequencies, *Chosen.Binary, Map);
  for (const std::string &Message : Chosen.Binary->debugInfoWarnings())
    Diagnostics.warning(Chosen.Binary->debugPath() +
                        ": debug information: " + Message);
  if (Statistics.AttributedSamples == 0)
    return explainNothing(Chosen, Frequencies, Statistics);
  warnAboutDebugInfo(*Chosen.Binary, Frequencies, Statistics, Diagnostics);
  describeCertainty(Frequencies, Chosen.Binary->path(), Diagnostics);
  Sum.Samples += Statistics.AttributedSamples;
  Sum.SamplesWithoutLine += Statistics.SamplesWithoutLine;
  Sum.Functions += Statistics.Functions;
  return Error::success();
}

static Error writeMerged(ArrayRef<ChosenBinary> Chosen,
                         const ConvertOptions &Options,
                         const EstimationOptions &Estimation, Totals &Sum,
                         DiagnosticSink &Diagnostics) {
  ContextSummaryMap Map;
  for (const ChosenBinary &Binary : Chosen) {
    ContextSummaryMap Part;
    if (Error E = addBinary(Binary, Estimation, Options.Estimator, Part, Sum,
                            Diagnostics)) {
      // With --merged alone nobody asked for this very binary.
      if (Chosen.size() == 1 || !BinaryPaths.empty())
        return E;
      Diagnostics.warning("not converted: " + toString(std::move(E)));
      continue;
    }
    Map.merge(Part);
  }
  if (Map.empty())
    return fileError(PerfDataPath, "no binary with samples can be converted");
  Sum.Outputs.push_back(OutputPath);
  return writeProfile(OutputPath, Map, Options.Format);
}

/// DIR/NAME.prof; of several binaries of one name all but the first carry the
/// beginning of their build ID, or a number.
static std::string outputFor(const ProfiledBinary &Binary,
                             std::set<std::string> &Taken) {
  std::string Name = sys::path::filename(Binary.path()).str();
  std::string Unique = Name;
  if (!Binary.buildID().empty() && Taken.count(Unique))
    Unique = Name + "-" + formatBuildID(Binary.buildID().take_front(4));
  for (unsigned Number = 2; !Taken.insert(Unique).second; ++Number)
    Unique = Name + "-" + std::to_string(Number);
  SmallString<128> Path(OutputDirectory);
  sys::path::append(Path, Unique + ".prof");
  return std::string(Path);
}

static Error writeEach(ArrayRef<ChosenBinary> Chosen,
                       const ConvertOptions &Options,
                       const EstimationOptions &Estimation, Totals &Sum,
                       DiagnosticSink &Diagnostics) {
  std::set<std::string> Taken;
  for (const ChosenBinary &Binary : Chosen) {
    ContextSummaryMap Map;
    if (Error E = addBinary(Binary, Estimation, Options.Estimator, Map, Sum,
                            Diagnostics)) {
      if (!BinaryPaths.empty())
        return E;
      Diagnostics.warning("not converted: " + toString(std::move(E)));
      continue;
    }
    std::string Path = outputFor(*Binary.Binary, Taken);
    if (Error E = writeProfile(Path, Map, Options.Format))
      return E;
    Sum.Outputs.push_back(std::move(Path));
  }
  if (Sum.Outputs.empty())
    return fileError(PerfDataPath, "no binary with samples can be converted");
  return Error::success();
}

Error convert() {
  StderrDiagnostics Diagnostics(ToolName, Quiet);

  Expected<ConvertOptions> OptionsOrErr = checkCommandLine();
  if (!OptionsOrErr)
    return OptionsOrErr.takeError();

  Expected<RawProfile> ProfileOrErr = readRawProfile(PerfDataPath, Diagnostics);
  if (!ProfileOrErr)
    return ProfileOrErr.takeError();

  Expected<const EventSamples *> EventOrErr =
      chooseEvent(*ProfileOrErr, PerfDataPath, EventName, Diagnostics);
  if (!EventOrErr)
    return EventOrErr.takeError();
  const EventSamples &Event = **EventOrErr;

  std::vector<BinarySamples> Sampled = distinctBinaries(Event);
  BinaryChoiceOptions ChoiceOptions;
  ChoiceOptions.PerfDataPath = PerfDataPath;
  ChoiceOptions.Binaries = ArrayRef<std::string>(BinaryPaths);
  ChoiceOptions.DebugDirectories = ArrayRef<std::string>(DebugDirectories);
  ChoiceOptions.IgnoreBuildID = IgnoreBuildID;
  ChoiceOptions.TakeAll = Merged || !OutputDirectory.empty();
  Expected<std::vector<ChosenBinary>> ChosenOrErr =
      chooseBinaries(Event, Sampled, ChoiceOptions, Diagnostics);
  if (!ChosenOrErr)
    return ChosenOrErr.takeError();
  describeChoice(*ProfileOrErr, Event, Sampled, *ChosenOrErr, Diagnostics);
  if (OutputDirectory.empty())
    for (const ChosenBinary &Chosen : *ChosenOrErr)
      for (StringRef Input :
           {Chosen.Binary->path(), Chosen.Binary->debugPath()})
        if (Error E = checkNotOverwritten(OutputPath, Input))
          return E;

  Expected<EstimationOptions> EstimationOrErr = chooseEstimation(
      *ProfileOrErr, Event, OptionsOrErr->Estimator, Diagnostics);
  if (!EstimationOrErr)
    return EstimationOrErr.takeError();
  Totals Sum;
  auto Write = OutputDirectory.empty() ? writeMerged : writeEach;
  if (Error E = Write(*ChosenOrErr, *OptionsOrErr, *EstimationOrErr, Sum,
                      Diagnostics))
    return E;

  Diagnostics.note(
      samples(Event.Total) + " read, " + Twine(Sum.Samples) + " used" +
      (Sum.SamplesWithoutLine ? " (" + Twine(Sum.SamplesWithoutLine) +
                                    " more are at instructions without a line)"
                              : Twine()) +
      ", in " + Twine(Sum.Functions) +
      (Sum.Functions == 1 ? " function" : " functions") + ", written to " +
      join(Sum.Outputs, ", "));
  return Error::success();
}

} // namespace inlay
