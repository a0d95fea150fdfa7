//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A control-flow graph with evidence, and the consistent flow that explains it
// best.
//
// Evidence says how often a node ran; it is incomplete and contradicts itself.
// Solving finds counts for all nodes and edges that obey conservation (what
// flows into a node flows out of it) at the least cost of deviating from the
// evidence. The graph may come from machine code or from IR; nothing here
// knows.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_FLOW_FLOWGRAPH_H
#define INLAY_FLOW_FLOWGRAPH_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace inlay {

struct FlowNode {
  /// Measured executions; nullopt: nothing is known of the node.
  std::optional<uint64_t> Evidence;
  /// The node ends in unreachable or calls a noreturn function: flow may end
  /// here, but rarely does.
  bool IsUnlikely = false;
};

struct FlowEdge {
  uint32_t Source;
  uint32_t Target;
  /// Static probability of taking this edge from Source, 0 to 1: decides where
  /// the evidence does not.
  float Probability = 0;
  bool IsUnlikely = false; ///< e.g. the unwind edge of an invoke
};

/// Node 0 is the entry. Parallel edges are allowed.
struct FlowGraph {
  std::vector<FlowNode> Nodes;
  std::vector<FlowEdge> Edges;
  /// The least count that evidence can tell from 0 (one sample, say). What must
  /// have run although nothing was seen of it, such as the way into a loop that
  /// is hot, gets a small part of this, and not an infinitesimal flow that
  /// would read as "never".
  uint64_t Resolution = 1;
};

/// Executions, indexed as in the graph. For every node but the entry the sum of
/// its incoming edges is its count; for every node with successors so is the
/// sum of its outgoing edges.
struct Flow {
  std::vector<uint64_t> Nodes;
  std::vector<uint64_t> Edges;
};

enum class FlowSolver {
  Profi, ///< LLVM's SampleProfileInference: min-cost flow with linear costs
};

/// Never fails: without any positive evidence the flow is zero everywhere.
Flow solveFlow(const FlowGraph &Graph, FlowSolver Solver = FlowSolver::Profi);

} // namespace inlay

#endif
