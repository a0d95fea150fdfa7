//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an instruction costs averages out over a block, to some extent. Kept for
// comparison.
//
//===----------------------------------------------------------------------===//

#include "Mean.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inlay {

static std::vector<double> blockMeans(const SampledFunction &Function) {
  std::vector<double> Means;
  for (const MachineBlock &Block : Function.Code.Blocks) {
    uint64_t Samples = 0;
    unsigned Instructions = 0;
    for (uint32_t N = Block.First; N < Block.First + Block.Count; ++N) {
      Samples += Function.Samples[N];
      Instructions +=
          Function.Code.Instructions[N].Kind != InstructionKind::Nop;
    }
    Means.push_back(double(Samples) / std::max(Instructions, 1u));
  }
  return Means;
}

static Flow solve(const SampledFunction &Function, ArrayRef<double> Means) {
  FlowGraph Graph = makeFlowGraph(Function.Code);
  for (auto [Node, Mean] : zip_equal(Graph.Nodes, Means))
    Node.Evidence =
        Mean > 0 ? FlowEvidence::near(Mean, 1) : FlowEvidence::rare(1);
  // Means are fractions of samples.
  Graph.Resolution = 1.0 / 64;
  return solveFlow(Graph, FlowSolver::Profi);
}

void estimateMean(const SampledFunctions &Sampled, MachineCode &Code,
                  bool UseFlow, MachineFrequencies &Result) {
  for (const SampledFunction &Function : Sampled.Functions) {
    std::vector<double> Means = blockMeans(Function);
    FunctionCounts Counts;
    if (UseFlow) {
      Flow Solution = solve(Function, Means);
      Counts =
          countsOfBlocks(Function.Code, Solution.Nodes, Solution.Edges, Code);
      Counts.Entry = Solution.Entry;
    } else {
      Counts = countsOfBlocks(Function.Code, Means, {}, Code);
    }
    appendFrequencies(Function, Counts, std::nullopt, Result);
  }
}

} // namespace inlay
