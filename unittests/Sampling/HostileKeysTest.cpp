//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses that whoever wrote a file has chosen such that a hash table with a
// known function keeps them all in one place. What their tables do for them is
// counted, not timed.
//
//===----------------------------------------------------------------------===//

#include "FlatCounts.h"
#include "StackTree.h"
#include "gtest/gtest.h"

using namespace inlay;

namespace {

constexpr uint64_t NumKeys = 20000;
/// Of linear probing in a table that is three quarters full, one and a half is
/// to be expected for each key; if all keys met, half their number.
constexpr uint64_t MostDisplacement = 10 * NumKeys;

/// The inverse of an odd number modulo 2^64, by Newton's iteration.
constexpr uint64_t inverse(uint64_t Odd) {
  uint64_t Result = Odd;
  for (unsigned Step = 0; Step != 6; ++Step)
    Result *= 2 - Odd * Result;
  return Result;
}

/// Offsets and kinds of frames that a fixed mix of two products, as is common,
/// sends to one place.
std::vector<uint64_t> hostileFrames() {
  constexpr uint64_t First = 0xbf58476d1ce4e5b9, Second = 0x94d049bb133111eb;
  constexpr uint64_t Caller = uint64_t(StackNode::Root) << 32;
  const uint64_t Mixed = Caller * First ^ (Caller * First) >> 31;
  std::vector<uint64_t> Keys(NumKeys);
  for (uint64_t I = 0; I != NumKeys; ++I) {
    // Folded, its low bits are zero.
    const uint64_t Product = I << 49 | I << 17;
    Keys[I] = Product * inverse(Second) ^ Mixed;
  }
  return Keys;
}

/// Keys that a product with \p Factor, of which the high or the low bits count,
/// sends to neighbouring places or to one.
std::vector<std::vector<uint64_t>> hostileKeys(uint64_t Factor) {
  std::vector<uint64_t> Low(NumKeys), High(NumKeys);
  for (uint64_t I = 0; I != NumKeys; ++I) {
    High[I] = I * inverse(Factor);
    Low[I] = (I << 40) * inverse(Factor);
  }
  return {High, Low};
}

} // namespace

// The golden ratio's, LLVM's DenseMap's (19), and none.
static constexpr uint64_t KnownFactors[] = {0x9e3779b97f4a7c15, 37, 1};

TEST(HostileKeysTest, OffsetsAreSpread) {
  for (uint64_t Factor : KnownFactors)
    for (const std::vector<uint64_t> &Keys : hostileKeys(Factor)) {
      FlatCounts Counts;
      for (uint64_t Key : Keys)
        Counts.increment(Key);
      EXPECT_EQ(Counts.size(), NumKeys);
      EXPECT_LT(Counts.displacement(), MostDisplacement);
    }
}

TEST(HostileKeysTest, FramesAreSpread) {
  StackTree Tree;
  Tree.makeRoom(NumKeys);
  for (uint64_t Key : hostileFrames())
    Tree.child(StackNode::Root, 0, Key >> 1, Key & 1);
  EXPECT_EQ(Tree.nodes().size(), NumKeys);
  EXPECT_LT(Tree.displacement(), MostDisplacement);
}

TEST(HostileKeysTest, CountsComeOutInOrder) {
  // Whatever the hash function of this process is.
  FlatCounts Counts;
  CountQueue Queue;
  for (uint64_t I = 0; I != NumKeys; ++I)
    Queue.increment(Counts, I * 7919 % 1000);
  Queue.drain();
  OffsetCounts<uint64_t> Taken = Counts.take();
  ASSERT_EQ(Taken.size(), 1000u);
  uint64_t Next = 0;
  for (auto [Key, Count] : Taken) {
    EXPECT_EQ(Key, Next++);
    EXPECT_EQ(Count, NumKeys / 1000);
  }
  EXPECT_EQ(Counts.size(), 0u);
}
