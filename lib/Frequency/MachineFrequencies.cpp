//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The choice of the estimator.
//
//===----------------------------------------------------------------------===//

#include "inlay/Frequency/MachineFrequencies.h"
#include "Max.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace inlay {

MachineFrequencies estimateFrequencies(const BinarySamples &Samples,
                                       ProfiledBinary &Binary,
                                       EstimatorKind Kind) {
  switch (Kind) {
  case EstimatorKind::Max:
    return estimateMax(Samples, Binary);
  }
  llvm_unreachable("unknown estimator");
}

} // namespace inlay
