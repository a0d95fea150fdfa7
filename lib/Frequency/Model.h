//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The estimator that models how samples come about.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FREQUENCY_MODEL_H
#define INLAY_LIB_FREQUENCY_MODEL_H

#include "CallerShares.h"
#include "SampledFunctions.h"
#include "inlay/Frequency/Estimation.h"

namespace inlay {

/// \p Result brings the scale.
void estimateModel(const SampledFunctions &Sampled, const CallerShares &Shares,
                   MachineCode &Code, const EstimationOptions &Options,
                   EstimationProgress &Progress, MachineFrequencies &Result);

} // namespace inlay

#endif
