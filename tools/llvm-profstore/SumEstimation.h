//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frequencies of what a store has summed up. An export writes a profile of them
// and stats says how sure they are, of the same ones.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TOOLS_LLVM_PROFSTORE_SUMESTIMATION_H
#define INLAY_TOOLS_LLVM_PROFSTORE_SUMESTIMATION_H

#include "inlay/Frequency/EstimatorChoice.h"
#include "inlay/Store/Aggregation.h"

namespace inlay {

/// As for the samples of one recording by the same event and CPU. Samples by
/// virtual address count at where \p Binary has them.
llvm::Expected<MachineFrequencies> estimateSum(const SummedSamples &Sum,
                                               ProfiledBinary &Binary,
                                               const EstimatorRequest &Request,
                                               DiagnosticSink &Diagnostics);

/// All that estimateSum() goes by besides the sum and the binary, as a text
/// that is another one if any of it is. An error where estimateSum() would
/// fail.
llvm::Expected<std::string> describeEstimation(const SummedSamples &Sum,
                                               const EstimatorRequest &Request);

} // namespace inlay

#endif
