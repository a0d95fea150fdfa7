//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which of a recording's events to use.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SAMPLING_EVENTCHOICE_H
#define INLAY_SAMPLING_EVENTCHOICE_H

#include "inlay/Sampling/RawProfile.h"
#include "llvm/Support/Error.h"

namespace inlay {

class DiagnosticSink;

/// How well the samples of an event tell how often code runs, the best last.
enum class EventRank : uint8_t {
  Other,   ///< cache misses, page faults: little
  Clock,   ///< time; late by an interrupt
  Cycles,  ///< cycles or instructions, late by some instructions
  Precise, ///< cycles or instructions, and the very one that was measured
  Branches ///< stacks of all taken branches: what ran, counted
};

EventRank rankOf(const EventSamples &Event);

/// The event called \p Name; or if that is empty the best one that has enough
/// samples, which are 1000 in known places or a tenth of the most that any
/// event has; of equals the one with most. If there was a choice, a note says
/// which was made and why. An error, which lists the events, if there is no
/// event of that name, or no samples.
llvm::Expected<const EventSamples *> chooseEvent(const RawProfile &Profile,
                                                 llvm::StringRef PerfDataPath,
                                                 llvm::StringRef Name,
                                                 DiagnosticSink &Diagnostics);

} // namespace inlay

#endif
