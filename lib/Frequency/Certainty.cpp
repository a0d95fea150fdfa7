//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block is not alone: the blocks that it leads to and that lead to it say how
// often it ran as well, the better the larger the share of the flow is that
// they exchange. An edge that carries all of what its ends execute makes them
// one; one that carries half of it leaves a factor open, since how a branch
// splits is known only as well as what lies behind it.
//
// So each block sends its precision along its edges, lessened by what the edge
// leaves open, and what a block has in the end is its own and what came in:
// belief propagation of deviations, in a few rounds. The normal distribution
// with that deviation then gives the probability that the count is within a
// factor of two.
//
//===----------------------------------------------------------------------===//

#include "Certainty.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace inlay {

namespace {

// Chosen so that what is claimed is, over several programs and numbers of
// samples, about what is true.

/// Deviation of log f across an edge that exchanges nothing.
constexpr double OpenDeviation = 3;
/// Evidence reaches so many blocks far.
constexpr unsigned Rounds = 2;
/// What no evidence takes away, the model's own error.
constexpr double ModelDeviation = 0.35;

} // namespace

/// The precision that arrives over an edge that carries \p Count between blocks
/// that execute \p From and \p To.
static double arriving(double Precision, double Count, double From, double To) {
  double Open = OpenDeviation * ((1 - std::min(Count / From, 1.0)) +
                                 (1 - std::min(Count / To, 1.0)));
  return 1 / (1 / Precision + Open * Open);
}

/// Of each block, evidence of the others included.
static std::vector<double> precisions(const MachineFunction &Function,
                                      ArrayRef<double> Own,
                                      const Flow &Solution) {
  // What each edge brings to its target, and back to its source.
  size_t Edges = Function.Edges.size();
  std::vector<double> Forth(Edges), Back(Edges), Sum(Own.begin(), Own.end());
  for (unsigned Round = 0; Round < Rounds; ++Round) {
    for (auto [Edge, Count, Forth, Back] :
         zip_equal(Function.Edges, Solution.Edges, Forth, Back)) {
      double From = Solution.Nodes[Edge.Source],
             To = Solution.Nodes[Edge.Target];
      if (!(Count > 0) || Edge.Source == Edge.Target)
        continue;
      // Nobody is told what he said himself.
      double AtSource = std::max(Sum[Edge.Source] - Back, Own[Edge.Source]);
      double AtTarget = std::max(Sum[Edge.Target] - Forth, Own[Edge.Target]);
      Forth = arriving(AtSource, Count, From, To);
      Back = arriving(AtTarget, Count, To, From);
    }
    copy(Own, Sum.begin());
    for (auto [Edge, Forth, Back] : zip_equal(Function.Edges, Forth, Back)) {
      Sum[Edge.Target] += Forth;
      Sum[Edge.Source] += Back;
    }
  }
  return Sum;
}

Certainty certaintyOf(const MachineFunction &Function,
                      ArrayRef<BlockPosterior> Posteriors, const Flow &Solution,
                      double LeastDeviation) {
  std::vector<double> Own;
  for (const BlockPosterior &P : Posteriors) {
    double Deviation = std::max(P.Deviation, LeastDeviation);
    Own.push_back(1 / (Deviation * Deviation));
  }
  Certainty Result;
  for (auto [Block, Count, Precision] :
       zip_equal(Function.Blocks, Solution.Nodes,
                 precisions(Function, Own, Solution))) {
    if (!(Count > 0))
      continue;
    double Deviation =
        std::sqrt(1 / Precision + ModelDeviation * ModelDeviation);
    double Executed = Count * Block.Count;
    Result.Executed += Executed;
    Result.Sure +=
        Executed * std::erf(std::log(2.0) / Deviation / std::sqrt(2.0));
  }
  return Result;
}

} // namespace inlay
