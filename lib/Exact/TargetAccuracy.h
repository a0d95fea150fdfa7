//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How near an estimate comes to whom indirect calls really lead to.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_EXACT_TARGETACCURACY_H
#define INLAY_LIB_EXACT_TARGETACCURACY_H

#include "inlay/Frequency/MachineFrequencies.h"

namespace inlay {

class MachineCode;

/// Shares of the indirect calls that executed.
struct TargetAccuracy {
  uint64_t Calls = 0; ///< that executed, by exact counts
  double Dominating = 0;
  double Overlap = 0;
};

/// See Accuracy::DominatingTarget and Accuracy::TargetOverlap.
TargetAccuracy measureTargets(const MachineFrequencies &Exact,
                              const MachineFrequencies &Estimate,
                              MachineCode &Code);

} // namespace inlay

#endif
