//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the samples of a block's instructions say of how often it ran.
//
// All instructions of a block run equally often, so their sample counts are
// many noisy views of one number f:
//
//   S_i ~ Poisson(f * m_i),   m_i ~ the rates of instruction i's class
//
// with f in expected samples of an average instruction. The likelihood of
// t = log f is a product over instructions of mixtures over the grid of rates;
// heavy upper tails (a cache-missing load) then cannot pull f far.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FREQUENCY_BLOCKPOSTERIOR_H
#define INLAY_LIB_FREQUENCY_BLOCKPOSTERIOR_H

#include "inlay/Flow/FlowGraph.h"
#include "inlay/Frequency/RateTable.h"
#include "llvm/ADT/DenseMap.h"
#include <array>

namespace inlay {

/// Samples of one instruction.
struct InstructionSamples {
  InstructionClass Class;
  uint64_t Samples;
};

/// log f is about Mean, give or take Deviation; or it may be that the block
/// never ran.
struct BlockPosterior {
  double Mean = 0;      ///< of log f
  double Deviation = 0; ///< of log f
  /// The likelihood's peak is less than one nat above that of f = 0.
  bool MayNeverHaveRun = false;
  /// The f that is one nat less likely than f = 0, if MayNeverHaveRun; infinite
  /// if there is none.
  double Scale = 0;
  /// Nats, if Scale is finite: how the likelihood goes on to fall, see
  /// FlowEvidence. Instructions that are hardly ever hit, of which every class
  /// has some, tell nothing by not being hit.
  double Saturation = 0;
};

/// Computes posteriors with one table. The row of log-likelihoods of a (class,
/// samples) pair is kept, so that the work is linear in instructions.
class BlockPosteriors {
public:
  /// \p MostSamples: the largest count that any instruction has; decides how
  /// far up the grid of log f reaches.
  BlockPosteriors(const RateTable &Table, uint64_t MostSamples);

  /// Instructions of NoInstructionClass, and those fused with the one before
  /// if the table does not know them, say nothing; unless they are all that was
  /// seen of the block.
  BlockPosterior compute(llvm::ArrayRef<InstructionSamples> Instructions);

  /// The same as evidence for the flow. Deviations below \p LeastDeviation are
  /// not believed: errors of the model do not average out.
  static FlowEvidence evidence(const BlockPosterior &Posterior,
                               double LeastDeviation);

  llvm::ArrayRef<double> grid() const { return Grid; }
  /// Log-likelihood on grid() of one instruction; valid until the next call.
  llvm::ArrayRef<double> row(InstructionClass Class, uint64_t Samples);

private:
  void fillRow(InstructionClass Class, uint64_t Samples, double *Row) const;

  const RateTable &Table;
  std::vector<double> Grid;     ///< of t
  std::vector<double> LogPrior; ///< on Grid
  /// log m + t runs over a finer range of the same step.
  std::vector<double> LogRate, Rate;
  llvm::DenseMap<std::pair<unsigned, uint64_t>, unsigned> RowIndex;
  std::vector<double> Rows;
  std::vector<double> Sum, Probability; ///< scratch
};

} // namespace inlay

#endif
