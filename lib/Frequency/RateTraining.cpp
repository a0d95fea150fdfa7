//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expectation maximization. Observations that are alike (most have no sample at
// all) are taken together first.
//
//===----------------------------------------------------------------------===//

#include "inlay/Frequency/RateTraining.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

using namespace llvm;

namespace inlay {

namespace {

using RateWeights = std::array<double, RateGrid::Size>;

/// Observations of one class that are alike.
struct Group {
  InstructionClass Class;
  double Members = 0;
  /// Of each rate, relative to the likeliest.
  RateWeights Likelihood;
};

} // namespace

static std::vector<Group> group(ArrayRef<RateObservation> Observations,
                                double LeastExpected) {
  constexpr double StepsPerLog = 64;
  std::map<std::tuple<InstructionClass, uint64_t, int>, double> Members;
  for (const RateObservation &O : Observations)
    if (O.Class != NoInstructionClass && O.Expected > LeastExpected)
      ++Members[{O.Class, O.Samples,
                 int(std::lround(std::log(O.Expected) * StepsPerLog))}];

  std::vector<Group> Groups;
  for (auto [Key, Count] : Members) {
    auto [Class, Samples, Step] = Key;
    Group &G = Groups.emplace_back();
    G.Class = Class;
    G.Members = Count;
    RateWeights LogLikelihood;
    for (unsigned K = 0; K < RateGrid::Size; ++K) {
      double LogMean = Step / StepsPerLog + RateGrid::point(K);
      LogLikelihood[K] = double(Samples) * LogMean - std::exp(LogMean);
    }
    double Top = *std::max_element(LogLikelihood.begin(), LogLikelihood.end());
    for (unsigned K = 0; K < RateGrid::Size; ++K)
      G.Likelihood[K] = std::exp(LogLikelihood[K] - Top);
  }
  return Groups;
}

/// One step: how many members of each class have each rate, if \p Weights held.
static std::vector<RateWeights> expect(ArrayRef<Group> Groups,
                                       ArrayRef<RateWeights> Weights) {
  std::vector<RateWeights> Members(Weights.size(), RateWeights{});
  for (const Group &G : Groups) {
    RateWeights P;
    double Sum = 0;
    for (unsigned K = 0; K < RateGrid::Size; ++K)
      Sum += P[K] = G.Likelihood[K] * Weights[G.Class][K];
    for (unsigned K = 0; K < RateGrid::Size; ++K)
      Members[G.Class][K] += G.Members * P[K] / Sum;
  }
  return Members;
}

/// Half of each point's members go to its neighbours: rates do not come in
/// steps.
static RateWeights smoothed(const RateWeights &Members) {
  RateWeights Result;
  for (unsigned K = 0; K < RateGrid::Size; ++K) {
    Result[K] = Members[K] / 2;
    if (K > 0)
      Result[K] += Members[K - 1] / 4;
    if (K + 1 < RateGrid::Size)
      Result[K] += Members[K + 1] / 4;
  }
  return Result;
}

/// Members, drawn towards \p Prior as if \p Strength more had been seen there;
/// their sum becomes 1.
static RateWeights maximize(const RateWeights &Members,
                            const RateWeights &Prior, double Strength) {
  RateWeights Result = smoothed(Members);
  double Sum = 0;
  for (unsigned K = 0; K < RateGrid::Size; ++K)
    Sum += Result[K] = std::max(Result[K] + Strength * Prior[K], 1e-12);
  for (double &W : Result)
    W /= Sum;
  return Result;
}

static RateWeights sum(ArrayRef<RateWeights> Members) {
  RateWeights Result{};
  for (const RateWeights &M : Members)
    for (unsigned K = 0; K < RateGrid::Size; ++K)
      Result[K] += M[K];
  return Result;
}

void trainRateTable(RateTable &Table, ArrayRef<RateObservation> Observations) {
  constexpr double LeastExpected = 0.05, Strength = 10;
  constexpr unsigned Steps = 60;
  std::vector<Group> Groups = group(Observations, LeastExpected);
  RateWeights Uniform;
  Uniform.fill(1.0 / RateGrid::Size);
  std::vector<RateWeights> Weights(numInstructionClasses(), Uniform);
  RateWeights Global = Uniform;
  for (unsigned Step = 0; Step < Steps; ++Step) {
    std::vector<RateWeights> Members = expect(Groups, Weights);
    Global = sum(Members);
    double Total = std::accumulate(Global.begin(), Global.end(), 0.0);
    for (double &W : Global)
      W = Total > 0 ? W / Total : 1.0 / RateGrid::Size;
    for (auto [W, M] : zip_equal(Weights, Members))
      W = maximize(M, Global, Strength);
  }
  Table.setGlobalWeights(Global);
  for (const Group &G : Groups)
    Table.setWeights(G.Class, Weights[G.Class]);
}

RateTable adaptRateTable(const RateTable &Table,
                         ArrayRef<RateObservation> Observations) {
  constexpr double LeastExpected = 0.3, Strength = 100;
  constexpr unsigned Steps = 15;
  std::vector<Group> Groups = group(Observations, LeastExpected);
  std::vector<RateWeights> Prior(numInstructionClasses());
  for (unsigned Class = 0; Class < Prior.size(); ++Class)
    copy(Table.weights(Class), Prior[Class].begin());
  std::vector<RateWeights> Weights = Prior;
  for (unsigned Step = 0; Step < Steps; ++Step)
    for (auto [W, M, P] : zip_equal(Weights, expect(Groups, Weights), Prior))
      W = maximize(M, P, Strength);
  RateTable Result = Table;
  for (const Group &G : Groups)
    Result.setWeights(G.Class, Weights[G.Class]);
  return Result;
}

} // namespace inlay
