//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See CallLinks.h. Counts are positive and known up to a factor, so that what
// two sources say is weighed by the precision of their logarithms.
//
//===----------------------------------------------------------------------===//

#include "CallLinks.h"
#include "inlay/Object/MachineCFG.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;
using namespace inlay;

/// What a callee knows of a site with a smaller part of its calls is too little
/// to be worth a word.
static constexpr double LeastShare = 0.03;

/// What a callee says of a site by call chains: of its log at least, for the
/// time it takes may depend on the site.
static constexpr double ChainDeviation = 0.5;
/// So few samples under a site are not worth a word either.
static constexpr double LeastSamples = 5;

CallLinks::CallLinks(MutableArrayRef<ModelledFunction> Functions,
                     const CallerShares &Shares, MachineCode &Code,
                     double Deviation)
    : Functions(Functions), Shares(Shares), Deviation(Deviation) {
  for (ModelledFunction &Function : Functions) {
    Own &O = Before.emplace_back();
    O.Entry = Function.Solution.Entry;
    for (const FlowNode &Node : Function.Graph.Nodes)
      O.Evidence.push_back(Node.Evidence);
    uint64_t Entry = Function.Sampled->Code.Entry;
    if (!Code.isAddressTaken(Entry)) {
      CallsOf[Entry].Callee = &Function;
      CallsOf[Entry].OwnEntry = O.Entry;
    }
  }
  listenToChains();
}

void CallLinks::listenToChains() {
  Chains.resize(Functions.size());
  for (size_t Callee = 0; Callee < Functions.size(); ++Callee) {
    // As with OwnEntry: what its own samples said.
    const double Entry = Before[Callee].Entry;
    const double EntryDeviation =
        Functions[Callee].Posteriors.front().Deviation;
    if (!(Entry > 0))
      continue;
    for (const CallerShares::Site &Site : Shares.sitesOf(Callee)) {
      if (Site.Samples < LeastSamples)
        continue;
      Told &T = Chains[Site.Function][Site.Call];
      const double Count = Entry * Site.Share;
      const double CountDeviation =
          Count * std::hypot(ChainDeviation, EntryDeviation,
                             1 / std::sqrt(Site.Samples));
      T.Sum += Count;
      T.Variance += CountDeviation * CountDeviation;
    }
  }
}

/// A conditional tail call executes as often as what falls through does not.
static double executionsOf(const MachineCall &Call,
                           const ModelledFunction &Caller) {
  double Count = Caller.Solution.Nodes[Call.Block];
  if (!Call.IsConditional)
    return Count;
  ArrayRef<MachineEdge> Edges = Caller.Sampled->Code.Edges;
  const MachineEdge *First = partition_point(
      Edges, [&](const MachineEdge &E) { return E.Source < Call.Block; });
  for (size_t I = First - Edges.begin();
       I < Edges.size() && Edges[I].Source == Call.Block; ++I)
    Count -= Caller.Solution.Edges[I];
  return std::max(Count, 0.0);
}

void CallLinks::tellCallee(ModelledFunction &Callee) const {
  auto It = CallsOf.find(Callee.Sampled->Code.Entry);
  if (It == CallsOf.end() || !(It->second.Sum > 0))
    return;
  const Calls &C = It->second;
  Callee.Graph.Entry = FlowEvidence::near(
      C.Sum, std::hypot(Deviation, std::sqrt(C.Variance) / C.Sum));
}

/// Both said the same thing of one count.
static FlowEvidence combine(const FlowEvidence &A, const FlowEvidence &B) {
  double PrecisionA = 1 / (A.Deviation * A.Deviation);
  double PrecisionB = 1 / (B.Deviation * B.Deviation);
  double Precision = PrecisionA + PrecisionB;
  return FlowEvidence::near(std::exp((PrecisionA * std::log(A.Count) +
                                      PrecisionB * std::log(B.Count)) /
                                     Precision),
                            1 / std::sqrt(Precision));
}

void CallLinks::tellCaller(ModelledFunction &Caller, const Own &Before,
                           const DenseMap<uint32_t, Told> &Told) const {
  for (auto [Node, Evidence] : zip_equal(Caller.Graph.Nodes, Before.Evidence))
    Node.Evidence = Evidence;
  for (auto [Index, Call] : enumerate(Caller.Sampled->Code.Calls)) {
    // Only calls that execute whenever their block does tell of it.
    if (Call.IsConditional)
      continue;
    FlowEvidence &Evidence = Caller.Graph.Nodes[Call.Block].Evidence;
    FlowEvidence Message;
    if (auto It = Told.find(Index); It != Told.end()) {
      Message = FlowEvidence::near(
          It->second.Sum, std::sqrt(It->second.Variance) / It->second.Sum);
      // That it ran is certain.
      if (Evidence.Is == FlowEvidence::Kind::Rare)
        Evidence = FlowEvidence::none();
    } else {
      auto C = Call.Target ? CallsOf.find(*Call.Target) : CallsOf.end();
      if (C == CallsOf.end() || !(C->second.OwnEntry > 0))
        continue;
      double Share = Caller.Solution.Nodes[Call.Block] / C->second.Sum;
      if (!(Share > LeastShare))
        continue;
      // The smaller its part, the less the sum says of it.
      double EntryDeviation = C->second.Callee->Posteriors.front().Deviation;
      Message =
          FlowEvidence::near(Share * C->second.OwnEntry,
                             std::hypot(Deviation, EntryDeviation) / Share);
    }
    if (Evidence.Is == FlowEvidence::Kind::Rare)
      continue;
    Evidence = Evidence.Is == FlowEvidence::Kind::None
                   ? Message
                   : combine(Evidence, Message);
  }
}

void CallLinks::exchange() {
  for (auto &[Entry, C] : CallsOf)
    C.Sum = C.Variance = 0;
  for (const ModelledFunction &Caller : Functions)
    for (const MachineCall &Call : Caller.Sampled->Code.Calls) {
      auto It = Call.Target ? CallsOf.find(*Call.Target) : CallsOf.end();
      if (It == CallsOf.end())
        continue;
      double Count = executionsOf(Call, Caller);
      double CountDeviation = Count * Caller.Posteriors[Call.Block].Deviation;
      It->second.Sum += Count;
      It->second.Variance += CountDeviation * CountDeviation;
    }
  for (auto [Function, O, Chain] : zip_equal(Functions, Before, Chains)) {
    tellCaller(Function, O, Chain);
    tellCallee(Function);
  }
}
