//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The estimator of frequencies from branch records: the flow that fits them
// best.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FREQUENCY_BRANCHFLOW_H
#define INLAY_LIB_FREQUENCY_BRANCHFLOW_H

#include "SampledFunctions.h"
#include "inlay/Frequency/Estimation.h"

namespace inlay {

/// \p Sampled has branch counts of \p Samples.
void estimateBranchFlow(const BinarySamples &Samples,
                        const SampledFunctions &Sampled, MachineCode &Code,
                        const EstimationOptions &Options,
                        EstimationProgress &Progress,
                        MachineFrequencies &Result);

} // namespace inlay

#endif
