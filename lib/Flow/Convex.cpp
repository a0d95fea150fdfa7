//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of things: networks of a graph, a first flow from evidence, the
// convex stage, the robust one from its optimum, and once more conservation to
// the last digit. Whatever happens on the way, the result is a flow: where a
// network is too dense to compute with, or numbers leave the range of doubles,
// it is one that was found without computing.
//
//===----------------------------------------------------------------------===//

#include "Convex.h"
#include "FlowUncertainty.h"
#include "MarkovChain.h"
#include "StartingFlow.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;
using namespace inlay;

static bool arePositive(ArrayRef<double> Flows) {
  return all_of(Flows, [](double X) { return X > 0 && std::isfinite(X); });
}

std::vector<double> inlay::solveNetwork(const FlowNetwork &Network,
                                        ConvexStatistics *Statistics,
                                        std::vector<double> *Deviations) {
  ConvexStatistics Ignored;
  ConvexStatistics &S = Statistics ? *Statistics : Ignored;
  // In nats, and the more arcs the more: no flow is to be far off, and where
  // nearly nothing flows it does not matter. Of the first stage only the place
  // is needed.
  const double Size = 10.0 + Network.Arcs.size();
  const double GammaTolerance = 1e-4 * Size, StudentTolerance = 1e-6 * Size;

  std::optional<Elimination> Order =
      Elimination::create(Network.NumVertices, Network.Arcs);
  if (Order) {
    std::vector<double> Flows = guessFlows(Network);
    conserve(*Order, Network.Arcs, Flows);
    // Errors of the guess multiply along the way, until flows are so small that
    // Newton's method, which doubles them in each step, would take long.
    constexpr double PartOfCover = 0.1;
    std::vector<double> Cover = coveringFlow(Network);
    for (size_t I = 0; I != Flows.size(); ++I)
      Flows[I] += PartOfCover * Cover[I];
    if (arePositive(Flows)) {
      Laplacian System(*Order, Network.Arcs);
      S.Gamma = minimise(Network.Arcs, Network.Cost, CostStage::Gamma, System,
                         GammaTolerance, Flows);
      S.Student = minimise(Network.Arcs, Network.Cost, CostStage::Student,
                           System, StudentTolerance, Flows);
      conserve(*Order, Network.Arcs, Flows);
      if (arePositive(Flows)) {
        if (Deviations)
          *Deviations = logDeviations(Network, *Order, Flows);
        return Flows;
      }
    }
  }
  S.IsFallback = true;
  if (Deviations)
    Deviations->assign(Network.Arcs.size(), Flow::MaxDeviation);
  return coveringFlow(Network);
}

Flow inlay::solveConvex(const FlowGraph &Graph, bool WithDeviations) {
  Flow Result = zeroFlow(Graph);
  FlowNetworks Networks = buildNetworks(Graph);
  if (WithDeviations)
    Result.Deviations.assign(Graph.Nodes.size(), Flow::MaxDeviation);
  for (const FlowNetwork &Network : Networks.Parts) {
    std::vector<double> Deviations;
    Network.addTo(
        Result,
        solveNetwork(Network, nullptr, WithDeviations ? &Deviations : nullptr),
        Networks.Unit);
    if (WithDeviations)
      for (const FlowNetwork::Part &Node : Network.Nodes)
        Result.Deviations[Node.Index] = Deviations[Node.Arc];
  }
  return Result;
}
