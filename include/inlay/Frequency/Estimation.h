//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From samples to frequencies: the choice of an estimator, and what it needs to
// be told.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_FREQUENCY_ESTIMATION_H
#define INLAY_FREQUENCY_ESTIMATION_H

#include "inlay/Frequency/MachineFrequencies.h"
#include "inlay/Frequency/RateTable.h"
#include "inlay/Sampling/CallSamples.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace inlay {

struct BinarySamples;
class MachineCode;
class ProfiledBinary;

enum class EstimatorKind {
  /// Leaves the raw samples as they are: with the maximum over a line's
  /// instructions that Attribution takes, this is what AutoFDO's
  /// create_llvm_prof does without branch records.
  Max,
  /// The mean over a block's instructions.
  Mean,
  /// The same, made consistent by min-cost flow (profi).
  MeanFlow,
  /// What the classes of instructions say of each block, made consistent by a
  /// flow that knows how certain that is. Needs a table of rates. With branch
  /// records, what these say takes the place of samples.
  Model,
  /// Branch records as they are, as llvm-profgen takes them: ranges between
  /// taken branches give counts of instructions, branches those of edges, calls
  /// and entries.
  Branches
};

struct EstimationOptions {
  EstimatorKind Kind = EstimatorKind::Max;
  /// Model only, without branch records.
  RateTable Rates;
  /// All but Max and Branches: counts are scaled by it, see executionScale().
  double ExecutionsPerSample = 1;
  /// Model with branch records: the event counts these, more or less, and not
  /// time or instructions; the scale comes from its periods.
  bool CountsBranches = false;

  // The model's constants. The defaults are what was measured to be best, see
  // docs/estimation.md.

  /// Of log f, the least that is believed.
  double LeastDeviation = 0.15;
  /// A block of which nothing was seen gets 0 if its flow is less than this
  /// share of what would have been seen.
  double NegligibleShare = 0.2;
  /// Adapt the rates to the program's own samples so often.
  unsigned SelfTrainingRounds = 1;
  /// Let callers and callees tell each other their counts so often.
  unsigned CallRounds = 3;
  /// Of the log of a count that is told, at least.
  double CallDeviation = 0.2;
};

/// Executions of an instruction for each sample that an average instruction
/// gets: the time or the number of instructions between samples, by what one
/// instruction takes.
///
/// What the file does not say is taken to be usual: perf's 4000 samples a
/// second, a clock of 3 GHz, 0.25 ns for an instruction. \p IsAssumed tells
/// whether it was.
struct ExecutionScale {
  double ExecutionsPerSample = 1;
  bool IsAssumed = false;
};
ExecutionScale executionScale(const PerfEventAttr &Attr,
                              const RateTable &Rates);

/// Turns samples into frequencies. All estimators but Max disassemble, and fail
/// where MachineCode::create does. \p Calls, if there are some, come from the
/// same samples' call chains; only Model makes use of them. \p OnProgress is
/// told the share of the work that is done, by any thread, but one at a time.
llvm::Expected<MachineFrequencies> estimateFrequencies(
    const BinarySamples &Samples, ProfiledBinary &Binary,
    const EstimationOptions &Options, llvm::ArrayRef<CallSamples> Calls = {},
    llvm::function_ref<void(double Share)> OnProgress = nullptr);

/// Likewise, with the binary's code at hand. Max ignores it.
MachineFrequencies estimateFrequencies(
    const BinarySamples &Samples, ProfiledBinary &Binary, MachineCode &Code,
    const EstimationOptions &Options, llvm::ArrayRef<CallSamples> Calls = {},
    llvm::function_ref<void(double Share)> OnProgress = nullptr);

} // namespace inlay

#endif
