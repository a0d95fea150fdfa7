//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Learns a table of rates from samples of code whose executions are known.
//
// The mixture of each class is the nonparametric maximum-likelihood estimate
// on the grid of rates, by expectation maximization; smoothed over neighbouring
// rates and drawn towards the mixture of all classes where a class has few
// instructions.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_FREQUENCY_RATETRAINING_H
#define INLAY_FREQUENCY_RATETRAINING_H

#include "inlay/Frequency/RateTable.h"

namespace inlay {

struct BinarySamples;
class MachineCode;
class ProfiledBinary;

/// One instruction of one binary.
struct RateObservation {
  InstructionClass Class;
  uint64_t Samples;
  /// Samples that an average instruction would have got if it executed as often
  /// as this one.
  double Expected;
};

/// Replaces the weights of \p Table by those learned from \p Programs, each of
/// which has the observations of one program, expected at the average of that
/// program. Those expected to have hardly a sample teach nothing of what code
/// costs that is executed often, and are left out.
///
/// Programs differ in what an instruction costs on average, by how often they
/// miss the cache; instructions of one class differ less. So one factor for
/// each program is learned with the table. Returned are their logs: rate 1 of
/// the table is that much above the program's average. Their mean is 0.
std::vector<double>
trainRateTable(RateTable &Table,
               llvm::ArrayRef<std::vector<RateObservation>> Programs);

/// A table learned from \p Observations whose expected counts are estimates,
/// with that of \p Table as the prior.
RateTable adaptRateTable(const RateTable &Table,
                         llvm::ArrayRef<RateObservation> Observations);

/// What the samples of one binary teach.
struct BinaryObservations {
  std::vector<RateObservation> Observations;
  uint64_t Samples = 0;    ///< in functions that executed
  uint64_t Executions = 0; ///< of all instructions together
};

/// (virtual address, executions of the instruction there), sorted. Counts that
/// are too high for single instructions of a block do no harm.
using ExactExecutions = llvm::ArrayRef<std::pair<uint64_t, uint64_t>>;

/// Compares the samples of a binary with its exact executions, which may come
/// from a run of the same, or of a proportional amount of, work.
BinaryObservations observeRates(const BinarySamples &Samples,
                                const ProfiledBinary &Binary, MachineCode &Code,
                                ExactExecutions Executions, SampleSkid Skid);

} // namespace inlay

#endif
