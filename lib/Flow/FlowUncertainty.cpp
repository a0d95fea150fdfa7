//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Near its optimum the cost is about quadratic, and its inverse second
// derivatives among the flows that obey conservation are the covariance of
// those flows. On a network, that of one arc against itself is c - c^2 * R,
// with c its conductance (flow^2 / curvature) and R the effective resistance
// between its ends.
//
// Only evidence counts here, each piece by the weight that it has in the
// optimum: outliers little. Priors say what is likely where nothing is known,
// but do not make it known.
//
// Where little flow joins regions with much, R is the difference of numbers so
// large that rounding errors exceed it. What an arc's own evidence says is then
// taken for all that is known of it.
//
//===----------------------------------------------------------------------===//

#include "FlowUncertainty.h"
#include "Laplacian.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace inlay;

std::vector<double> inlay::logDeviations(const FlowNetwork &Network,
                                         const Elimination &Order,
                                         ArrayRef<double> Flows) {
  // Little enough that a hundred arcs without evidence still know nothing.
  constexpr double LeastInformation = 1e-4;
  constexpr double Rounding = 1e-15;
  std::vector<double> Information = Network.Cost.information(Flows);
  std::vector<double> Conductances;
  for (size_t I = 0; I != Flows.size(); ++I) {
    Information[I] = std::max(Information[I], LeastInformation);
    Conductances.push_back(Flows[I] / Information[I] * Flows[I]);
  }
  Laplacian System(Order, Network.Arcs);
  System.factor(Conductances);
  std::vector<Laplacian::Resistance> Resistances =
      System.effectiveResistances();
  std::vector<double> Result;
  for (size_t I = 0; I != Flows.size(); ++I) {
    const double Own = 1 / Information[I];
    // Of what the arc alone leaves open.
    double Left = 1 - Conductances[I] * Resistances[I].Value;
    double Error = Rounding * Conductances[I] * Resistances[I].Magnitude;
    double Variance = Left > 10 * Error ? Own * std::min(Left, 1.0) : Own;
    Result.push_back(std::min(std::sqrt(Variance), Flow::MaxDeviation));
  }
  return Result;
}
