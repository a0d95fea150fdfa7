//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The estimator that leaves branch records as they are. Kept for comparison,
// and because others do so.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FREQUENCY_BRANCHES_H
#define INLAY_LIB_FREQUENCY_BRANCHES_H

#include "SampledFunctions.h"

namespace inlay {

/// \p Sampled has branch counts.
void estimateBranches(const SampledFunctions &Sampled, MachineCode &Code,
                      MachineFrequencies &Result);

} // namespace inlay

#endif
