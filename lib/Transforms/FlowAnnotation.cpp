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
// nothing adds executions to it. One flow solve over the whole function makes
// the evidence of all contexts consistent.
//
//===----------------------------------------------------------------------===//

#include "FlowAnnotation.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ProfDataUtils.h"
#include "llvm/ProfileData/InstrProf.h"

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

static FlowGraph buildGraph(Function &F, ContextLookup &Contexts,
                            const ModuleProfile &Profile,
                            const BranchProbabilityInfo &BPI,
                            const PromotedCalls &Promoted, UsedLines &Used) {
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
      Node.Evidence =
          std::max(Node.Evidence.value_or(0), Profile.scaled(Counts->Count));
    }
  }
  // A profile from branch records knows how often the function was entered.
  if (ContextNode *Root = Contexts.root(); Root && Root->HeadSamples)
    if (!Graph.Nodes[0].Evidence)
      Graph.Nodes[0].Evidence = Profile.scaled(Root->HeadSamples);

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

/// Branch weights have 32 bits: shifts all of \p Frequencies alike.
static SmallVector<uint32_t> weightsOf(ArrayRef<uint64_t> Frequencies) {
  uint64_t Max = *std::max_element(Frequencies.begin(), Frequencies.end());
  unsigned Shift = Max >> 32 ? Log2_64(Max) - 31 : 0;
  SmallVector<uint32_t> Weights;
  for (uint64_t Frequency : Frequencies)
    Weights.push_back(Frequency >> Shift);
  return Weights;
}

AnnotationResult inlay::annotateFlow(Function &F, ContextLookup &Contexts,
                                     const ModuleProfile &Profile,
                                     const Options &Opts,
                                     FunctionAnalysisManager &FAM,
                                     const PromotedCalls &Promoted,
                                     UsedLines &Used) {
  AnnotationResult Result;
  FlowGraph Graph =
      buildGraph(F, Contexts, Profile,
                 FAM.getResult<BranchProbabilityAnalysis>(F), Promoted, Used);
  Result.Blocks = Graph.Nodes.size();
  bool AnyPositive = false;
  for (const FlowNode &Node : Graph.Nodes) {
    Result.BlocksWithEvidence += Node.Evidence.has_value();
    AnyPositive |= Node.Evidence.value_or(0) > 0;
  }
  if (!AnyPositive)
    return Result;

  inlay::Flow Solved = solveFlow(Graph, Opts.Solver);
  Result.Annotated = true;
  // Something in the function ran, so it was entered, whatever rounding says;
  // an entry count of 0 would make all of it cold.
  Result.EntryCount = std::max<uint64_t>(Solved.Nodes[0], 1);
  F.setEntryCount(
      Function::ProfileCount(Result.EntryCount, Function::PCT_Real));

  const uint64_t *Next = Solved.Edges.data();
  for (BasicBlock &BB : F) {
    Instruction *Terminator = BB.getTerminator();
    ArrayRef<uint64_t> Frequencies(Next, Terminator->getNumSuccessors());
    Next += Frequencies.size();
    if (Frequencies.size() < 2 ||
        !isa<BranchInst, SwitchInst, IndirectBrInst>(Terminator))
      continue;
    // A block that never ran says nothing about its branch: keep the static
    // estimate.
    if (all_of(Frequencies, [](uint64_t Count) { return Count == 0; }))
      continue;
    setBranchWeights(*Terminator, weightsOf(Frequencies), /*IsExpected=*/false);
  }
  return Result;
}

void inlay::annotateCallTargets(Function &F, ContextLookup &Contexts,
                                const ModuleProfile &Profile) {
  // As many targets as LLVM's own loader keeps.
  constexpr unsigned MaxTargets = 24;
  for (BasicBlock &BB : F)
    for (Instruction &I : BB) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || !Call->isIndirectCall())
        continue;
      const LineCounts *Counts = Contexts.countsOf(I);
      if (!Counts || Counts->CallTargets.empty())
        continue;
      SmallVector<InstrProfValueData, 8> Targets;
      uint64_t Sum = 0;
      for (const auto &[Target, Count] : Counts->CallTargets) {
        uint64_t Scaled = Profile.scaled(Count);
        if (Scaled == 0)
          continue;
        Targets.push_back({Target.getHashCode(), Scaled});
        Sum = SaturatingAdd(Sum, Scaled);
      }
      if (Targets.empty())
        continue;
      sort(Targets,
           [](const InstrProfValueData &A, const InstrProfValueData &B) {
             return std::make_pair(B.Count, A.Value) <
                    std::make_pair(A.Count, B.Value);
           });
      annotateValueSite(*F.getParent(), I, Targets, Sum,
                        IPVK_IndirectCallTarget, MaxTargets);
    }
}
