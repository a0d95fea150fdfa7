//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Derivatives are taken for relative changes: x * f'(x) and x^2 * f''(x) have
// the size of the terms' weights, whatever that of the flow.
//
// A safe curvature is one to take for the model of the cost far from its
// optimum. The curvature itself is not where it is negative or where it is that
// of a mere logarithm against a steep slope, which promises that flow can go
// far below zero.
//
//===----------------------------------------------------------------------===//

#include "FlowCost.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace inlay;
using namespace inlay::cost;

void FlowCost::addNear(uint32_t Arc, double Count, double Deviation) {
  Deviation = std::max(Deviation, LeastDeviation);
  double Weight = 1 / (Deviation * Deviation);
  Arcs[Arc].GammaLog += Weight;
  Arcs[Arc].GammaSlope += Weight / Count;
  Evidence.push_back({Arc, std::log(Count), Deviation});
}

void FlowCost::addRare(uint32_t Arc, double Scale, double Saturation) {
  double Bend = Saturation * Scale;
  if (std::isinf(Bend))
    return addSlope(Arc, 1 / Scale);
  Arcs[Arc].GammaSlope += 1 / Scale;
  Rarities.push_back({Arc, Saturation, Bend, /*IsEvidence=*/true});
}

void FlowCost::addUnlikely(uint32_t Arc, double Weight) {
  if (Weight > 0)
    Rarities.push_back({Arc, Weight, Resolution, /*IsEvidence=*/false});
}

double FlowCost::optimum(uint32_t Arc) const {
  const ArcCost &Cost = Arcs[Arc];
  double Slope = Cost.slopeAt(CostStage::Gamma);
  return Slope > 0 ? Cost.logAt(CostStage::Gamma) / Slope : 0;
}

void FlowCost::derivatives(CostStage Stage, ArrayRef<double> Flows,
                           Derivatives &Result) const {
  constexpr double LeastCurvature = 1e-3;
  const bool IsGamma = Stage == CostStage::Gamma;
  const size_t N = Arcs.size();
  Result.Gradient.resize(N);
  Result.Curvature.resize(N);
  Result.SafeCurvature.resize(N);
  Result.Deviations.resize(IsGamma ? 0 : Evidence.size());
  for (size_t I = 0; I != N; ++I) {
    const ArcCost &Arc = Arcs[I];
    double Log = Arc.logAt(Stage);
    double Linear = Arc.slopeAt(Stage) * Flows[I];
    Result.Gradient[I] = Linear - Log + Arc.Concave;
    Result.Curvature[I] = Log - Arc.Concave;
    Result.SafeCurvature[I] = std::max({Log, Linear, LeastCurvature});
  }
  for (const Rare &R : Rarities) {
    if (IsGamma && R.IsEvidence)
      continue;
    double Part = Flows[R.Arc] / (R.Bend + Flows[R.Arc]);
    Result.Gradient[R.Arc] += R.Saturation * Part;
    Result.Curvature[R.Arc] -= R.Saturation * Part * Part;
    // Against a logarithm, this is what a slope would be.
    double &Safe = Result.SafeCurvature[R.Arc];
    Safe = std::max(Safe, R.Saturation * Part);
  }
  if (IsGamma)
    return;
  for (size_t I = 0; I != Evidence.size(); ++I) {
    const Near &E = Evidence[I];
    double Z = E.deviationsOf(Flows[E.Arc]);
    double Denominator = DegreesOfFreedom + Z * Z;
    double Slope = (DegreesOfFreedom + 1) * Z / (Denominator * E.Deviation);
    double Bend = (DegreesOfFreedom + 1) * (DegreesOfFreedom - Z * Z) /
                  (Denominator * Denominator * E.Deviation * E.Deviation);
    Result.Deviations[I] = Z;
    Result.Gradient[E.Arc] += Slope;
    Result.Curvature[E.Arc] += Bend - Slope;
    Result.SafeCurvature[E.Arc] += std::max(Bend, 0.0) + std::abs(Slope);
  }
}

double FlowCost::difference(CostStage Stage, ArrayRef<double> Flows,
                            const Derivatives &At, ArrayRef<double> Change,
                            double Step) const {
  const bool IsGamma = Stage == CostStage::Gamma;
  double Sum = 0;
  for (size_t I = 0; I != Arcs.size(); ++I) {
    const ArcCost &Arc = Arcs[I];
    Sum += Arc.slopeAt(Stage) * Step * Change[I] * Flows[I] -
           (Arc.logAt(Stage) - Arc.Concave) * std::log1p(Step * Change[I]);
  }
  for (const Rare &R : Rarities)
    if (!IsGamma || !R.IsEvidence)
      Sum += R.Saturation * std::log1p(Step * Change[R.Arc] * Flows[R.Arc] /
                                       (R.Bend + Flows[R.Arc]));
  if (IsGamma)
    return Sum;
  for (size_t I = 0; I != Evidence.size(); ++I) {
    const Near &E = Evidence[I];
    double Z = At.Deviations[I];
    double DZ = std::log1p(Step * Change[E.Arc]) / E.Deviation;
    Sum += (DegreesOfFreedom + 1) / 2 *
           std::log1p((2 * Z + DZ) * DZ / (DegreesOfFreedom + Z * Z));
  }
  return Sum;
}

std::vector<double> FlowCost::information(ArrayRef<double> Flows) const {
  std::vector<double> Result;
  for (size_t I = 0; I != Arcs.size(); ++I)
    Result.push_back(Arcs[I].Slope * Flows[I]);
  for (const Rare &R : Rarities)
    if (R.IsEvidence) {
      double Part = Flows[R.Arc] / (R.Bend + Flows[R.Arc]);
      Result[R.Arc] += R.Saturation * Part * (1 - Part);
    }
  for (const Near &E : Evidence) {
    double Z = E.deviationsOf(Flows[E.Arc]);
    Result[E.Arc] += (DegreesOfFreedom + 1) / (DegreesOfFreedom + Z * Z) /
                     (E.Deviation * E.Deviation);
  }
  return Result;
}

double FlowCost::value(CostStage Stage, ArrayRef<double> Flows) const {
  const bool IsGamma = Stage == CostStage::Gamma;
  double Sum = 0;
  for (size_t I = 0; I != Arcs.size(); ++I) {
    const ArcCost &Arc = Arcs[I];
    Sum += Arc.slopeAt(Stage) * Flows[I] -
           (Arc.logAt(Stage) - Arc.Concave) * std::log(Flows[I]);
  }
  for (const Rare &R : Rarities)
    if (!IsGamma || !R.IsEvidence)
      Sum += R.Saturation * std::log1p(Flows[R.Arc] / R.Bend);
  if (IsGamma)
    return Sum;
  for (const Near &E : Evidence) {
    double Z = E.deviationsOf(Flows[E.Arc]);
    Sum += (DegreesOfFreedom + 1) / 2 * std::log1p(Z * Z / DegreesOfFreedom);
  }
  return Sum;
}
