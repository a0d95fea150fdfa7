//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all solvers have in common: without evidence there is no flow, and with
// evidence there is one.
//
//===----------------------------------------------------------------------===//

#include "inlay/Flow/FlowGraph.h"
#include "Convex.h"
#include "Profi.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;
using namespace inlay;

bool FlowGraph::hasPositiveEvidence() const {
  return Entry.isPositive() || any_of(Nodes, [](const FlowNode &Node) {
           return Node.Evidence.isPositive();
         });
}

/// The greatest count of all evidence.
static double greatestCount(const FlowGraph &Graph) {
  double Greatest = Graph.Entry.isPositive() ? Graph.Entry.Count : 0;
  for (const FlowNode &Node : Graph.Nodes)
    if (Node.Evidence.isPositive())
      Greatest = std::max(Greatest, Node.Evidence.Count);
  return Greatest;
}

Flow inlay::solveFlow(const FlowGraph &Graph, FlowSolver Solver,
                      bool WithDeviations) {
  Flow Result;
  Result.Nodes.resize(Graph.Nodes.size());
  Result.Edges.resize(Graph.Edges.size());
  Result.Resolution = Graph.Resolution;
  if (Graph.Nodes.empty() || !Graph.hasPositiveEvidence())
    return Result;
  if (Solver == FlowSolver::Convex)
    return solveConvex(Graph, WithDeviations);
  Result = solveProfi(Graph, Graph.Resolution);
  if (any_of(Result.Nodes, [](double Count) { return Count > 0; }))
    return Result;
  // Where a few counts make up nearly all of a profile, they are the
  // resolution. That of other functions nothing is left in these units does not
  // make their own proportions less true.
  return solveProfi(Graph, greatestCount(Graph));
}
