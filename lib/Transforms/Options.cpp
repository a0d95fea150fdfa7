//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options of the pass. Defaults are stated here once.
//
// A hot context was inlined by the compiler that built the profiled binary, so
// that the limits need only keep accidents small: the cost is LLVM's for a hot
// call site, and the callee has not been simplified yet when it is taken. What
// the percentile does was measured on four programs (docs/benchmarks.md).
//
//===----------------------------------------------------------------------===//

#include "inlay/Transforms/Options.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Process.h"

using namespace llvm;
using namespace inlay;

static cl::OptionCategory InlayCategory("Inlay options");

static cl::opt<std::string>
    ProfileOption("inlay-profile", cl::cat(InlayCategory),
                  cl::value_desc("file"),
                  cl::desc("Sample profile to optimize with (also taken from "
                           "the environment variable INLAY_PROFILE)"));
static cl::opt<uint64_t> HotCountOption(
    "inlay-hot-count", cl::cat(InlayCategory), cl::init(0),
    cl::desc("Inline contexts with at least this many samples (default: by "
             "-inlay-hot-percentile)"));
static cl::opt<uint64_t> HotPercentileOption(
    "inlay-hot-percentile", cl::cat(InlayCategory), cl::init(0),
    cl::desc("Per million of all counts that hot lines make up together "
             "(default: 950000, with pseudo probes 990000)"));
static cl::opt<uint64_t> ResolutionOption(
    "inlay-resolution", cl::cat(InlayCategory), cl::init(0),
    cl::desc("Least count that the profile tells from 0: what one sample "
             "amounts to (default: what the profile says)"));
static cl::opt<unsigned> HotSamplesOption(
    "inlay-hot-samples", cl::cat(InlayCategory), cl::init(0),
    cl::desc("Counts of less than this many times the resolution are not hot"));
static cl::opt<bool> InlineContextsOption("inlay-inline",
                                          cl::cat(InlayCategory),
                                          cl::init(true),
                                          cl::desc("Inline hot contexts"));
static cl::opt<int> HotInlineCostOption(
    "inlay-inline-cost", cl::cat(InlayCategory), cl::init(3000),
    cl::desc("Greatest inline cost of a hot context, in LLVM's units"));
static cl::opt<int> CallInlineCostOption(
    "inlay-context-cost", cl::cat(InlayCategory), cl::init(3000),
    cl::desc("The same of a context that was called in the profiled binary, "
             "and not inlined"));
static cl::opt<unsigned> ContextDifferenceOption(
    "inlay-context-difference", cl::cat(InlayCategory), cl::init(10),
    cl::desc("Percentage by which such a context must differ from the "
             "function's others to be inlined"));
static cl::opt<unsigned> GrowthFactorOption(
    "inlay-growth-factor", cl::cat(InlayCategory), cl::init(12),
    cl::desc("How many times its size a function may grow to by inlining "
             "contexts"));
static cl::opt<unsigned>
    GrowthMinOption("inlay-growth-min", cl::cat(InlayCategory), cl::init(1000),
                    cl::desc("Instructions that any function may grow to"));
static cl::opt<unsigned>
    GrowthMaxOption("inlay-growth-max", cl::cat(InlayCategory), cl::init(10000),
                    cl::desc("Instructions that no function may grow beyond"));

static cl::opt<unsigned> ModuleGrowthOption(
    "inlay-module-growth", cl::cat(InlayCategory), cl::init(4),
    cl::desc("How many times its size context inlining may add to a module"));
static cl::opt<bool> ReplayOption(
    "inlay-replay", cl::cat(InlayCategory), cl::init(false),
    cl::desc("Inline what the profiled binary had inlined, hot or not"));
static cl::opt<bool> ProfilingBuildOption(
    "inlay-profiling-build", cl::cat(InlayCategory), cl::init(false),
    cl::desc("Compile for being profiled: keep what leads back to the source"));

static cl::opt<FlowSolver> FlowOption(
    "inlay-flow", cl::cat(InlayCategory), cl::init(FlowSolver::Convex),
    cl::desc("How counts are made consistent"),
    cl::values(clEnumValN(FlowSolver::Profi, "profi",
                          "LLVM's minimum-cost flow"),
               clEnumValN(FlowSolver::Convex, "inlay",
                          "the flow that is most likely, of a smooth cost")));

static cl::opt<bool> StaleMatchingOption(
    "inlay-stale-matching", cl::cat(InlayCategory), cl::init(true),
    cl::desc(
        "Move counts of source that has changed since the profile to where "
        "their lines are now"));
static cl::opt<unsigned> StaleSimilarityOption(
    "inlay-stale-similarity", cl::cat(InlayCategory), cl::init(30),
    cl::desc("Percentage of its lines that a changed function must still have "
             "for its counts to be moved"));
static cl::opt<unsigned> RenameSimilarityOption(
    "inlay-rename-similarity", cl::cat(InlayCategory), cl::init(75),
    cl::desc("The same of a function that is taken for one with another name"));
static cl::opt<std::string> StaleReportOption(
    "inlay-stale-report", cl::cat(InlayCategory), cl::value_desc("file"),
    cl::desc(
        "Append a line of JSON on the module's stale counts to this file"));

Options Options::fromCommandLine() {
  Options Opts;
  Opts.ProfilePath = ProfileOption;
  if (Opts.ProfilePath.empty())
    Opts.ProfilePath = sys::Process::GetEnv("INLAY_PROFILE").value_or("");
  if (HotCountOption.getNumOccurrences())
    Opts.HotCount = HotCountOption;
  if (HotPercentileOption.getNumOccurrences())
    Opts.HotPercentile = HotPercentileOption;
  if (ResolutionOption.getNumOccurrences())
    Opts.Resolution = ResolutionOption;
  Opts.HotSamples = HotSamplesOption;
  Opts.InlineContexts = InlineContextsOption;
  Opts.HotInlineCost = HotInlineCostOption;
  Opts.CallInlineCost = CallInlineCostOption;
  Opts.ContextDifference = ContextDifferenceOption;
  Opts.GrowthFactor = GrowthFactorOption;
  Opts.GrowthMin = GrowthMinOption;
  Opts.GrowthMax = GrowthMaxOption;
  Opts.ModuleGrowth = ModuleGrowthOption;
  Opts.Replay = ReplayOption;
  Opts.Solver = FlowOption;
  Opts.MatchStale = StaleMatchingOption;
  Opts.StaleSimilarity = StaleSimilarityOption;
  Opts.RenameSimilarity = RenameSimilarityOption;
  Opts.StaleReportPath = StaleReportOption;
  Opts.ProfilingBuild = ProfilingBuildOption;
  return Opts;
}

Expected<Options> Options::fromPassParameters(StringRef Parameters) {
  Options Opts = fromCommandLine();
  while (!Parameters.empty()) {
    StringRef Parameter;
    std::tie(Parameter, Parameters) = Parameters.split(';');
    auto [Key, Value] = Parameter.split('=');
    uint64_t Number = 0;
    if (Key == "profile" && !Value.empty()) {
      Opts.ProfilePath = Value.str();
    } else if (Key == "hot-count" && !Value.getAsInteger(10, Number)) {
      Opts.HotCount = Number;
    } else if (Parameter == "no-inline") {
      Opts.InlineContexts = false;
    } else {
      return createStringError(
          inconvertibleErrorCode(),
          "invalid parameter '" + Parameter +
              "' of pass 'inlay' (known: profile=FILE, hot-count=N, "
              "no-inline; separated by ';')");
    }
  }
  return Opts;
}
