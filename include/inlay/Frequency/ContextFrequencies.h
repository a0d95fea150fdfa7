//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frequencies by calling context: what each function executed, divided among
// the rows of callers under which it ran. Call chains tell that.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_FREQUENCY_CONTEXTFREQUENCIES_H
#define INLAY_FREQUENCY_CONTEXTFREQUENCIES_H

#include "inlay/Frequency/MachineFrequencies.h"
#include "llvm/Support/Error.h"

namespace inlay {

struct BinarySamples;
struct EventSamples;
class ProfiledBinary;

/// Of ContextOptions::Depth: stacks are not deeper.
constexpr unsigned MaxContextDepth = 127;

/// How many contexts there may be. A stack's sample counts for each of its
/// frames, of which it has at most 127, so that there are no more contexts than
/// (Depth + 1) * 127 / LeastShare; some thousand in practice.
struct ContextOptions {
  /// The most callers in a context.
  unsigned Depth = 24;
  /// A context of its own has at least this part of the samples with a stack
  /// below it ...
  double LeastShare = 1.0 / 1000;
  /// ... and this many.
  uint64_t LeastSamples = 20;
};

/// A function under some callers.
struct FunctionInContext {
  /// Index of its caller's context, which comes before it; nullopt: whoever
  /// calls, other than those that have contexts of their own.
  std::optional<uint32_t> Caller;
  uint64_t Site = 0;  ///< address of the call instruction in the caller
  uint64_t Entry = 0; ///< address of the function
  /// Its part of MachineFrequencies::Functions, by Begin; none for a function
  /// without samples that calls others. Without raw samples and edges.
  std::vector<FunctionFrequencies> Parts;
};

struct ContextFrequencies {
  std::vector<FunctionInContext> Contexts;
  /// Samples whose callers are known, as far as a context tells them.
  uint64_t SamplesWithContext = 0;
};

/// Divides \p Frequencies, which were estimated from \p Samples, by the stacks
/// of \p Event. What contexts have adds up to what \p Frequencies has. Fails
/// where MachineCode::create does.
llvm::Expected<ContextFrequencies>
divideByContext(const MachineFrequencies &Frequencies,
                const EventSamples &Event, const BinarySamples &Samples,
                const ProfiledBinary &Binary, const ContextOptions &Options);

} // namespace inlay

#endif
