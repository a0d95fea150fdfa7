//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which share of a function's executions each of its call sites has, by the
// samples that were taken in it under each: time, not calls, but a function
// takes about the same time whoever calls it. Tells of indirect calls whom they
// lead to, and of all how often they executed compared to each other.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FREQUENCY_CALLERSHARES_H
#define INLAY_LIB_FREQUENCY_CALLERSHARES_H

#include "SampledFunctions.h"
#include "inlay/Sampling/CallSamples.h"
#include "llvm/ADT/ArrayRef.h"

namespace inlay {

class CallerShares {
public:
  /// A call site of some callee.
  struct Site {
    uint32_t
        Function;   ///< the caller, an index into SampledFunctions::Functions
    uint32_t Call;  ///< index into its MachineFunction::Calls
    double Samples; ///< of the callee, under it
    double Share;   ///< of the callee's executions
  };

  CallerShares(const SampledFunctions &Sampled,
               llvm::ArrayRef<CallSamples> Calls, const ProfiledBinary &Binary,
               MachineCode &Code);

  /// By Function, Call; of \p Callee, an index into
  /// SampledFunctions::Functions. Their shares sum up to 1 or, where it was
  /// called from elsewhere, less.
  llvm::ArrayRef<Site> sitesOf(size_t Callee) const { return Sites[Callee]; }

private:
  std::vector<std::vector<Site>> Sites; ///< by callee
};

} // namespace inlay

#endif
