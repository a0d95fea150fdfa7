//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kept profile is found by what it was made of, and by nothing else.
//
//===----------------------------------------------------------------------===//

#include "inlay/Store/SymbolizedProfiles.h"
#include "StoreTest.h"
#include "llvm/Support/Compression.h"
#include <functional>
#include <set>

using namespace inlay;
using namespace llvm;

static SummedSamples makeSum() {
  SummedSamples Sum;
  Sum.Event.Name = "cycles";
  Sum.Event.SamplePeriodOrFrequency = 99;
  Sum.Arch = "x86_64";
  Sum.CpuID = "GenuineIntel,6,1,1";
  Sum.Samples.BuildID = {1, 2};
  Sum.Samples.Counts = {{1, 2}, {3, 4}};
  Sum.Samples.Total = 6;
  Sum.Samples.Ranges = {{{1, 2}, 3}};
  Sum.VirtualCounts = {{7, 8}};
  Sum.Calls = {{1, 2, true, 3}};
  return Sum;
}

TEST(SymbolizedProfilesTest, EverythingIsPartOfTheKey) {
  const std::function<void(SummedSamples &)> Changes[] = {
      [](SummedSamples &Sum) {},
      [](SummedSamples &Sum) { Sum.Event.Name = "cycle"; },
      [](SummedSamples &Sum) { Sum.Event.Type = 1; },
      [](SummedSamples &Sum) { Sum.Event.Config = 1; },
      [](SummedSamples &Sum) { Sum.Event.BranchSampleType = 1; },
      [](SummedSamples &Sum) { Sum.Event.PreciseIP = 1; },
      [](SummedSamples &Sum) { Sum.Event.SamplePeriodOrFrequency = 1; },
      [](SummedSamples &Sum) { Sum.Event.IsFrequency = true; },
      [](SummedSamples &Sum) { Sum.Arch = ""; },
      [](SummedSamples &Sum) { Sum.CpuDesc = "x86_64"; },
      [](SummedSamples &Sum) { Sum.CpuID = ""; },
      [](SummedSamples &Sum) { Sum.Samples.BuildID = {1}; },
      [](SummedSamples &Sum) { Sum.Samples.Kind = CodeKind::Kernel; },
      [](SummedSamples &Sum) { Sum.Samples.Counts[1] = 3; },
      [](SummedSamples &Sum) { Sum.Samples.Counts[5] = 1; },
      [](SummedSamples &Sum) { Sum.Samples.Total = 7; },
      [](SummedSamples &Sum) { Sum.Samples.TotalPeriod = 7; },
      [](SummedSamples &Sum) { Sum.Samples.Branches[{1, 2}] = 3; },
      [](SummedSamples &Sum) { Sum.Samples.BranchesIn[7] = 8; },
      [](SummedSamples &Sum) { Sum.Samples.BranchesOut[7] = 8; },
      [](SummedSamples &Sum) { Sum.Samples.Ranges[{1, 2}] = 4; },
      [](SummedSamples &Sum) { Sum.Samples.Ranges.clear(); },
      [](SummedSamples &Sum) { Sum.VirtualCounts.clear(); },
      [](SummedSamples &Sum) {
        std::swap(Sum.VirtualCounts, Sum.Samples.BranchesIn);
      },
      [](SummedSamples &Sum) { Sum.Calls.clear(); },
      [](SummedSamples &Sum) { Sum.Calls[0].Return = std::nullopt; },
      [](SummedSamples &Sum) { Sum.Calls[0].Callee = 9; },
      [](SummedSamples &Sum) { Sum.Calls[0].IsLeaf = false; },
      [](SummedSamples &Sum) { Sum.Calls[0].Samples = 9; },
  };
  std::set<std::string> Keys;
  for (const auto &Change : Changes) {
    SummedSamples Sum = makeSum();
    Change(Sum);
    Keys.insert(symbolizedKey(Sum, "made"));
  }
  EXPECT_EQ(Keys.size(), std::size(Changes));
  EXPECT_TRUE(Keys.insert(symbolizedKey(makeSum(), "otherwise")).second);
}

TEST(SymbolizedProfilesTest, OrderIsNot) {
  SummedSamples Forth = makeSum(), Back = makeSum();
  for (uint64_t N = 0; N < 1000; ++N) {
    Forth.Samples.Counts[N * 64] = 1;
    Back.Samples.Counts[(999 - N) * 64] = 1;
  }
  EXPECT_EQ(symbolizedKey(Forth, ""), symbolizedKey(Back, ""));
}

TEST(SymbolizedProfilesTest, WhatIsKeptIsFound) {
  if (!compression::zlib::isAvailable())
    GTEST_SKIP() << "LLVM has no zlib";
  auto DB = makeStore();
  std::string Bytes(100000, '\0');
  for (size_t At = 0; At < Bytes.size(); ++At)
    Bytes[At] = static_cast<char>(At * At);
  EXPECT_TRUE(
      hasValue(keepSymbolized(*DB, "key", {1, 2}, {Bytes, 5, 6}), true));
  // The first one stays.
  EXPECT_TRUE(hasValue(keepSymbolized(*DB, "key", {1, 2}, {"x", 1, 1}), true));
  auto Found = findSymbolized(*DB, "key");
  ASSERT_TRUE(succeeded(Found));
  ASSERT_TRUE(Found->has_value());
  EXPECT_EQ((*Found)->Profile, Bytes);
  EXPECT_EQ((*Found)->Samples, 5u);
  EXPECT_EQ((*Found)->Functions, 6u);
  auto Other = findSymbolized(*DB, "ke");
  ASSERT_TRUE(succeeded(Other));
  EXPECT_FALSE(Other->has_value());
  std::string Large(MaxSymbolizedBytes + 1, 'x');
  EXPECT_TRUE(hasValue(keepSymbolized(*DB, "l", {1}, {Large, 1, 1}), false));
  // No capture is of that binary.
  EXPECT_TRUE(hasValue(deleteOldSymbolized(*DB, std::nullopt), 1u));
}
