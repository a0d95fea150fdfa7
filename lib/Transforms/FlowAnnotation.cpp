//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One flow solve over the whole function, inlined copies included, makes the
// evidence of all contexts consistent.
//
//===----------------------------------------------------------------------===//

#include "FlowAnnotation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ProfDataUtils.h"
#include "llvm/ProfileData/InstrProf.h"
#include <cmath>

using namespace llvm;
using namespace inlay;

/// Branch weights have 32 bits: shifts all of \p Frequencies alike.
static SmallVector<uint32_t> weightsOf(ArrayRef<double> Frequencies) {
  double Max = *std::max_element(Frequencies.begin(), Frequencies.end());
  int Shift = Max >= 0x1p32 ? std::ilogb(Max) - 31 : 0;
  SmallVector<uint32_t> Weights;
  for (double Frequency : Frequencies)
    Weights.push_back(static_cast<uint32_t>(std::ldexp(Frequency, -Shift)));
  return Weights;
}

/// That an edge was not seen does not mean that it is impossible, which is how
/// LLVM takes a weight of 0: all edges share a small part of what the profile
/// can resolve, divided by static probability.
static SmallVector<double> withUnseen(ArrayRef<double> Frequencies,
                                      ArrayRef<FlowEdge> Edges,
                                      double Resolution) {
  constexpr double UnseenShare = 1.0 / 2048;
  SmallVector<double> Result(Frequencies);
  for (size_t I = 0; I != Edges.size(); ++I)
    Result[I] += std::floor(UnseenShare * Resolution * Edges[I].Probability);
  return Result;
}

AnnotationResult inlay::annotateFlow(Function &F, ContextLookup &Contexts,
                                     const ModuleProfile &Profile,
                                     const Options &Opts,
                                     FunctionAnalysisManager &FAM,
                                     const PromotedCalls &Promoted,
                                     UsedLines &Used, KnownCalls &Calls) {
  AnnotationResult Result;
  FlowGraph Graph = buildEvidenceGraph(
      F, Contexts, Profile.Resolution,
      FAM.getResult<BranchProbabilityAnalysis>(F), Promoted, Used);
  Result.Blocks = Graph.Nodes.size();
  for (const FlowNode &Node : Graph.Nodes)
    Result.BlocksWithEvidence += Node.Evidence.Is != FlowEvidence::Kind::None;
  if (!Graph.hasPositiveEvidence())
    return Result;

  inlay::Flow Solved = solveFlow(Graph, Opts.Solver);
  Result.Annotated = true;
  // Something in the function ran, so it was entered, whatever rounding says;
  // an entry count of 0 would make all of it cold.
  Result.EntryCount = std::max<uint64_t>(wholeCount(Solved.Nodes[0]), 1);
  F.setEntryCount(
      Function::ProfileCount(Result.EntryCount, Function::PCT_Real));

  for (auto [BB, Count] : zip_equal(F, Solved.Nodes))
    for (const Instruction &I : BB)
      if (const auto *Call = dyn_cast<CallBase>(&I))
        if (const Function *Callee = Call->getCalledFunction();
            Callee && !Callee->isDeclaration())
          Calls[Callee] = SaturatingAdd(Calls[Callee], wholeCount(Count));

  size_t Next = 0;
  for (BasicBlock &BB : F) {
    Instruction *Terminator = BB.getTerminator();
    unsigned Count = Terminator->getNumSuccessors();
    auto Frequencies =
        map_to_vector<4>(ArrayRef(Solved.Edges).slice(Next, Count),
                         [](double Count) { return std::round(Count); });
    auto Edges = ArrayRef(Graph.Edges).slice(Next, Count);
    Next += Count;
    if (Frequencies.size() < 2 ||
        !isa<BranchInst, SwitchInst, IndirectBrInst>(Terminator))
      continue;
    // A block that never ran says nothing about its branch: keep the static
    // estimate.
    if (all_of(Frequencies, [](double Count) { return Count == 0; }))
      continue;
    setBranchWeights(
        *Terminator,
        weightsOf(withUnseen(Frequencies, Edges, Solved.Resolution)),
        /*IsExpected=*/false);
  }
  return Result;
}

void inlay::annotateCallTargets(Function &F, ContextLookup &Contexts,
                                const ModuleProfile &Profile,
                                const PromotedCalls &Promoted) {
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
      auto Gone = Promoted.find(&I);
      SmallVector<InstrProfValueData, 8> Targets;
      uint64_t Sum = 0;
      for (const auto &[Target, Count] : Counts->CallTargets) {
        if (Count == 0 ||
            (Gone != Promoted.end() && is_contained(Gone->second, Target)))
          continue;
        Targets.push_back({Target.getHashCode(), Count});
        Sum = SaturatingAdd(Sum, Count);
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
