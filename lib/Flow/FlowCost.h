//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a flow costs: a sum over the arcs of a network, each a function of the
// arc's own flow x alone. In nats, apart from constants:
//
//   evidence near c     first (x/c - log(x/c)) / deviation^2, convex; then,
//   from
//                       its optimum on, the negative logarithm of a Student-t
//                       density of log(x/c): what is far off is wrong, and how
//                       far no longer matters
//   evidence of rarity  x / scale
//   branches            -PullWeight * log x for each unit of static
//   probability,
//                       and as much times + log x of what comes to the branch:
//                       a cross entropy
//   what is unlikely    weight * log(1 + x / resolution): something must speak
//   for
//                       it, but what does need not do so for each execution
//   every arc           -BarrierWeight * log x: what nothing speaks against is
//                       not impossible
//
// No term but rarity depends on the unit of counts, and that has its own scale.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FLOW_FLOWCOST_H
#define INLAY_LIB_FLOW_FLOWCOST_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace inlay {

namespace cost {
/// Evidence is never trusted beyond this: systematic errors do not average out.
constexpr double LeastDeviation = 0.15;
constexpr double DegreesOfFreedom = 4;
constexpr double PullWeight = 0.1;
constexpr double BarrierWeight = 0.004;
/// Of flow that enters amidst the graph, or along unlikely edges, or into
/// unlikely nodes.
constexpr double UnlikelyWeight = 1;
/// Of flow that ends in an endless loop.
constexpr double LostWeight = 0.5;
} // namespace cost

enum class CostStage { Gamma, Student };

class FlowCost {
public:
  /// Costs nothing. \p Resolution as in FlowGraph.
  FlowCost(uint32_t NumArcs, double Resolution)
      : Resolution(Resolution), Arcs(NumArcs) {}

  void addNear(uint32_t Arc, double Count, double Deviation);
  void addRare(uint32_t Arc, double Scale) { Arcs[Arc].Slope += 1 / Scale; }
  void addBarrier(uint32_t Arc) { Arcs[Arc].Log += cost::BarrierWeight; }
  /// Of an arc that leaves a branch, and of the one that leads to it; the
  /// probabilities sum up to 1.
  void addPull(uint32_t Arc, double Probability) {
    Arcs[Arc].Log += cost::PullWeight * Probability;
  }
  void addBranch(uint32_t Arc, double Number) {
    Arcs[Arc].Concave += cost::PullWeight * Number;
  }
  void addUnlikely(uint32_t Arc, double Weight) {
    Arcs[Arc].Unlikely += Weight;
  }

  uint32_t numArcs() const { return Arcs.size(); }

  /// The flow that is best for the arc by itself in the convex stage; 0 if only
  /// others know.
  double optimum(uint32_t Arc) const;

  /// What changes with a flow, by arc, for relative changes of it (dx / x).
  struct Derivatives {
    std::vector<double> Gradient;
    std::vector<double> Curvature;
    /// Positive, not less than Curvature.
    std::vector<double> SafeCurvature;
    /// By evidence: its deviations from the flow, in standard deviations.
    std::vector<double> Deviations;
  };
  void derivatives(CostStage Stage, llvm::ArrayRef<double> Flows,
                   Derivatives &Result) const;

  /// The difference that \p Step times \p Change makes from \p Flows, whose
  /// derivatives are \p At: to its last digits even where it is small.
  double difference(CostStage Stage, llvm::ArrayRef<double> Flows,
                    const Derivatives &At, llvm::ArrayRef<double> Change,
                    double Step) const;

  double value(CostStage Stage, llvm::ArrayRef<double> Flows) const;

private:
  struct ArcCost {
    double Log = 0;     ///< times -log x
    double Concave = 0; ///< times log x
    double Slope = 0;   ///< times x
    double Unlikely = 0;
    double NearLog = 0, NearSlope = 0; ///< of evidence, in the convex stage
  };
  struct Near {
    uint32_t Arc;
    double LogCount, Deviation;
  };
  double Resolution;
  std::vector<ArcCost> Arcs;
  std::vector<Near> Evidence;
};

} // namespace inlay

#endif
