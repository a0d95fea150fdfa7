//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cost is a sum over arcs, so that its second derivatives are a diagonal;
// with conservation as the constraint, a Newton step is a system of potentials
// on the network (Laplacian.h), whose conductances are the reciprocal
// curvatures.
//
// That needs positive curvatures, and the cost is not convex everywhere. So the
// factorization is of a safe, greater curvature. Far from the optimum its step
// is taken as it is. Near the optimum, where the true curvature holds,
// conjugate gradients among the conserved flows turn it into the Newton step of
// the true curvature, each iteration for the price of one solve, and stop with
// a direction of descent where that curvature is negative.
//
// Potentials are differences of large numbers where little flow joins regions
// with much. Only those differences matter: a gradient is replaced by what is
// left of it after its potentials are subtracted, before and after each
// projection, so that what remains is small and exact (Gould, Hribar and
// Nocedal).
//
//===----------------------------------------------------------------------===//

#include "NetworkNewton.h"
#include "MarkovChain.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace llvm;
using namespace inlay;

/// Of what the slope promises: less is no progress.
static constexpr double SufficientPart = 1e-4;
/// How far one step goes towards zero.
static constexpr double PartToZero = 0.95;

namespace {
class Minimiser {
public:
  Minimiser(ArrayRef<FlowArc> Arcs, const FlowCost &Cost, CostStage Stage,
            Laplacian &System, MutableArrayRef<double> Flows);

  NewtonResult run(double Tolerance);

private:
  /// Subtracts the differences of Potentials from a gradient.
  void subtractPotentials(ArrayRef<double> Potentials,
                          MutableArrayRef<double> Gradient) const;
  /// Sets Direction to the conserved one closest to Gradient, in the metric of
  /// the safe curvature, and leaves in Gradient what no potentials explain.
  void project(MutableArrayRef<double> Gradient,
               MutableArrayRef<double> Direction);
  void restoreBalance();
  void newtonDirection();
  bool stepByArcs(double Step, double Slope);
  bool stepAlongChange(double Step, double Slope);
  double dot(ArrayRef<double> A, ArrayRef<double> B) const {
    return std::inner_product(A.begin(), A.end(), B.begin(), 0.0);
  }

  ArrayRef<FlowArc> Arcs;
  const FlowCost &Cost;
  const CostStage Stage;
  Laplacian &System;
  MutableArrayRef<double> Flows;
  NewtonResult Result;

  FlowCost::Derivatives At;
  std::vector<double> Conductances, Balance;
  std::vector<double> Potentials; ///< that explain most of the gradient
  std::vector<double> Change;     ///< the step, relative to Flows
  std::vector<double> Residual, Projected, Direction;
};
} // namespace

Minimiser::Minimiser(ArrayRef<FlowArc> Arcs, const FlowCost &Cost,
                     CostStage Stage, Laplacian &System,
                     MutableArrayRef<double> Flows)
    : Arcs(Arcs), Cost(Cost), Stage(Stage), System(System), Flows(Flows),
      Conductances(Arcs.size()), Balance(System.order().size()),
      Potentials(Balance.size()), Change(Arcs.size()), Residual(Arcs.size()),
      Projected(Arcs.size()), Direction(Arcs.size()) {}

static double difference(ArrayRef<double> Potentials, const FlowArc &Arc) {
  double Result = 0;
  if (Arc.Head != FlowGround)
    Result += Potentials[Arc.Head];
  if (Arc.Tail != FlowGround)
    Result -= Potentials[Arc.Tail];
  return Result;
}

/// Adds what \p Flow along \p Arc makes of the balance of its ends.
static void addFlow(const FlowArc &Arc, double Flow,
                    MutableArrayRef<double> Balance) {
  if (Arc.Head != FlowGround)
    Balance[Arc.Head] += Flow;
  if (Arc.Tail != FlowGround)
    Balance[Arc.Tail] -= Flow;
}

void Minimiser::subtractPotentials(ArrayRef<double> Potentials,
                                   MutableArrayRef<double> Gradient) const {
  for (size_t I = 0; I != Arcs.size(); ++I)
    Gradient[I] -= Flows[I] * ::difference(Potentials, Arcs[I]);
}

void Minimiser::project(MutableArrayRef<double> Gradient,
                        MutableArrayRef<double> Direction) {
  Balance.assign(Balance.size(), 0);
  for (size_t I = 0; I != Arcs.size(); ++I)
    addFlow(Arcs[I], Flows[I] * Gradient[I] / At.SafeCurvature[I], Balance);
  System.solve(Balance);
  ++Result.Solves;
  subtractPotentials(Balance, Gradient);
  for (size_t I = 0; I != Balance.size(); ++I)
    Potentials[I] += Balance[I];
  for (size_t I = 0; I != Arcs.size(); ++I)
    Direction[I] = Gradient[I] / At.SafeCurvature[I];
}

/// Starts Change with what brings the rounding errors of conservation to zero.
void Minimiser::restoreBalance() {
  Balance.assign(Balance.size(), 0);
  for (size_t I = 0; I != Arcs.size(); ++I)
    addFlow(Arcs[I], -Flows[I], Balance);
  System.solve(Balance);
  ++Result.Solves;
  for (size_t I = 0; I != Arcs.size(); ++I)
    Change[I] = Flows[I] * ::difference(Balance, Arcs[I]) / At.SafeCurvature[I];
}

/// Adds to Change. The gradient is in Residual, and its projection in
/// Projected.
void Minimiser::newtonDirection() {
  constexpr unsigned MaxIterations = 30;
  constexpr double Precision = 1e-2; // of the squared gradient
  constexpr double MostDown = PartToZero, MostUp = 2;
  double Squared = dot(Residual, Projected);
  const double Enough = Squared * Precision;
  for (size_t I = 0; I != Arcs.size(); ++I)
    Direction[I] = -Projected[I];
  for (unsigned Iteration = 0; Squared > 0; ++Iteration) {
    // No further than a model of second order reaches.
    double Limit = std::numeric_limits<double>::infinity();
    double Curvature = 0;
    for (size_t I = 0; I != Arcs.size(); ++I) {
      const double D = Direction[I];
      Curvature += At.Curvature[I] * D * D;
      if (D != 0)
        Limit = std::min(Limit, ((D < 0 ? -MostDown : MostUp) - Change[I]) / D);
    }
    Limit = std::max(Limit, 0.0);
    const double Optimum = Squared / Curvature;
    const bool IsLimited = !(Curvature > 0 && Optimum < Limit);
    const double Step = IsLimited ? Limit : Optimum;
    for (size_t I = 0; I != Arcs.size(); ++I) {
      Change[I] += Step * Direction[I];
      Residual[I] += Step * At.Curvature[I] * Direction[I];
    }
    if (IsLimited || Iteration == MaxIterations)
      return;
    project(Residual, Projected);
    double Next = dot(Residual, Projected);
    if (!(Next > Enough))
      return;
    for (size_t I = 0; I != Arcs.size(); ++I)
      Direction[I] = Next / Squared * Direction[I] - Projected[I];
    Squared = Next;
  }
}

/// Moves every flow as far as it can go by itself, which one common step would
/// not; what that does to conservation, branches make up for. True if that is
/// better than \p Step.
bool Minimiser::stepByArcs(double Step, double Slope) {
  std::vector<double> &Moved = Residual, &MovedChange = Direction;
  for (size_t I = 0; I != Arcs.size(); ++I)
    Moved[I] = Flows[I] * (1 + std::max(Change[I], -PartToZero));
  conserve(System.order(), Arcs, Moved);
  for (size_t I = 0; I != Arcs.size(); ++I)
    MovedChange[I] = Moved[I] / Flows[I] - 1;
  double Difference = Cost.difference(Stage, Flows, At, MovedChange, 1);
  if (!(Difference < SufficientPart * Slope &&
        Difference < Cost.difference(Stage, Flows, At, Change, Step)))
    return false;
  copy(Moved, Flows.begin());
  return true;
}

/// False if there is no way down.
bool Minimiser::stepAlongChange(double Step, double Slope) {
  constexpr double Least = 1e-9;
  while (!(Cost.difference(Stage, Flows, At, Change, Step) <=
           SufficientPart * Step * Slope)) {
    Step /= 2;
    if (Step < Least)
      return false;
  }
  for (size_t I = 0; I != Arcs.size(); ++I)
    Flows[I] += Step * Change[I] * Flows[I];
  return true;
}

NewtonResult Minimiser::run(double Tolerance) {
  constexpr unsigned MaxIterations = 100;
  constexpr double NearOptimum = 0.5; // greatest relative change of a flow
  while (Result.Iterations != MaxIterations) {
    ++Result.Iterations;
    Cost.derivatives(Stage, Flows, At);
    for (size_t I = 0; I != Arcs.size(); ++I)
      Conductances[I] = Flows[I] / At.SafeCurvature[I] * Flows[I];
    System.factor(Conductances);
    restoreBalance();
    std::vector<double> &Gradient = At.Gradient;
    subtractPotentials(Potentials, Gradient);
    project(Gradient, Projected);
    bool IsNear = all_of(
        Projected, [&](double Part) { return std::abs(Part) < NearOptimum; });
    if (IsNear) {
      Residual = Gradient;
      newtonDirection();
    } else {
      for (size_t I = 0; I != Arcs.size(); ++I)
        Change[I] -= Projected[I];
    }

    const double Slope = dot(Gradient, Change);
    Result.Decrement = -Slope;
    // At the optimum, rounding errors decide on the sign.
    if (!(Slope < 0)) {
      Result.Converged = IsNear && Slope < Tolerance;
      break;
    }
    const double MostDown = -*llvm::min_element(Change);
    const bool IsLimited = MostDown > PartToZero;
    const double Step = IsLimited ? PartToZero / MostDown : 1;
    if (IsLimited && stepByArcs(Step, Slope))
      continue;
    bool HasMoved = stepAlongChange(Step, Slope);
    if (!IsLimited && -Slope < Tolerance) {
      Result.Converged = true;
      break;
    }
    if (!HasMoved)
      break;
  }
  return Result;
}

NewtonResult inlay::minimise(ArrayRef<FlowArc> Arcs, const FlowCost &Cost,
                             CostStage Stage, Laplacian &System,
                             double Tolerance, MutableArrayRef<double> Flows) {
  return Minimiser(Arcs, Cost, Stage, System, Flows).run(Tolerance);
}
