//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an event measures, as far as it says how often code runs.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SAMPLING_SAMPLEDEVENT_H
#define INLAY_SAMPLING_SAMPLEDEVENT_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace inlay {

struct PerfEventAttr;

/// What makes an event's samples fall where they fall.
enum class SampledEvent : uint8_t {
  Timer,       ///< cpu-clock, task-clock
  Cycles,      ///< of the CPU's clock or of a reference clock
  Instructions ///< retired
};

/// "timer", "cycles", "instructions".
llvm::StringRef sampledEventName(SampledEvent Event);

/// nullopt for events that say nothing of how often all instructions run:
/// cache misses, branches, page faults.
std::optional<SampledEvent> sampledEventOf(const PerfEventAttr &Attr);

/// The address of a sample is that of the very instruction that was measured.
bool isPrecise(const PerfEventAttr &Attr);

} // namespace inlay

#endif
