//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What call chains tell of one binary's calls: how many samples were taken
// while a call was under way. Which frames stand above and below a pair of
// frames does not matter here.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SAMPLING_CALLSAMPLES_H
#define INLAY_SAMPLING_CALLSAMPLES_H

#include <cstdint>
#include <optional>
#include <vector>

namespace inlay {

struct BinarySamples;
struct EventSamples;

/// A frame, and the one that called it.
struct CallSamples {
  /// File offset of the return address in the caller, or of what StackNode has
  /// in its place; nullopt: the caller is in another binary, or not in the
  /// chain.
  std::optional<uint64_t> Return;
  /// File offset in the callee's frame: of the sampled instruction if IsLeaf,
  /// else of a return address.
  uint64_t Callee = 0;
  bool IsLeaf = false;
  /// Chains that hold the two frames; one that holds them several times, by
  /// recursion, counts as often.
  uint64_t Samples = 0;
  /// The chain has the caller even before the callee has set up its frame.
  bool IsComplete = false;
};

/// Of the frames in the binary of \p Samples, which are samples of \p Event; no
/// two alike, in a fixed order. Empty without call chains.
std::vector<CallSamples> callSamplesOf(const EventSamples &Event,
                                       const BinarySamples &Samples);

} // namespace inlay

#endif
