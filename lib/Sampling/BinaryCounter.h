//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The counts of one binary while they grow.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_SAMPLING_BINARYCOUNTER_H
#define INLAY_LIB_SAMPLING_BINARYCOUNTER_H

#include "FlatCounts.h"
#include "inlay/Sampling/RawProfile.h"

namespace inlay {

/// Counts of pairs. Those of offsets below 4 GiB, which is all but those of
/// giant files, are one word.
class PairCounts {
public:
  void increment(CountQueue &Queue, uint64_t First, uint64_t Second) {
    if ((First | Second) >> 32 == 0)
      Queue.increment(Small, First << 32 | Second);
    else
      ++Large[{First, Second}];
  }
  void moveTo(llvm::DenseMap<OffsetPair, uint64_t> &Counts) {
    Counts = std::move(Large);
    Counts.reserve(Counts.size() + Small.size());
    Small.forEach([&](uint64_t Key, uint64_t Count) {
      Counts[{Key >> 32, Key & UINT32_MAX}] = Count;
    });
    Small = FlatCounts();
  }

private:
  FlatCounts Small;
  llvm::DenseMap<OffsetPair, uint64_t> Large;
};

struct BinaryCounter {
  FlatCounts Counts, BranchesIn, BranchesOut;
  PairCounts Branches, Ranges;
  uint64_t Total = 0, TotalPeriod = 0;

  void moveTo(BinarySamples &Samples) {
    Samples.Total = Total;
    Samples.TotalPeriod = TotalPeriod;
    move(Counts, Samples.Counts);
    move(BranchesIn, Samples.BranchesIn);
    move(BranchesOut, Samples.BranchesOut);
    Branches.moveTo(Samples.Branches);
    Ranges.moveTo(Samples.Ranges);
  }

private:
  static void move(FlatCounts &From, llvm::DenseMap<uint64_t, uint64_t> &To) {
    To.reserve(From.size());
    From.forEach([&](uint64_t Key, uint64_t Count) { To[Key] = Count; });
    From = FlatCounts();
  }
};

} // namespace inlay

#endif
