//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "inlay/Frequency/RateTraining.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace inlay;

namespace {

const InstructionClass Load = *findInstructionClass("load");
const InstructionClass ALU = *findInstructionClass("alu");
const InstructionClass Store = *findInstructionClass("store");

/// Weights of a normal distribution of log(rate).
std::vector<double> normal(double Mean, double Deviation) {
  std::vector<double> Weights;
  for (unsigned K = 0; K < RateGrid::Size; ++K) {
    double Z = (RateGrid::point(K) - Mean) / Deviation;
    Weights.push_back(std::exp(-Z * Z / 2));
  }
  return Weights;
}

/// Mean of log(rate), and of its square about that.
std::pair<double, double> moments(llvm::ArrayRef<double> Weights) {
  double Mean = 0, Square = 0;
  for (unsigned K = 0; K < RateGrid::Size; ++K)
    Mean += Weights[K] * RateGrid::point(K);
  for (unsigned K = 0; K < RateGrid::Size; ++K)
    Square += Weights[K] * std::pow(RateGrid::point(K) - Mean, 2);
  return {Mean, std::sqrt(Square)};
}

void draw(std::vector<RateObservation> &Observations, InstructionClass Class,
          double Mean, double Deviation, unsigned Count, unsigned Seed) {
  std::mt19937 Random(Seed);
  for (unsigned I = 0; I < Count; ++I) {
    double Expected = std::exp(std::normal_distribution(3.0, 1.5)(Random));
    double Rate = std::exp(std::normal_distribution(Mean, Deviation)(Random));
    Observations.push_back(
        {Class,
         uint64_t(std::poisson_distribution<long>(Expected * Rate)(Random)),
         Expected});
  }
}

} // namespace

TEST(RateTraining, FindsTheMixture) {
  std::vector<RateObservation> Observations;
  draw(Observations, Load, 1.0, 0.8, 5000, 1);
  draw(Observations, ALU, -1.5, 0.4, 5000, 2);
  RateTable Table;
  trainRateTable(Table, {Observations});
  auto [LoadMean, LoadDeviation] = moments(Table.weights(Load));
  EXPECT_NEAR(1.0, LoadMean, 0.1);
  EXPECT_NEAR(0.8, LoadDeviation, 0.25); // smoothing widens by up to 0.35
  auto [ALUMean, ALUDeviation] = moments(Table.weights(ALU));
  EXPECT_NEAR(-1.5, ALUMean, 0.1);
  EXPECT_LT(ALUDeviation, LoadDeviation);
  EXPECT_FALSE(Table.hasClass(Store));
  auto [Mean, Deviation] = moments(Table.globalWeights());
  EXPECT_NEAR(-0.25, Mean, 0.1);
  EXPECT_GT(Deviation, 1.2);
}

// Three instructions do not make a class.
TEST(RateTraining, FewInstructionsAreDrawnToTheRest) {
  std::vector<RateObservation> Observations;
  draw(Observations, ALU, -1, 0.5, 3000, 1);
  draw(Observations, Load, 3, 0.1, 3, 2);
  RateTable Table;
  trainRateTable(Table, {Observations});
  EXPECT_LT(moments(Table.weights(Load)).first, 1);
}

TEST(RateTraining, WhatIsHardlyExpectedTeachesNothing) {
  RateTable Table;
  trainRateTable(Table, {{{Load, 5, 0.001}, {Load, 0, 0}}});
  EXPECT_FALSE(Table.hasClass(Load));
}

// One program waits for memory, so that all its code seems to run less often
// than the same code in the other.
TEST(RateTraining, FindsWhatProgramsDifferBy) {
  constexpr double LogFactor = 0.8;
  std::vector<RateObservation> Fast, Slow;
  draw(Fast, Load, 1.0, 0.3, 3000, 1);
  draw(Fast, ALU, -1.0, 0.3, 3000, 2);
  draw(Slow, Load, 1.0, 0.3, 3000, 3);
  draw(Slow, ALU, -1.0, 0.3, 1000, 4);
  for (RateObservation &O : Slow)
    O.Expected /= std::exp(LogFactor);
  RateTable Table;
  std::vector<double> Found = trainRateTable(Table, {Fast, Slow});
  ASSERT_EQ(2u, Found.size());
  EXPECT_NEAR(0, Found[0] + Found[1], 1e-9);
  // Smoothed weights are wide enough for part of it.
  EXPECT_GT(Found[1] - Found[0], LogFactor - RateGrid::Step / 2);
  EXPECT_LT(Found[1] - Found[0], LogFactor + 0.1);
  // As sharp as each program's own.
  EXPECT_LT(moments(Table.weights(Load)).second, 0.6);
}

// Few of a class with a certain wait are drawn to those with any.
TEST(RateTraining, WaitsLearnFromEachOther) {
  InstructionClass Often = *findInstructionClass("load~5"),
                   Seldom = *findInstructionClass("load~9");
  std::vector<RateObservation> Observations;
  draw(Observations, ALU, -2, 0.3, 3000, 1);
  draw(Observations, Often, 1.5, 0.3, 3000, 2);
  draw(Observations, Seldom, 2.5, 0.1, 1, 3);
  RateTable Table;
  trainRateTable(Table, {Observations});
  EXPECT_NEAR(1.5, moments(Table.weights(Seldom)).first, 0.3);
  EXPECT_NEAR(1.5, moments(Table.weights(Load)).first, 0.2);
}

TEST(RateTraining, AdaptsTowardsTheSamples) {
  RateTable Table;
  Table.setWeights(Load, normal(0, 0.7));
  Table.setWeights(ALU, normal(0, 0.7));
  std::vector<RateObservation> Observations;
  draw(Observations, Load, 1.5, 0.5, 2000, 1);
  draw(Observations, ALU, 1.5, 0.5, 3, 2);
  RateTable Adapted = adaptRateTable(Table, Observations);
  EXPECT_NEAR(1.5, moments(Adapted.weights(Load)).first, 0.2);
  EXPECT_LT(moments(Adapted.weights(ALU)).first, 0.4); // hardly seen
}
