//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block's evidence is the maximum over its instructions of what the profile
// says of their lines, each in its own inline context: a line's count is a
// lower bound, because an instruction may have moved away or been merged, but
// nothing adds executions to it.
//
//===----------------------------------------------------------------------===//

#include "EvidenceGraph.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace inlay;

/// Branches, phis and intrinsics often carry locations from elsewhere: of a
/// loop's header, of an inlined variable.
static bool saysHowOftenItsBlockRan(const Instruction &I,
                                    const PromotedCalls &Promoted) {
  if (isa<PHINode>(I) || isa<IntrinsicInst>(I) || isa<UnreachableInst>(I))
    return false;
  if (I.isTerminator() && !isa<CallBase, SwitchInst, ReturnInst>(I))
    return false;
  return !Promoted.contains(&I);
}

FlowGraph inlay::buildEvidenceGraph(const Function &F, ContextLookup &Contexts,
                                    const BranchProbabilityInfo &BPI,
                                    const PromotedCalls &Promoted,
                                    UsedLines &Used) {
  FlowGraph Graph;
  DenseMap<const BasicBlock *, uint32_t> IndexOf;
  for (const BasicBlock &BB : F) {
    IndexOf[&BB] = Graph.Nodes.size();
    FlowNode &Node = Graph.Nodes.emplace_back();
    Node.IsUnlikely = isa<UnreachableInst>(BB.getTerminator());
    for (const Instruction &I : BB) {
      if (!saysHowOftenItsBlockRan(I, Promoted))
        continue;
      const LineCounts *Counts = Contexts.countsOf(I);
      if (!Counts)
        continue;
      Used.insert(Counts);
      Node.Evidence = std::max(Node.Evidence.value_or(0), Counts->Count);
    }
  }
  // Branch records, or the flow of inlined copies that were merged, know how
  // often the function was entered.
  if (ContextNode *Root = Contexts.root(); Root && Root->HeadSamples)
    if (!Graph.Nodes[0].Evidence.value_or(0))
      Graph.Nodes[0].Evidence = Root->HeadSamples;

  for (const BasicBlock &BB : F) {
    const Instruction *Terminator = BB.getTerminator();
    for (unsigned I = 0; I != Terminator->getNumSuccessors(); ++I) {
      FlowEdge &Edge = Graph.Edges.emplace_back();
      Edge.Source = IndexOf[&BB];
      Edge.Target = IndexOf[Terminator->getSuccessor(I)];
      BranchProbability P = BPI.getEdgeProbability(&BB, I);
      Edge.Probability = float(P.getNumerator()) / P.getDenominator();
      Edge.IsUnlikely = Graph.Nodes[Edge.Target].IsUnlikely ||
                        (isa<InvokeInst>(Terminator) &&
                         Terminator->getSuccessor(I) ==
                             cast<InvokeInst>(Terminator)->getUnwindDest());
    }
  }
  return Graph;
}

bool inlay::hasPositiveEvidence(const FlowGraph &Graph) {
  return any_of(Graph.Nodes, [](const FlowNode &Node) {
    return Node.Evidence.value_or(0) > 0;
  });
}

inlay::Flow inlay::solveAtResolution(FlowGraph &Graph, uint64_t Resolution,
                                     FlowSolver Solver) {
  Graph.Resolution = Resolution;
  inlay::Flow Solved = solveFlow(Graph, Solver);
  if (any_of(Solved.Nodes, [](uint64_t Count) { return Count > 0; }))
    return Solved;
  // Where a few lines make up nearly all of the profile, their counts are the
  // resolution. That of other functions nothing is left in these units does not
  // make their own proportions less true.
  Graph.Resolution = 1;
  for (const FlowNode &Node : Graph.Nodes)
    Graph.Resolution = std::max(Graph.Resolution, Node.Evidence.value_or(0));
  return solveFlow(Graph, Solver);
}
