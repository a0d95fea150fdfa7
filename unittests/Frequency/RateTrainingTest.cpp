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
  trainRateTable(Table, Observations);
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
  trainRateTable(Table, Observations);
  EXPECT_LT(moments(Table.weights(Load)).first, 1);
}

TEST(RateTraining, WhatIsHardlyExpectedTeachesNothing) {
  RateTable Table;
  trainRateTable(Table, {{Load, 5, 0.001}, {Load, 0, 0}});
  EXPECT_FALSE(Table.hasClass(Load));
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
