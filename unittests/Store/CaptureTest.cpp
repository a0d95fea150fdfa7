//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What goes into a store comes out of it: exactly, once, folded or not, and
// within bounds whatever it is.
//
//===----------------------------------------------------------------------===//

#include "StoreTest.h"
#include "inlay/Store/Housekeeping.h"
#include <random>

using namespace inlay;
using namespace llvm;

static std::vector<SummedSamples> sums(Database &DB,
                                       const CaptureWeighting &Weighting = {}) {
  auto Groups = selectCaptures(DB, {"app", {}, {}, {}, {}}, Weighting);
  if (!Groups) {
    ADD_FAILURE() << toString(Groups.takeError());
    return {};
  }
  auto Sums = sumCaptures(DB, "app", *Groups);
  if (!Sums) {
    ADD_FAILURE() << toString(Sums.takeError());
    return {};
  }
  return std::move(*Sums);
}

TEST(CaptureTest, AllKindsOfCountsComeBack) {
  auto DB = makeStore();
  Capture C = makeCapture("a", [](BinarySamples &Samples) {
    Samples.Counts = {{0, 1}, {0x1000, 7}, {INT64_MAX, 3}};
    Samples.Branches = {{{0x10, 0x20}, 5}, {{0x10, 0x30}, 6}, {{0x20, 0}, 1}};
    Samples.BranchesIn = {{0x40, 8}};
    Samples.BranchesOut = {{0x50, 9}};
    Samples.Ranges = {{{0x20, 0x2f}, 11}, {{0x2f, 0x20}, 12}};
    Samples.TotalPeriod = 123456789;
  });
  EXPECT_TRUE(hasValue(CaptureWriter(*DB).deliver(C), true));
  for (bool IsFolded : {false, true}) {
    if (IsFolded)
      EXPECT_TRUE(hasValue(foldCaptures(*DB), 1u));
    auto Sums = sums(*DB);
    ASSERT_EQ(Sums.size(), 1u);
    const BinarySamples &In = C.Profile.Events[0].Binaries[0],
                        &Out = Sums[0].Samples;
    EXPECT_TRUE(Out.Counts == In.Counts);
    EXPECT_TRUE(Out.Branches == In.Branches);
    EXPECT_TRUE(Out.BranchesIn == In.BranchesIn);
    EXPECT_TRUE(Out.BranchesOut == In.BranchesOut);
    EXPECT_TRUE(Out.Ranges == In.Ranges);
    EXPECT_EQ(Out.Total, 11u);
    EXPECT_EQ(Out.TotalPeriod, 123456789u);
    EXPECT_EQ(Out.Path, In.Path);
    EXPECT_EQ(Out.BuildID, In.BuildID);
    EXPECT_EQ(Sums[0].Event.Name, "cpu-clock");
    EXPECT_EQ(Sums[0].Event.SamplePeriodOrFrequency, 99u);
    EXPECT_TRUE(Sums[0].Event.IsFrequency);
    EXPECT_EQ(Sums[0].CpuID, "AuthenticAMD,25,1,1");
  }
}

/// Chains of two binaries: what is kept of each are the pairs of its frames.
TEST(CaptureTest, CallChainsComeBackAsPairs) {
  auto DB = makeStore();
  CaptureWriter Writer(*DB);
  constexpr unsigned NumCaptures = 3;
  std::vector<CallSamples> Expected;
  for (unsigned Index = 0; Index < NumCaptures; ++Index) {
    Capture C = makeCapture(std::to_string(Index), [](BinarySamples &Samples) {
      Samples.Counts = {{0x30, 6}, {0x40, 5}};
    });
    EventSamples &Event = C.Profile.Events[0];
    Event.Binaries.emplace_back().Path = "/lib/libc.so";
    Event.Binaries.back().BuildID = {5};
    // main 0x10 -> f 0x20 -> 0x30, 0x40; main 0x10 -> libc 0x99 -> 0x40
    Event.Stacks = {{StackNode::Root, 0, 0x10, 0, false},
                    {0, 0, 0x20, 0, false},
                    {1, 0, 0x30, 6, true},
                    {1, 0, 0x40, 4, true},
                    {0, 1, 0x99, 0, false},
                    {4, 0, 0x40, 1, true}};
    Expected = callSamplesOf(Event, Event.Binaries[0]);
    ASSERT_TRUE(hasValue(Writer.deliver(C), true));
    if (Index == 1)
      ASSERT_TRUE(hasValue(foldCaptures(*DB), 2u));
  }
  ASSERT_EQ(Expected.size(), 5u);
  auto Sums = sums(*DB);
  // libc's frame is no sample: it makes no sum.
  ASSERT_EQ(Sums.size(), 1u);
  ASSERT_EQ(Sums[0].Calls.size(), Expected.size());
  for (auto [Sum, One] : zip_equal(Sums[0].Calls, Expected)) {
    EXPECT_EQ(Sum.Return, One.Return);
    EXPECT_EQ(Sum.Callee, One.Callee);
    EXPECT_EQ(Sum.IsLeaf, One.IsLeaf);
    EXPECT_EQ(Sum.Samples, NumCaptures * One.Samples);
  }
}

/// Of too many pairs the rare ones go.
TEST(CaptureTest, CallChainsAreBounded) {
  auto DB = makeStore();
  Capture C = makeCapture(
      "a", [](BinarySamples &Samples) { Samples.Counts = {{1, 1}}; });
  EventSamples &Event = C.Profile.Events[0];
  const uint64_t NumLeaves = MaxCaptureFrames + 100;
  for (uint64_t Leaf = 0; Leaf < NumLeaves; ++Leaf)
    Event.Stacks.push_back(
        {StackNode::Root, 0, Leaf, Leaf % 2 ? 1u : 2u, true});
  ASSERT_TRUE(hasValue(CaptureWriter(*DB).deliver(C), true));
  auto Sums = sums(*DB);
  ASSERT_EQ(Sums[0].Calls.size(), MaxCaptureFrames);
  uint64_t NumFrequent = count_if(
      Sums[0].Calls, [](const CallSamples &Call) { return Call.Samples == 2; });
  EXPECT_EQ(NumFrequent, NumLeaves / 2);
}

/// Two events that are one in the store, of two kinds of cores say, and a file
/// under two paths, are added.
TEST(CaptureTest, WhatIsOneInTheStoreIsAdded) {
  auto DB = makeStore();
  Capture C = makeCapture(
      "a", [](BinarySamples &Samples) { Samples.Counts = {{1, 1}, {2, 3}}; });
  EventSamples Twin = C.Profile.Events[0];
  Twin.Binaries.push_back(Twin.Binaries[0]);
  Twin.Binaries[1].Path = "/proc/1/root/usr/bin/app";
  C.Profile.Events.push_back(Twin);
  ASSERT_TRUE(hasValue(CaptureWriter(*DB).deliver(C), true));
  auto Sums = sums(*DB);
  ASSERT_EQ(Sums.size(), 1u);
  EXPECT_EQ(Sums[0].Samples.Counts.lookup(2), 9u);
  EXPECT_EQ(Sums[0].Samples.Total, 12u);
}

/// A store does not wait for anybody to fold what it has.
TEST(CaptureTest, ManyThatWaitAreFolded) {
  auto DB = makeStore();
  CaptureWriter Writer(*DB);
  for (unsigned Index = 0; Index < MostWaitingCaptures; ++Index) {
    EXPECT_TRUE(hasValue(foldIfManyWait(*DB), 0u));
    ASSERT_TRUE(hasValue(Writer.deliver(makeCapture(std::to_string(Index),
                                                    [](BinarySamples &Samples) {
                                                      Samples.Counts = {{1, 1}};
                                                    })),
                         true));
  }
  EXPECT_TRUE(hasValue(foldIfManyWait(*DB), MostWaitingCaptures));
  EXPECT_EQ(sums(*DB)[0].Samples.Total, MostWaitingCaptures);
  EXPECT_TRUE(hasValue(foldIfManyWait(*DB), 0u));
}

TEST(CaptureTest, TheSameOneCountsOnce) {
  auto DB = makeStore();
  CaptureWriter Writer(*DB);
  Capture C = makeCapture(
      "a", [](BinarySamples &Samples) { Samples.Counts = {{1, 1}}; });
  EXPECT_TRUE(hasValue(Writer.deliver(C), true));
  EXPECT_TRUE(hasValue(Writer.deliver(C), false));
  EXPECT_TRUE(hasValue(foldCaptures(*DB), 1u));
  EXPECT_TRUE(hasValue(CaptureWriter(*DB).deliver(C), false));
  EXPECT_TRUE(hasValue(foldCaptures(*DB), 0u));
  EXPECT_EQ(sums(*DB)[0].Samples.Total, 1u);
}

/// Sums of random captures, folded at random moments, are those of a simple
/// model; and nothing is lost by weights.
TEST(CaptureTest, SumsAgreeWithASimpleModel) {
  std::mt19937 Random(3);
  for (unsigned Round = 0; Round < 20; ++Round) {
    auto DB = makeStore();
    CaptureWriter Writer(*DB);
    OffsetCounts<uint64_t> Expected;
    double WeightedTotal = 0;
    constexpr unsigned NumCaptures = 20;
    for (unsigned Index = 0; Index < NumCaptures; ++Index) {
      Capture C = makeCapture(std::to_string(Index), [&](BinarySamples &S) {
        for (unsigned N = 1 + Random() % 30; N; --N)
          S.Counts[Random() % 50] += 1 + Random() % 9;
      });
      C.Host = "h" + std::to_string(Random() % 3);
      unsigned Age = Index == 0 ? 0 : Random() % 6;
      C.Started -= Age * 86400;
      for (auto [Offset, Count] : C.Profile.Events[0].Binaries[0].Counts)
        Expected[Offset] += Count;
      WeightedTotal += static_cast<double>(C.Profile.Events[0].Total) *
                       std::exp2(-double(Age) / 2);
      ASSERT_TRUE(hasValue(Writer.deliver(C), true));
      if (Random() % 4 == 0)
        ASSERT_TRUE(succeeded(foldCaptures(*DB)));
    }
    EXPECT_TRUE(sums(*DB)[0].Samples.Counts == Expected);
    CaptureWeighting Weighting;
    Weighting.HalfLifeDays = 2;
    EXPECT_NEAR(double(sums(*DB, Weighting)[0].Samples.Total), WeightedTotal,
                1);
    unsigned Problems = 0;
    EXPECT_TRUE(succeeded(checkStore(*DB, [&](const Twine &Problem) {
      ++Problems;
      ADD_FAILURE() << Problem.str();
    })));
  }
}

TEST(CaptureTest, ClocksThatAreWrongByYearsAreNotBelieved) {
  for (int64_t Started : {int64_t(0), int64_t(4) << 32}) {
    auto DB = makeStore();
    Capture C = makeCapture(
        "a", [](BinarySamples &Samples) { Samples.Counts = {{1, 1}}; });
    C.Started = Started;
    ASSERT_TRUE(hasValue(CaptureWriter(*DB).deliver(C), true));
    auto Groups = selectCaptures(*DB, {"app", {}, {}, {}, {}}, {});
    ASSERT_TRUE(succeeded(Groups));
    auto Today = today(*DB);
    ASSERT_TRUE(succeeded(Today));
    EXPECT_NEAR(double((*Groups)[0].On), double(*Today), 1);
  }
}

TEST(CaptureTest, HugeCountsAreCutAndSumsDoNotOverflow) {
  auto DB = makeStore();
  CaptureWriter Writer(*DB);
  for (unsigned Index = 0; Index < 5; ++Index)
    ASSERT_TRUE(hasValue(Writer.deliver(makeCapture(
                             std::to_string(Index),
                             [](BinarySamples &Samples) {
                               Samples.Counts = {{1, UINT64_MAX / 2}};
                               Samples.TotalPeriod = UINT64_MAX;
                               // Beyond any file.
                               Samples.Ranges = {{{1, UINT64_MAX - 2}, 1}};
                             })),
                         true));
  EXPECT_EQ(sums(*DB)[0].Samples.Counts.lookup(1), 5 * MaxCaptureCount);
  EXPECT_TRUE(sums(*DB)[0].Samples.Ranges.empty());
  ASSERT_TRUE(hasValue(foldCaptures(*DB), 5u));
  auto Folded = sums(*DB);
  ASSERT_EQ(Folded.size(), 1u);
  EXPECT_EQ(Folded[0].Samples.Counts.lookup(1), MaxCaptureCount);
}

/// Totals that whoever may insert makes up neither overflow nor count.
TEST(CaptureTest, HostileTotalsAreLeftOut) {
  for (int64_t Huge : {INT64_MAX, int64_t(MaxSummedPeriod - 1),
                       int64_t(MaxCapturePeriod), int64_t(-1)}) {
    auto DB = makeStore();
    CaptureWriter Writer(*DB);
    constexpr unsigned NumCaptures = 20;
    for (unsigned Index = 0; Index < NumCaptures; ++Index)
      ASSERT_TRUE(hasValue(Writer.deliver(makeCapture(
                               std::to_string(Index),
                               [](BinarySamples &S) { S.Counts = {{1, 1}}; })),
                           true));
    ASSERT_TRUE(succeeded(DB->execute(
        "UPDATE capture_samples SET samples = $1, period = $1", {Huge})));
    // Of a group without samples nothing is taken.
    ASSERT_TRUE(
        hasValue(Writer.deliver(makeCapture(
                     "sound", [](BinarySamples &S) { S.Counts = {{1, 1}}; })),
                 true));
    auto Sums = sums(*DB);
    ASSERT_EQ(Sums.size(), 1u);
    EXPECT_EQ(Sums[0].Samples.Total, NumCaptures + 1);
    EXPECT_EQ(Sums[0].Samples.TotalPeriod,
              Huge == MaxCapturePeriod ? NumCaptures * MaxCapturePeriod : 0);
    EXPECT_TRUE(hasValue(foldCaptures(*DB), NumCaptures + 1));
    EXPECT_EQ(sums(*DB)[0].Samples.Total, NumCaptures + 1);
    EXPECT_EQ(sums(*DB)[0].Samples.TotalPeriod, Sums[0].Samples.TotalPeriod);
  }
}

TEST(CaptureTest, NamesCannotMoveACursor) {
  EXPECT_EQ(printableName("caf\xc3\xa9 \xe2\x82\xac"),
            "caf\xc3\xa9 \xe2\x82\xac");
  EXPECT_EQ(printableName("a\x1b[2J\nb\x7f"), "a?[2J?b?");
  EXPECT_EQ(printableName("\xc2\x9b[2J"), "?[2J");
  EXPECT_EQ(printableName(StringRef("\0\xff", 2)), "?\xef\xbf\xbd");
  EXPECT_LE(printableName(std::string(100000, 'x')).size(), 4096u);
}

/// What nobody who keeps to the rules writes does no harm.
TEST(CaptureTest, HostileRowsAreLeftOut) {
  for (StringRef Counts :
       {"{\"1\":-5,\"2\":7}", "{\"-1\":5,\"2\":7}", "{\"1\":\"x\",\"2\":7}",
        "{\"1\":1e300,\"2\":7}", "{\"x\":0,\"2\":7}",
        "{\"1\":9223372036854775807,\"2\":7}", "{\"1,-2\":3,\"2\":7}"}) {
    auto DB = makeStore();
    Capture C = makeCapture(
        "a", [](BinarySamples &Samples) { Samples.Counts = {{2, 7}}; });
    ASSERT_TRUE(hasValue(CaptureWriter(*DB).deliver(C), true));
    ASSERT_TRUE(hasValue(
        DB->execute("UPDATE capture_samples SET counts = $1", {Counts}), 1u));
    auto Sums = sums(*DB);
    ASSERT_EQ(Sums.size(), 1u) << Counts.str();
    EXPECT_EQ(Sums[0].Samples.Counts.size(), 1u) << Counts.str();
    EXPECT_EQ(Sums[0].Samples.Counts.lookup(2), 7u) << Counts.str();
    EXPECT_TRUE(hasValue(foldCaptures(*DB), 1u));
  }
}

TEST(CaptureTest, OldOnesAndTheirNamesGo) {
  auto DB = makeStore();
  CaptureWriter Writer(*DB);
  for (unsigned Index = 0; Index < 4; ++Index) {
    Capture C = makeCapture(std::to_string(Index), [](BinarySamples &Samples) {
      Samples.Counts = {{1, 1}};
    });
    C.Started = cantFail(today(*DB)) * 86400 - Index * 86400;
    C.Host = "h" + std::to_string(Index);
    ASSERT_TRUE(hasValue(Writer.deliver(C), true));
    if (Index == 2)
      ASSERT_TRUE(hasValue(foldCaptures(*DB), 3u));
  }
  auto Deleted = deleteBefore(*DB, cantFail(today(*DB)) - 1);
  ASSERT_TRUE(succeeded(Deleted));
  EXPECT_EQ(Deleted->Captures, 2u);
  EXPECT_EQ(Deleted->Series, 1u);
  EXPECT_EQ(Deleted->Names, 2u);
  EXPECT_EQ(sums(*DB)[0].Samples.Total, 2u);
  // A writer that remembers a name which is gone does not fail.
  Capture C = makeCapture(
      "9", [](BinarySamples &Samples) { Samples.Counts = {{1, 1}}; });
  C.Host = "h3";
  EXPECT_TRUE(hasValue(Writer.deliver(C), true));
}

TEST(CaptureTest, DamageIsFound) {
  StringRef Damages[] = {
      "UPDATE host SET name = 'other'",
      "UPDATE capture_samples SET samples = samples + 1",
      "UPDATE capture_samples SET counts = '{\"1\":-1}'",
      "UPDATE capture_samples SET kind = 9",
      "UPDATE folded SET samples = samples + 1",
      "UPDATE folded SET a = -1",
      "DELETE FROM folded",
  };
  for (StringRef Damage : Damages) {
    auto DB = makeStore();
    CaptureWriter Writer(*DB);
    for (StringRef Content : {"a", "b"}) {
      ASSERT_TRUE(
          hasValue(Writer.deliver(makeCapture(Content,
                                              [](BinarySamples &Samples) {
                                                Samples.Counts = {{1, 1}};
                                              })),
                   true));
      if (Content == "a")
        ASSERT_TRUE(hasValue(foldCaptures(*DB), 1u));
    }
    unsigned Problems = 0;
    auto Count = [&](const Twine &) { ++Problems; };
    EXPECT_TRUE(succeeded(checkStore(*DB, Count)));
    EXPECT_EQ(Problems, 0u);
    ASSERT_TRUE(succeeded(DB->execute(Damage)));
    EXPECT_TRUE(succeeded(checkStore(*DB, Count)));
    EXPECT_GT(Problems, 0u) << Damage.str();
  }
}
