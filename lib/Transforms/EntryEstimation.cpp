//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A timer rarely hits the first line of a small inlined function: its
// instructions were merged into their surroundings, or cost next to nothing.
// The count of that line, by which LLVM's loader tells how often a copy was
// entered, is then 0 for functions that are entered all the time; the call site
// reads as cold and is never inlined again.
//
// But the callee's own control-flow graph knows how its blocks hang together.
// We solve its flow with the evidence of this one copy, and take the flow
// through the entry block. Innermost copies go first, so that what was entered
// in them is evidence at their call site in the copy around them.
//
//===----------------------------------------------------------------------===//

#include "EntryEstimation.h"
#include "EvidenceGraph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace inlay;

namespace {
class EntryEstimator {
public:
  EntryEstimator(Module &M, ModuleProfile &Profile, const Options &Opts,
                 FunctionAnalysisManager &FAM)
      : Profile(Profile), Opts(Opts), FAM(FAM) {
    for (Function &F : M)
      if (!F.isDeclaration())
        DefinitionOf[Profile.map().idOf(profileName(F))] = &F;
  }

  void run() {
    for (const auto &[Id, Root] : Profile.map().roots())
      if (DefinitionOf.count(Id))
        estimateBelow(*Root);
  }

private:
  void estimateBelow(ContextNode &Node);
  void estimate(ContextNode &Node);

  ModuleProfile &Profile;
  const Options &Opts;
  FunctionAnalysisManager &FAM;
  std::map<FunctionId, Function *> DefinitionOf;
};
} // namespace

void EntryEstimator::estimateBelow(ContextNode &Node) {
  for (auto &[CallSite, Children] : Node.Callees) {
    uint64_t Entered = 0;
    for (auto &[Callee, Child] : Children) {
      estimateBelow(*Child);
      if (Child->HeadSamples == 0)
        estimate(*Child);
      // A call's own line knows how often it executed.
      if (!Child->IsCall)
        Entered = SaturatingAdd(Entered, Child->entryEstimate());
    }
    if (Entered || none_of(Children, [](const auto &Child) {
          return Child.second->IsCall;
        }))
      Node.raiseLine(CallSite, Entered);
  }
}

void EntryEstimator::estimate(ContextNode &Node) {
  if (Node.TotalSamples == 0)
    return;
  auto Definition = DefinitionOf.find(Node.Function);
  if (Definition != DefinitionOf.end()) {
    Function &F = *Definition->second;
    ContextLookup Contexts(Profile.map(), &Node);
    UsedLines Used;
    FlowGraph Graph =
        buildEvidenceGraph(F, Contexts, Profile.Resolution,
                           FAM.getResult<BranchProbabilityAnalysis>(F),
                           /*Promoted=*/PromotedCalls(), Used);
    // profi would rather believe a 0 of the entry than any count behind it.
    // Here it says no more than that it was missed.
    if (!Graph.Nodes[0].Evidence.isPositive())
      Graph.Nodes[0].Evidence = FlowEvidence::none();
    if (Graph.hasPositiveEvidence())
      Node.HeadSamples = wholeCount(solveFlow(Graph, Opts.Solver).Nodes[0]);
  }
  // What ran was entered, even if it is defined elsewhere and nothing tells how
  // often: as the flow into a hot loop that is a part of the resolution.
  constexpr unsigned LeastPart = 16;
  uint64_t Least = std::min(Node.TotalSamples, Profile.Resolution / LeastPart);
  if (!Node.HeadSamples && Node.entryEstimate() < Least)
    Node.HeadSamples = Least;
}

void inlay::estimateContextEntries(Module &M, ModuleProfile &Profile,
                                   const Options &Opts,
                                   FunctionAnalysisManager &FAM) {
  EntryEstimator(M, Profile, Opts, FAM).run();
}
