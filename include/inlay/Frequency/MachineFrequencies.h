//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How often each instruction of a binary executed, as far as samples can tell:
// the result of an estimator.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_FREQUENCY_MACHINEFREQUENCIES_H
#define INLAY_FREQUENCY_MACHINEFREQUENCIES_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace inlay {

/// Executions of one edge of the machine CFG, identified by the addresses of
/// the last instruction of its source and of its target.
struct EdgeFrequency {
  uint64_t From = 0, To = 0;
  uint64_t Count = 0;
};

/// Executions of a call instruction, by callee.
struct CallFrequency {
  uint64_t Site = 0; ///< address of the call instruction
  /// Address of the callee, a PLT stub's where one is called; 0: unknown
  /// (indirect, seen by name alone).
  uint64_t Target = 0;
  /// Linkage name without .llvm.<hash>; lives as long as the binary.
  llvm::StringRef TargetName;
  uint64_t Count = 0;
};

/// Frequencies of one function (a symbol's range).
struct FunctionFrequencies {
  uint64_t Begin = 0; ///< virtual address, identifies the FunctionRange
  uint64_t End = 0;
  uint64_t Samples = 0; ///< raw samples in the range
  /// Virtual address -> raw samples, sorted. If it is empty although there are
  /// samples, Instructions are just that.
  std::vector<std::pair<uint64_t, uint64_t>> RawSamples;
  /// Executions of the entry; nullopt when the estimator does not know, and for
  /// a split-off part.
  std::optional<uint64_t> EntryCount;
  /// How far the evidence pins the counts down: the expected share of the
  /// function's executed instructions whose count is within a factor of two of
  /// the estimate. 0 not at all, 1 as if they had been counted. nullopt when
  /// the estimator does not know.
  std::optional<double> Confidence;
  /// Virtual address -> executions, sorted; an address that is absent executed
  /// 0 times as far as the estimator knows.
  std::vector<std::pair<uint64_t, uint64_t>> Instructions;
  std::vector<EdgeFrequency> Edges; ///< by From, To; empty if unknown
  std::vector<CallFrequency> Calls; ///< by Site; count > 0; empty if unknown
};

/// What more samples would bring.
struct RecordingAdvice {
  /// Recording so many times as long ...
  unsigned Factor = 1;
  /// ... would raise MachineFrequencies::SureShare to about this.
  double SureShare = 0;
};

struct MachineFrequencies {
  /// By Begin; those with samples, and split-off parts and such that belong to
  /// them.
  std::vector<FunctionFrequencies> Functions;
  uint64_t SamplesInFunctions = 0;
  /// Samples in executable segments but in no function symbol.
  uint64_t SamplesOutsideFunctions = 0;
  /// Samples in functions, but not at the first byte of an instruction, where
  /// every interrupt is: of another binary, in all likelihood.
  uint64_t SamplesInsideInstructions = 0;
  /// File offsets that no executable segment covers.
  uint64_t SamplesOutsideText = 0;
  /// Observations of code that ran between two taken branches, and those of
  /// them that contradict the code: they run over a jump, say. 0 where the
  /// estimator takes no branch records.
  uint64_t BranchRecords = 0;
  uint64_t ImpossibleBranchRecords = 0;
  /// The share of all executed instructions whose count is within a factor of
  /// two, 0 to 1: the mean confidence of the functions, weighted by the
  /// instructions they executed. nullopt when the estimator does not know.
  std::optional<double> SureShare;
  /// nullopt when recording for longer would not help, or nobody knows.
  std::optional<RecordingAdvice> Advice;
  /// Executions for each unit of what was estimated (samples of an average
  /// instruction, or observations by branch records), by which counts were
  /// scaled; 1 if they are such units.
  double ExecutionsPerSample = 1;
  /// Executions of a block for one observation of it: what is less cannot be
  /// told from 0. nullopt: counts are samples or observations as they are.
  std::optional<double> Resolution;
};

} // namespace inlay

#endif
