//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expectation maximization. Observations that are alike (most have no sample at
// all) are taken together first. Classes that differ only in the wait learn
// from each other, by way of the class without.
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
  /// Of each rate, relative to the likeliest, which has LogTop.
  RateWeights Likelihood;
  double LogTop = 0;
};

} // namespace

/// \p LogFactor is added to the logs of what is expected.
static std::vector<Group> group(ArrayRef<RateObservation> Observations,
                                double LeastExpected, double LogFactor = 0) {
  constexpr double StepsPerLog = 64;
  std::map<std::tuple<InstructionClass, uint64_t, int>, double> Members;
  for (const RateObservation &O : Observations)
    if (O.Class != NoInstructionClass && O.Expected > LeastExpected)
      ++Members[{
          O.Class, O.Samples,
          int(std::lround((std::log(O.Expected) + LogFactor) * StepsPerLog))}];

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
    G.LogTop = *llvm::max_element(LogLikelihood);
    for (unsigned K = 0; K < RateGrid::Size; ++K)
      G.Likelihood[K] = std::exp(LogLikelihood[K] - G.LogTop);
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

static double logLikelihood(ArrayRef<Group> Groups,
                            ArrayRef<RateWeights> Weights) {
  double Sum = 0;
  for (const Group &G : Groups)
    Sum += G.Members * (G.LogTop + std::log(std::inner_product(
                                       G.Likelihood.begin(), G.Likelihood.end(),
                                       Weights[G.Class].begin(), 0.0)));
  return Sum;
}

namespace {

class RateTraining {
public:
  explicit RateTraining(ArrayRef<std::vector<RateObservation>> Programs);

  /// Both improve one and keep the other.
  void learnWeights(unsigned Steps);
  void learnFactors();

  void writeTo(RateTable &Table) const;

  /// By program: see trainRateTable().
  std::vector<double> LogFactors;

private:
  /// Below, how often code executes is not what limits its samples, but what
  /// else happened when it did (cold caches).
  static constexpr double LeastExpected = 1;
  static constexpr double Strength = 10;

  ArrayRef<std::vector<RateObservation>> Programs;
  RateWeights Global;
  std::vector<RateWeights> Weights; ///< by class
  std::vector<bool> IsSeen;         ///< by class
};

} // namespace

RateTraining::RateTraining(ArrayRef<std::vector<RateObservation>> Programs)
    : LogFactors(Programs.size()), Programs(Programs),
      IsSeen(numInstructionClasses()) {
  Global.fill(1.0 / RateGrid::Size);
  Weights.assign(numInstructionClasses(), Global);
}

void RateTraining::learnWeights(unsigned Steps) {
  std::vector<Group> Groups;
  for (auto [Observations, LogFactor] : zip_equal(Programs, LogFactors))
    append_range(Groups, group(Observations, LeastExpected, LogFactor));
  for (const Group &G : Groups)
    IsSeen[G.Class] = IsSeen[withoutWait(G.Class)] = true;

  for (unsigned Step = 0; Step < Steps; ++Step) {
    std::vector<RateWeights> Members = expect(Groups, Weights);
    Global = sum(Members);
    double Total = std::accumulate(Global.begin(), Global.end(), 0.0);
    for (double &W : Global)
      W = Total > 0 ? W / Total : 1.0 / RateGrid::Size;
    // Those without a wait come first and are the prior of those that have one.
    std::vector<RateWeights> Together(Members.size(), RateWeights{});
    for (unsigned Class = 0; Class < Members.size(); ++Class)
      for (unsigned K = 0; K < RateGrid::Size; ++K)
        Together[withoutWait(Class)][K] += Members[Class][K];
    for (unsigned Class = 0; Class < Members.size(); ++Class) {
      unsigned Without = withoutWait(Class);
      Weights[Class] =
          Class == Without
              ? maximize(Together[Class], Global, Strength)
              : maximize(Members[Class], Weights[Without], Strength);
    }
  }
}

void RateTraining::learnFactors() {
  constexpr int Reach = 8;
  constexpr double Step = 1 / 16.0;
  for (auto [Observations, LogFactor] : zip_equal(Programs, LogFactors)) {
    double Best = LogFactor, Largest = -INFINITY;
    for (int Change = -Reach; Change <= Reach; ++Change) {
      double Changed = LogFactor + Change * Step;
      double L =
          logLikelihood(group(Observations, LeastExpected, Changed), Weights);
      if (L > Largest)
        Largest = L, Best = Changed;
    }
    LogFactor = Best;
  }
  double Sum = std::accumulate(LogFactors.begin(), LogFactors.end(), 0.0);
  for (double &LogFactor : LogFactors)
    LogFactor -= Sum / double(LogFactors.size());
}

void RateTraining::writeTo(RateTable &Table) const {
  Table.setGlobalWeights(Global);
  for (unsigned Class = 0; Class < Weights.size(); ++Class)
    if (IsSeen[Class])
      Table.setWeights(Class, Weights[Class]);
}

std::vector<double>
trainRateTable(RateTable &Table,
               ArrayRef<std::vector<RateObservation>> Programs) {
  constexpr unsigned Rounds = 6, StepsOfRound = 15, LastSteps = 60;
  RateTraining Training(Programs);
  for (unsigned Round = 0; Round < Rounds; ++Round) {
    Training.learnWeights(StepsOfRound);
    Training.learnFactors();
  }
  Training.learnWeights(LastSteps);
  Training.writeTo(Table);
  return Training.LogFactors;
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
