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
// Evidence says how often a node ran; it is incomplete, uncertain and
// contradicts itself. Solving finds counts for all nodes and edges that obey
// conservation (what flows into a node flows out of it) at the least cost of
// deviating from the evidence. The graph may come from machine code or from IR;
// nothing here knows.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_FLOW_FLOWGRAPH_H
#define INLAY_FLOW_FLOWGRAPH_H

#include <cstdint>
#include <limits>
#include <vector>

namespace inlay {

/// What is known of a count f, in the unit of the graph's owner (executions,
/// samples per instruction, ...).
struct FlowEvidence {
  enum class Kind : uint8_t {
    None, ///< nothing
    /// log f is about log(Count), with a standard deviation of Deviation: a
    /// factor, not a difference.
    Near,
    /// It may never have run: at first each Count of f costs one nat of
    /// likelihood, and then less and less, for what was not seen may also be
    /// what is hardly ever seen: Saturation * log(1 + f / (Saturation *
    /// Count)).
    Rare
  };
  Kind Is = Kind::None;
  double Count = 0;     ///< finite, > 0 unless None
  double Deviation = 0; ///< of log f; Near only; finite, > 0
  /// Nats, Rare only; > 0; infinity: the cost is linear.
  double Saturation = 0;

  static FlowEvidence none() { return {}; }
  static FlowEvidence near(double Count, double Deviation) {
    return {Kind::Near, Count, Deviation, 0};
  }
  static FlowEvidence
  rare(double Scale,
       double Saturation = std::numeric_limits<double>::infinity()) {
    return {Kind::Rare, Scale, 0, Saturation};
  }
  bool isPositive() const { return Is == Kind::Near; }
};

struct FlowNode {
  FlowEvidence Evidence;
  /// Flow may enter here from outside, as in node 0: a second entry point, code
  /// that is reached in ways the graph does not show.
  bool IsEntry = false;
  /// Flow may leave here although there are successors (a conditional tail
  /// call). Nodes without successors always are exits.
  bool IsExit = false;
  /// The node ends in unreachable or calls a noreturn function: flow may end
  /// here, but rarely does.
  bool IsUnlikely = false;
};

struct FlowEdge {
  uint32_t Source;
  uint32_t Target;
  /// Static probability of taking this edge from Source, 0 to 1: decides where
  /// the evidence does not. All 0 at a node: each is as likely as the others.
  float Probability = 0;
  bool IsUnlikely = false; ///< e.g. the unwind edge of an invoke
};

/// Node 0 is the entry. Parallel edges and self-loops are allowed; nodes need
/// not be reachable.
struct FlowGraph {
  std::vector<FlowNode> Nodes;
  std::vector<FlowEdge> Edges;
  /// What is known of how often flow enters node 0 from outside; node 0 itself
  /// may be a loop header and run more often.
  FlowEvidence Entry;
  /// The least count that evidence can tell from 0 (one sample, say). What must
  /// have run although nothing was seen of it, such as the way into a loop that
  /// is hot, gets a small part of this, and not an infinitesimal flow that
  /// would read as "never". Finite, > 0.
  double Resolution = 1;

  /// False if nothing is known to have run: there is no flow.
  bool hasPositiveEvidence() const;
  /// Of positive evidence; 0 if there is none.
  double greatestCount() const;
};

/// Counts, indexed as in the graph. For every node the sum of its incoming
/// edges and what enters from outside is its count, and so is the sum of its
/// outgoing edges and what leaves, up to a relative error of 1e-6. All are
/// finite and not negative.
struct Flow {
  std::vector<double> Nodes;
  std::vector<double> Edges;
  double Entry = 0; ///< enters node 0 from outside
  /// Of log of Nodes, as far as all evidence together pins it down; empty
  /// unless asked for. An approximation: the evidence is taken for independent
  /// and the cost for quadratic. MaxDeviation stands for all that is more, and
  /// for nodes that nothing flows through.
  std::vector<double> Deviations;
  static constexpr double MaxDeviation = 10;
  /// The resolution it was solved at: the graph's, or, where all that ran in it
  /// is less, the greatest count of its evidence.
  double Resolution = 1;
};

/// Nothing runs.
Flow zeroFlow(const FlowGraph &Graph);

enum class FlowSolver {
  /// LLVM's SampleProfileInference: min-cost flow with linear costs. Takes
  /// counts, and ignores deviations.
  Profi,
  /// Network Newton on a convex cost, then on a heavy-tailed one.
  Convex
};

/// Never fails: without any positive evidence the flow is zero everywhere, and
/// evidence with numbers that it must not have is none.
/// Deterministic. Deviations take about as long as a tenth of the solve; profi
/// knows none.
Flow solveFlow(const FlowGraph &Graph, FlowSolver Solver = FlowSolver::Profi,
               bool WithDeviations = false);

} // namespace inlay

#endif
