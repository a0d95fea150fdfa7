//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arcs with evidence have their own best flow. The others are what is missing
// at their ends, as far as all but one arc of a vertex are known; what then is
// still unknown follows static probability.
//
//===----------------------------------------------------------------------===//

#include "StartingFlow.h"
#include <algorithm>
#include <numeric>

using namespace llvm;
using namespace inlay;

namespace {
/// Arcs by the vertex at one of their ends; the ground is the last vertex.
class Incidence {
public:
  Incidence(const FlowNetwork &Network, uint32_t FlowArc::*End)
      : Begin(Network.NumVertices + 2), List(Network.Arcs.size()) {
    auto IndexOf = [&](const FlowArc &Arc) {
      return std::min(Arc.*End, Network.NumVertices);
    };
    for (const FlowArc &Arc : Network.Arcs)
      ++Begin[IndexOf(Arc) + 1];
    std::partial_sum(Begin.begin(), Begin.end(), Begin.begin());
    std::vector<uint32_t> Next(Begin.begin(), Begin.end() - 1);
    for (uint32_t I = 0; I != Network.Arcs.size(); ++I)
      List[Next[IndexOf(Network.Arcs[I])]++] = I;
  }
  ArrayRef<uint32_t> of(uint32_t Vertex) const {
    return ArrayRef(List).slice(Begin[Vertex],
                                Begin[Vertex + 1] - Begin[Vertex]);
  }

private:
  std::vector<uint32_t> Begin, List;
};

class Guess {
public:
  explicit Guess(const FlowNetwork &Network)
      : Network(Network), In(Network, &FlowArc::Head),
        Out(Network, &FlowArc::Tail), Flows(Network.Arcs.size()),
        Balances(Network.NumVertices) {}
  std::vector<double> run();

private:
  /// What is known at a vertex.
  struct Balance {
    double In = 0, Out = 0;
    uint32_t Unknown = 0;
  };
  void know(uint32_t Arc, double Flow);
  double missing(uint32_t Vertex, bool IsOut) const;
  void completeVertices();
  double share(uint32_t Arc) const;

  const FlowNetwork &Network;
  const Incidence In, Out;
  std::vector<double> Flows; ///< 0: unknown
  std::vector<Balance> Balances;
  std::vector<uint32_t> Queue; ///< vertices with a single unknown arc
};
} // namespace

void Guess::know(uint32_t Arc, double Flow) {
  Flows[Arc] = Flow;
  auto [Tail, Head] = Network.Arcs[Arc];
  for (auto [Vertex, IsOut] : {std::pair(Tail, true), std::pair(Head, false)})
    if (Vertex != FlowGround) {
      Balance &B = Balances[Vertex];
      (IsOut ? B.Out : B.In) += Flow;
      if (--B.Unknown == 1)
        Queue.push_back(Vertex);
    }
}

/// Where evidence contradicts itself, a small part of what is there.
double Guess::missing(uint32_t Vertex, bool IsOut) const {
  constexpr double LeastPart = 0.02;
  const Balance &B = Balances[Vertex];
  double Missing = IsOut ? B.In - B.Out : B.Out - B.In;
  return std::max(Missing, LeastPart * std::max(B.In, B.Out));
}

void Guess::completeVertices() {
  while (!Queue.empty()) {
    const uint32_t Vertex = Queue.back();
    Queue.pop_back();
    if (Balances[Vertex].Unknown != 1)
      continue;
    for (const Incidence *Arcs : {&In, &Out})
      for (uint32_t Arc : Arcs->of(Vertex))
        if (Flows[Arc] == 0)
          know(Arc, missing(Vertex, Arcs == &Out));
  }
}

/// Of what is missing at one end of an unknown arc.
double Guess::share(uint32_t Arc) const {
  constexpr double LeastProbability = 1e-3;
  auto [Tail, Head] = Network.Arcs[Arc];
  auto WeightOf = [&](uint32_t Arc) {
    return std::max(Network.Probabilities[Arc], LeastProbability);
  };
  if (Tail != FlowGround && Balances[Tail].In + Balances[Tail].Out > 0) {
    double Sum = 0;
    for (uint32_t Other : Out.of(Tail))
      Sum += Flows[Other] == 0 ? WeightOf(Other) : 0;
    return WeightOf(Arc) / Sum * missing(Tail, true);
  }
  if (Head != FlowGround && Balances[Head].In + Balances[Head].Out > 0) {
    double Number = 0;
    for (uint32_t Other : In.of(Head))
      Number += Flows[Other] == 0;
    return missing(Head, false) / Number;
  }
  return 1;
}

std::vector<double> Guess::run() {
  for (const FlowArc &Arc : Network.Arcs)
    for (uint32_t Vertex : {Arc.Tail, Arc.Head})
      if (Vertex != FlowGround)
        ++Balances[Vertex].Unknown;
  for (uint32_t I = 0; I != Network.Arcs.size(); ++I)
    if (double Optimum = Network.Cost.optimum(I))
      know(I, Optimum);
  completeVertices();
  for (uint32_t I = 0; I != Network.Arcs.size(); ++I)
    if (Flows[I] == 0) {
      know(I, share(I));
      completeVertices();
    }
  return std::move(Flows);
}

std::vector<double> inlay::guessFlows(const FlowNetwork &Network) {
  return Guess(Network).run();
}

/// Sends \p Amounts through all arcs from the ground to their tails, or from
/// their heads to the ground: along a tree of shortest paths, each of whose
/// arcs carries what all vertices behind it need.
static void connectWithGround(const FlowNetwork &Network, bool IsFromGround,
                              ArrayRef<double> Amounts,
                              MutableArrayRef<double> Flows) {
  const uint32_t Ground = Network.NumVertices;
  uint32_t FlowArc::*Near = IsFromGround ? &FlowArc::Tail : &FlowArc::Head;
  uint32_t FlowArc::*Far = IsFromGround ? &FlowArc::Head : &FlowArc::Tail;
  const Incidence Next(Network, Near);
  constexpr uint32_t None = FlowNetwork::None;
  std::vector<uint32_t> Order, TreeArc(Network.NumVertices, None);
  auto Visit = [&](uint32_t Vertex) {
    for (uint32_t Arc : Next.of(Vertex)) {
      uint32_t Other = Network.Arcs[Arc].*Far;
      if (Other != FlowGround && TreeArc[Other] == None) {
        TreeArc[Other] = Arc;
        Order.push_back(Other);
      }
    }
  };
  Visit(Ground);
  for (size_t I = 0; I != Order.size(); ++I)
    Visit(Order[I]);
  std::vector<double> Needed(Network.NumVertices);
  for (uint32_t I = 0; I != Network.Arcs.size(); ++I)
    if (uint32_t Vertex = Network.Arcs[I].*Near; Vertex != FlowGround)
      Needed[Vertex] += Amounts[I];
  while (!Order.empty()) {
    const uint32_t Vertex = Order.back();
    Order.pop_back();
    Flows[TreeArc[Vertex]] += Needed[Vertex];
    uint32_t Parent = Network.Arcs[TreeArc[Vertex]].*Near;
    if (Parent != FlowGround)
      Needed[Parent] += Needed[Vertex];
  }
}

std::vector<double> inlay::coveringFlow(const FlowNetwork &Network) {
  const std::vector<double> Amounts = guessFlows(Network);
  std::vector<double> Flows = Amounts;
  connectWithGround(Network, /*IsFromGround=*/true, Amounts, Flows);
  connectWithGround(Network, /*IsFromGround=*/false, Amounts, Flows);
  return Flows;
}
