//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See EventChoice.h.
//
//===----------------------------------------------------------------------===//

#include "inlay/Sampling/EventChoice.h"
#include "inlay/Sampling/SampledEvent.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <tuple>

using namespace llvm;

namespace inlay {

EventRank rankOf(const EventSamples &Event) {
  // Calls or returns alone are no better than the event that recorded them.
  if (any_of(Event.Binaries,
             [](const BinarySamples &B) { return !B.Ranges.empty(); }))
    return EventRank::Branches;
  std::optional<SampledEvent> Sampled = sampledEventOf(Event.Attr);
  if (!Sampled)
    return EventRank::Other;
  if (Sampled == SampledEvent::Timer)
    return EventRank::Clock;
  return isPrecise(Event.Attr) ? EventRank::Precise : EventRank::Cycles;
}

/// Why an event of this rank is the best: "..., which ...".
static StringRef reasonFor(EventRank Rank) {
  switch (Rank) {
  case EventRank::Branches:
    return "has branch stacks";
  case EventRank::Precise:
    return "is precise";
  case EventRank::Cycles:
    return "counts what the processor does";
  case EventRank::Clock:
    return "measures time";
  case EventRank::Other:
    return "has most samples";
  }
  llvm_unreachable("unknown rank");
}

/// "cycles:u (7 samples), faults (1 sample)"
static std::string listEvents(const RawProfile &Profile) {
  std::string List;
  for (const EventSamples &Event : Profile.Events)
    List += (List.empty() ? "" : ", ") + Event.Attr.Name + " (" +
            utostr(Event.Total) + (Event.Total == 1 ? " sample)" : " samples)");
  return List;
}

/// Samples whose place is known.
static uint64_t numPlaced(const EventSamples &Event) {
  uint64_t Count = 0;
  for (const BinarySamples &Binary : Event.Binaries)
    Count += Binary.Total;
  return Count;
}

static const EventSamples *bestEvent(const RawProfile &Profile) {
  constexpr uint64_t Enough = 1000, EnoughOfMost = 10;
  uint64_t Most = 0;
  for (const EventSamples &Event : Profile.Events)
    Most = std::max(Most, numPlaced(Event));
  const EventSamples *Best = nullptr;
  auto Worth = [](const EventSamples &Event) {
    return std::tuple(rankOf(Event), numPlaced(Event), Event.Total);
  };
  for (const EventSamples &Event : Profile.Events) {
    if (numPlaced(Event) < std::min(Enough, divideCeil(Most, EnoughOfMost)))
      continue;
    if (!Best || Worth(Event) > Worth(*Best))
      Best = &Event;
  }
  return Best;
}

Expected<const EventSamples *> chooseEvent(const RawProfile &Profile,
                                           StringRef PerfDataPath,
                                           StringRef Name,
                                           DiagnosticSink &Diagnostics) {
  const EventSamples *Chosen = nullptr;
  if (Name.empty()) {
    Chosen = bestEvent(Profile);
  } else {
    auto It = find_if(Profile.Events, [&](const EventSamples &Event) {
      return Event.Attr.Name == Name;
    });
    if (It == Profile.Events.end())
      return fileError(PerfDataPath, "has no event '" + Name +
                                         "'; --event may name one of: " +
                                         listEvents(Profile));
    Chosen = &*It;
  }
  if (!Chosen || Chosen->Total == 0)
    return fileError(
        PerfDataPath,
        (Name.empty() ? Twine("holds no samples")
                      : "holds no samples of the event '" + Name + "'") +
            "; record again, for longer or with a higher frequency "
            "(perf record -F)");

  const bool HadChoice = any_of(Profile.Events, [&](const EventSamples &Event) {
    return &Event != Chosen && Event.Total;
  });
  if (Name.empty() && HadChoice)
    Diagnostics.note("using the event " + Chosen->Attr.Name + ", which " +
                     reasonFor(rankOf(*Chosen)) + "; the file has " +
                     listEvents(Profile) + " (--event chooses)");
  return Chosen;
}

} // namespace inlay
