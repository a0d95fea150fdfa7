//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The estimators that take the mean over a block's instructions.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FREQUENCY_MEAN_H
#define INLAY_LIB_FREQUENCY_MEAN_H

#include "SampledFunctions.h"

namespace inlay {

/// Samples of a block by its number of instructions, NOPs left out; with
/// \p UseFlow made consistent by profi. \p Result brings the scale.
void estimateMean(const SampledFunctions &Sampled, MachineCode &Code,
                  bool UseFlow, MachineFrequencies &Result);

} // namespace inlay

#endif
