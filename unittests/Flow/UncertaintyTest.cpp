//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How sure counts are: against the covariance of small networks, computed
// densely, and for cases that can be told by hand.
//
//===----------------------------------------------------------------------===//

#include "Convex.h"
#include "FlowUncertainty.h"
#include "TestGraphs.h"
#include <Eigen/Dense>

using namespace llvm;
using namespace inlay;

namespace {

/// Of evidence that is met: what Student's t makes of a standard deviation.
double ofEvidence(double Deviation) {
  return Deviation *
         std::sqrt(cost::DegreesOfFreedom / (cost::DegreesOfFreedom + 1));
}

inlay::Flow solve(const FlowGraph &Graph) {
  return solveFlow(Graph, FlowSolver::Convex, /*WithDeviations=*/true);
}

TEST(UncertaintyTest, OnRequestOnly) {
  FlowGraph Graph = graph({7, 0}, {{0, 1}});
  EXPECT_TRUE(solveFlow(Graph, FlowSolver::Convex).Deviations.empty());
  EXPECT_EQ(solve(Graph).Deviations.size(), 2u);
  // Nothing flows.
  Graph.Nodes[0].Evidence = FlowEvidence::none();
  EXPECT_EQ(solve(Graph).Nodes[0], 0);
}

TEST(UncertaintyTest, OneNode) {
  FlowGraph Graph = graph({100}, {});
  EXPECT_NEAR(solve(Graph).Deviations[0], ofEvidence(0.3), 1e-3);
  Graph.Nodes[0].Evidence.Deviation = 2;
  EXPECT_NEAR(solve(Graph).Deviations[0], ofEvidence(2), 1e-2);
}

TEST(UncertaintyTest, EvidenceAddsUp) {
  // Four blocks of straight code, two of which are as good as one with half the
  // variance.
  inlay::Flow Solved = solve(
      graph({100, 100, std::nullopt, std::nullopt}, {{0, 1}, {1, 2}, {2, 3}}));
  for (double Deviation : Solved.Deviations)
    EXPECT_NEAR(Deviation, ofEvidence(0.3) / std::sqrt(2), 1e-3);
}

TEST(UncertaintyTest, DifferencesAreLessCertain) {
  // 0 -> {1, 2}: 1 has 90 of 100, and what 2 has is known from these alone.
  inlay::Flow Solved = solve(graph({100, 90, std::nullopt}, {{0, 1}, {0, 2}}));
  const double D = ofEvidence(0.3);
  EXPECT_NEAR(Solved.Deviations[0], D, 0.02);
  EXPECT_NEAR(Solved.Deviations[1], D, 0.02);
  const double X = Solved.Nodes[2];
  EXPECT_NEAR(Solved.Deviations[2],
              D * std::hypot(Solved.Nodes[0], Solved.Nodes[1]) / X,
              0.1 * Solved.Deviations[2]);
  // Without evidence, how a branch splits is not known.
  Solved = solve(graph({100, std::nullopt, std::nullopt}, {{0, 1}, {0, 2}}));
  EXPECT_NEAR(Solved.Deviations[0], D, 1e-3);
  EXPECT_EQ(Solved.Deviations[1], inlay::Flow::MaxDeviation);
}

TEST(UncertaintyTest, OutliersDoNotCount) {
  inlay::Flow Solved = solve(graph({100, 100, 1e6}, {{0, 1}, {1, 2}}));
  EXPECT_NEAR(Solved.Deviations[0], ofEvidence(0.3) / std::sqrt(2), 0.01);
}

TEST(UncertaintyTest, Unreachable) {
  FlowGraph Graph = graph({100, std::nullopt}, {});
  EXPECT_EQ(solve(Graph).Deviations[1], inlay::Flow::MaxDeviation);
}

TEST(UncertaintyTest, CovarianceOfSmallNetworks) {
  std::mt19937 Random(1);
  unsigned Exact = 0, Total = 0;
  for (unsigned Round = 0; Round != 300; ++Round) {
    SCOPED_TRACE(Round);
    FlowGraph Graph = randomGraph(Random, {.WithUnlikely = false});
    for (const FlowNetwork &Network : buildNetworks(Graph).Parts) {
      std::vector<double> Deviations;
      std::vector<double> Flows = solveNetwork(Network, nullptr, &Deviations);
      std::vector<double> Information = Network.Cost.information(Flows);
      const size_t N = Flows.size();
      Eigen::MatrixXd Incidence =
          Eigen::MatrixXd::Zero(Network.NumVertices + 1, N);
      Eigen::VectorXd Weight(N);
      for (size_t I = 0; I != N; ++I) {
        auto [Tail, Head] = Network.Arcs[I];
        if (Head != FlowGround)
          Incidence(Head, I) += Flows[I];
        if (Tail != FlowGround)
          Incidence(Tail, I) -= Flows[I];
        Weight(I) = std::max(Information[I], 1e-4);
      }
      Eigen::MatrixXd Basis =
          Eigen::FullPivLU<Eigen::MatrixXd>(Incidence).kernel();
      Eigen::MatrixXd Covariance =
          Basis * (Basis.transpose() * Weight.asDiagonal() * Basis).inverse() *
          Basis.transpose();
      for (size_t I = 0; I != N; ++I) {
        double Expected =
            std::min(std::sqrt(Covariance(I, I)), inlay::Flow::MaxDeviation);
        // Never surer than is right; rarely less sure.
        EXPECT_GT(Deviations[I], 0.98 * Expected);
        Exact += Deviations[I] < 1.02 * Expected;
      }
      Total += N;
    }
  }
  EXPECT_GT(Exact, 0.97 * Total);
}

} // namespace
