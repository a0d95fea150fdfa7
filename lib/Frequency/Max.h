//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The estimator that leaves samples as they are.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FREQUENCY_MAX_H
#define INLAY_LIB_FREQUENCY_MAX_H

#include "inlay/Frequency/Estimation.h"

namespace inlay {

MachineFrequencies estimateMax(const BinarySamples &Samples,
                               const ProfiledBinary &Binary);

} // namespace inlay

#endif
