//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A binary whose function f is in .text, which callgrind knows, and g and its
// split-off part are not; it was loaded at 0x108000.
//
//===----------------------------------------------------------------------===//

#include "inlay/Exact/UnknownCode.h"
#include "FakeBinary.h"
#include "FakeCode.h"
#include "inlay/Exact/ExactFrequencies.h"
#include "gtest/gtest.h"

using namespace inlay;
using enum InstructionKind;
using Counts = std::vector<std::pair<uint64_t, uint64_t>>;

namespace {

class UnknownCodeTest : public testing::Test {
protected:
  UnknownCodeTest() {
    FakeFunction F("f", 0x1000);
    F.block({Call, Call, Return}, true);
    F.call(0, 0x2000); // g
    F.call(1, 0x500);  // a PLT stub
    FakeFunction G("g", 0x2000);
    G.block({ConditionalBranch});
    G.block({Return}, true);
    G.edge(0, 0, EdgeKind::Taken);
    G.edge(0, 1, EdgeKind::FallThrough);
    Code.Functions = {F.F, G.F};
    Binary.Functions = {{0x1000, 0x100c, "f"}, {0x2000, 0x2008, "g"}};

    Profile.HasJumps = true;
    Profile.Functions = {"g", "puts", "f"};
    Profile.Objects.resize(2);
    known().Path = "app";
    known().Instructions = {{0x1000, 3}, {0x1004, 3}, {0x1008, 3}};
    known().Total = 9;
    known().Calls = {{0x1000, 1, 0x10a000, 0, 3},
                     {0x1004, 1, 0x7f0000000510, 1, 3}};
    unknown().Path = "???";
    unknown().Instructions = {
        {0x10a000, 8}, {0x10a004, 3}, {0x7f0000000510, 100}};
    unknown().Total = 111;
    unknown().Jumps = {{0x10a000, 0x10a000, 5}};
    unknown().Calls = {{0x10a004, 0, 0x1000, 2, 1}};
  }

  CallgrindObject &known() { return Profile.Objects[0]; }
  CallgrindObject &unknown() { return Profile.Objects[1]; }
  uint64_t adopt() { return adoptUnknownCode(Profile, known(), Binary, Code); }

  CallgrindProfile Profile;
  FakeBinary Binary;
  FakeCode Code;
};

TEST_F(UnknownCodeTest, IsFoundByTheCallsThatLeadThere) {
  EXPECT_EQ(adopt(), 11u);
  EXPECT_EQ(
      known().Instructions,
      (Counts{
          {0x1000, 3}, {0x1004, 3}, {0x1008, 3}, {0x2000, 8}, {0x2004, 3}}));
  EXPECT_EQ(known().Total, 20u);
  EXPECT_EQ(unknown().Instructions, (Counts{{0x7f0000000510, 100}}));
  EXPECT_EQ(unknown().Total, 100u);
  ASSERT_EQ(known().Jumps.size(), 1u);
  EXPECT_EQ(known().Jumps[0].From, 0x2000u);
  EXPECT_EQ(known().Jumps[0].To, 0x2000u);
  ASSERT_EQ(known().Calls.size(), 3u);
  EXPECT_EQ(known().Calls[0].CalleeObject, 0u);
  EXPECT_EQ(known().Calls[0].Callee, 0x2000u);
  EXPECT_EQ(known().Calls[1].CalleeObject, 1u); // puts is elsewhere
  EXPECT_EQ(known().Calls[2].Site, 0x2004u);
  EXPECT_TRUE(unknown().Calls.empty());

  ExactCounts Exact = exactFrequencies(Profile, known(), Binary, Code);
  ASSERT_EQ(Exact.Frequencies.Functions.size(), 2u);
  EXPECT_EQ(Exact.Frequencies.Functions[1].EntryCount, 3u);
}

TEST_F(UnknownCodeTest, StaysWhereItIsIfNothingTellsItsPlace) {
  known().Calls.erase(known().Calls.begin());
  EXPECT_EQ(adopt(), 0u);
  EXPECT_EQ(known().Total, 9u);
  EXPECT_EQ(unknown().Total, 111u);
}

TEST_F(UnknownCodeTest, IsNothingWithoutUnknownObject) {
  unknown().Path = "libc.so";
  EXPECT_EQ(adopt(), 0u);
}

} // namespace
