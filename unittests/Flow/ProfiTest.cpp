//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flow by LLVM's solver (Profi.cpp), on graphs that no compiler would make:
// conservation at every node, no flow without evidence, the evidence itself
// where it contradicts nothing.
//
//===----------------------------------------------------------------------===//

#include "TestGraphs.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <numeric>

using namespace llvm;
using namespace inlay;

namespace {

TEST(ProfiTest, EmptyGraph) {
  inlay::Flow Solved = solveFlow(FlowGraph());
  EXPECT_TRUE(Solved.Nodes.empty());
  EXPECT_TRUE(Solved.Edges.empty());
}

TEST(ProfiTest, OneNode) {
  EXPECT_EQ(solveFlow(graph({7}, {})).Nodes[0], 7);
  EXPECT_EQ(solveFlow(graph({std::nullopt}, {})).Nodes[0], 0);
}

TEST(ProfiTest, NoEvidenceNoFlow) {
  std::mt19937 Random(1);
  for (unsigned I = 0; I != 2000; ++I) {
    FlowGraph Graph = randomGraph(Random, {.WithEvidence = false});
    if (I % 2) // zeros are evidence, but of nothing that ran
      for (FlowNode &Node : Graph.Nodes)
        Node.Evidence = FlowEvidence::rare(1);
    inlay::Flow Solved = solveFlow(Graph);
    for (double Count : Solved.Nodes)
      EXPECT_EQ(Count, 0);
    for (double Count : Solved.Edges)
      EXPECT_EQ(Count, 0);
  }
}

TEST(ProfiTest, ConservationOnRandomGraphs) {
  std::mt19937 Random(2);
  for (unsigned I = 0; I != 10000; ++I) {
    SCOPED_TRACE(I);
    FlowGraph Graph = randomGraph(Random, {.WithWaysInAndOut = I % 2 == 1});
    expectConserved(Graph, solveFlow(Graph));
    if (testing::Test::HasFailure())
      break;
  }
}

TEST(ProfiTest, SameInputSameResult) {
  std::mt19937 Random(3);
  for (unsigned I = 0; I != 500; ++I) {
    FlowGraph Graph = randomGraph(Random);
    inlay::Flow First = solveFlow(Graph), Second = solveFlow(Graph);
    EXPECT_EQ(First.Nodes, Second.Nodes);
    EXPECT_EQ(First.Edges, Second.Edges);
  }
}

// Without cycles only: in a cycle the evidence of a node can also be explained
// by a circulation that nothing enters, which profi then joins to the entry by
// one execution more.
TEST(ProfiTest, ConsistentEvidenceIsReproduced) {
  std::mt19937 Random(4);
  unsigned Tried = 0;
  for (unsigned I = 0; I != 5000; ++I) {
    FlowGraph Graph = randomGraph(Random, {.WithEvidence = false});
    llvm::erase_if(Graph.Edges,
                   [](const FlowEdge &E) { return E.Source == E.Target; });
    for (FlowEdge &E : Graph.Edges)
      if (E.Source > E.Target)
        std::swap(E.Source, E.Target);
    if (Graph.Edges.empty())
      continue;
    ++Tried;
    inlay::Flow Truth = walk(Graph, Random, 1 + Random() % 50);
    for (size_t N = 0; N != Graph.Nodes.size(); ++N)
      Graph.Nodes[N].Evidence = evidence(Truth.Nodes[N]);
    inlay::Flow Solved = solveFlow(Graph);
    EXPECT_EQ(Solved.Nodes, Truth.Nodes) << "graph " << I;
    expectConserved(Graph, Solved);
    if (testing::Test::HasFailure())
      break;
  }
  EXPECT_GT(Tried, 500u);
}

TEST(ProfiTest, UnknownNodesFollowFromTheOthers) {
  // 0 -> {1, 2} -> 3: what 1 does not take, 2 does.
  inlay::Flow Solved = solveFlow(
      graph({100, 30, std::nullopt, 100}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(Solved.Nodes, (std::vector<double>{100, 30, 70, 100}));
  EXPECT_EQ(Solved.Edges, (std::vector<double>{30, 70, 30, 70}));
}

TEST(ProfiTest, ExplicitZeroIsEvidence) {
  inlay::Flow Solved = solveFlow(
      graph({100, 0, std::nullopt, 100}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(Solved.Edges, (std::vector<double>{0, 100, 0, 100}));
}

TEST(ProfiTest, ParallelEdgesShareByProbability) {
  FlowGraph Graph = graph({100, 100}, {{0, 1}, {0, 1}, {0, 1}});
  Graph.Edges[0].Probability = 0.5;
  Graph.Edges[1].Probability = 0.3f;
  Graph.Edges[2].Probability = 0.2f;
  EXPECT_EQ(solveFlow(Graph).Edges, (std::vector<double>{50, 30, 20}));
  for (FlowEdge &Edge : Graph.Edges)
    Edge.Probability = 0;
  inlay::Flow Equal = solveFlow(Graph);
  EXPECT_EQ(std::accumulate(Equal.Edges.begin(), Equal.Edges.end(), 0.0), 100);
  for (double Count : Equal.Edges)
    EXPECT_NEAR(Count, 33.3, 1);
}

TEST(ProfiTest, LoopRunsMoreOftenThanItIsEntered) {
  inlay::Flow Solved = solveFlow(graph({5, 1000, 5}, {{0, 1}, {1, 1}, {1, 2}}));
  EXPECT_EQ(Solved.Nodes, (std::vector<double>{5, 1000, 5}));
  EXPECT_EQ(Solved.Edges, (std::vector<double>{5, 995, 5}));
}

TEST(ProfiTest, WayIntoAHotLoopIsAPartOfTheResolution) {
  // Nothing was seen of 0 and 2, but the loop at 1 was entered and left.
  FlowGraph Graph = graph({0, 102400, 0}, {{0, 1}, {1, 1}, {1, 2}});
  EXPECT_EQ(solveFlow(Graph).Nodes, (std::vector<double>{1, 102401, 1}));
  Graph.Resolution = 1024;
  inlay::Flow Solved = solveFlow(Graph);
  EXPECT_EQ(Solved.Nodes, (std::vector<double>{64, 102464, 64}));
  EXPECT_EQ(Solved.Edges, (std::vector<double>{64, 102400, 64}));
}

TEST(ProfiTest, ResolutionKeepsConservation) {
  std::mt19937 Random(7);
  for (unsigned I = 0; I != 2000; ++I) {
    SCOPED_TRACE(I);
    FlowGraph Graph = randomGraph(Random);
    Graph.Resolution = 1 + Random() % 1000;
    expectConserved(Graph, solveFlow(Graph));
    if (testing::Test::HasFailure())
      break;
  }
}

TEST(ProfiTest, NestedLoops) {
  // 0 -> 1 (outer header) -> 2 (inner) -> 3 (outer latch) -> 1 or 4.
  inlay::Flow Solved = solveFlow(graph(
      {1, 10, 1000, 10, 1}, {{0, 1}, {1, 2}, {2, 2}, {2, 3}, {3, 1}, {3, 4}}));
  EXPECT_EQ(Solved.Nodes, (std::vector<double>{1, 10, 1000, 10, 1}));
  EXPECT_EQ(Solved.Edges, (std::vector<double>{1, 10, 990, 10, 9, 1}));
}

TEST(ProfiTest, EvidenceOverrulesWhatIsUnlikely) {
  // 2 is a landing pad: exceptions were thrown. 3 has not been seen.
  FlowGraph Graph =
      graph({100, 60, 40, std::nullopt}, {{0, 1}, {0, 2}, {0, 3}});
  Graph.Edges[1].IsUnlikely = Graph.Edges[2].IsUnlikely = true;
  Graph.Nodes[2].IsUnlikely = Graph.Nodes[3].IsUnlikely = true;
  EXPECT_EQ(solveFlow(Graph).Edges, (std::vector<double>{60, 40, 0}));
}

TEST(ProfiTest, EvidenceBehindWhatIsUnlikely) {
  // 2 is a landing pad without a line of its own; 3, its handler, ran.
  FlowGraph Graph = graph({100, 60, std::nullopt, 40, 100},
                          {{0, 1}, {0, 2}, {2, 3}, {1, 4}, {3, 4}});
  Graph.Edges[1].IsUnlikely = true;
  EXPECT_EQ(solveFlow(Graph).Edges, (std::vector<double>{60, 40, 40, 60, 40}));
}

TEST(ProfiTest, EndlessLoop) {
  // A server: 0 -> 1 <-> 2.
  inlay::Flow Solved =
      solveFlow(graph({1, 1000, 1000}, {{0, 1}, {1, 2}, {2, 1}}));
  EXPECT_GE(Solved.Nodes[0], 1);
  EXPECT_GE(Solved.Nodes[1], 999);
  EXPECT_GE(Solved.Nodes[2], 999);
}

TEST(ProfiTest, HugeCounts) {
  // Beyond what a solver's 64-bit sums would bear: the proportions stay.
  std::mt19937 Random(5);
  for (uint64_t Huge : {uint64_t(1) << 40, uint64_t(1) << 52, uint64_t(1) << 60,
                        ~uint64_t(0)}) {
    inlay::Flow Solved = solveFlow(graph({Huge, Huge / 4, Huge / 4 * 3, Huge},
                                         {{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
    double Total = Solved.Nodes[0];
    EXPECT_NEAR(Total / double(Huge), 1, 0.01);
    EXPECT_NEAR(Solved.Edges[0] / Total, 0.25, 0.01);
    EXPECT_NEAR(Solved.Edges[1] / Total, 0.75, 0.01);
    for (unsigned I = 0; I != 200; ++I) {
      FlowGraph Graph = randomGraph(Random);
      for (FlowNode &Node : Graph.Nodes)
        if (Node.Evidence.isPositive())
          Node.Evidence.Count = double(Huge - Random());
      inlay::Flow Solved = solveFlow(Graph);
      expectConserved(Graph, Solved);
    }
  }
}

TEST(ProfiTest, NoFlowWithoutLoopsIsCheaper) {
  // On 0 -> {1, 2} -> 3, every flow is given by its two branches; no branch
  // can reach beyond the greatest evidence. Adding an execution costs as much
  // as taking one away at inner nodes with evidence: so whatever the solver
  // finds, moving one execution from one branch to the other, adding or
  // removing one, must not agree better with the evidence at every node.
  std::mt19937 Random(6);
  for (unsigned I = 0; I != 2000; ++I) {
    std::array<uint64_t, 4> E;
    for (uint64_t &Count : E)
      Count = Random() % 8;
    inlay::Flow Solved = solveFlow(
        graph({E[0], E[1], E[2], E[3]}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
    auto Distance = [&](int64_t A, int64_t B) {
      std::array<int64_t, 4> Counts = {A + B, A, B, A + B}, Result;
      for (unsigned N = 0; N != 4; ++N)
        Result[N] = std::abs(Counts[N] - int64_t(E[N]));
      return Result;
    };
    auto Found = Distance(Solved.Edges[0], Solved.Edges[1]);
    for (int64_t A = 0; A != 9; ++A)
      for (int64_t B = 0; B != 9; ++B) {
        auto Other = Distance(A, B);
        bool NowhereWorse = true, SomewhereBetter = false;
        for (unsigned N = 0; N != 4; ++N) {
          NowhereWorse &= Other[N] <= Found[N];
          SomewhereBetter |= Other[N] < Found[N];
        }
        EXPECT_FALSE(NowhereWorse && SomewhereBetter)
            << E[0] << ' ' << E[1] << ' ' << E[2] << ' ' << E[3] << ": "
            << Solved.Edges[0] << ' ' << Solved.Edges[1] << ", better " << A
            << ' ' << B;
      }
    if (testing::Test::HasFailure())
      break;
  }
}

} // namespace
