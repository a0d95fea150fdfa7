//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "inlay/Sampling/Subsample.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace inlay;

namespace {

EventSamples event() {
  EventSamples Event;
  Event.KernelSamples = 100;
  Event.UnmappedSamples = 50;
  BinarySamples A, B;
  A.Path = "/a";
  A.Counts = {{0x1000, 500}, {0x1008, 1}, {0x1010, 99}};
  A.Total = 600;
  B.Path = "/b";
  B.Counts = {{0x1000, 250}};
  B.Total = 250;
  Event.Binaries = {A, B};
  Event.Total = 1000;
  return Event;
}

uint64_t countAt(const EventSamples &Event, llvm::StringRef Path,
                 uint64_t Offset) {
  for (const BinarySamples &Binary : Event.Binaries)
    if (Binary.Path == Path)
      return Binary.Counts.lookup(Offset);
  return 0;
}

TEST(Subsample, DrawsSoManyAndNoneTwice) {
  const EventSamples Event = event();
  for (uint64_t Size : {0, 1, 10, 500, 999, 1000, 2000}) {
    EventSamples Drawn = subsample(Event, Size, 7);
    uint64_t Sum = Drawn.KernelSamples + Drawn.UnmappedSamples;
    for (const BinarySamples &Binary : Drawn.Binaries) {
      uint64_t Total = 0;
      for (auto [Offset, Count] : Binary.Counts) {
        EXPECT_GT(Count, 0u);
        EXPECT_LE(Count, countAt(Event, Binary.Path, Offset));
        Total += Count;
      }
      EXPECT_EQ(Binary.Total, Total);
      EXPECT_GT(Total, 0u);
      Sum += Total;
    }
    EXPECT_EQ(Sum, std::min<uint64_t>(Size, 1000));
    EXPECT_EQ(Drawn.Total, Sum);
  }
}

TEST(Subsample, KernelSamplesInKnownPlacesAreDrawnOnce) {
  EventSamples Event = event();
  const uint64_t Placed = Event.KernelSamples / 2;
  BinarySamples &Kernel = Event.Binaries.emplace_back();
  Kernel.Path = "[kernel.kallsyms]_text";
  Kernel.Kind = CodeKind::Kernel;
  Kernel.Counts = {{0x10, Placed}};
  Kernel.Total = Placed;
  Event.Binaries.emplace_back().Path = "/without/samples";
  ASSERT_GT(Placed, 0u);
  EventSamples Drawn = subsample(Event, 999, 7);
  uint64_t User = 0, InKernel = 0;
  for (const BinarySamples &Binary : Drawn.Binaries)
    (Binary.Kind == CodeKind::User ? User : InKernel) += Binary.Total;
  EXPECT_EQ(User + Drawn.KernelSamples + Drawn.UnmappedSamples, 999u);
  EXPECT_GE(InKernel + 1, Placed); // one of the 1000 was left out
  EXPECT_GE(Drawn.KernelSamples, InKernel);
}

TEST(Subsample, DependsOnTheSeedAlone) {
  const EventSamples Event = event();
  EventSamples First = subsample(Event, 100, 7);
  EventSamples Reversed = Event;
  std::reverse(Reversed.Binaries.begin(), Reversed.Binaries.end());
  EventSamples Second = subsample(Reversed, 100, 7);
  bool Differs = false;
  for (uint64_t Offset : {0x1000, 0x1008, 0x1010}) {
    EXPECT_EQ(countAt(First, "/a", Offset), countAt(Second, "/a", Offset));
    Differs |= countAt(First, "/a", Offset) !=
               countAt(subsample(Event, 100, 8), "/a", Offset);
  }
  EXPECT_TRUE(Differs);
}

// The mean and the variance of the hypergeometric distribution: of 1000 samples
// 500 are at one place, and 100 are drawn. Four deviations of what 2000
// drawings give: a right one fails once in some ten thousand seeds, and these
// are fixed.
TEST(Subsample, IsUniform) {
  const EventSamples Event = event();
  constexpr int Rounds = 2000;
  double Sum = 0, SumOfSquares = 0, Kernel = 0;
  for (int Seed = 0; Seed < Rounds; ++Seed) {
    EventSamples Drawn = subsample(Event, 100, Seed);
    double Count = countAt(Drawn, "/a", 0x1000);
    Sum += Count;
    SumOfSquares += Count * Count;
    Kernel += Drawn.KernelSamples;
  }
  const double Variance = 100 * 0.5 * 0.5 * 900 / 999;
  const double Mean = Sum / Rounds;
  EXPECT_NEAR(Mean, 50, 4 * std::sqrt(Variance / Rounds));
  EXPECT_NEAR(SumOfSquares / Rounds - Mean * Mean, Variance,
              4 * Variance * std::sqrt(2.0 / Rounds));
  EXPECT_NEAR(Kernel / Rounds, 10,
              4 * std::sqrt(100 * 0.1 * 0.9 * 900 / 999 / Rounds));
}

} // namespace
