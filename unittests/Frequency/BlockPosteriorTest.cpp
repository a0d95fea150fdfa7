//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BlockPosterior.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace inlay;

namespace {

const InstructionClass Load = *findInstructionClass("load");
const InstructionClass ALU = *findInstructionClass("alu");

/// A table whose classes have rates around the given ones.
RateTable makeTable(double LogLoad, double LogALU) {
  RateTable Table;
  auto Around = [](double Center) {
    std::vector<double> Weights;
    for (unsigned K = 0; K < RateGrid::Size; ++K) {
      double Distance = RateGrid::point(K) - Center;
      Weights.push_back(std::exp(-Distance * Distance / 2));
    }
    return Weights;
  };
  Table.setWeights(Load, Around(LogLoad));
  Table.setWeights(ALU, Around(LogALU));
  return Table;
}

/// The definition, straight.
double logLikelihood(const RateTable &Table, InstructionClass Class,
                     double Samples, double T) {
  double Top = -INFINITY;
  std::vector<double> Terms;
  for (unsigned K = 0; K < RateGrid::Size; ++K) {
    double LogMean = T + RateGrid::point(K);
    Terms.push_back(std::log(Table.weights(Class)[K]) + Samples * LogMean -
                    std::exp(LogMean));
    Top = std::max(Top, Terms.back());
  }
  double Sum = 0;
  for (double Term : Terms)
    Sum += std::exp(Term - Top);
  return Top + std::log(Sum);
}

} // namespace

TEST(BlockPosterior, RowsAreMixturesOfPoissonTerms) {
  RateTable Table = makeTable(1, -1);
  BlockPosteriors Posteriors(Table, 100000);
  for (uint64_t Samples : {0u, 1u, 7u, 300u, 100000u}) {
    std::vector<double> Row = Posteriors.row(Load, Samples).vec();
    std::vector<double> Exact;
    for (double T : Posteriors.grid())
      Exact.push_back(logLikelihood(Table, Load, Samples, T));
    // The constant is free.
    for (size_t I = 1; I < Row.size(); ++I) {
      double Expected = Exact[I] - Exact[0];
      EXPECT_NEAR(Expected, Row[I] - Row[0], 1e-9 * (1 + std::abs(Expected)))
          << Samples << " samples, t = " << Posteriors.grid()[I];
    }
  }
}

// The posterior covers the truth as often as it says, if the model is right.
TEST(BlockPosterior, IsCalibrated) {
  RateTable Table = makeTable(0.5, -0.5);
  BlockPosteriors Posteriors(Table, 1 << 20);
  std::mt19937 Random(1);
  unsigned Within = 0, Blocks = 2000;
  for (unsigned Block = 0; Block < Blocks; ++Block) {
    double LogF = std::normal_distribution(3.0, 2.0)(Random);
    std::vector<InstructionSamples> Instructions;
    for (int I = 0; I < 6; ++I) {
      InstructionClass Class = I % 2 ? Load : ALU;
      llvm::ArrayRef<double> Weights = Table.weights(Class);
      double LogRate = RateGrid::point(std::discrete_distribution<int>(
          Weights.begin(), Weights.end())(Random));
      Instructions.push_back({Class, uint64_t(std::poisson_distribution<long>(
                                         std::exp(LogF + LogRate))(Random))});
    }
    BlockPosterior P = Posteriors.compute(Instructions);
    Within += std::abs(P.Mean - LogF) < P.Deviation;
  }
  // 68 % of a normal distribution; four deviations of the count of 2000.
  EXPECT_NEAR(0.68, double(Within) / Blocks, 0.045);
}

TEST(BlockPosterior, OneHotInstructionDoesNotCarryTheBlock) {
  RateTable Table = makeTable(0, 0);
  BlockPosteriors Posteriors(Table, 1 << 20);
  BlockPosterior P = Posteriors.compute(
      {{ALU, 10}, {ALU, 12}, {Load, 9}, {Load, 1500}, {ALU, 8}});
  EXPECT_NEAR(std::log(14.0), P.Mean, 0.7);
}

TEST(BlockPosterior, NothingSeen) {
  RateTable Table = makeTable(0, 0);
  BlockPosteriors Posteriors(Table, 0);
  BlockPosterior Short = Posteriors.compute({{ALU, 0}});
  BlockPosterior Long =
      Posteriors.compute(std::vector<InstructionSamples>(20, {ALU, 0}));
  ASSERT_TRUE(Short.MayNeverHaveRun);
  ASSERT_TRUE(Long.MayNeverHaveRun);
  // The longer block would sooner have been seen.
  EXPECT_LT(Long.Scale, Short.Scale / 4);
  FlowEvidence Evidence = BlockPosteriors::evidence(Long, 0.15);
  EXPECT_EQ(FlowEvidence::Kind::Rare, Evidence.Is);
  EXPECT_EQ(Long.Scale, Evidence.Count);
  // The scale is where the likelihood has dropped by one nat.
  double Drop = 20 * (logLikelihood(Table, ALU, 0, -30) -
                      logLikelihood(Table, ALU, 0, std::log(Long.Scale)));
  EXPECT_NEAR(1.0, Drop, 0.05);
}

TEST(BlockPosterior, NopsSayNothing) {
  RateTable Table = makeTable(0, 0);
  BlockPosteriors Posteriors(Table, 10);
  BlockPosterior P = Posteriors.compute({{NoInstructionClass, 0}});
  EXPECT_EQ(FlowEvidence::Kind::None, BlockPosteriors::evidence(P, 0.15).Is);
  EXPECT_EQ(Posteriors.compute({{ALU, 3}}).Mean,
            Posteriors.compute({{ALU, 3}, {NoInstructionClass, 10}}).Mean);
}

// But a block of which only NOPs were seen has run.
TEST(BlockPosterior, NopsThatAreAllThatWasSeen) {
  RateTable Table = makeTable(0, 0);
  BlockPosteriors Posteriors(Table, 10);
  BlockPosterior P =
      Posteriors.compute({{NoInstructionClass, 10}, {ALU, 0}, {ALU, 0}});
  FlowEvidence Evidence = BlockPosteriors::evidence(P, 0.15);
  EXPECT_EQ(FlowEvidence::Kind::Near, Evidence.Is);
  EXPECT_LT(Evidence.Count, 10);
}

TEST(BlockPosterior, AnyCountIsFinite) {
  RateTable Table = makeTable(6, -6);
  for (uint64_t Samples : {uint64_t(1) << 32, UINT64_MAX}) {
    BlockPosteriors Posteriors(Table, Samples);
    BlockPosterior P = Posteriors.compute({{Load, Samples}, {ALU, 0}});
    EXPECT_TRUE(std::isfinite(P.Mean));
    EXPECT_TRUE(std::isfinite(P.Deviation));
    FlowEvidence Evidence = BlockPosteriors::evidence(P, 0.15);
    EXPECT_TRUE(std::isfinite(Evidence.Count) && Evidence.Count > 0);
  }
}
