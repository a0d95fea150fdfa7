//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Branch records count executions themselves, so there is no bias to undo; but
// they are few where code is cold, the records of one stack are neighbours, and
// a stack's ends are cut off. So their counts are evidence, as certain as they
// are many, for the flow to make consistent: of blocks, of edges where control
// divides, and of the entry. To have evidence an edge gets a node in its
// middle.
//
//===----------------------------------------------------------------------===//

#include "BranchFlow.h"
#include "Certainty.h"
#include "IndirectCalls.h"
#include "NegligibleFlow.h"
#include "inlay/Sampling/RawProfile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Parallel.h"
#include <cmath>

using namespace llvm;

namespace inlay {

namespace {

/// The records of a stack are neighbours: four are worth one that stands alone.
constexpr double Overdispersion = 4;
/// What was not seen costs a nat for each so many observations, at first, and
/// then less and less: records get lost.
constexpr double RareObservations = 2, RareNats = 2;
/// Of the log of a count, the least that is believed.
constexpr double LeastDeviation = 0.05;

/// The graph of a function, with edges that have evidence split.
struct BranchGraph {
  FlowGraph Graph;
  /// Of each edge of the function, its first half in Graph.
  std::vector<uint32_t> EdgeOf;
};

} // namespace

/// Of \p Views numbers that should be equal, \p Observed together.
static FlowEvidence evidenceOf(double Observed, unsigned Views) {
  if (Observed > 0)
    return FlowEvidence::near(
        Observed / Views,
        std::hypot(LeastDeviation, std::sqrt(Overdispersion / Observed)));
  return FlowEvidence::rare(RareObservations / Views, RareNats);
}

/// A call divides a block: what runs before and after it is seen in different
/// ranges.
static FlowEvidence evidenceOf(const MachineBlock &Block,
                               const MachineFunction &Function,
                               const BranchCounts &Branches) {
  double Observed = 0;
  unsigned Views = 0;
  uint64_t Most = 0;
  for (uint32_t I = Block.First; I < Block.First + Block.Count; ++I) {
    Most = std::max(Most, Branches.Instructions[I]);
    const InstructionKind Kind = Function.Instructions[I].Kind;
    if (Kind == InstructionKind::Call ||
        Kind == InstructionKind::IndirectCall ||
        I + 1 == Block.First + Block.Count) {
      Observed += double(Most);
      ++Views;
      Most = 0;
    }
  }
  return evidenceOf(Observed, Views);
}

/// \p RangesPerBranch: a stack of n branches has n - 1 ranges.
static BranchGraph makeGraph(const SampledFunction &Function,
                             double RangesPerBranch) {
  const MachineFunction &Code = Function.Code;
  BranchGraph Result;
  FlowGraph &Graph = Result.Graph;
  Graph = makeFlowGraph(Code);
  Graph.Entry =
      evidenceOf(RangesPerBranch * double(Function.Branches.Entries), 1);
  std::vector<unsigned> Successors(Code.Blocks.size());
  for (const MachineEdge &Edge : Code.Edges)
    ++Successors[Edge.Source];
  for (auto [Index, Block] : enumerate(Code.Blocks))
    Graph.Nodes[Index].Evidence = evidenceOf(Block, Code, Function.Branches);
  Graph.Edges.clear();
  for (auto [Edge, Observed] : zip_equal(Code.Edges, Function.Branches.Edges)) {
    Result.EdgeOf.push_back(Graph.Edges.size());
    if (Successors[Edge.Source] < 2) {
      Graph.Edges.push_back({Edge.Source, Edge.Target});
      continue;
    }
    double Scale = Edge.Kind == EdgeKind::FallThrough ? 1 : RangesPerBranch;
    uint32_t Middle = Graph.Nodes.size();
    Graph.Nodes.emplace_back();
    Graph.Nodes.back().Evidence = evidenceOf(Scale * double(Observed), 1);
    Graph.Edges.push_back({Edge.Source, Middle});
    Graph.Edges.push_back({Middle, Edge.Target});
  }
  return Result;
}

/// What was observed of a function as a whole is unbiased, whatever the flow
/// made of its parts.
static void keepTotal(const SampledFunction &Function, Flow &Solution) {
  double Observed = 0, Executed = 0;
  for (uint64_t Count : Function.Branches.Instructions)
    Observed += double(Count);
  // Behind the blocks are nodes of edges.
  for (auto [Block, Count] : zip_first(Function.Code.Blocks, Solution.Nodes))
    Executed += Block.Count * Count;
  if (!(Observed > 0) || !(Executed > 0))
    return;
  const double Factor = Observed / Executed;
  for (double &Count : Solution.Nodes)
    Count *= Factor;
  for (double &Count : Solution.Edges)
    Count *= Factor;
  Solution.Entry *= Factor;
}

/// Executions for each observation.
static double executionsPerObservation(const BinarySamples &Samples,
                                       const SampledFunctions &Sampled,
                                       const EstimationOptions &Options) {
  double Seen = 0, There = 0;
  if (Options.CountsBranches) {
    There = double(Samples.TotalPeriod);
    for (const auto &Branch : Samples.Branches)
      Seen += double(Branch.second);
  } else {
    There = double(Samples.Total) * Options.ExecutionsPerSample;
    for (const SampledFunction &Function : Sampled.Functions)
      for (uint64_t Count : Function.Branches.Instructions)
        Seen += double(Count);
  }
  return Seen > 0 ? std::max(There / Seen, 1.0) : 1;
}

static double rangesPerBranch(const BinarySamples &Samples) {
  double Ranges = 0, Branches = 0;
  for (const auto &Range : Samples.Ranges)
    Ranges += double(Range.second);
  for (const auto &Branch : Samples.Branches)
    Branches += double(Branch.second);
  for (const auto &Branch : Samples.BranchesIn)
    Branches += double(Branch.second);
  // Half of the records at most are cut off.
  return Branches > 0 ? std::clamp(Ranges / Branches, 0.5, 1.0) : 1;
}

void estimateBranchFlow(const BinarySamples &Samples,
                        const SampledFunctions &Sampled, MachineCode &Code,
                        const EstimationOptions &Options,
                        EstimationProgress &Progress,
                        MachineFrequencies &Result) {
  const double RangesPerBranch = rangesPerBranch(Samples);
  std::vector<BranchGraph> Graphs;
  Graphs.reserve(Sampled.Functions.size());
  for (const SampledFunction &Function : Sampled.Functions)
    Graphs.push_back(makeGraph(Function, RangesPerBranch));
  std::vector<Flow> Solutions(Graphs.size());
  Progress.beginStage(1, Graphs.size());
  parallelFor(0, Graphs.size(), [&](size_t I) {
    Solutions[I] = solveFlow(Graphs[I].Graph, FlowSolver::Convex,
                             /*WithDeviations=*/true);
    dropNegligible(Graphs[I].Graph, Options.NegligibleShare, Solutions[I]);
    keepTotal(Sampled.Functions[I], Solutions[I]);
    Progress.step();
  });

  Result.ExecutionsPerSample =
      executionsPerObservation(Samples, Sampled, Options);
  Result.Resolution = Result.ExecutionsPerSample;
  Certainty Program;
  for (auto [Function, Graph, Solution] :
       zip_equal(Sampled.Functions, Graphs, Solutions)) {
    // From here on without the nodes in the middle of edges.
    const size_t NumBlocks = Function.Code.Blocks.size();
    Solution.Nodes.resize(NumBlocks);
    if (!Solution.Deviations.empty())
      Solution.Deviations.resize(NumBlocks);
    std::vector<double> Edges;
    Edges.reserve(Graph.EdgeOf.size());
    for (uint32_t Edge : Graph.EdgeOf)
      Edges.push_back(Solution.Edges[Edge]);
    Certainty C = certaintyOf(Function.Code, Solution);
    Program.add(C);
    FunctionCounts Counts =
        countsOfBlocks(Function.Code, Solution.Nodes, Edges, Code);
    Counts.Entry = Solution.Entry;
    std::vector<IndirectTarget> Targets;
    Targets.reserve(Function.Branches.Calls.size());
    for (const BranchCounts::Call &Call : Function.Branches.Calls)
      Targets.push_back({Call.Instruction, Call.Target, double(Call.Count)});
    addIndirectCalls(Function.Code, Solution.Nodes, Targets, Code, Counts);
    appendFrequencies(Function, Counts, C.share(), Result);
  }
  if (!Sampled.Functions.empty())
    Result.SureShare = Program.share();
}

} // namespace inlay
