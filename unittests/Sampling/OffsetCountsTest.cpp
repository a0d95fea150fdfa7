//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Sampling/OffsetCounts.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace inlay;

TEST(OffsetCountsTest, HoldsWhatAMapHolds) {
  std::mt19937 Random(1);
  for (unsigned Round = 0; Round != 100; ++Round) {
    std::map<uint64_t, uint64_t> Expected;
    std::vector<std::pair<uint64_t, uint64_t>> Unsorted, MoreUnsorted;
    for (unsigned I = 0; I != Round; ++I) {
      auto &Where = Random() % 2 ? Unsorted : MoreUnsorted;
      Where.emplace_back(Random() % 50, Random() % 9);
      Expected[Where.back().first] += Where.back().second;
    }
    OffsetCounts<uint64_t> Counts(Unsorted);
    Counts.add(OffsetCounts<uint64_t>(MoreUnsorted));
    for (unsigned I = 0; I != Round; ++I) {
      uint64_t Key = Random() % 60;
      Counts[Key] += I;
      Expected[Key] += I;
    }
    EXPECT_TRUE(std::equal(Counts.begin(), Counts.end(), Expected.begin(),
                           Expected.end(), [](const auto &A, const auto &B) {
                             return A.first == B.first && A.second == B.second;
                           }));
    EXPECT_EQ(Counts.size(), Expected.size());
    for (uint64_t Key = 0; Key != 70; ++Key)
      EXPECT_EQ(Counts.lookup(Key),
                Expected.count(Key) ? Expected[Key] : uint64_t(0));
  }
}

TEST(OffsetCountsTest, SumsSaturate) {
  OffsetCounts<uint64_t> Counts = {{5, UINT64_MAX - 1}, {5, 7}, {6, 1}};
  EXPECT_EQ(Counts.lookup(5), UINT64_MAX);
  Counts.add({{5, 1}, {6, 1}});
  EXPECT_EQ(Counts.lookup(5), UINT64_MAX);
  EXPECT_EQ(Counts.lookup(6), 2u);
}
