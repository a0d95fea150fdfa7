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
#include <map>

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
  OffsetCounts<OffsetPair> take() {
    OffsetCounts<OffsetPair> Counts;
    Counts.reserve(Small.size());
    for (auto [Key, Count] : Small.take())
      Counts.append({Key >> 32, Key & UINT32_MAX}, Count);
    Counts.add(
        OffsetCounts<OffsetPair>(std::vector<std::pair<OffsetPair, uint64_t>>(
            Large.begin(), Large.end())));
    Large.clear();
    return Counts;
  }

private:
  FlatCounts Small;
  std::map<OffsetPair, uint64_t> Large;
};

struct BinaryCounter {
  FlatCounts Counts, BranchesIn, BranchesOut;
  PairCounts Branches, Ranges;
  uint64_t Total = 0, TotalPeriod = 0;

  void moveTo(BinarySamples &Samples) {
    Samples.Total = Total;
    Samples.TotalPeriod = TotalPeriod;
    Samples.Counts = Counts.take();
    Samples.BranchesIn = BranchesIn.take();
    Samples.BranchesOut = BranchesOut.take();
    Samples.Branches = Branches.take();
    Samples.Ranges = Ranges.take();
  }
};

} // namespace inlay

#endif
