//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm-profconv convert: samples, or exact counts, to a profile.
//
// Read the file, choose the event, choose the binaries, and for each of them
// estimate frequencies, attribute them to the source and write what came out;
// with exact counts there is no event to choose and nothing to estimate.
// Everything that can be known to be wrong is checked before the work begins.
//
//===----------------------------------------------------------------------===//

#include "Subcommands.h"
#include "inlay/Attribution/Attribution.h"
#include "inlay/Frequency/EstimatorChoice.h"
#include "inlay/Object/BinaryLocator.h"
#include "inlay/Object/PseudoProbes.h"
#include "inlay/Profile/ProfileFile.h"
#include "inlay/Sampling/EventChoice.h"
#include "inlay/Sampling/RawProfileFile.h"
#include "inlay/Sampling/SampleFile.h"
#include "inlay/Sampling/Subsample.h"
#include "inlay/Selection/BinaryChoice.h"
#include "inlay/Selection/CountedBinary.h"
#include "inlay/Selection/SampledBinaries.h"
#include "inlay/Support/Diagnostics.h"
#include "inlay/Support/OutputFile.h"
#include "inlay/Support/Progress.h"
#include "inlay/Support/Quantities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include <functional>
#include <set>

using namespace llvm;

namespace inlay {

cl::SubCommand ConvertCommand("convert",
                              "Convert a perf.data file (the default)");

const SubcommandHelp ConvertHelp = {
    "Converts a perf.data file, a raw profile, or exact counts of callgrind, "
    "into a\nsample profile for clang.\n",
    "\nEXAMPLES:\n"
    "  clang -O2 -gmlt -fdebug-info-for-profiling app.c -o app\n"
    "  perf record -o perf.data ./app\n"
    "  llvm-profconv perf.data -o app.prof\n"
    "      finds the sampled binary by its build ID and its path\n"
    "  llvm-profconv perf.data --binary=build/app -o app.prof\n"
    "      the binary has moved since\n"
    "  llvm-profconv perf.data --output-dir=profiles\n"
    "      a profile for each sampled binary with debug information\n"
    "  llvm-profconv perf.data --raw -o app.inlayraw\n"
    "  llvm-profconv app.inlayraw -o app.prof\n"
    "      in two steps: only the second needs the binary\n"
    "  llvm-profconv callgrind.out.123 --binary=app -o app.prof\n"
    "      exact counts, from valgrind --tool=callgrind --dump-instr=yes\n"
    "      --collect-jumps=yes\n"};

#define CONVERT_OPTION                                                         \
  cl::cat(ProfconvCategory), cl::sub(cl::SubCommand::getTopLevel()),           \
      cl::sub(ConvertCommand)

static cl::list<std::string> InputPaths(cl::Positional, CONVERT_OPTION,
                                        cl::desc("perf.data"));
static cl::opt<std::string>
    InputKind("input", CONVERT_OPTION, cl::value_desc("perf|callgrind"),
              cl::desc("What the input is: perf.data, or what valgrind "
                       "--tool=callgrind --dump-instr=yes --collect-jumps=yes "
                       "wrote, for a profile of exact counts (several files "
                       "are added up). Default: as its first line tells"));
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
                  cl::value_desc("model|branches|max|mean|mean-flow"),
                  cl::desc(EstimatorHelp));
static cl::opt<std::string> RatesPath("rates", CONVERT_OPTION,
                                      cl::value_desc("file"),
                                      cl::desc(RatesHelp));
static cl::opt<std::string> AnchorKind(
    "anchors", CONVERT_OPTION, cl::value_desc("lines|probes"),
    cl::desc("What counts are attached to. Default: pseudo probes if the "
             "binary has them (-fpseudo-probe-for-profiling), else lines"));
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
static cl::opt<bool>
    Raw("raw", CONVERT_OPTION,
        cl::desc("Write the samples of all binaries and events as they are, to "
                 "be converted elsewhere or later; needs no binary"));
static cl::opt<std::string> ContextsForm(
    "contexts", CONVERT_OPTION, cl::value_desc("full|nested"),
    cl::ValueOptional,
    cl::desc("Divide the counts of functions by their callers, as call chains "
             "(perf record -g) tell them, and write contexts as CSSPGO does "
             "(full, the default) or as if all calls had been inlined "
             "(nested)"));
static cl::opt<unsigned>
    ContextDepth("context-depth", CONVERT_OPTION, cl::value_desc("N"),
                 cl::init(ContextOptions().Depth),
                 cl::desc("--contexts: the most callers of a context"));
static cl::opt<uint64_t> ContextSamples(
    "context-samples", CONVERT_OPTION, cl::value_desc("N"),
    cl::desc("--contexts: samples that a context must have, callees' included. "
             "Default: a thousandth of all, and at least 20"));
// For benchmarks: as in `accuracy'.
static cl::opt<uint64_t>
    SampleCount("samples", CONVERT_OPTION, cl::Hidden, cl::value_desc("N"),
                cl::desc("Use N samples of the event, drawn at random"));
static cl::opt<uint64_t> Seed("seed", CONVERT_OPTION, cl::Hidden,
                              cl::value_desc("S"), cl::init(0),
                              cl::desc("Draw other samples"));
static cl::opt<bool> Quiet("quiet", CONVERT_OPTION,
                           cl::desc("Print errors only"));

namespace {

/// The command line, checked.
struct ConvertOptions {
  bool IsCounts; ///< the input is callgrind's
  ProfileFormat Format;
  EstimatorRequest Estimator;
  bool HasContexts = false; ///< divide by callers
  ContextForm Form = ContextForm::Nested;
  ContextOptions Contexts;
};

/// What became of a run's samples, for the closing line.
struct Totals {
  uint64_t Samples = 0;
  uint64_t SamplesWithoutLine = 0;
  uint64_t Functions = 0;
  std::vector<std::string> Outputs;
};

/// A binary that is to be converted.
struct Conversion {
  ProfiledBinary *Binary;
  uint64_t Total;  ///< what was seen of it, in units
  StringRef Units; ///< "samples", "instructions"
  /// Makes frequencies of that.
  std::function<Expected<MachineFrequencies>()> Frequencies;
  /// What counts are attached to; null: lines.
  std::unique_ptr<PseudoProbes> Probes = nullptr;
  /// Divides them by callers; null if that is not asked for.
  std::function<Expected<ContextFrequencies>(const MachineFrequencies &)>
      Contexts = nullptr;
};

} // namespace

/// Options that are about what --raw leaves for later.
static Error checkRaw(bool IsCounts) {
  if (IsCounts)
    return complain("--raw is for samples; " + InputPaths.front() +
                    " holds exact counts");
  for (StringRef Name :
       {"binary", "debug-dir", "format", "estimator", "rates", "merged",
        "output-dir", "ignore-build-id", "samples", "anchors", "contexts"})
    if (cl::getRegisteredOptions(ConvertCommand)
            .lookup(Name)
            ->getNumOccurrences())
      return complain("--" + Name +
                      " does not go with --raw, which keeps the samples of all "
                      "binaries as they are");
  return Error::success();
}

/// For messages.
static StringRef inputPath() {
  return InputPaths.front() == "-" ? StringRef("<stdin>")
                                   : StringRef(InputPaths.front());
}

static Error checkContexts(ConvertOptions &Options) {
  Options.HasContexts = ContextsForm.getNumOccurrences();
  for (const cl::Option *Option : {static_cast<cl::Option *>(&ContextDepth),
                                   static_cast<cl::Option *>(&ContextSamples)})
    if (Option->getNumOccurrences() && !Options.HasContexts)
      return complain("--" + Option->ArgStr + " is about --contexts");
  if (!Options.HasContexts)
    return Error::success();
  if (Options.IsCounts)
    return complain("--contexts is for samples; callgrind tells no contexts");
  if (AnchorKind == "probes")
    return complain("--contexts attaches counts to lines, not to probes");
  if (ContextsForm.empty() || ContextsForm == "full")
    Options.Form = ContextForm::Full;
  else if (ContextsForm != "nested")
    return complain("unknown form '" + ContextsForm +
                    "'; --contexts takes full or nested");
  Options.Contexts.Depth = ContextDepth;
  if (Options.Contexts.Depth > MaxContextDepth)
    return complain("--context-depth is at most " + Twine(MaxContextDepth));
  if (ContextSamples.getNumOccurrences()) {
    if (ContextSamples == 0)
      return complain("--context-samples is at least 1");
    Options.Contexts.LeastSamples = ContextSamples;
    Options.Contexts.LeastShare = 0;
  }
  return Error::success();
}

static Expected<ConvertOptions> checkCommandLine() {
  ConvertOptions Options;
  if (InputPaths.empty())
    return complain("no input file; usage: llvm-profconv perf.data -o "
                    "app.prof (--help shows all options)");
  if (FormatName == "text")
    Options.Format = ProfileFormat::Text;
  else if (FormatName == "extbinary")
    Options.Format = ProfileFormat::ExtBinary;
  else
    return complain("unknown format '" + FormatName +
                    "'; --format takes text or extbinary");
  if (InputKind.empty())
    Options.IsCounts = any_of(InputPaths, isCallgrindFile);
  else if (InputKind == "callgrind" || InputKind == "perf")
    Options.IsCounts = InputKind == "callgrind";
  else
    return complain("unknown input '" + InputKind +
                    "'; --input takes perf or callgrind");
  if (!Options.IsCounts && InputPaths.size() > 1)
    return complain("several input files; a profile is made of one perf.data "
                    "(llvm-profdata merge --sample joins profiles)");
  if (Options.IsCounts)
    for (const cl::Option *Option : {static_cast<cl::Option *>(&EventName),
                                     static_cast<cl::Option *>(&EstimatorName),
                                     static_cast<cl::Option *>(&RatesPath)})
      if (Option->getNumOccurrences())
        return complain("--" + Option->ArgStr +
                        " is for samples; the counts of " + inputPath() +
                        " are exact");
  if (!AnchorKind.empty() && AnchorKind != "lines" && AnchorKind != "probes")
    return complain("unknown anchors '" + AnchorKind +
                    "'; --anchors takes lines or probes");
  if (Raw)
    if (Error E = checkRaw(Options.IsCounts))
      return E;
  if (Error E = checkContexts(Options))
    return E;
  Options.Estimator.Name = EstimatorName;
  Options.Estimator.RatesPath = RatesPath;
  if (Error E = checkEstimatorRequest(Options.Estimator))
    return E;
  if (Error E = checkDebugDirectories(ArrayRef<std::string>(DebugDirectories)))
    return E;

  if (!OutputDirectory.empty()) {
    if (!OutputPath.empty() || Merged)
      return complain("--output-dir writes several files; -o and --merged do "
                      "not go with it");
    if (!sys::fs::is_directory(OutputDirectory))
      return fileError(OutputDirectory,
                       "the output directory does not exist; make it first");
    return Options;
  }
  if (OutputPath.empty())
    return complain("no output file; say -o app.prof");
  if (BinaryPaths.size() > 1 && !Merged)
    return complain("several binaries: say --merged for one profile of them "
                    "all, or --output-dir=DIR (without -o) for one of each");
  if (Error E = checkOutputPath(OutputPath, "-o"))
    return E;
  for (const std::string &Path : InputPaths)
    if (Error E = checkNotOverwritten(OutputPath, Path, "-o"))
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
static Error explainNothing(const Conversion &Of,
                            const MachineFrequencies &Frequencies,
                            const AttributionStatistics &Statistics) {
  StringRef Path = Of.Binary->path();
  if (Frequencies.SamplesInFunctions == 0)
    return fileError(Path, "none of its " + Twine(Of.Total) + " " + Of.Units +
                               " is in a function that its symbol table knows; "
                               "is it the binary that ran?");
  const FunctionFrequencies *Hottest = &Frequencies.Functions.front();
  for (const FunctionFrequencies &Function : Frequencies.Functions)
    if (Function.Samples > Hottest->Samples)
      Hottest = &Function;
  StringRef Name = Of.Binary->functionAt(Hottest->Begin)->Name;
  if (Of.Probes)
    return fileError(Path, "has no pseudo probes in the functions that were "
                           "sampled (the hottest is " +
                               Name +
                               "); compile them with "
                               "-fpseudo-probe-for-profiling and record again, "
                               "or say --anchors=lines");
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

static void warnAboutDebugInfo(const Conversion &Of,
                               const MachineFrequencies &Frequencies,
                               const AttributionStatistics &Statistics,
                               DiagnosticSink &Diagnostics) {
  uint64_t Total =
      Frequencies.SamplesInFunctions + Frequencies.SamplesOutsideFunctions;
  StringRef Path = Of.Binary->path();
  auto WarnIfMany = [&](uint64_t Part, const Twine &What) {
    if (double(Part) > 0.3 * double(Total))
      Diagnostics.warning(Path + ": " + percentage(Part, Total) + " of its " +
                          Of.Units + " are " + What);
  };
  WarnIfMany(Frequencies.SamplesOutsideFunctions,
             "outside all functions of its symbol table");
  // Timers and counters interrupt between instructions.
  if (Frequencies.SamplesInsideInstructions > Total / 20)
    Diagnostics.warning(
        Path + ": " + percentage(Frequencies.SamplesInsideInstructions, Total) +
        " of its " + Of.Units +
        " are in the middle of an instruction; it is not the binary that ran, "
        "or its code was changed since");
  WarnIfMany(Statistics.SamplesWithoutDebugInfo,
             "in functions without debug information; compile them with -gmlt "
             "-fdebug-info-for-profiling");
  WarnIfMany(Statistics.SamplesWithoutFirstLine,
             "in functions whose first line is unknown; compile them with "
             "-fdebug-info-for-profiling");
  WarnIfMany(Statistics.SamplesWithoutProbes,
             "in functions without pseudo probes; compile them with "
             "-fpseudo-probe-for-profiling");
  // In some small programs no line needs a discriminator.
  if (!Of.Probes && !Statistics.HasDiscriminators && Statistics.Functions >= 20)
    Diagnostics.warning(Path +
                        ": no discriminators, so blocks of one line cannot be "
                        "told apart; compile with -fdebug-info-for-profiling");
}

static void warnAboutNamesakes(const Conversion &Of,
                               const MachineFrequencies &Frequencies,
                               DiagnosticSink &Diagnostics) {
  constexpr size_t MostNames = 5;
  std::vector<StringRef> Names = namesakes(Frequencies, *Of.Binary);
  if (Names.empty())
    return;
  std::string List = join(ArrayRef(Names).take_front(MostNames), ", ");
  if (Names.size() > MostNames)
    List += " and " + std::to_string(Names.size() - MostNames) + " more";
  Diagnostics.warning(Of.Binary->path() +
                      ": several functions have the same name, and the profile "
                      "takes them for one: " +
                      List + "; compile with -funique-internal-linkage-names");
}

/// Says how many contexts there are, and what they rest on.
static void describeContexts(const Conversion &Of,
                             const ContextFrequencies &Contexts,
                             DiagnosticSink &Diagnostics) {
  const size_t Called =
      count_if(Contexts.Contexts,
               [](const FunctionInContext &C) { return C.Caller.has_value(); });
  Diagnostics.note(sys::path::filename(Of.Binary->path()) + ": " +
                   Twine(Called) + " contexts, by the callers of " +
                   percentage(Contexts.SamplesWithContext, Of.Total) +
                   " of its samples");
}

/// Adds the profile of one binary to \p Map.
static Error addBinary(const Conversion &Of, ContextSummaryMap &Map,
                       Totals &Sum, DiagnosticSink &Diagnostics) {
  Expected<MachineFrequencies> FrequenciesOrErr = Of.Frequencies();
  if (!FrequenciesOrErr)
    return FrequenciesOrErr.takeError();
  const MachineFrequencies &Frequencies = *FrequenciesOrErr;
  ProfiledBinary &Binary = *Of.Binary;
  ContextFrequencies Contexts;
  if (Of.Contexts) {
    Expected<ContextFrequencies> ContextsOrErr = Of.Contexts(Frequencies);
    if (!ContextsOrErr)
      return ContextsOrErr.takeError();
    Contexts = std::move(*ContextsOrErr);
  }
  Expected<AttributionStatistics> StatisticsOrErr =
      [&]() -> Expected<AttributionStatistics> {
    Progress Attributing(("finding the lines of " + Binary.path()).str(),
                         Frequencies.Functions.size(),
                         Progress::Unit::Functions);
    auto OnProgress = [&](uint64_t Done) { Attributing.update(Done); };
    if (Of.Probes)
      return attributeToProbes(Frequencies, Binary, *Of.Probes, Map,
                               OnProgress);
    return Of.Contexts
               ? attribute(Frequencies, Contexts, Binary, Map, OnProgress)
               : attribute(Frequencies, Binary, Map, OnProgress);
  }();
  if (!StatisticsOrErr)
    return fileError(Binary.path(), toString(StatisticsOrErr.takeError()));
  const AttributionStatistics &Statistics = *StatisticsOrErr;
  if (Frequencies.Resolution)
    Map.Resolution = std::max(*Frequencies.Resolution, 1.0);
  for (const std::string &Message : Binary.debugInfoWarnings())
    Diagnostics.warning(Binary.debugPath() + ": debug information: " + Message);
  if (Statistics.AttributedSamples == 0)
    return explainNothing(Of, Frequencies, Statistics);
  addSymbols(Binary, Map);
  warnAboutDebugInfo(Of, Frequencies, Statistics, Diagnostics);
  warnAboutNamesakes(Of, Frequencies, Diagnostics);
  describeCertainty(Frequencies, Binary.path(), Diagnostics);
  if (Of.Contexts)
    describeContexts(Of, Contexts, Diagnostics);
  Sum.Samples = SaturatingAdd(Sum.Samples, Statistics.AttributedSamples);
  Sum.SamplesWithoutLine =
      SaturatingAdd(Sum.SamplesWithoutLine, Statistics.SamplesWithoutLine);
  Sum.Functions += Statistics.Functions;
  return Error::success();
}

/// Decides what counts are attached to. One profile has one kind of it.
static Error chooseAnchors(MutableArrayRef<Conversion> Conversions,
                           DiagnosticSink &Diagnostics) {
  if (AnchorKind == "lines" || Conversions.front().Contexts)
    return Error::success();
  const Conversion *Without = nullptr;
  for (Conversion &Of : Conversions) {
    if (Error E = PseudoProbes::read(*Of.Binary).moveInto(Of.Probes))
      return E;
    if (!Of.Probes)
      Without = &Of;
  }
  if (!Without)
    return Error::success();
  if (AnchorKind == "probes")
    return fileError(Without->Binary->path(),
                     "has no pseudo probes; compile with "
                     "-fpseudo-probe-for-profiling and record again");
  if (!OutputDirectory.empty())
    return Error::success();
  for (Conversion &Of : Conversions)
    if (std::unique_ptr<PseudoProbes> Unused = std::move(Of.Probes))
      Diagnostics.note(
          Of.Binary->path() +
          ": counts go to lines and not to its pseudo probes, for " +
          Without->Binary->path() + " has none");
  return Error::success();
}

static Error writeMerged(ArrayRef<Conversion> Conversions,
                         const ConvertOptions &Options, Totals &Sum,
                         DiagnosticSink &Diagnostics) {
  ContextSummaryMap Map;
  for (const Conversion &Of : Conversions) {
    ContextSummaryMap Part;
    if (Error E = addBinary(Of, Part, Sum, Diagnostics)) {
      // With --merged alone nobody asked for this very binary.
      if (Conversions.size() == 1 || !BinaryPaths.empty())
        return E;
      Diagnostics.warning("not converted: " + toString(std::move(E)));
      continue;
    }
    Map.merge(Part);
  }
  if (Map.empty())
    return fileError(inputPath(), "no binary with " +
                                      Conversions.front().Units +
                                      " can be converted");
  Sum.Outputs.push_back(OutputPath);
  return writeProfile(OutputPath, Map, Options.Format, Options.Form);
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

static Error writeEach(ArrayRef<Conversion> Conversions,
                       const ConvertOptions &Options, Totals &Sum,
                       DiagnosticSink &Diagnostics) {
  std::set<std::string> Taken;
  for (const Conversion &Of : Conversions) {
    ContextSummaryMap Map;
    if (Error E = addBinary(Of, Map, Sum, Diagnostics)) {
      if (!BinaryPaths.empty())
        return E;
      Diagnostics.warning("not converted: " + toString(std::move(E)));
      continue;
    }
    std::string Path = outputFor(*Of.Binary, Taken);
    if (Error E = writeProfile(Path, Map, Options.Format, Options.Form))
      return E;
    Sum.Outputs.push_back(std::move(Path));
  }
  if (Sum.Outputs.empty())
    return fileError(inputPath(), "no binary with " +
                                      Conversions.front().Units +
                                      " can be converted");
  return Error::success();
}

/// Converts, writes, and says what became of the \p Total units.
static Error write(MutableArrayRef<Conversion> Conversions,
                   const ConvertOptions &Options, uint64_t Total,
                   DiagnosticSink &Diagnostics) {
  if (Error E = chooseAnchors(Conversions, Diagnostics))
    return E;
  if (OutputDirectory.empty())
    for (const Conversion &Of : Conversions)
      for (StringRef Input : {Of.Binary->path(), Of.Binary->debugPath()})
        if (Error E = checkNotOverwritten(OutputPath, Input, "-o"))
          return E;

  Totals Sum;
  auto Write = OutputDirectory.empty() ? writeMerged : writeEach;
  if (Error E = Write(Conversions, Options, Sum, Diagnostics))
    return E;

  StringRef Units = Conversions.front().Units;
  Diagnostics.note(
      Twine(Total) + " " + (Total == 1 ? Units.drop_back() : Units) +
      " read, " + Twine(Sum.Samples) + " used" +
      (Sum.SamplesWithoutLine ? " (" + Twine(Sum.SamplesWithoutLine) +
                                    " more are at instructions without a line)"
                              : Twine()) +
      ", in " + Twine(Sum.Functions) +
      (Sum.Functions == 1 ? " function" : " functions") + ", written to " +
      join(Sum.Outputs, ", "));
  return Error::success();
}

static Error convertSamples(const ConvertOptions &Options,
                            DiagnosticSink &Diagnostics) {
  Expected<RawProfile> ProfileOrErr =
      readSampleFile(InputPaths.front(), Diagnostics);
  if (!ProfileOrErr)
    return ProfileOrErr.takeError();

  Expected<const EventSamples *> EventOrErr =
      chooseEvent(*ProfileOrErr, inputPath(), EventName, Diagnostics);
  if (!EventOrErr)
    return EventOrErr.takeError();
  EventSamples Event = **EventOrErr;
  if (SampleCount)
    Event = subsample(Event, SampleCount, Seed);

  std::vector<BinarySamples> Sampled = sampledBinaries(Event);
  BinaryChoiceOptions ChoiceOptions;
  ChoiceOptions.PerfDataPath = inputPath();
  ChoiceOptions.Binaries = ArrayRef<std::string>(BinaryPaths);
  ChoiceOptions.DebugDirectories = ArrayRef<std::string>(DebugDirectories);
  ChoiceOptions.IgnoreBuildID = IgnoreBuildID;
  ChoiceOptions.TakeAll = Merged || !OutputDirectory.empty();
  ChoiceOptions.TakeKernel = !OutputDirectory.empty();
  Expected<std::vector<ChosenBinary>> ChosenOrErr =
      chooseBinaries(Event, Sampled, ChoiceOptions, Diagnostics);
  if (!ChosenOrErr)
    return ChosenOrErr.takeError();
  describeChoice(*ProfileOrErr, Event, Sampled, *ChosenOrErr, Diagnostics);

  Expected<EstimationOptions> EstimationOrErr =
      chooseEstimation(*ProfileOrErr, Event, Options.Estimator, Diagnostics);
  if (!EstimationOrErr)
    return EstimationOrErr.takeError();
  if (Options.HasContexts && !Event.SamplesWithStack)
    return fileError(inputPath(), "--contexts needs call chains, which its "
                                  "samples do not have; record with perf "
                                  "record -g");
  std::vector<Conversion> Conversions;
  for (const ChosenBinary &Chosen : *ChosenOrErr) {
    Conversions.push_back({Chosen.Binary.get(), Chosen.Samples->Total,
                           "samples", [&, Chosen = &Chosen] {
                             return estimateOrFallBack(
                                 *Chosen->Samples, *Chosen->Binary,
                                 *EstimationOrErr, Options.Estimator,
                                 Diagnostics,
                                 callSamplesOf(Event, *Chosen->Samples));
                           }});
    if (Options.HasContexts)
      Conversions.back().Contexts =
          [&, Chosen = &Chosen](const MachineFrequencies &Frequencies) {
            return divideByContext(Frequencies, Event, *Chosen->Samples,
                                   *Chosen->Binary, Options.Contexts);
          };
  }
  return write(Conversions, Options, Event.Total, Diagnostics);
}

static Error convertCounts(const ConvertOptions &Options,
                           DiagnosticSink &Diagnostics) {
  Expected<CallgrindProfile> ProfileOrErr =
      readCounts(ArrayRef<std::string>(InputPaths), Diagnostics);
  if (!ProfileOrErr)
    return ProfileOrErr.takeError();
  CallgrindProfile &Profile = *ProfileOrErr;

  CountedBinaryOptions ChoiceOptions;
  ChoiceOptions.CallgrindPath = inputPath();
  ChoiceOptions.Binaries = ArrayRef<std::string>(BinaryPaths);
  ChoiceOptions.DebugDirectories = ArrayRef<std::string>(DebugDirectories);
  ChoiceOptions.IgnoreBuildID = IgnoreBuildID;
  ChoiceOptions.TakeAll = Merged || !OutputDirectory.empty();
  Expected<std::vector<CountedBinary>> ChosenOrErr =
      chooseCountedBinaries(Profile, ChoiceOptions, Diagnostics);
  if (!ChosenOrErr)
    return ChosenOrErr.takeError();

  std::vector<Conversion> Conversions;
  for (const CountedBinary &Chosen : *ChosenOrErr) {
    Diagnostics.note("converting " + Chosen.Binary->path() + ": " +
                     percentage(Chosen.Object->Total, Profile.Total) + " of " +
                     Twine(Profile.Total) + " instructions");
    Conversions.push_back(
        {Chosen.Binary.get(), Chosen.Object->Total, "instructions",
         [&, Chosen = &Chosen]() -> Expected<MachineFrequencies> {
           Expected<std::unique_ptr<MachineCode>> CodeOrErr =
               MachineCode::create(*Chosen->Binary);
           if (!CodeOrErr)
             return CodeOrErr.takeError();
           return countFrequencies(Profile, *Chosen->Object, *Chosen->Binary,
                                   **CodeOrErr, Diagnostics);
         }});
  }
  return write(Conversions, Options, Profile.Total, Diagnostics);
}

/// The events with samples, or the one that --event names, as they are.
static Error convertToRaw(DiagnosticSink &Diagnostics) {
  Expected<RawProfile> ProfileOrErr =
      readSampleFile(InputPaths.front(), Diagnostics);
  if (!ProfileOrErr)
    return ProfileOrErr.takeError();
  RawProfile &Profile = *ProfileOrErr;
  DiagnosticSink Silent; // nothing is left out, so no choice to tell of
  Expected<const EventSamples *> EventOrErr =
      chooseEvent(Profile, inputPath(), EventName, Silent);
  if (!EventOrErr)
    return EventOrErr.takeError();
  if (!EventName.empty())
    Profile.Events = {EventSamples(**EventOrErr)};

  std::string Bytes;
  raw_string_ostream OS(Bytes);
  writeRawProfile(Profile, OS);
  if (Error E = writeOutputFile(OutputPath, Bytes))
    return E;
  for (const EventSamples &Event : Profile.Events)
    if (Event.Total)
      Diagnostics.note(Event.Attr.Name + ": " + samples(Event.Total) + ", in " +
                       describePlaces(Event, Event.Binaries));
  Diagnostics.note("written to " + OutputPath);
  return Error::success();
}

Error convert() {
  StderrDiagnostics Diagnostics(ToolName, Quiet);
  Expected<ConvertOptions> OptionsOrErr = checkCommandLine();
  if (!OptionsOrErr)
    return OptionsOrErr.takeError();
  if (Raw)
    return convertToRaw(Diagnostics);
  return OptionsOrErr->IsCounts ? convertCounts(*OptionsOrErr, Diagnostics)
                                : convertSamples(*OptionsOrErr, Diagnostics);
}

} // namespace inlay
