//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Selection sampling (Knuth, The Art of Computer Programming, 3.4.2, algorithm
// S): each sample in turn is taken with the probability that it is among those
// that are still to be drawn from those that are left. The turn is fixed by
// sorting, and the generator's output is by its standard.
//
//===----------------------------------------------------------------------===//

#include "inlay/Sampling/Subsample.h"
#include "llvm/ADT/STLExtras.h"
#include <random>
#include <tuple>

using namespace llvm;

namespace inlay {

namespace {

class Drawing {
public:
  Drawing(uint64_t Total, uint64_t Size, uint64_t Seed)
      : Left(Total), Wanted(Size), Random(Seed) {}

  /// Of the next \p Count samples so many are drawn.
  uint64_t draw(uint64_t Count) {
    uint64_t Drawn = 0;
    for (; Count && Wanted; --Count, --Left)
      if (below(Left) < Wanted) {
        ++Drawn;
        --Wanted;
      }
    return Drawn;
  }

private:
  /// Uniform in [0, Bound). (std::uniform_int_distribution differs between
  /// libraries.)
  uint64_t below(uint64_t Bound) {
    const uint64_t Rest = (UINT64_MAX % Bound + 1) % Bound;
    uint64_t Value = Random();
    while (Value > UINT64_MAX - Rest)
      Value = Random();
    return Value % Bound;
  }

  uint64_t Left, Wanted;
  std::mt19937_64 Random;
};

} // namespace

static BinarySamples draw(const BinarySamples &Samples, Drawing &Draw) {
  BinarySamples Drawn;
  Drawn.Path = Samples.Path;
  Drawn.BuildID = Samples.BuildID;
  Drawn.Kind = Samples.Kind;
  for (auto [Offset, Count] : Samples.Counts)
    if (uint64_t N = Draw.draw(Count)) {
      Drawn.Counts.append(Offset, N);
      Drawn.Total += N;
    }
  if (Samples.Total)
    Drawn.TotalPeriod = Samples.TotalPeriod / Samples.Total * Drawn.Total;
  return Drawn;
}

EventSamples subsample(const EventSamples &Event, uint64_t Size,
                       uint64_t Seed) {
  if (Size >= Event.Total)
    return Event;
  Drawing Draw(Event.Total, Size, Seed);
  EventSamples Drawn;
  Drawn.Attr = Event.Attr;
  Drawn.Total = Size;
  // In the kernel: those without a known place here, the others below.
  uint64_t UnplacedKernelSamples = Event.KernelSamples;
  for (const BinarySamples &Binary : Event.Binaries)
    if (Binary.Kind != CodeKind::User)
      UnplacedKernelSamples -= std::min(UnplacedKernelSamples, Binary.Total);
  Drawn.KernelSamples = Draw.draw(UnplacedKernelSamples);
  Drawn.UnmappedSamples = Draw.draw(Event.UnmappedSamples);
  std::vector<const BinarySamples *> Binaries;
  for (const BinarySamples &Binary : Event.Binaries)
    Binaries.push_back(&Binary);
  llvm::sort(Binaries, [](const BinarySamples *L, const BinarySamples *R) {
    return std::tie(L->Path, L->BuildID) < std::tie(R->Path, R->BuildID);
  });
  for (const BinarySamples *Binary : Binaries)
    if (BinarySamples Samples = draw(*Binary, Draw); Samples.Total) {
      if (Samples.Kind != CodeKind::User)
        Drawn.KernelSamples += Samples.Total;
      Drawn.Binaries.push_back(std::move(Samples));
    }
  llvm::sort(Drawn.Binaries,
             [](const BinarySamples &L, const BinarySamples &R) {
               return std::tie(R.Total, L.Path, L.BuildID) <
                      std::tie(L.Total, R.Path, R.BuildID);
             });
  return Drawn;
}

} // namespace inlay
