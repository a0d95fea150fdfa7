//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Graphs that no compiler would make, and what any flow through them must obey.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_FLOW_TESTGRAPHS_H
#define INLAY_UNITTESTS_FLOW_TESTGRAPHS_H

#include "inlay/Flow/FlowGraph.h"
#include "llvm/ADT/BitVector.h"
#include "gtest/gtest.h"
#include <cmath>
#include <optional>
#include <random>

namespace inlay {

/// nullopt: nothing is known.
inline FlowEvidence evidence(std::optional<double> Count,
                             double Deviation = 0.3) {
  if (!Count)
    return FlowEvidence::none();
  return *Count > 0 ? FlowEvidence::near(*Count, Deviation)
                    : FlowEvidence::rare(1);
}

inline FlowGraph graph(std::vector<std::optional<double>> Evidence,
                       std::vector<std::pair<uint32_t, uint32_t>> Edges) {
  FlowGraph Graph;
  for (std::optional<double> Count : Evidence)
    Graph.Nodes.push_back({.Evidence = evidence(Count)});
  for (auto [Source, Target] : Edges)
    Graph.Edges.push_back({Source, Target, 0.5});
  return Graph;
}

/// Nodes that a path from \p Stack reaches, along edges or against them.
inline llvm::BitVector reached(const FlowGraph &Graph,
                               std::vector<uint32_t> Stack, bool Forward) {
  std::vector<std::vector<uint32_t>> Next(Graph.Nodes.size());
  for (const FlowEdge &E : Graph.Edges)
    Next[Forward ? E.Source : E.Target].push_back(Forward ? E.Target
                                                          : E.Source);
  llvm::BitVector Seen(Graph.Nodes.size());
  while (!Stack.empty()) {
    uint32_t N = Stack.back();
    Stack.pop_back();
    if (Seen.test(N))
      continue;
    Seen.set(N);
    Stack.insert(Stack.end(), Next[N].begin(), Next[N].end());
  }
  return Seen;
}

/// Checks what FlowGraph.h promises.
inline void expectConserved(const FlowGraph &Graph, const Flow &Solved) {
  const size_t N = Graph.Nodes.size();
  ASSERT_EQ(Solved.Nodes.size(), N);
  ASSERT_EQ(Solved.Edges.size(), Graph.Edges.size());
  for (const std::vector<double> *Counts : {&Solved.Nodes, &Solved.Edges})
    for (double Count : *Counts)
      ASSERT_TRUE(std::isfinite(Count) && Count >= 0) << Count;
  ASSERT_TRUE(std::isfinite(Solved.Entry) && Solved.Entry >= 0);
  std::vector<double> In(N), Out(N);
  std::vector<bool> HasSuccessors(N);
  for (size_t I = 0; I != Graph.Edges.size(); ++I) {
    In[Graph.Edges[I].Target] += Solved.Edges[I];
    Out[Graph.Edges[I].Source] += Solved.Edges[I];
    HasSuccessors[Graph.Edges[I].Source] = true;
  }
  std::vector<uint32_t> Entries, Exits;
  for (uint32_t I = 0; I != N; ++I) {
    if (I == 0 || Graph.Nodes[I].IsEntry)
      Entries.push_back(I);
    if (!HasSuccessors[I] || Graph.Nodes[I].IsExit)
      Exits.push_back(I);
  }
  llvm::BitVector FromEntry = reached(Graph, Entries, true);
  llvm::BitVector ToExit = reached(Graph, Exits, false);
  for (uint32_t I = 0; I != N; ++I) {
    const double Error = 1e-6 * Solved.Nodes[I];
    // Where nothing leads to, flow may begin if something was seen to run.
    if (I == 0) {
      EXPECT_NEAR(In[I] + Solved.Entry, Solved.Nodes[I], Error) << "entry";
    } else if (Graph.Nodes[I].IsEntry || !FromEntry.test(I)) {
      EXPECT_LE(In[I], Solved.Nodes[I] + Error) << "into node " << I;
    } else {
      EXPECT_NEAR(In[I], Solved.Nodes[I], Error) << "into node " << I;
    }
    // Flow ends where no exit can be reached: in an endless loop.
    if (HasSuccessors[I] && ToExit.test(I) && !Graph.Nodes[I].IsExit) {
      EXPECT_NEAR(Out[I], Solved.Nodes[I], Error) << "out of node " << I;
    } else {
      EXPECT_LE(Out[I], Solved.Nodes[I] + Error) << "out of node " << I;
    }
  }
}

struct RandomGraphOptions {
  uint32_t MaxNodes = 12;
  bool WithEvidence = true;
  bool WithWaysInAndOut = false; ///< amidst the graph
  bool WithUnlikely = true;
};

/// Any graph: irreducible, with unreachable nodes, loops of one node, parallel
/// edges, edges into the entry, no exit at all.
inline FlowGraph randomGraph(std::mt19937 &Random,
                             RandomGraphOptions Options = {}) {
  FlowGraph Graph;
  uint32_t N = 1 + Random() % Options.MaxNodes;
  for (uint32_t I = 0; I != N; ++I) {
    FlowNode &Node = Graph.Nodes.emplace_back();
    if (Options.WithEvidence && Random() % 3)
      Node.Evidence = evidence(Random() % 4 ? Random() % 1000 : 0,
                               0.05 + double(Random() % 100) / 50);
    if (Node.Evidence.Is == FlowEvidence::Kind::Rare && Random() % 2)
      Node.Evidence.Saturation = 0.5 + double(Random() % 100) / 20;
    Node.IsUnlikely = Random() % 8 == 0 && Options.WithUnlikely;
    if (Options.WithWaysInAndOut) {
      Node.IsEntry = Random() % 8 == 0;
      Node.IsExit = Random() % 8 == 0;
    }
  }
  if (Options.WithWaysInAndOut && Options.WithEvidence && Random() % 2)
    Graph.Entry = evidence(Random() % 4 ? Random() % 1000 : 0);
  for (uint32_t I = 0, E = Random() % (2 * N + 1); I != E; ++I) {
    FlowEdge &Edge = Graph.Edges.emplace_back();
    Edge.Source = Random() % N;
    Edge.Target = Random() % N;
    Edge.Probability = float(Random() % 101) / 100;
    Edge.IsUnlikely = Random() % 8 == 0 && Options.WithUnlikely;
  }
  return Graph;
}

/// Random walks from the entry: their visits are a consistent flow. Ends walks
/// that find no exit.
inline Flow walk(const FlowGraph &Graph, std::mt19937 &Random, unsigned Count) {
  Flow Result;
  Result.Nodes.resize(Graph.Nodes.size());
  Result.Edges.resize(Graph.Edges.size());
  Result.Entry = Count;
  std::vector<std::vector<uint32_t>> Out(Graph.Nodes.size());
  for (uint32_t E = 0; E != Graph.Edges.size(); ++E)
    Out[Graph.Edges[E].Source].push_back(E);
  for (; Count; --Count)
    for (uint32_t At = 0;;) {
      ++Result.Nodes[At];
      if (Out[At].empty())
        break;
      uint32_t E = Out[At][Random() % Out[At].size()];
      ++Result.Edges[E];
      At = Graph.Edges[E].Target;
    }
  return Result;
}

} // namespace inlay

#endif
