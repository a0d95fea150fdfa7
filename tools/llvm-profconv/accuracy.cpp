//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm-profconv accuracy: how near the counts that an estimator makes of
// samples come to exact ones.
//
// Both sides are of the same binary, though not of the same run: the exact
// counts come from callgrind, under which timer samples would mean nothing.
//
//===----------------------------------------------------------------------===//

#include "inlay/Exact/Accuracy.h"
#include "Subcommands.h"
#include "inlay/Frequency/EstimatorChoice.h"
#include "inlay/Object/BinaryLocator.h"
#include "inlay/Sampling/EventChoice.h"
#include "inlay/Sampling/SampleFile.h"
#include "inlay/Sampling/Subsample.h"
#include "inlay/Selection/BinaryChoice.h"
#include "inlay/Selection/CountedBinary.h"
#include "inlay/Selection/SampledBinaries.h"
#include "inlay/Support/Diagnostics.h"
#include "inlay/Support/OutputFile.h"
#include "inlay/Support/Quantities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inlay {

cl::SubCommand AccuracyCommand("accuracy",
                               "Compare what samples tell with exact counts");

const SubcommandHelp AccuracyHelp = {
    "Says how near the counts that an estimator makes of samples come to exact "
    "ones of\nthe same binary and workload.\n",
    "\nEXAMPLES:\n"
    "  perf record -o perf.data ./app\n"
    "  valgrind --tool=callgrind --dump-instr=yes --collect-jumps=yes ./app\n"
    "  llvm-profconv accuracy --exact callgrind.out.123 perf.data\n"
    "  llvm-profconv accuracy --exact callgrind.out.123 perf.data "
    "--samples=1000\n"
    "      had it been recorded for a shorter time\n"};

#define ACCURACY_OPTION cl::cat(ProfconvCategory), cl::sub(AccuracyCommand)

static cl::opt<std::string> PerfDataPath(cl::Positional, ACCURACY_OPTION,
                                         cl::desc("perf.data"));
static cl::list<std::string> ExactPaths(
    "exact", ACCURACY_OPTION, cl::value_desc("callgrind.out"),
    cl::desc("The exact counts: what valgrind --tool=callgrind "
             "--dump-instr=yes --collect-jumps=yes wrote of the same binary "
             "and workload; may be repeated, counts are added up"));
static cl::opt<std::string>
    BinaryPath("binary", ACCURACY_OPTION, cl::value_desc("path"),
               cl::desc("Compare the counts of this executable or shared "
                        "library. Default: as for convert"));
static cl::list<std::string> DebugDirectories("debug-dir", ACCURACY_OPTION,
                                              cl::value_desc("dir"),
                                              cl::desc("As for convert"));
static cl::opt<std::string> EventName("event", ACCURACY_OPTION,
                                      cl::value_desc("name"),
                                      cl::desc("As for convert"));
static cl::opt<std::string>
    EstimatorName("estimator", ACCURACY_OPTION,
                  cl::value_desc("model|branches|max|mean|mean-flow"),
                  cl::init("model"), cl::desc("As for convert"));
static cl::opt<std::string> RatesPath("rates", ACCURACY_OPTION,
                                      cl::value_desc("file"),
                                      cl::desc("As for convert"));
static cl::opt<bool> IgnoreBuildID("ignore-build-id", ACCURACY_OPTION,
                                   cl::desc("As for convert"));
static cl::opt<uint64_t>
    SampleCount("samples", ACCURACY_OPTION, cl::value_desc("N"),
                cl::desc("Use N samples of the event, drawn at random from all "
                         "of them, as if the recording had been shorter"));
static cl::opt<uint64_t> Seed("seed", ACCURACY_OPTION, cl::value_desc("S"),
                              cl::init(0),
                              cl::desc("Draw other samples (default: 0)"));
static cl::opt<unsigned>
    FunctionCount("functions", ACCURACY_OPTION, cl::value_desc("N"),
                  cl::init(10),
                  cl::desc("Show the N worst functions (default: 10)"));
static cl::opt<unsigned>
    BlockCount("blocks", ACCURACY_OPTION, cl::value_desc("N"), cl::init(5),
               cl::desc("Show the N worst blocks of each (default: 5)"));
static cl::opt<std::string>
    JSONPath("json", ACCURACY_OPTION, cl::value_desc("file"),
             cl::desc("Write all of it to <file> as JSON; - is standard output "
                      "and leaves out the table"));

namespace {

/// What was compared.
struct Comparison {
  ProfiledBinary &Binary;
  const EventSamples &Event; ///< as recorded
  uint64_t SamplesDrawn;     ///< of the event, of all binaries
  uint64_t SamplesInBinary;  ///< of these
  uint64_t Instructions;     ///< executed in the binary, by exact counts
  std::optional<double> ClaimedWithinTwo; ///< the estimator's own opinion
};

} // namespace

/// "f:12.3": line offset and discriminator of the innermost frame; the name
/// alone without a line.
static std::string describeLocation(ProfiledBinary &Binary, uint64_t Address) {
  InlineStack Stack = Binary.inlineStackAt(Address);
  if (Stack.empty())
    return "?";
  const InlineFrame &Frame = Stack.front();
  std::string Text = Frame.Function.str();
  if (Frame.HasLine) {
    Text += ":" + utostr(Frame.LineOffset);
    if (Frame.Discriminator)
      Text += "." + utostr(Frame.Discriminator);
  }
  return Text;
}

static std::string share(std::optional<double> Value) {
  std::string Text = "-";
  if (Value) {
    Text.clear();
    raw_string_ostream(Text) << format("%.3f", *Value);
  }
  return Text;
}

static void printTable(raw_ostream &OS, const Accuracy &Result,
                       const Comparison &Of) {
  OS << Of.Binary.path() << ": estimator " << EstimatorName << ", "
     << samples(Of.SamplesInBinary) << " of " << Of.SamplesDrawn << " ("
     << Of.Event.Attr.Name << "), " << Of.Instructions
     << " instructions counted\n\n";
  auto Metric = [&](StringRef Name, std::optional<double> Value,
                    StringRef Meaning) {
    OS << "  " << left_justify(Name, 9) << right_justify(share(Value), 5)
       << "   " << Meaning << '\n';
  };
  Metric("ovi", Result.Overlap,
         "share of the execution that is in the right blocks");
  Metric("ovf", Result.FunctionOverlap,
         "the same within each function, weighted by the function");
  Metric("|p-q|", Result.BranchError,
         "mean error of the probability that a branch is taken");
  Metric("dir", Result.Direction,
         "share of the branches whose likelier side is right");
  Metric("within2", Result.WithinTwo,
         "share of the execution that is counted within a factor of two");
  if (Result.IndirectCalls) {
    Metric("targets", Result.DominatingTarget,
           "share of the indirect calls whose most frequent callee is right");
    Metric("ovt", Result.TargetOverlap,
           "share of them whose callee has the right share");
  }
  if (Of.ClaimedWithinTwo)
    Metric("claimed", Of.ClaimedWithinTwo,
           "what the estimator thinks that this is");
  OS << "\n  functions: " << Result.Functions
     << ", with samples: " << Result.FunctionsWithSamples
     << "; blocks: " << Result.Blocks
     << "; conditional branches that executed: " << Result.Branches << "\n  "
     << format("%.2f %%", 100 * Result.ShareWithoutSamples)
     << " of the execution is in functions without samples\n";

  if (Result.Worst.empty())
    return;
  OS << "\nWhere the estimate is most wrong (misplaced: share of the execution "
        "that is in\nthe wrong blocks; shares are of the whole binary; a "
        "block's estimate is scaled to\nthe exact total):\n\n"
        "  misplaced    exact  estimate    ovf  |p-q|    dir   samples  "
        "function\n";
  for (const FunctionAccuracy &Function : Result.Worst) {
    OS << format("  %7.2f %% %6.2f %%  %6.2f %%", 100 * Function.Misplaced,
                 100 * Function.ExactShare, 100 * Function.EstimatedShare)
       << right_justify(share(Function.Overlap), 7)
       << right_justify(share(Function.BranchError), 7)
       << right_justify(share(Function.Direction), 7)
       << right_justify(utostr(Function.Samples), 10) << "  " << Function.Name
       << '\n';
    for (const BlockAccuracy &Block : Function.Blocks)
      OS << format("  %7.2f %%", 100 * Block.Misplaced / 2)
         << right_justify("0x" + utohexstr(Block.Address, true), 12)
         << ": exact " << format("%.0f", Block.Exact) << ", estimate "
         << format("%.0f", Block.Estimate) << ", " << Block.Instructions
         << (Block.Instructions == 1 ? " instruction, " : " instructions, ")
         << samples(Block.Samples) << ", "
         << describeLocation(Of.Binary, Block.Address) << '\n';
  }
}

static json::Value number(std::optional<double> Value) {
  return Value ? json::Value(*Value) : json::Value(nullptr);
}

static json::Value toJSON(const Accuracy &Result, const Comparison &Of) {
  json::Array Functions;
  for (const FunctionAccuracy &Function : Result.Worst) {
    json::Array Blocks;
    for (const BlockAccuracy &Block : Function.Blocks)
      Blocks.push_back(json::Object{
          {"address", Block.Address},
          {"location",
           json::fixUTF8(describeLocation(Of.Binary, Block.Address))},
          {"instructions", Block.Instructions},
          {"samples", Block.Samples},
          {"exact", Block.Exact},
          {"estimate", Block.Estimate},
          {"misplaced", Block.Misplaced / 2}});
    Functions.push_back(
        json::Object{{"name", json::fixUTF8(Function.Name)},
                     {"address", Function.Entry},
                     {"samples", Function.Samples},
                     {"exact_share", Function.ExactShare},
                     {"estimated_share", Function.EstimatedShare},
                     {"misplaced", Function.Misplaced},
                     {"ovf", number(Function.Overlap)},
                     {"branch_error", number(Function.BranchError)},
                     {"direction", number(Function.Direction)},
                     {"blocks", std::move(Blocks)}});
  }
  return json::Object{{"binary", json::fixUTF8(Of.Binary.path())},
                      {"build_id", formatBuildID(Of.Binary.buildID())},
                      {"event", json::fixUTF8(Of.Event.Attr.Name)},
                      {"estimator", EstimatorName.getValue()},
                      {"samples_recorded", Of.Event.Total},
                      {"samples_drawn", Of.SamplesDrawn},
                      {"samples_in_binary", Of.SamplesInBinary},
                      {"seed", Seed.getValue()},
                      {"instructions", Of.Instructions},
                      {"ovi", Result.Overlap},
                      {"ovf", number(Result.FunctionOverlap)},
                      {"branch_error", number(Result.BranchError)},
                      {"direction", number(Result.Direction)},
                      {"within_two", Result.WithinTwo},
                      {"dominating_target", number(Result.DominatingTarget)},
                      {"target_overlap", number(Result.TargetOverlap)},
                      {"indirect_calls", Result.IndirectCalls},
                      {"claimed_within_two", number(Of.ClaimedWithinTwo)},
                      {"share_without_samples", Result.ShareWithoutSamples},
                      {"functions", Result.Functions},
                      {"functions_with_samples", Result.FunctionsWithSamples},
                      {"blocks", Result.Blocks},
                      {"branches", Result.Branches},
                      {"worst", std::move(Functions)}};
}

static Error checkCommandLine(const EstimatorRequest &Request) {
  if (PerfDataPath.empty() || ExactPaths.empty())
    return complain(
        Twine(PerfDataPath.empty() ? "no input file" : "no exact counts") +
        "; usage: llvm-profconv accuracy --exact callgrind.out perf.data");
  if (SampleCount.getNumOccurrences() && SampleCount == 0)
    return complain("--samples needs at least 1");
  if (Seed.getNumOccurrences() && !SampleCount.getNumOccurrences())
    return complain("--seed says which samples are drawn; say --samples=N, how "
                    "many");
  if (!JSONPath.empty()) {
    if (Error E = checkOutputPath(JSONPath, "--json"))
      return E;
    SmallVector<StringRef, 4> Inputs = {PerfDataPath, BinaryPath, RatesPath};
    append_range(Inputs, ExactPaths);
    for (StringRef Input : Inputs)
      if (Error E = checkNotOverwritten(JSONPath, Input, "--json"))
        return E;
  }
  return checkEstimatorRequest(Request);
}

/// Where it is among \p Event's binaries, which may be fewer than those that it
/// was chosen from.
static const BinarySamples *findSamples(const EventSamples &Event,
                                        const BinarySamples &Chosen) {
  for (const BinarySamples &Samples : Event.Binaries)
    if (Samples.Path == Chosen.Path && Samples.BuildID == Chosen.BuildID)
      return &Samples;
  return nullptr;
}

Error accuracy() {
  StderrDiagnostics Diagnostics(ToolName);
  EstimatorRequest Request{EstimatorName, RatesPath};
  if (Error E = checkCommandLine(Request))
    return E;
  if (Error E = checkDebugDirectories(ArrayRef<std::string>(DebugDirectories)))
    return E;

  Expected<RawProfile> ProfileOrErr = readSampleFile(PerfDataPath, Diagnostics);
  if (!ProfileOrErr)
    return ProfileOrErr.takeError();
  Expected<const EventSamples *> EventOrErr =
      chooseEvent(*ProfileOrErr, PerfDataPath, EventName, Diagnostics);
  if (!EventOrErr)
    return EventOrErr.takeError();
  EventSamples Event = **EventOrErr;
  Event.Binaries = sampledBinaries(Event);

  BinaryChoiceOptions ChoiceOptions;
  ChoiceOptions.PerfDataPath = PerfDataPath;
  if (!BinaryPath.empty())
    ChoiceOptions.Binaries = BinaryPath.getValue();
  ChoiceOptions.DebugDirectories = ArrayRef<std::string>(DebugDirectories);
  ChoiceOptions.IgnoreBuildID = IgnoreBuildID;
  Expected<std::vector<ChosenBinary>> ChosenOrErr =
      chooseBinaries(Event, Event.Binaries, ChoiceOptions, Diagnostics);
  if (!ChosenOrErr)
    return ChosenOrErr.takeError();
  ProfiledBinary &Binary = *ChosenOrErr->front().Binary;

  const uint64_t Drawn = SampleCount.getNumOccurrences()
                             ? std::min<uint64_t>(SampleCount, Event.Total)
                             : Event.Total;
  if (SampleCount > Event.Total)
    Diagnostics.warning("--samples=" + Twine(SampleCount) + ": there are " +
                        Twine(Event.Total) + "; all of them are used");
  const EventSamples Subsample = subsample(Event, Drawn, Seed);
  const BinarySamples *Samples =
      findSamples(Subsample, *ChosenOrErr->front().Samples);
  if (!Samples)
    return fileError(PerfDataPath, "of " + samples(Drawn) +
                                       " drawn none is in " + Binary.path() +
                                       "; draw more (--samples)");

  Expected<CallgrindProfile> CountsOrErr =
      readCounts(ArrayRef<std::string>(ExactPaths), Diagnostics);
  if (!CountsOrErr)
    return CountsOrErr.takeError();
  CountedBinaryOptions CountedOptions;
  CountedOptions.CallgrindPath = ExactPaths.front();
  CountedOptions.IgnoreBuildID = IgnoreBuildID;
  Expected<CallgrindObject *> ObjectOrErr =
      findObject(*CountsOrErr, Binary, CountedOptions, Diagnostics);
  if (!ObjectOrErr)
    return ObjectOrErr.takeError();

  Expected<std::unique_ptr<MachineCode>> CodeOrErr =
      MachineCode::create(Binary);
  if (!CodeOrErr)
    return CodeOrErr.takeError();
  MachineCode &Code = **CodeOrErr;
  Expected<MachineFrequencies> ExactOrErr =
      countFrequencies(*CountsOrErr, **ObjectOrErr, Binary, Code, Diagnostics);
  if (!ExactOrErr)
    return ExactOrErr.takeError();

  Expected<EstimationOptions> OptionsOrErr =
      chooseEstimation(*ProfileOrErr, Event, Request, Diagnostics);
  if (!OptionsOrErr)
    return OptionsOrErr.takeError();
  const MachineFrequencies Estimate = estimateFrequencies(
      *Samples, Binary, Code, *OptionsOrErr,
      callSamplesOf(Drawn < Event.Total ? Subsample : **EventOrErr, *Samples));
  const MachineFrequencies RawSamples =
      estimateFrequencies(*Samples, Binary, Code, EstimationOptions());

  Expected<Accuracy> ResultOrErr =
      measureAccuracy(*ExactOrErr, Estimate, RawSamples, Code,
                      {FunctionCount.getValue(), BlockCount.getValue()});
  if (!ResultOrErr)
    return fileError(Binary.path(), toString(ResultOrErr.takeError()));

  const Comparison Of = {Binary,
                         Event,
                         Drawn,
                         Samples->Total,
                         ExactOrErr->SamplesInFunctions,
                         Estimate.SureShare};
  if (JSONPath != "-")
    printTable(outs(), *ResultOrErr, Of);
  if (JSONPath.empty())
    return Error::success();
  std::string Text;
  raw_string_ostream(Text) << formatv("{0:2}\n", toJSON(*ResultOrErr, Of));
  return writeOutputFile(JSONPath, Text);
}

} // namespace inlay
