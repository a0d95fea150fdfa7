//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The convex solver's optimum: of each cost, against a dense Newton method in
// the null space of conservation that shares nothing with the solver but the
// cost itself; and of tiny graphs, against costs written down by hand and tried
// out on a grid.
//
//===----------------------------------------------------------------------===//

#include "Convex.h"
#include "MarkovChain.h"
#include "StartingFlow.h"
#include "TestGraphs.h"
#include "llvm/Support/MathExtras.h"
#include <Eigen/Dense>
#include <functional>

using namespace llvm;
using namespace inlay;

namespace {

/// Conserved flows, each of another mixture of ways through the network.
std::vector<double> randomFlows(const FlowNetwork &Network,
                                std::mt19937 &Random) {
  std::vector<double> Flows;
  for (size_t I = 0; I != Network.Arcs.size(); ++I)
    Flows.push_back(std::exp(std::normal_distribution(-1.0, 1.5)(Random)));
  std::optional<Elimination> Order =
      Elimination::create(Network.NumVertices, Network.Arcs);
  conserve(*Order, Network.Arcs, Flows);
  return Flows;
}

/// Directions that keep conservation, as columns.
Eigen::MatrixXd nullSpace(const FlowNetwork &Network) {
  Eigen::MatrixXd Incidence =
      Eigen::MatrixXd::Zero(Network.NumVertices + 1, Network.Arcs.size());
  for (size_t I = 0; I != Network.Arcs.size(); ++I) {
    auto [Tail, Head] = Network.Arcs[I];
    if (Head != FlowGround)
      Incidence(Head, I) += 1;
    if (Tail != FlowGround)
      Incidence(Tail, I) -= 1;
  }
  return Eigen::FullPivLU<Eigen::MatrixXd>(Incidence).kernel();
}

/// A local minimum near \p Flows.
void minimiseDensely(const FlowNetwork &Network, CostStage Stage,
                     std::vector<double> &Flows) {
  const Eigen::MatrixXd Basis = nullSpace(Network);
  const size_t N = Flows.size();
  FlowCost::Derivatives At;
  for (unsigned Iteration = 0; Iteration != 1000; ++Iteration) {
    Network.Cost.derivatives(Stage, Flows, At);
    Eigen::VectorXd Gradient(N), Curvature(N);
    for (size_t I = 0; I != N; ++I) {
      Gradient(I) = At.Gradient[I] / Flows[I];
      Curvature(I) = At.Curvature[I] / Flows[I] / Flows[I];
    }
    Eigen::VectorXd Reduced = Basis.transpose() * Gradient;
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> Hessian(
        Basis.transpose() * Curvature.asDiagonal() * Basis);
    Eigen::VectorXd Bend = Hessian.eigenvalues().cwiseAbs();
    Bend = Bend.cwiseMax(1e-12 * Bend.maxCoeff());
    Eigen::VectorXd Change =
        -Basis *
        (Hessian.eigenvectors() *
         (Hessian.eigenvectors().transpose() * Reduced).cwiseQuotient(Bend));
    const double Slope = Gradient.dot(Change);
    if (-Slope < 1e-14)
      return;
    const double Before = Network.Cost.value(Stage, Flows);
    double Step = 1;
    for (; Step > 1e-12; Step /= 2) {
      std::vector<double> Next = Flows;
      bool ArePositive = true;
      for (size_t I = 0; I != N; ++I) {
        Next[I] += Step * Change(I);
        ArePositive &= Next[I] > 0;
      }
      if (!ArePositive ||
          Network.Cost.value(Stage, Next) > Before + 1e-4 * Step * Slope)
        continue;
      Flows = std::move(Next);
      break;
    }
    if (Step <= 1e-12)
      return;
  }
}

TEST(FlowCostTest, DerivativesAndDifferences) {
  std::mt19937 Random(1);
  for (unsigned Round = 0; Round != 200; ++Round) {
    FlowGraph Graph = randomGraph(Random, {.WithWaysInAndOut = true});
    for (const FlowNetwork &Network : buildNetworks(Graph).Parts)
      for (CostStage Stage : {CostStage::Gamma, CostStage::Student}) {
        const FlowCost &Cost = Network.Cost;
        std::vector<double> Flows = randomFlows(Network, Random);
        FlowCost::Derivatives At;
        Cost.derivatives(Stage, Flows, At);
        for (size_t I = 0; I != Flows.size(); ++I) {
          std::vector<double> Change(Flows.size());
          Change[I] = 1;
          auto By = [&](double Step) {
            return Cost.difference(Stage, Flows, At, Change, Step);
          };
          const double H = 1e-4;
          const double Scale = 1 + std::abs(At.SafeCurvature[I]);
          EXPECT_NEAR((By(H) - By(-H)) / (2 * H), At.Gradient[I], 1e-6 * Scale);
          EXPECT_NEAR((By(H) + By(-H)) / (H * H), At.Curvature[I],
                      1e-4 * Scale);
          EXPECT_GE(At.SafeCurvature[I], At.Curvature[I]);
          EXPECT_GT(At.SafeCurvature[I], 0);
          std::vector<double> Moved = Flows;
          Moved[I] *= 1.3;
          EXPECT_NEAR(By(0.3),
                      Cost.value(Stage, Moved) - Cost.value(Stage, Flows),
                      1e-9 * (1 + std::abs(Cost.value(Stage, Flows))));
        }
      }
  }
}

class Optimum : public testing::TestWithParam<CostStage> {};

TEST_P(Optimum, AsGoodAsADenseSolver) {
  const CostStage Stage = GetParam();
  std::mt19937 Random(2);
  unsigned Solved = 0, Others = 0;
  for (unsigned Round = 0; Round != 1000; ++Round) {
    SCOPED_TRACE(Round);
    FlowGraph Graph = randomGraph(Random, {.WithWaysInAndOut = true});
    for (const FlowNetwork &Network : buildNetworks(Graph).Parts) {
      std::optional<Elimination> Order =
          Elimination::create(Network.NumVertices, Network.Arcs);
      Laplacian System(*Order, Network.Arcs);
      std::vector<double> Flows = randomFlows(Network, Random);
      if (Stage == CostStage::Student)
        minimise(Network.Arcs, Network.Cost, CostStage::Gamma, System, 1e-2,
                 Flows);
      std::vector<double> Reference = Flows;
      NewtonResult Result =
          minimise(Network.Arcs, Network.Cost, Stage, System, 1e-8, Flows);
      EXPECT_TRUE(Result.Converged);

      // A minimum: no slope, and no curvature that is negative.
      FlowCost::Derivatives At;
      Network.Cost.derivatives(Stage, Flows, At);
      Eigen::MatrixXd Basis = nullSpace(Network);
      for (Eigen::Index I = 0; I != Basis.cols(); ++I) {
        double Size = 0;
        for (size_t A = 0; A != Flows.size(); ++A)
          Size = std::max(Size, std::abs(Basis(A, I)) / Flows[A]);
        Basis.col(I) /= Size;
      }
      Eigen::MatrixXd Relative = Basis;
      for (size_t A = 0; A != Flows.size(); ++A)
        Relative.row(A) /= Flows[A];
      Eigen::Map<const Eigen::VectorXd> Gradient(At.Gradient.data(),
                                                 Flows.size()),
          Curvature(At.Curvature.data(), Flows.size());
      EXPECT_LT((Relative.transpose() * Gradient).cwiseAbs().maxCoeff(), 2e-4);
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> Hessian(
          Relative.transpose() * Curvature.asDiagonal() * Relative);
      EXPECT_GT(Hessian.eigenvalues().minCoeff(), -1e-6);

      minimiseDensely(Network, Stage, Reference);
      auto Worse = [&] {
        return Network.Cost.value(Stage, Flows) >
               Network.Cost.value(Stage, Reference) + 1e-5;
      };
      ++Solved;
      if (!Worse())
        continue;
      // There may be several minima, and each solver finds another. Then the
      // other one is a minimum for ours as well.
      ++Others;
      Flows = Reference;
      minimise(Network.Arcs, Network.Cost, Stage, System, 1e-8, Flows);
      EXPECT_FALSE(Worse());
    }
  }
  EXPECT_GT(Solved, 1500u);
  EXPECT_LE(Others, Solved / 25);
}

INSTANTIATE_TEST_SUITE_P(Stages, Optimum,
                         testing::Values(CostStage::Gamma, CostStage::Student),
                         [](const testing::TestParamInfo<CostStage> &Info) {
                           return Info.param == CostStage::Gamma ? "Gamma"
                                                                 : "Student";
                         });

using PairCost = std::function<double(double, double)>;

/// The least of \p Cost within a factor of e^Width around two numbers, by ever
/// finer grids around the best point of the last.
double leastCost(const PairCost &Cost, double A, double B, double Width) {
  double LogA = std::log(A), LogB = std::log(B);
  double Best = std::numeric_limits<double>::infinity();
  for (; Width > 1e-5; Width /= 8) {
    constexpr int Points = 60;
    double BestA = LogA, BestB = LogB;
    for (int I = -Points; I <= Points; ++I)
      for (int J = -Points; J <= Points; ++J) {
        double TryA = LogA + Width * I / Points;
        double TryB = LogB + Width * J / Points;
        double Value = Cost(std::exp(TryA), std::exp(TryB));
        if (Value < Best) {
          Best = Value;
          BestA = TryA;
          BestB = TryB;
        }
      }
    LogA = BestA;
    LogB = BestB;
  }
  return Best;
}

/// Whether no better pair is to be found anywhere; none may be near.
bool isOptimum(const PairCost &Cost, double A, double B) {
  const double Value = Cost(A, B);
  EXPECT_LT(Value - leastCost(Cost, A, B, 0.3), 1e-3);
  return Value - leastCost(Cost, 1, 1, 12) < 1e-3;
}

double student(double Flow, double Count, double Deviation) {
  constexpr double Nu = cost::DegreesOfFreedom;
  double Z = std::log(Flow / Count) / std::max(Deviation, cost::LeastDeviation);
  return (Nu + 1) / 2 * std::log(1 + Z * Z / Nu);
}

double branch(double Flow, double Sum, double Probability) {
  return -(cost::PullWeight * Probability + cost::LeastPull) *
         std::log(Flow / Sum);
}

double entry(double Flow, double Greatest) {
  return cost::EntryWeight * (Flow / Greatest - std::log(Flow));
}

TEST(ConvexTest, BranchByBruteForce) {
  // 0 -> {1, 2} -> 3 and four straight pieces: entry and 0, the branches, and 3
  // with the exit.
  std::mt19937 Random(3);
  unsigned Found = 0;
  for (unsigned Round = 0; Round != 40; ++Round) {
    SCOPED_TRACE(Round);
    std::vector<double> Counts, Deviations;
    for (unsigned I = 0; I != 4; ++I) {
      Counts.push_back(std::exp(std::normal_distribution(0.0, 1.0)(Random)));
      Deviations.push_back(0.2 + double(Random() % 100) / 100);
    }
    const double P = 0.1 + 0.8 * double(Random() % 100) / 100;
    const bool IsRare = Round % 3 == 0, IsUnlikely = Round % 4 == 0;
    const double Saturation = Round % 6 == 0 ? 0.5 + Round % 5 : 0; // or linear
    FlowGraph Graph = graph({1, 1, 1, 1}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
    for (unsigned I = 0; I != 4; ++I)
      Graph.Nodes[I].Evidence = FlowEvidence::near(Counts[I], Deviations[I]);
    if (IsRare)
      Graph.Nodes[1].Evidence = Saturation
                                    ? FlowEvidence::rare(Counts[1], Saturation)
                                    : FlowEvidence::rare(Counts[1]);
    Graph.Edges[0].Probability = float(P);
    Graph.Edges[1].Probability = float(1 - P);
    Graph.Edges[1].IsUnlikely = IsUnlikely;
    Graph.Resolution = 0.5;
    double Greatest = 0;
    for (const FlowNode &Node : Graph.Nodes)
      if (Node.Evidence.isPositive())
        Greatest = std::max(Greatest, Node.Evidence.Count);
    auto Cost = [&](double A, double B) {
      double Sum = A + B;
      double Result = student(Sum, Counts[0], Deviations[0]) +
                      student(Sum, Counts[3], Deviations[3]) +
                      student(B, Counts[2], Deviations[2]);
      Result += IsRare && Saturation
                    ? Saturation * std::log(1 + A / (Saturation * Counts[1]))
                : IsRare ? A / Counts[1]
                         : student(A, Counts[1], Deviations[1]);
      if (IsUnlikely)
        Result += cost::UnlikelyWeight * std::log(1 + B / Graph.Resolution);
      return Result + branch(A, Sum, P) + branch(B, Sum, 1 - P) +
             entry(Sum, Greatest);
    };
    inlay::Flow Solved = solveFlow(Graph, FlowSolver::Convex);
    expectConserved(Graph, Solved);
    Found += isOptimum(Cost, Solved.Nodes[1], Solved.Nodes[2]);
  }
  // There may be several minima, but mostly we find the best.
  EXPECT_GE(Found, 35u);
}

TEST(ConvexTest, LoopByBruteForce) {
  // 0 -> 1 -> {1, 2}: entry and 0, the loop's block, its way back, and 2.
  std::mt19937 Random(4);
  unsigned Found = 0;
  for (unsigned Round = 0; Round != 40; ++Round) {
    SCOPED_TRACE(Round);
    const double Entry = std::exp(std::normal_distribution(-1.0, 1.0)(Random));
    const double Loop = std::exp(std::normal_distribution(3.0, 1.0)(Random));
    const double Exit = std::exp(std::normal_distribution(0.0, 1.0)(Random));
    const double Deviation = 0.2 + double(Random() % 100) / 100;
    FlowGraph Graph = graph({1, 1, 1}, {{0, 1}, {1, 1}, {1, 2}});
    Graph.Nodes[0].Evidence = FlowEvidence::none();
    Graph.Entry = FlowEvidence::near(Entry, 0.5);
    Graph.Nodes[1].Evidence = FlowEvidence::near(Loop, 0.2);
    Graph.Nodes[2].Evidence = FlowEvidence::near(Exit, Deviation);
    Graph.Edges[1].Probability = 0.9f;
    Graph.Edges[2].Probability = 0.1f;
    auto Cost = [&](double X, double Back) {
      return student(X, Entry, 0.5) + student(X + Back, Loop, 0.2) +
             student(X, Exit, Deviation) + branch(Back, X + Back, 0.9) +
             branch(X, X + Back, 0.1) + entry(X, std::max({Entry, Loop, Exit}));
    };
    inlay::Flow Solved = solveFlow(Graph, FlowSolver::Convex);
    expectConserved(Graph, Solved);
    Found += isOptimum(Cost, Solved.Nodes[0], Solved.Edges[1]);
    EXPECT_EQ(Solved.Entry, Solved.Nodes[0]);
  }
  EXPECT_GE(Found, 35u);
}

TEST(StartingFlowTest, CoveringFlowIsConservedAndNotLess) {
  std::mt19937 Random(5);
  for (unsigned Round = 0; Round != 500; ++Round) {
    FlowGraph Graph = randomGraph(Random, {.WithWaysInAndOut = true});
    FlowNetworks Networks = buildNetworks(Graph);
    for (const FlowNetwork &Network : Networks.Parts) {
      std::vector<double> Guess = guessFlows(Network);
      std::vector<double> Flows = coveringFlow(Network);
      std::vector<double> Balance(Network.NumVertices),
          Sum(Network.NumVertices);
      for (size_t I = 0; I != Flows.size(); ++I) {
        EXPECT_GT(Guess[I], 0);
        EXPECT_TRUE(std::isfinite(Flows[I]));
        EXPECT_GE(Flows[I], Guess[I]);
        auto [Tail, Head] = Network.Arcs[I];
        if (Head != FlowGround) {
          Balance[Head] += Flows[I];
          Sum[Head] += Flows[I];
        }
        if (Tail != FlowGround)
          Balance[Tail] -= Flows[I];
      }
      for (uint32_t I = 0; I != Network.NumVertices; ++I)
        EXPECT_NEAR(Balance[I], 0, 1e-9 * Sum[I]);
    }
  }
}

} // namespace
