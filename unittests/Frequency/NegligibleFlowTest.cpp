//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NegligibleFlow.h"
#include "gtest/gtest.h"

using namespace inlay;

namespace {

Flow makeFlow(std::vector<double> Nodes, std::vector<double> Edges,
              double Entry) {
  Flow F;
  F.Nodes = std::move(Nodes);
  F.Edges = std::move(Edges);
  F.Entry = Entry;
  return F;
}

/// Nothing was seen of any node; a node that has flow 1 would have been.
FlowGraph makeGraph(unsigned Nodes,
                    std::vector<std::pair<uint32_t, uint32_t>> Edges) {
  FlowGraph Graph;
  Graph.Nodes.resize(Nodes);
  for (FlowNode &Node : Graph.Nodes)
    Node.Evidence = FlowEvidence::rare(1);
  for (auto [Source, Target] : Edges)
    Graph.Edges.push_back({Source, Target});
  return Graph;
}

} // namespace

// 0 -> 1 -> 2 <-> 2 -> 3: the loop 2 is hot, the ways in and out are not to be
// seen, but there.
TEST(NegligibleFlow, WaysToAndFromWhatRan) {
  FlowGraph Graph = makeGraph(4, {{0, 1}, {1, 2}, {2, 2}, {2, 3}});
  Graph.Nodes[2].Evidence = FlowEvidence::near(1000, 0.2);
  Flow F = makeFlow({1e-3, 1e-3, 1000, 1e-3}, {1e-3, 1e-3, 1000, 1e-3}, 1e-3);
  Flow Before = F;
  dropNegligible(Graph, 0.1, F);
  EXPECT_EQ(Before.Nodes, F.Nodes);
  EXPECT_EQ(Before.Edges, F.Edges);
  EXPECT_EQ(Before.Entry, F.Entry);
}

// 0 -> 1 | 2 -> 3: one side has all the flow, and of two ways from nowhere to a
// hot block the likelier one is spared.
TEST(NegligibleFlow, SidesThatWereNeverSeen) {
  FlowGraph Graph = makeGraph(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  Graph.Nodes[0].Evidence = FlowEvidence::near(100, 0.2);
  Graph.Nodes[3].Evidence = FlowEvidence::near(100, 0.2);
  Flow F = makeFlow({100, 99.95, 0.05, 100}, {99.95, 0.05, 99.95, 0.05}, 100);
  dropNegligible(Graph, 0.1, F);
  EXPECT_EQ((std::vector<double>{100, 99.95, 0, 100}), F.Nodes);
  EXPECT_EQ((std::vector<double>{99.95, 0, 99.95, 0}), F.Edges);

  Graph.Nodes[0].Evidence = FlowEvidence::rare(1);
  F = makeFlow({0.03, 0.02, 0.01, 100}, {0.02, 0.01, 0.02, 0.01}, 0.03);
  dropNegligible(Graph, 0.1, F);
  EXPECT_EQ((std::vector<double>{0.03, 0.02, 0, 100}), F.Nodes);
}

// A detour in a loop is not on the way out of it, however little leaves.
TEST(NegligibleFlow, Detour) {
  FlowGraph Graph =
      makeGraph(5, {{0, 1}, {1, 2}, {1, 3}, {2, 3}, {3, 1}, {3, 4}});
  Graph.Nodes[1].Evidence = FlowEvidence::near(100, 0.2);
  Graph.Nodes[3].Evidence = FlowEvidence::near(100, 0.2);
  Flow F = makeFlow({0.01, 100, 0.05, 100, 0.01},
                    {0.01, 0.05, 99.95, 0.05, 99.99, 0.01}, 0.01);
  dropNegligible(Graph, 0.1, F);
  EXPECT_EQ((std::vector<double>{0.01, 100, 0, 100, 0.01}), F.Nodes);
}

TEST(NegligibleFlow, NothingRan) {
  FlowGraph Graph = makeGraph(3, {{0, 1}, {1, 2}, {2, 1}});
  Flow F = makeFlow({0.01, 0.01, 0.01}, {0.01, 0.01, 0.01}, 0.01);
  dropNegligible(Graph, 0.1, F);
  EXPECT_EQ((std::vector<double>{0, 0, 0}), F.Nodes);
  EXPECT_EQ(0, F.Entry);
}

// A share of nothing: all is spared.
TEST(NegligibleFlow, NoShare) {
  FlowGraph Graph = makeGraph(2, {{0, 1}});
  Flow F = makeFlow({1e-9, 1e-9}, {1e-9}, 1e-9);
  dropNegligible(Graph, 0, F);
  EXPECT_EQ((std::vector<double>{1e-9, 1e-9}), F.Nodes);
}
