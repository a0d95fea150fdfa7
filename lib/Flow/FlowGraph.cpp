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
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace inlay;

bool FlowGraph::hasPositiveEvidence() const {
  return Entry.isPositive() || any_of(Nodes, [](const FlowNode &Node) {
           return Node.Evidence.isPositive();
         });
}

static bool isPositiveNumber(double X) { return X > 0 && std::isfinite(X); }

/// Numbers that mean nothing would spread through the whole flow.
static bool isValid(const FlowEvidence &Evidence) {
  switch (Evidence.Is) {
  case FlowEvidence::Kind::None:
    return true;
  case FlowEvidence::Kind::Near:
    return isPositiveNumber(Evidence.Count) &&
           isPositiveNumber(Evidence.Deviation);
  case FlowEvidence::Kind::Rare:
    return isPositiveNumber(Evidence.Count) && Evidence.Saturation > 0;
  }
  llvm_unreachable("unknown kind of evidence");
}

static bool isValid(const FlowGraph &Graph) {
  return isPositiveNumber(Graph.Resolution) && isValid(Graph.Entry) &&
         all_of(Graph.Nodes,
                [](const FlowNode &Node) { return isValid(Node.Evidence); });
}

double FlowGraph::greatestCount() const {
  double Greatest = Entry.isPositive() ? Entry.Count : 0;
  for (const FlowNode &Node : Nodes)
    if (Node.Evidence.isPositive())
      Greatest = std::max(Greatest, Node.Evidence.Count);
  return Greatest;
}

Flow inlay::zeroFlow(const FlowGraph &Graph) {
  Flow Result;
  Result.Nodes.resize(Graph.Nodes.size());
  Result.Edges.resize(Graph.Edges.size());
  Result.Resolution = Graph.Resolution;
  return Result;
}

static Flow solveValid(const FlowGraph &Graph, FlowSolver Solver,
                       bool WithDeviations) {
  if (Graph.Nodes.empty() || !Graph.hasPositiveEvidence())
    return zeroFlow(Graph);
  if (Solver == FlowSolver::Convex)
    return solveConvex(Graph, WithDeviations);
  Flow Result = solveProfi(Graph, Graph.Resolution);
  if (any_of(Result.Nodes, [](double Count) { return Count > 0; }))
    return Result;
  // Where a few counts make up nearly all of a profile, they are the
  // resolution. That of other functions nothing is left in these units does not
  // make their own proportions less true.
  return solveProfi(Graph, Graph.greatestCount());
}

Flow inlay::solveFlow(const FlowGraph &Graph, FlowSolver Solver,
                      bool WithDeviations) {
  if (isValid(Graph))
    return solveValid(Graph, Solver, WithDeviations);
  FlowGraph Valid = Graph;
  for (FlowNode &Node : Valid.Nodes)
    if (!isValid(Node.Evidence))
      Node.Evidence = FlowEvidence::none();
  if (!isValid(Valid.Entry))
    Valid.Entry = FlowEvidence::none();
  if (!isPositiveNumber(Valid.Resolution))
    Valid.Resolution = 1;
  return solveValid(Valid, Solver, WithDeviations);
}
