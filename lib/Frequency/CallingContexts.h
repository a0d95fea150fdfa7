//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Under which rows of callers functions were sampled, and how often.
//
// All the stacks that one function is found in would make more contexts than
// anybody needs: recursion alone makes as many as it has depths, and most are
// rare. So a function has a context of its own under those callers alone that
// tell enough samples apart. Elsewhere it is the function as such that is
// called, and begins a new row of callers.
//
// It does so, too, where the code contradicts the chain (CallSites.h), and
// where it is in the row already: all depths of a recursion but the first are
// one.
//
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FREQUENCY_CALLINGCONTEXTS_H
#define INLAY_LIB_FREQUENCY_CALLINGCONTEXTS_H

#include "CallSites.h"
#include "inlay/Frequency/ContextFrequencies.h"
#include <map>

namespace inlay {

/// A function under its nearest callers.
struct CallingContext {
  uint32_t Function = 0; ///< index in CallSites
  /// Context of the caller, under its callers, and the call in it; nullopt:
  /// whoever calls.
  struct Call {
    uint32_t Context; ///< index in CallingContexts::Contexts
    uint32_t Index;   ///< into its MachineFunction::Calls
  };
  std::optional<Call> Caller;
  /// Samples of blocks in this context, by index; and a share of those in what
  /// their calls led to.
  std::map<uint32_t, double> Blocks;
};

/// Samples in a function that an (indirect) call led to, by the calling context
/// and the call in it.
struct ContextCall {
  uint32_t Context, Index; ///< of the caller, as in CallingContext::Call
  uint32_t Callee;         ///< index in CallSites

  auto operator<=>(const ContextCall &) const = default;
};

struct CallingContexts {
  /// Callers before callees.
  std::vector<CallingContext> Contexts;
  /// Weights of samples, as CallerShares has them.
  std::map<ContextCall, double> Callees;
  uint64_t Samples = 0; ///< in blocks of contexts, without those in callees
};

/// Of the stacks of \p Event, as far as they are in the binary of \p Samples.
CallingContexts findCallingContexts(const EventSamples &Event,
                                    const BinarySamples &Samples,
                                    const ProfiledBinary &Binary,
                                    CallSites &Sites,
                                    const ContextOptions &Options);

} // namespace inlay

#endif
