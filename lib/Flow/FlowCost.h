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
// - Evidence near c: first (x/c - log(x/c)) / deviation^2, which is convex; and
//   from its optimum on, the negative logarithm of a Student-t density of
//   log(x/c): what is far off is wrong, and how far no longer matters.
// - Evidence of rarity: first x / scale, which is convex, and then
//   saturation * log(1 + x / (saturation * scale)).
// - Branches: -(PullWeight * p + LeastPull) * log(x / f) for every way out, p
//   being its static probability and f what comes to the branch: a weak prior
//   that knows no impossible ways.
// - What is unlikely: weight * log(1 + x / resolution). Something must speak
//   for it, but what does need not do so for each execution.
// - Entries: EntryWeight * (x / greatest count - log x) where no edge leads to,
//   and else a pull, as at branches, on what enters and on all edges together.
//   Where nothing is known anything goes, but neither zero nor infinity.
//
// No term depends on the unit of counts. None but evidence grows with the
// number of blocks that a flow passes through: what is cold is not less so
// where it branches often.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FLOW_FLOWCOST_H
#define INLAY_LIB_FLOW_FLOWCOST_H

#include "llvm/ADT/ArrayRef.h"
#include <cmath>
#include <cstdint>
#include <vector>

namespace inlay {

namespace cost {
/// Evidence is never trusted beyond this: systematic errors do not average out.
constexpr double LeastDeviation = 0.15;
constexpr double DegreesOfFreedom = 8;
constexpr double PullWeight = 0.1;
constexpr double LeastPull = 0.004;
constexpr double EntryWeight = 0.001;
/// Of flow that enters where edges lead to, too, or along unlikely edges, or
/// into unlikely nodes.
constexpr double UnlikelyWeight = 1;
/// Of flow that enters where nothing else leads to.
constexpr double OtherEntryWeight = 0.05;
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
  /// \p Saturation may be infinite.
  void addRare(uint32_t Arc, double Scale, double Saturation);
  /// Slope * x.
  void addSlope(uint32_t Arc, double Slope) { Arcs[Arc].Slope += Slope; }
  /// -Weight * log x.
  void addPull(uint32_t Arc, double Weight) { Arcs[Arc].Log += Weight; }
  /// +Weight * log x.
  void addPush(uint32_t Arc, double Weight) { Arcs[Arc].Concave += Weight; }
  void addUnlikely(uint32_t Arc, double Weight);

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

  /// Second derivatives of the evidence for the logarithm of each flow, as far
  /// as it is believed in the Student-t stage; not negative.
  std::vector<double> information(llvm::ArrayRef<double> Flows) const;

  double value(CostStage Stage, llvm::ArrayRef<double> Flows) const;

private:
  struct ArcCost {
    double Log = 0;     ///< times -log x
    double Concave = 0; ///< times log x
    double Slope = 0;   ///< times x
    /// Of evidence, in the convex stage only.
    double GammaLog = 0, GammaSlope = 0;

    double logAt(CostStage Stage) const {
      return Log + (Stage == CostStage::Gamma ? GammaLog : 0);
    }
    double slopeAt(CostStage Stage) const {
      return Slope + (Stage == CostStage::Gamma ? GammaSlope : 0);
    }
  };
  struct Near {
    uint32_t Arc;
    double LogCount, Deviation;

    /// How far \p Flow is off, in deviations.
    double deviationsOf(double Flow) const {
      return (std::log(Flow) - LogCount) / Deviation;
    }
  };
  /// Saturation * log(1 + x / Bend).
  struct Rare {
    uint32_t Arc;
    double Saturation, Bend;
    bool IsEvidence; ///< and linear in the convex stage
  };
  double Resolution;
  std::vector<ArcCost> Arcs;
  std::vector<Near> Evidence;
  std::vector<Rare> Rarities;
};

} // namespace inlay

#endif
