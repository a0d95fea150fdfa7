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
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>
#include <optional>

using namespace llvm;
using namespace inlay;

/// Branches, phis and intrinsics often carry locations from elsewhere: of a
/// loop's header, of an inlined variable. Probes stand for their block.
static bool saysHowOftenItsBlockRan(const Instruction &I,
                                    const PromotedCalls &Promoted) {
  if (isa<PseudoProbeInst>(I))
    return true;
  if (isa<PHINode>(I) || isa<IntrinsicInst>(I) || isa<UnreachableInst>(I))
    return false;
  if (I.isTerminator() && !isa<CallBase, SwitchInst, ReturnInst>(I))
    return false;
  return !Promoted.contains(&I);
}

static FlowEvidence evidenceOf(uint64_t Count, uint64_t Resolution) {
  // How far a block's line may be off, as a factor.
  constexpr double Deviation = 0.3;
  return Count ? FlowEvidence::near(flowCount(Count), Deviation)
               : FlowEvidence::rare(flowCount(Resolution));
}

FlowGraph inlay::buildEvidenceGraph(const Function &F, ContextLookup &Contexts,
                                    uint64_t Resolution,
                                    const BranchProbabilityInfo &BPI,
                                    const PromotedCalls &Promoted,
                                    UsedLines &Used) {
  FlowGraph Graph;
  Graph.Resolution = flowCount(Resolution);
  DenseMap<const BasicBlock *, uint32_t> IndexOf;
  for (const BasicBlock &BB : F) {
    IndexOf[&BB] = Graph.Nodes.size();
    FlowNode &Node = Graph.Nodes.emplace_back();
    Node.IsUnlikely = isa<UnreachableInst>(BB.getTerminator());
    std::optional<uint64_t> Greatest;
    for (const Instruction &I : BB) {
      if (!saysHowOftenItsBlockRan(I, Promoted))
        continue;
      const LineCounts *Counts = Contexts.countsOf(I);
      if (!Counts)
        continue;
      Used.insert(Counts);
      Greatest = std::max(Greatest.value_or(0), Counts->Count);
    }
    if (Greatest)
      Node.Evidence = evidenceOf(*Greatest, Resolution);
  }
  // Branch records, or the flow of inlined copies that were merged, know how
  // often the function was entered.
  if (ContextNode *Root = Contexts.root(); Root && Root->HeadSamples)
    if (!Graph.Nodes[0].Evidence.isPositive())
      Graph.Nodes[0].Evidence = evidenceOf(Root->HeadSamples, Resolution);

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

double inlay::flowCount(uint64_t Count) {
  // What a double has no digits for is cut off, not rounded up.
  constexpr unsigned Digits = std::numeric_limits<double>::digits;
  unsigned Bits = Count ? Log2_64(Count) + 1 : 0;
  return double(Bits > Digits ? Count & ~uint64_t(0) << (Bits - Digits)
                              : Count);
}

uint64_t inlay::wholeCount(double Count) {
  // 2^64 itself does not fit.
  constexpr double Limit = 0x1p64;
  return Count < Limit ? static_cast<uint64_t>(std::round(Count))
                       : std::numeric_limits<uint64_t>::max();
}
