//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A flow graph as a network for the convex solver: arcs with costs, between as
// few vertices as can be.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FLOW_FLOWNETWORK_H
#define INLAY_LIB_FLOW_FLOWNETWORK_H

#include "Elimination.h"
#include "FlowCost.h"
#include "inlay/Flow/FlowGraph.h"

namespace inlay {

/// One connected part of a graph through which something is known to flow.
/// Through every arc leads a path from ground to ground. Flows are in units of
/// FlowNetworks::Unit.
struct FlowNetwork {
  FlowNetwork(uint32_t NumArcs, double Resolution)
      : Arcs(NumArcs), Probabilities(NumArcs), Cost(NumArcs, Resolution) {}

  uint32_t NumVertices = 0;
  std::vector<FlowArc> Arcs;
  /// Static, of taking each arc from its tail.
  std::vector<double> Probabilities;
  FlowCost Cost;

  struct Part {
    uint32_t Index; ///< of a node or an edge of the graph
    uint32_t Arc;
  };
  std::vector<Part> Nodes;
  struct EdgePart {
    uint32_t Index;
    uint32_t Arc;
    /// From the vertex that Arc leads to, if that stands for a whole dispatch:
    /// the edge has as large a share of Arc as this arc has of its tail.
    uint32_t ArcFromHub = None;
    double Share = 1; ///< of several parallel edges
  };
  std::vector<EdgePart> Edges;
  static constexpr uint32_t None = ~0u;
  uint32_t EntryArc = None; ///< enters node 0 from outside

  /// Adds the counts of \p Flows, multiplied by \p Unit, to \p Result.
  void addTo(Flow &Result, llvm::ArrayRef<double> Flows, double Unit) const;
};

struct FlowNetworks {
  std::vector<FlowNetwork> Parts;
  double Unit = 1; ///< a power of two: flows are counts / Unit, mostly below 2
};

/// Nodes that no flow reaches, or that are not connected with any positive
/// evidence, are in none of the networks.
FlowNetworks buildNetworks(const FlowGraph &Graph);

} // namespace inlay

#endif
