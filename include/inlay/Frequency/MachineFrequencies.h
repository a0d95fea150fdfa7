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

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <vector>

namespace inlay {

struct BinarySamples;
class ProfiledBinary;

/// Frequencies of one function (a symbol's range).
struct FunctionFrequencies {
  uint64_t Begin = 0; ///< virtual address, identifies the FunctionRange
  uint64_t End = 0;
  uint64_t Samples = 0; ///< raw samples in the range
  /// Executions of the entry; 0 when the estimator does not know.
  uint64_t EntryCount = 0;
  /// Virtual address -> executions, sorted; an address that is absent executed
  /// 0 times as far as the estimator knows.
  std::vector<std::pair<uint64_t, uint64_t>> Instructions;
};

struct MachineFrequencies {
  std::vector<FunctionFrequencies> Functions; ///< by Begin; samples > 0 only
  uint64_t SamplesInFunctions = 0;
  /// Samples in executable segments but in no function symbol.
  uint64_t SamplesOutsideFunctions = 0;
  /// File offsets that no executable segment covers.
  uint64_t SamplesOutsideText = 0;
};

enum class EstimatorKind { Max };

/// Turns samples into frequencies. \c Max leaves the raw samples as they are:
/// with the maximum over a line's instructions that Attribution takes, this is
/// what AutoFDO's create_llvm_prof does without branch records.
MachineFrequencies estimateFrequencies(const BinarySamples &Samples,
                                       ProfiledBinary &Binary,
                                       EstimatorKind Kind);

} // namespace inlay

#endif
