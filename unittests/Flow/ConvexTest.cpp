//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the convex solver promises on any graph: a flow that is finite,
// conserved, the same every time and in every unit; the evidence where it is
// consistent, and something between where it is not. On large graphs, that it
// comes to an end.
//
//===----------------------------------------------------------------------===//

#include "Convex.h"
#include "TestGraphs.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace inlay;

namespace {

inlay::Flow solve(const FlowGraph &Graph) {
  return solveFlow(Graph, FlowSolver::Convex);
}

/// Multiplies all counts.
FlowGraph scaled(FlowGraph Graph, double Factor) {
  for (FlowNode &Node : Graph.Nodes)
    Node.Evidence.Count *= Factor;
  Graph.Entry.Count *= Factor;
  Graph.Resolution *= Factor;
  return Graph;
}

void expectNear(ArrayRef<double> Counts, ArrayRef<double> Expected,
                double Factor, double Tolerance, double Least = 0) {
  ASSERT_EQ(Counts.size(), Expected.size());
  for (size_t I = 0; I != Counts.size(); ++I)
    EXPECT_NEAR(Counts[I], Expected[I] * Factor,
                Tolerance * Expected[I] * Factor + Least)
        << "index " << I;
}

TEST(ConvexTest, EmptyGraph) {
  inlay::Flow Solved = solve(FlowGraph());
  EXPECT_TRUE(Solved.Nodes.empty());
  EXPECT_TRUE(Solved.Edges.empty());
}

TEST(ConvexTest, OneNode) {
  inlay::Flow Solved = solve(graph({7}, {}));
  EXPECT_NEAR(Solved.Nodes[0], 7, 0.01);
  EXPECT_EQ(Solved.Entry, Solved.Nodes[0]);
  EXPECT_EQ(solve(graph({std::nullopt}, {})).Nodes[0], 0);
  EXPECT_EQ(solve(graph({0}, {})).Nodes[0], 0);
}

TEST(ConvexTest, SenselessEvidenceIsNone) {
  constexpr double NaN = std::numeric_limits<double>::quiet_NaN();
  constexpr double Infinity = std::numeric_limits<double>::infinity();
  for (FlowSolver Solver : {FlowSolver::Profi, FlowSolver::Convex})
    for (FlowEvidence Senseless :
         {FlowEvidence::near(NaN, 1), FlowEvidence::near(Infinity, 1),
          FlowEvidence::near(-3, 1), FlowEvidence::near(3, 0),
          FlowEvidence::near(3, NaN), FlowEvidence::rare(0),
          FlowEvidence::rare(NaN), FlowEvidence::rare(1, 0)}) {
      FlowGraph Graph = graph({100, 100}, {{0, 1}});
      Graph.Nodes[1].Evidence = Senseless;
      Graph.Entry = Senseless;
      Graph.Resolution = Senseless.Count;
      inlay::Flow Solved = solveFlow(Graph, Solver);
      EXPECT_NEAR(Solved.Nodes[1], 100, 1);
      Graph.Nodes[0].Evidence = Senseless;
      EXPECT_EQ(solveFlow(Graph, Solver).Nodes[1], 0);
    }
}

TEST(ConvexTest, NoEvidenceNoFlow) {
  std::mt19937 Random(1);
  for (unsigned I = 0; I != 1000; ++I) {
    FlowGraph Graph =
        randomGraph(Random, {.WithEvidence = false, .WithWaysInAndOut = true});
    if (I % 2)
      for (FlowNode &Node : Graph.Nodes)
        Node.Evidence = FlowEvidence::rare(1);
    inlay::Flow Solved = solve(Graph);
    for (double Count : Solved.Nodes)
      EXPECT_EQ(Count, 0);
    for (double Count : Solved.Edges)
      EXPECT_EQ(Count, 0);
  }
}

TEST(ConvexTest, ConservationOnRandomGraphs) {
  std::mt19937 Random(2);
  for (unsigned I = 0; I != 5000; ++I) {
    SCOPED_TRACE(I);
    FlowGraph Graph = randomGraph(Random, {.MaxNodes = I % 10 == 0 ? 200u : 12u,
                                           .WithWaysInAndOut = I % 2 == 1});
    expectConserved(Graph, solve(Graph));
    if (testing::Test::HasFailure())
      break;
  }
}

TEST(ConvexTest, ConservationOverAllMagnitudes) {
  std::mt19937 Random(3);
  for (unsigned I = 0; I != 2000; ++I) {
    SCOPED_TRACE(I);
    FlowGraph Graph =
        randomGraph(Random, {.MaxNodes = 30, .WithWaysInAndOut = I % 2 == 1});
    for (FlowNode &Node : Graph.Nodes)
      if (Node.Evidence.Count > 0)
        Node.Evidence.Count =
            std::pow(10, -9 + 24 * double(Random()) / Random.max());
    Graph.Resolution = std::pow(10, -9 + 24 * double(Random()) / Random.max());
    expectConserved(Graph, solve(Graph));
    if (testing::Test::HasFailure())
      break;
  }
}

TEST(ConvexTest, SameInputSameResult) {
  std::mt19937 Random(4);
  for (unsigned I = 0; I != 300; ++I) {
    FlowGraph Graph = randomGraph(Random, {.MaxNodes = 60});
    inlay::Flow First = solve(Graph), Second = solve(Graph);
    EXPECT_EQ(First.Nodes, Second.Nodes);
    EXPECT_EQ(First.Edges, Second.Edges);
  }
}

TEST(ConvexTest, UnitsDoNotMatter) {
  std::mt19937 Random(5);
  unsigned OthersChosen = 0;
  for (unsigned I = 0; I != 500; ++I) {
    SCOPED_TRACE(I);
    FlowGraph Graph = randomGraph(Random, {.WithWaysInAndOut = true});
    inlay::Flow Solved = solve(Graph);
    for (double Factor : {0x1p-30, 0x1p+40}) {
      inlay::Flow Other = solve(scaled(Graph, Factor));
      expectNear(Other.Nodes, Solved.Nodes, Factor, 0);
      expectNear(Other.Edges, Solved.Edges, Factor, 0);
    }
    // Not a power of two: rounding errors decide when to stop and, rarely,
    // between two minima that look alike from where the solver starts.
    constexpr double Factor = 1e5 / 3;
    const double Greatest = *llvm::max_element(Solved.Nodes);
    inlay::Flow Other = solve(scaled(Graph, Factor));
    OthersChosen += any_of(zip(Other.Nodes, Solved.Nodes), [&](auto Counts) {
      auto [A, B] = Counts;
      return std::abs(A / Factor - B) > 0.01 * B + 1e-3 * Greatest;
    });
  }
  EXPECT_LE(OthersChosen, 5u);
}

TEST(ConvexTest, ConsistentEvidenceIsReproduced) {
  std::mt19937 Random(6);
  unsigned Tried = 0;
  for (unsigned I = 0; I != 2000; ++I) {
    SCOPED_TRACE(I);
    FlowGraph Graph =
        randomGraph(Random, {.WithEvidence = false, .WithUnlikely = false});
    BitVector Reached = reached(Graph, {0}, true);
    std::vector<uint32_t> Exits;
    std::vector<bool> IsExit(Graph.Nodes.size(), true);
    for (const FlowEdge &E : Graph.Edges)
      IsExit[E.Source] = false;
    for (uint32_t N = 0; N != Graph.Nodes.size(); ++N)
      if (IsExit[N])
        Exits.push_back(N);
    Reached.reset(reached(Graph, Exits, false));
    if (Graph.Edges.empty() || Reached.any())
      continue; // walks would not end
    ++Tried;
    inlay::Flow Truth = walk(Graph, Random, 10 + Random() % 500);
    for (size_t N = 0; N != Graph.Nodes.size(); ++N)
      Graph.Nodes[N].Evidence = evidence(Truth.Nodes[N], 0.15);
    inlay::Flow Solved = solve(Graph);
    expectConserved(Graph, Solved);
    // Priors pull a little, on what was seen least the most.
    expectNear(Solved.Nodes, Truth.Nodes, 1, 0.03, 0.3);
    if (testing::Test::HasFailure())
      break;
  }
  EXPECT_GT(Tried, 500u);
}

TEST(ConvexTest, UnknownNodesFollowFromTheOthers) {
  // 0 -> {1, 2} -> 3: what 1 does not take, 2 does.
  inlay::Flow Solved = solve(
      graph({100, 30, std::nullopt, 100}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
  expectNear(Solved.Nodes, {100, 30, 70, 100}, 1, 0.02);
  expectNear(Solved.Edges, {30, 70, 30, 70}, 1, 0.02);
}

TEST(ConvexTest, StaticProbabilityDecidesWhereEvidenceDoesNot) {
  FlowGraph Graph = graph({100, std::nullopt, std::nullopt, std::nullopt},
                          {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  Graph.Edges[0].Probability = 0.9f;
  Graph.Edges[1].Probability = 0.1f;
  inlay::Flow Solved = solve(Graph);
  EXPECT_NEAR(Solved.Edges[0], 90, 4);
  EXPECT_NEAR(Solved.Nodes[0], 100, 1);
}

TEST(ConvexTest, RareIsNearlyNever) {
  inlay::Flow Solved = solve(
      graph({100, 0, std::nullopt, 100}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
  EXPECT_LT(Solved.Edges[0], 0.1);
  EXPECT_GT(Solved.Edges[0], 0);
  EXPECT_NEAR(Solved.Edges[1], 100, 2);
}

// One block that was not seen does not outweigh what was seen before and after
// it, if it is of a kind that often is not.
TEST(ConvexTest, RaritySaturates) {
  FlowGraph Graph = graph({1000, 1000, 1000}, {{0, 1}, {1, 2}});
  Graph.Nodes[1].Evidence = FlowEvidence::rare(5);
  double Linear = solveFlow(Graph, FlowSolver::Convex).Nodes[1];
  Graph.Nodes[1].Evidence = FlowEvidence::rare(5, 2);
  double Saturating = solveFlow(Graph, FlowSolver::Convex).Nodes[1];
  EXPECT_LT(Linear, 600);
  EXPECT_GT(Saturating, 800);
  // Close to zero both mean the same.
  Graph = graph({1, 1, 1}, {{0, 1}, {1, 2}});
  Graph.Nodes[1].Evidence = FlowEvidence::rare(100);
  Linear = solveFlow(Graph, FlowSolver::Convex).Nodes[1];
  Graph.Nodes[1].Evidence = FlowEvidence::rare(100, 2);
  EXPECT_NEAR(Linear, solveFlow(Graph, FlowSolver::Convex).Nodes[1], 1e-3);
}

TEST(ConvexTest, ContradictionsEndBetween) {
  // One after another, equally trusted: the (geometric) mean.
  FlowGraph Graph = graph({100, 200}, {{0, 1}});
  for (FlowNode &Node : Graph.Nodes)
    Node.Evidence.Deviation = 1;
  EXPECT_NEAR(solve(Graph).Nodes[0], std::sqrt(100 * 200), 5);
  // The more certain one counts for more.
  Graph.Nodes[0].Evidence.Deviation = 0.2;
  inlay::Flow Solved = solve(Graph);
  EXPECT_LT(Solved.Nodes[0], 110);
  EXPECT_GT(Solved.Nodes[0], 100);
}

TEST(ConvexTest, OutliersLoseTheirWeight) {
  // The mean would be far from all.
  inlay::Flow Solved =
      solve(graph({100, 110, 30000, 90}, {{0, 1}, {1, 2}, {2, 3}}));
  for (double Count : Solved.Nodes)
    EXPECT_NEAR(Count, 100, 15);
}

TEST(ConvexTest, ParallelEdgesShareByProbability) {
  FlowGraph Graph = graph({100, 100}, {{0, 1}, {0, 1}, {0, 1}});
  Graph.Edges[0].Probability = 0.5;
  Graph.Edges[1].Probability = 0.3f;
  Graph.Edges[2].Probability = 0.2f;
  expectNear(solve(Graph).Edges, {50, 30, 20}, 1, 0.01);
  for (FlowEdge &Edge : Graph.Edges)
    Edge.Probability = 0;
  expectNear(solve(Graph).Edges, {33.3, 33.3, 33.3}, 1, 0.01);
}

TEST(ConvexTest, NestedLoops) {
  // 0 -> 1 (outer header) -> 2 (inner) -> 3 (outer latch) -> 1 or 4.
  inlay::Flow Solved =
      solve(graph({1, 1000, 1e6, 1000, 1},
                  {{0, 1}, {1, 2}, {2, 2}, {2, 3}, {3, 1}, {3, 4}}));
  expectNear(Solved.Nodes, {1, 1000, 1e6, 1000, 1}, 1, 0.03);
  expectNear(Solved.Edges, {1, 1000, 999e3, 1000, 999, 1}, 1, 0.03);
}

TEST(ConvexTest, WayIntoAHotLoopIsAPartOfWhatIsRare) {
  // Nothing was seen of 0 and 2, but the loop at 1 was entered and left.
  for (double Resolution : {1.0, 1024.0}) {
    FlowGraph Graph = graph({0, 102400, 0}, {{0, 1}, {1, 1}, {1, 2}});
    Graph.Nodes[0].Evidence = Graph.Nodes[2].Evidence =
        FlowEvidence::rare(Resolution);
    Graph.Resolution = Resolution;
    inlay::Flow Solved = solve(Graph);
    EXPECT_GT(Solved.Nodes[0], 0.005 * Resolution);
    EXPECT_LT(Solved.Nodes[0], 0.5 * Resolution);
    EXPECT_NEAR(Solved.Nodes[1], 102400, 1024);
  }
}

TEST(ConvexTest, EvidenceOverrulesWhatIsUnlikely) {
  // 2 is a landing pad: exceptions were thrown. 3 has not been seen.
  FlowGraph Graph =
      graph({100, 60, 40, std::nullopt}, {{0, 1}, {0, 2}, {0, 3}});
  Graph.Edges[1].IsUnlikely = Graph.Edges[2].IsUnlikely = true;
  Graph.Nodes[2].IsUnlikely = Graph.Nodes[3].IsUnlikely = true;
  inlay::Flow Solved = solve(Graph);
  EXPECT_NEAR(Solved.Edges[0], 60, 3);
  EXPECT_NEAR(Solved.Edges[1], 40, 8);
  EXPECT_LT(Solved.Edges[2], 0.1);
}

TEST(ConvexTest, EntryEvidence) {
  // The loop at 0 says nothing about how often it is entered.
  FlowGraph Graph = graph({1000, std::nullopt}, {{0, 0}, {0, 1}});
  Graph.Entry = FlowEvidence::near(20, 0.2);
  inlay::Flow Solved = solve(Graph);
  EXPECT_NEAR(Solved.Entry, 20, 1);
  EXPECT_NEAR(Solved.Nodes[0], 1000, 20);
  EXPECT_NEAR(Solved.Nodes[1], 20, 1);
  // Alone, it is all that is known.
  Graph.Nodes[0].Evidence = FlowEvidence::none();
  EXPECT_NEAR(solve(Graph).Entry, 20, 1);
}

TEST(ConvexTest, WaysInAndOutAmidstTheGraph) {
  // 0 -> 1 -> 2: 30 come into 1 from elsewhere, 50 leave there.
  FlowGraph Graph = graph({100, 130, 80}, {{0, 1}, {1, 2}});
  Graph.Nodes[1].IsEntry = Graph.Nodes[1].IsExit = true;
  for (FlowNode &Node : Graph.Nodes)
    Node.Evidence.Deviation = 0.15;
  inlay::Flow Solved = solve(Graph);
  expectConserved(Graph, Solved);
  EXPECT_NEAR(Solved.Nodes[2], 80, 4);
  EXPECT_GT(Solved.Nodes[1], 100);
}

TEST(ConvexTest, NoiseIsNoSecondEntry) {
  FlowGraph Graph = graph({1000, 1250, 1000, 900}, {{0, 1}, {1, 2}, {2, 3}});
  Graph.Nodes[1].IsEntry = true;
  inlay::Flow Solved = solve(Graph);
  EXPECT_LT(Solved.Nodes[1] - Solved.Edges[0], 20);
}

TEST(ConvexTest, WhatNothingLeadsToRanIfItWasSeen) {
  // Code that an indirect jump reaches: 2 -> 3 -> 2, 3 -> 4 (nothing seen).
  FlowGraph Graph = graph({10, 10, 500, 500, std::nullopt, 0},
                          {{0, 1}, {2, 3}, {3, 2}, {3, 4}, {5, 5}});
  inlay::Flow Solved = solve(Graph);
  expectConserved(Graph, Solved);
  EXPECT_NEAR(Solved.Nodes[0], 10, 1);
  EXPECT_NEAR(Solved.Nodes[2], 500, 25);
  EXPECT_NEAR(Solved.Nodes[3], 500, 25);
  EXPECT_EQ(Solved.Nodes[5], 0);
}

TEST(ConvexTest, EndlessLoop) {
  // A server: 0 -> 1 <-> 2.
  FlowGraph Graph = graph({1, 1000, 1000}, {{0, 1}, {1, 2}, {2, 1}});
  inlay::Flow Solved = solve(Graph);
  expectConserved(Graph, Solved);
  expectNear(Solved.Nodes, {1, 1000, 1000}, 1, 0.05);
  expectNear(solve(graph({5}, {{0, 0}})).Nodes, {5}, 1, 0.05);
}

TEST(ConvexTest, StraightCodeNeedsNoVertices) {
  FlowGraph Graph;
  constexpr uint32_t N = 50000;
  for (uint32_t I = 0; I != N; ++I) {
    Graph.Nodes.push_back({.Evidence = FlowEvidence::near(100 + I % 7, 0.5)});
    if (I > 0)
      Graph.Edges.push_back({I - 1, I});
  }
  FlowNetworks Networks = buildNetworks(Graph);
  ASSERT_EQ(Networks.Parts.size(), 1u);
  EXPECT_EQ(Networks.Parts[0].NumVertices, 0u);
  EXPECT_EQ(Networks.Parts[0].Arcs.size(), 1u);
  inlay::Flow Solved = solve(Graph);
  EXPECT_NEAR(Solved.Nodes[N / 2], 103, 1);
  expectConserved(Graph, Solved);
}

/// Evidence of random precision, a part of it wrong.
void addEvidence(FlowGraph &Graph, std::mt19937 &Random) {
  for (FlowNode &Node : Graph.Nodes)
    switch (Random() % 8) {
    case 0:
      break;
    case 1:
      Node.Evidence = FlowEvidence::rare(1);
      break;
    default:
      Node.Evidence = FlowEvidence::near(
          std::exp(std::normal_distribution(3.0, 2.0)(Random)),
          0.2 + double(Random() % 100) / 50);
    }
}

TEST(ConvexTest, FunctionOf50000Blocks) {
  // Diamonds, some of which loop, some of which return.
  std::mt19937 Random(7);
  FlowGraph Graph;
  while (Graph.Nodes.size() < 50000) {
    uint32_t First = Graph.Nodes.size();
    Graph.Nodes.resize(First + 4);
    auto Connect = [&](uint32_t A, uint32_t B, float P) {
      Graph.Edges.push_back({First + A, First + B, P});
    };
    Connect(0, 1, 0.7f);
    Connect(0, 2, 0.3f);
    Connect(1, 3, 1);
    if (Random() % 8)
      Connect(2, 3, 1);
    if (Random() % 4 == 0)
      Connect(3, 0, 0.8f);
    if (Random() % 64 == 0)
      Graph.Edges.push_back({First + 3, uint32_t(Random() % (First + 4))});
    if (Graph.Nodes.size() < 50000)
      Connect(3, 4, 0.2f);
  }
  addEvidence(Graph, Random);
  ConvexStatistics Statistics;
  FlowNetworks Networks = buildNetworks(Graph);
  ASSERT_EQ(Networks.Parts.size(), 1u);
  solveNetwork(Networks.Parts[0], &Statistics);
  EXPECT_TRUE(Statistics.Student.Converged);
  EXPECT_FALSE(Statistics.IsFallback);
  expectConserved(Graph, solve(Graph));
}

TEST(ConvexTest, ComputedGotos) {
  // 2000 ends of an interpreter's instructions, each of which can go to any of
  // the 2000 beginnings: 4 000 000 edges, with a hub 4 000 arcs.
  constexpr uint32_t N = 2000;
  std::mt19937 Random(8);
  FlowGraph Graph;
  Graph.Nodes.resize(N + 2);
  addEvidence(Graph, Random);
  for (uint32_t I = 0; I != N + 1; ++I)
    for (uint32_t J = 1; J != N + 2; ++J)
      Graph.Edges.push_back({I, J, 0});
  FlowNetworks Networks = buildNetworks(Graph);
  ASSERT_EQ(Networks.Parts.size(), 1u);
  EXPECT_LT(Networks.Parts[0].Arcs.size(), 3 * N);
  inlay::Flow Solved = solve(Graph);
  expectConserved(Graph, Solved);
}

TEST(ConvexTest, HubsChangeLittle) {
  // As many dispatches as just need none, and one more.
  std::mt19937 Random(9);
  std::vector<inlay::Flow> Solutions;
  for (uint32_t N : {64, 65}) {
    FlowGraph Graph;
    for (uint32_t I = 0; I != 66; ++I)
      Graph.Nodes.push_back(
          {.Evidence = FlowEvidence::near(100 + 10 * (I % 9), 0.2)});
    Graph.Nodes[0].Evidence = Graph.Nodes[65].Evidence =
        FlowEvidence::near(3, 0.2);
    // 0 begins, 65 ends; 1 to 64 go to each other and to 65. Whether node 0
    // does so too decides on the hub.
    for (uint32_t I = N == 64 ? 1 : 0; I != 65; ++I)
      for (uint32_t J = 1; J != 66; ++J)
        Graph.Edges.push_back({I, J, 0});
    if (N == 64)
      Graph.Edges.push_back({0, 1, 0});
    inlay::Flow Solved = solve(Graph);
    expectConserved(Graph, Solved);
    Solutions.push_back(Solved);
  }
  expectNear(Solutions[1].Nodes, Solutions[0].Nodes, 1, 0.05);
}

TEST(ConvexTest, TooDenseToComputeWith) {
  std::mt19937 Random(10);
  constexpr uint32_t N = 10000;
  FlowGraph Graph;
  Graph.Nodes.resize(N);
  addEvidence(Graph, Random);
  for (uint32_t I = 0; I != 10 * N; ++I)
    Graph.Edges.push_back(
        {uint32_t(Random() % (N - 10)), uint32_t(Random() % N), 0.5});
  ConvexStatistics Statistics;
  FlowNetworks Networks = buildNetworks(Graph);
  ASSERT_GE(Networks.Parts.size(), 1u);
  solveNetwork(Networks.Parts[0], &Statistics);
  EXPECT_TRUE(Statistics.IsFallback);
  expectConserved(Graph, solve(Graph));
}

} // namespace
