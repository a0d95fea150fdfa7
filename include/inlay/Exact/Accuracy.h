//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How near an estimate comes to exact counts.
//
// Counts are compared as shares: block b of n instructions (no-ops aside, at
// least one) that executes f times has the share f*n / sum of f*n, and a scale
// common to all counts does not matter. With estimated shares p and exact
// shares q,
//
//   overlap            sum of min(p, q) over all blocks of the binary;
//   function overlap   the same within each function, shares being those of the
//                      function's total, and then the mean over the functions
//                      with samples, weighted by the instructions they
//                      executed;
//   branch error       mean of |p - q| over conditional branches, p and q being
//                      the estimated and the exact probability that it is
//                      taken, weighted by executions;
//   direction          share of the conditional branches, weighted by
//                      executions, whose likelier side is right; those within
//                      0.02 of even are left out, and an estimate that does not
//                      decide is half right;
//   within two         share of the executed instructions whose estimate, with
//                      both totals made equal, is within a factor of two of the
//                      exact count;
//   dominating target  share of the indirect calls, weighted by executions,
//                      whose most frequent callee is right;
//   target overlap     sum of min(p, q) over the callees of an indirect call, p
//                      and q being their shares of it; weighted likewise.
//
// Branches are those of functions with samples. Overlaps are 1 at best and 0 at
// worst; 1 - overlap is the share of the execution that the estimate puts into
// wrong places.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_EXACT_ACCURACY_H
#define INLAY_EXACT_ACCURACY_H

#include "inlay/Frequency/MachineFrequencies.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace inlay {

class MachineCode;

struct BlockAccuracy {
  uint64_t Address = 0;
  uint32_t Instructions = 0; ///< without no-ops, at least 1
  uint64_t Samples = 0;      ///< raw, on its instructions
  double Exact = 0;          ///< executions
  double Estimate = 0;  ///< scaled so that the binary's total is the exact one
  double Misplaced = 0; ///< |p - q|
};

struct FunctionAccuracy {
  std::string Name;
  uint64_t Entry = 0; ///< address
  uint64_t Samples = 0;
  double ExactShare = 0, EstimatedShare = 0; ///< of the binary's total
  /// Sum of |p - q| / 2 over its blocks, p and q of the binary's total; summed
  /// over all functions this is 1 - overlap.
  double Misplaced = 0;
  /// Of its own shares; nullopt if either side has none.
  std::optional<double> Overlap;
  std::optional<double> BranchError, Direction;
  /// Most misplaced first.
  std::vector<BlockAccuracy> Blocks;
};

struct Accuracy {
  double Overlap = 0;
  std::optional<double> FunctionOverlap;
  /// nullopt if the exact side has no edges, or no branch executed.
  std::optional<double> BranchError, Direction;
  double WithinTwo = 0;
  /// nullopt if no indirect call executed.
  std::optional<double> DominatingTarget, TargetOverlap;
  uint64_t IndirectCalls = 0; ///< that executed, by exact counts
  /// Of the exact total, in functions without samples.
  double ShareWithoutSamples = 0;
  uint64_t Functions = 0; ///< with executions or an estimate
  uint64_t FunctionsWithSamples = 0;
  uint64_t Blocks = 0;   ///< of these functions
  uint64_t Branches = 0; ///< conditional, that executed in sampled functions
  /// Most misplaced first.
  std::vector<FunctionAccuracy> Worst;
};

struct AccuracyLimits {
  size_t Functions = SIZE_MAX; ///< at most so many in Accuracy::Worst
  size_t Blocks = SIZE_MAX;    ///< at most so many of each
};

/// Compares \p Estimate with \p Exact over the machine CFGs that \p Code makes.
/// A block's estimate is the maximum over its instructions; probabilities come
/// from the estimate's edges, or in functions where it has none from the counts
/// of the two successors. Functions whose graph cannot be made are left out.
///
/// \p RawSamples has the samples as its counts (as the estimator Max gives
/// them).
///
/// Fails if either side is 0 everywhere.
llvm::Expected<Accuracy> measureAccuracy(const MachineFrequencies &Exact,
                                         const MachineFrequencies &Estimate,
                                         const MachineFrequencies &RawSamples,
                                         MachineCode &Code,
                                         const AccuracyLimits &Limits = {});

} // namespace inlay

#endif
