//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The linear systems on networks: against dense solutions of small ones, and
// where conductances and flows differ by more than a double has digits.
//
//===----------------------------------------------------------------------===//

#include "Elimination.h"
#include "Laplacian.h"
#include "MarkovChain.h"
#include "gtest/gtest.h"
#include <Eigen/Dense>
#include <cmath>
#include <random>

using namespace llvm;
using namespace inlay;

namespace {

/// Connected with the ground by at least one arc from it and one to it; every
/// vertex is on a path between these.
std::vector<FlowArc> randomArcs(std::mt19937 &Random, uint32_t N) {
  std::vector<FlowArc> Arcs = {{FlowGround, 0}, {N - 1, FlowGround}};
  for (uint32_t I = 0; I + 1 < N; ++I)
    Arcs.push_back({I, I + 1});
  for (uint32_t I = 0, E = Random() % (2 * N); I != E; ++I)
    Arcs.push_back({uint32_t(Random() % N), uint32_t(Random() % N)});
  if (Random() % 2)
    Arcs.push_back({uint32_t(Random() % N), FlowGround});
  if (Random() % 2)
    Arcs.push_back({FlowGround, uint32_t(Random() % N)});
  return Arcs;
}

double logUniform(std::mt19937 &Random, double Decades) {
  return std::pow(10, Decades * (double(Random()) / Random.max() - 0.5));
}

Eigen::MatrixXd dense(uint32_t N, ArrayRef<FlowArc> Arcs,
                      ArrayRef<double> Conductances) {
  Eigen::MatrixXd Matrix = Eigen::MatrixXd::Zero(N, N);
  for (size_t I = 0; I != Arcs.size(); ++I) {
    auto [Tail, Head] = Arcs[I];
    if (Tail == Head)
      continue;
    for (uint32_t Vertex : {Tail, Head})
      if (Vertex != FlowGround)
        Matrix(Vertex, Vertex) += Conductances[I];
    if (Tail != FlowGround && Head != FlowGround) {
      Matrix(Tail, Head) -= Conductances[I];
      Matrix(Head, Tail) -= Conductances[I];
    }
  }
  return Matrix;
}

TEST(EliminationTest, TreesHardlyFillIn) {
  std::mt19937 Random(1);
  constexpr uint32_t N = 5000;
  std::vector<FlowArc> Arcs;
  for (uint32_t I = 1; I != N; ++I)
    Arcs.push_back({uint32_t(Random() % I), I});
  std::optional<Elimination> Order = Elimination::create(N, Arcs);
  ASSERT_TRUE(Order);
  EXPECT_LT(Order->numEntries(), N + N / 4);
}

TEST(EliminationTest, VerticesWithManyNeighboursComeLast) {
  constexpr uint32_t N = 20000;
  std::vector<FlowArc> Arcs;
  for (uint32_t I = 1; I != N; ++I)
    Arcs.push_back({0, I});
  std::optional<Elimination> Order = Elimination::create(N, Arcs);
  ASSERT_TRUE(Order);
  EXPECT_EQ(Order->numEntries(), N - 1);
}

TEST(EliminationTest, RefusesWhatTakesTooLong) {
  std::mt19937 Random(2);
  constexpr uint32_t N = 20000;
  std::vector<FlowArc> Arcs;
  for (uint32_t I = 0; I != 10 * N; ++I)
    Arcs.push_back({uint32_t(Random() % N), uint32_t(Random() % N)});
  EXPECT_FALSE(Elimination::create(N, Arcs));
}

TEST(EliminationTest, EveryArcHasItsEntry) {
  std::mt19937 Random(3);
  for (unsigned Round = 0; Round != 200; ++Round) {
    const uint32_t N = 1 + Random() % 30;
    std::vector<FlowArc> Arcs = randomArcs(Random, N);
    std::optional<Elimination> Order = Elimination::create(N, Arcs);
    ASSERT_TRUE(Order);
    for (uint32_t I = 0; I != Arcs.size(); ++I) {
      auto [Tail, Head] = Arcs[I];
      uint32_t Entry = Order->entryOf(I);
      if (Tail == Head || Tail == FlowGround || Head == FlowGround) {
        EXPECT_EQ(Entry, Elimination::None);
        continue;
      }
      auto [Column, Row] =
          std::minmax({Order->columnOf(Tail), Order->columnOf(Head)});
      ASSERT_LT(Entry, Order->numEntries());
      EXPECT_EQ(Order->row(Entry), Row);
      EXPECT_GE(Entry, Order->begin(Column));
      EXPECT_LT(Entry, Order->end(Column));
    }
  }
}

TEST(LaplacianTest, PotentialsOfSmallNetworks) {
  std::mt19937 Random(4);
  for (unsigned Round = 0; Round != 500; ++Round) {
    const uint32_t N = 1 + Random() % 20;
    std::vector<FlowArc> Arcs = randomArcs(Random, N);
    std::vector<double> Conductances;
    for (size_t I = 0; I != Arcs.size(); ++I)
      Conductances.push_back(logUniform(Random, 4));
    std::optional<Elimination> Order = Elimination::create(N, Arcs);
    Laplacian System(*Order, Arcs);
    System.factor(Conductances);
    Eigen::MatrixXd Inverse = dense(N, Arcs, Conductances).inverse();
    Eigen::VectorXd Demand = Eigen::VectorXd::Random(N);
    Eigen::VectorXd Expected = Inverse * Demand;
    std::vector<double> Potentials(Demand.data(), Demand.data() + N);
    System.solve(Potentials);
    const double Error = 1e-9 * Expected.cwiseAbs().maxCoeff();
    for (uint32_t I = 0; I != N; ++I)
      EXPECT_NEAR(Potentials[I], Expected(I), Error);

    std::vector<Laplacian::Resistance> Resistances =
        System.effectiveResistances();
    for (size_t I = 0; I != Arcs.size(); ++I) {
      Eigen::VectorXd Ends = Eigen::VectorXd::Zero(N);
      if (Arcs[I].Tail != FlowGround)
        Ends(Arcs[I].Tail) -= 1;
      if (Arcs[I].Head != FlowGround)
        Ends(Arcs[I].Head) += 1;
      EXPECT_NEAR(Resistances[I].Value, Ends.dot(Inverse * Ends),
                  1e-9 * Inverse.diagonal().maxCoeff());
    }
  }
}

// A loop whose conductances are 10^30 times those of the only ways in and out:
// a pivot that is a difference has no digit of them left.
TEST(LaplacianTest, WaysIntoAHotLoop) {
  constexpr uint32_t N = 100;
  std::vector<FlowArc> Arcs = {{FlowGround, 0}, {N / 2, FlowGround}};
  std::vector<double> Conductances = {2e-15, 3e-15};
  for (uint32_t I = 0; I != N; ++I) {
    Arcs.push_back({I, (I + 1) % N});
    Conductances.push_back(1e15);
  }
  std::optional<Elimination> Order = Elimination::create(N, Arcs);
  Laplacian System(*Order, Arcs);
  System.factor(Conductances);
  std::vector<double> Potentials(N);
  Potentials[17] = 1;
  System.solve(Potentials);
  for (double Potential : Potentials)
    EXPECT_NEAR(Potential, 1 / 5e-15, 1e-9 / 5e-15);
}

TEST(MarkovChainTest, ConservesAndKeepsProportions) {
  std::mt19937 Random(5);
  for (unsigned Round = 0; Round != 500; ++Round) {
    SCOPED_TRACE(Round);
    const uint32_t N = 1 + Random() % 30;
    std::vector<FlowArc> Arcs = randomArcs(Random, N);
    std::vector<double> Flows;
    for (size_t I = 0; I != Arcs.size(); ++I)
      Flows.push_back(logUniform(Random, Round % 2 ? 2 : 20));
    std::vector<double> Before = Flows;
    std::optional<Elimination> Order = Elimination::create(N, Arcs);
    conserve(*Order, Arcs, Flows);
    std::vector<double> In(N), Out(N), Factor(N);
    for (size_t I = 0; I != Arcs.size(); ++I) {
      auto [Tail, Head] = Arcs[I];
      EXPECT_GT(Flows[I], 0);
      if (Head != FlowGround)
        In[Head] += Flows[I];
      if (Tail == FlowGround) {
        EXPECT_EQ(Flows[I], Before[I]);
        continue;
      }
      Out[Tail] += Flows[I];
      if (Factor[Tail]) {
        EXPECT_NEAR(Flows[I] / Before[I], Factor[Tail], 1e-9 * Factor[Tail]);
      }
      Factor[Tail] = Flows[I] / Before[I];
    }
    for (uint32_t I = 0; I != N; ++I)
      EXPECT_NEAR(In[I], Out[I], 1e-12 * In[I]);
  }
}

TEST(MarkovChainTest, LoopOfManyIterations) {
  // 0 -> 1, which goes around 10^18 times.
  std::vector<FlowArc> Arcs = {
      {FlowGround, 0}, {0, 1}, {1, 0}, {0, FlowGround}};
  std::vector<double> Flows = {3, 1, 1, 1e-18};
  std::optional<Elimination> Order = Elimination::create(2, Arcs);
  conserve(*Order, Arcs, Flows);
  EXPECT_NEAR(Flows[1], 3e18, 3e6);
  EXPECT_NEAR(Flows[3], 3, 1e-12);
}

} // namespace
