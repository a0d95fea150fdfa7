//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What branch records become: as they are, and as evidence.
//
//===----------------------------------------------------------------------===//

#include "FakeBinary.h"
#include "FakeCode.h"
#include "inlay/Frequency/Estimation.h"
#include "inlay/Sampling/RawProfile.h"
#include "gtest/gtest.h"

using namespace inlay;
using enum InstructionKind;

namespace {

using Counts = std::vector<std::pair<uint64_t, uint64_t>>;
using Edges = std::vector<std::tuple<uint64_t, uint64_t, uint64_t>>;
using Calls = std::vector<std::tuple<uint64_t, uint64_t, uint64_t>>;

/// Addresses are those of file offsets 0x400000 less.
class BranchesTest : public testing::Test {
protected:
  void setCode(const FakeFunction &Function) {
    for (const FunctionRange &Part : Function.F.Parts)
      Binary.Functions.push_back(Part);
    Code.Functions.push_back(Function.F);
  }
  void range(uint64_t First, uint64_t Last, uint64_t Count) {
    Samples.Ranges[{First - Base, Last - Base}] = Count;
  }
  void branch(uint64_t From, uint64_t To, uint64_t Count) {
    Samples.Branches[{From - Base, To - Base}] = Count;
  }
  void arrival(uint64_t To, uint64_t Count) {
    Samples.BranchesIn[To - Base] = Count;
  }
  void departure(uint64_t From, uint64_t Count) {
    Samples.BranchesOut[From - Base] = Count;
  }
  MachineFrequencies estimate(EstimatorKind Kind) {
    EstimationOptions Options;
    Options.Kind = Kind;
    Options.CountsBranches = true;
    return estimateFrequencies(Samples, Binary, Code, Options);
  }

  static constexpr uint64_t Base = 0x400000;
  FakeBinary Binary;
  FakeCode Code;
  BinarySamples Samples;
};

Edges edgesOf(const FunctionFrequencies &F) {
  Edges Result;
  for (const EdgeFrequency &E : F.Edges)
    Result.emplace_back(E.From, E.To, E.Count);
  return Result;
}

Calls callsOf(const FunctionFrequencies &F) {
  Calls Result;
  for (const CallFrequency &C : F.Calls)
    Result.emplace_back(C.Site, C.Target, C.Count);
  return Result;
}

uint64_t countAt(const FunctionFrequencies &F, uint64_t Address) {
  for (auto [A, Count] : F.Instructions)
    if (A == Address)
      return Count;
  return 0;
}

uint64_t countOf(const FunctionFrequencies &F, uint64_t From, uint64_t To) {
  for (const EdgeFrequency &E : F.Edges)
    if (E.From == From && E.To == To)
      return E.Count;
  return ~0ull;
}

/// A loop around a call, which it may leave out.
FakeFunction loop() {
  FakeFunction F("loop", 0x401000);
  F.block({ALU, ConditionalBranch});  // 1000 1004
  F.block({ALU}).addCall(0x401100);   // 1008 100c
  F.block({ALU, ConditionalBranch});  // 1010 1014
  F.block({Return}, /*IsExit=*/true); // 1018
  F.edge(0, 2, EdgeKind::Taken).edge(0, 1).edge(1, 2);
  F.edge(2, 0, EdgeKind::Taken).edge(2, 3);
  return F;
}

FakeFunction leaf() {
  FakeFunction F("leaf", 0x401100);
  F.block({ALU, Return}, /*IsExit=*/true);
  return F;
}

} // namespace

// Each range adds to what it covers, and falls through inside; branches are
// edges, calls and entries; behind a call goes on what comes back from it.
TEST_F(BranchesTest, AreCountedAsTheyAre) {
  setCode(loop());
  setCode(leaf());
  arrival(0x401000, 3);
  range(0x401000, 0x401004, 20); // the call is left out
  branch(0x401004, 0x401010, 22);
  range(0x401000, 0x40100c, 10);
  branch(0x40100c, 0x401100, 11);
  range(0x401100, 0x401104, 9);
  branch(0x401104, 0x401010, 8);
  range(0x401010, 0x401014, 25); // once more
  branch(0x401014, 0x401000, 26);
  range(0x401010, 0x401018, 2);
  departure(0x401018, 2);
  MachineFrequencies Result = estimate(EstimatorKind::Branches);

  ASSERT_EQ(Result.Functions.size(), 2u);
  const FunctionFrequencies &Loop = Result.Functions[0];
  EXPECT_EQ(Loop.Instructions, (Counts{{0x401000, 30},
                                       {0x401004, 30},
                                       {0x401008, 10},
                                       {0x40100c, 10},
                                       {0x401010, 27},
                                       {0x401014, 27},
                                       {0x401018, 2}}));
  EXPECT_EQ(edgesOf(Loop), (Edges{{0x401004, 0x401008, 10},
                                  {0x401004, 0x401010, 22},
                                  {0x40100c, 0x401010, 8},
                                  {0x401014, 0x401000, 26},
                                  {0x401014, 0x401018, 2}}));
  EXPECT_EQ(Loop.EntryCount, 3u);
  EXPECT_EQ(callsOf(Loop), (Calls{{0x40100c, 0x401100, 11}}));
  EXPECT_EQ(Result.Functions[1].EntryCount, 11u);
  EXPECT_EQ(Result.Functions[1].Instructions,
            (Counts{{0x401100, 9}, {0x401104, 9}}));
  EXPECT_EQ(Result.BranchRecords, 66u);
  EXPECT_EQ(Result.ImpossibleBranchRecords, 0u);
  EXPECT_EQ(Result.ExecutionsPerSample, 1);
  EXPECT_EQ(Result.Resolution, std::nullopt);
}

TEST_F(BranchesTest, LeavesOutWhatTheCodeCannotDo) {
  setCode(loop());
  setCode(leaf());
  range(0x401010, 0x401014, 5);
  range(0x401014, 0x40101c, 10);  // over a return, and out of the function
  range(0x401018, 0x401104, 20);  // likewise, into another one
  range(0x401002, 0x401004, 40);  // from within an instruction
  range(0x401000, 0x401005, 80);  // to within one
  range(0x401014, 0x401010, 160); // backwards
  MachineFrequencies Result = estimate(EstimatorKind::Branches);
  ASSERT_EQ(Result.Functions.size(), 2u);
  EXPECT_EQ(Result.Functions[0].Instructions,
            (Counts{{0x401010, 5}, {0x401014, 5}}));
  EXPECT_TRUE(Result.Functions[1].Instructions.empty());
  EXPECT_EQ(Result.BranchRecords, 315u);
  EXPECT_EQ(Result.ImpossibleBranchRecords, 310u);
}

// Assembly does that.
TEST_F(BranchesTest, ARangeMayFallIntoTheNextFunction) {
  FakeFunction First("first", 0x401000), Second("second", 0x401008);
  First.block({ALU, ALU});
  Second.block({ALU, Return}, /*IsExit=*/true);
  setCode(First);
  setCode(Second);
  range(0x401004, 0x40100c, 7);
  MachineFrequencies Result = estimate(EstimatorKind::Branches);
  ASSERT_EQ(Result.Functions.size(), 2u);
  EXPECT_EQ(Result.Functions[0].Instructions, (Counts{{0x401004, 7}}));
  EXPECT_EQ(Result.Functions[1].Instructions,
            (Counts{{0x401008, 7}, {0x40100c, 7}}));
}

// Code that is split off is the function's; a jump out of it may be a tail
// call, also to itself, and one to a place in its middle is nothing.
TEST_F(BranchesTest, KnowsSplitPartsAndTailCalls) {
  FakeFunction F("f", 0x401000);
  F.block({ALU, ConditionalBranch});
  F.block({ALU, Jump}, /*IsExit=*/true);
  F.part(0x401200);
  F.block({ALU, Jump}, /*IsExit=*/true);
  F.edge(0, 2, EdgeKind::Taken).edge(0, 1);
  F.call(3, 0x401100).IsTail = true;
  F.call(5, 0x401000).IsTail = true;
  setCode(F);
  setCode(leaf());
  branch(0x401004, 0x401200, 3);
  branch(0x40100c, 0x401100, 4);
  branch(0x401204, 0x401000, 5);
  branch(0x40100c, 0x401104, 6); // into the middle
  branch(0x401204, 0x40100c, 7); // no edge
  MachineFrequencies Result = estimate(EstimatorKind::Branches);
  ASSERT_EQ(Result.Functions.size(), 3u);
  EXPECT_EQ(countOf(Result.Functions[0], 0x401004, 0x401200), 3u);
  EXPECT_EQ(Result.Functions[0].EntryCount, 5u);
  EXPECT_EQ(callsOf(Result.Functions[0]), (Calls{{0x40100c, 0x401100, 4}}));
  EXPECT_EQ(Result.Functions[1].EntryCount, 4u);
  EXPECT_EQ(callsOf(Result.Functions[2]), (Calls{{0x401204, 0x401000, 5}}));
}

// Where the table of a switch was not understood, branches tell its targets.
TEST_F(BranchesTest, IndirectJumpsGetEdges) {
  FakeFunction F("f", 0x401000);
  F.block({ALU, IndirectJump}, /*IsExit=*/true);
  F.block({ALU, Return}, /*IsExit=*/true);
  F.block({ALU, Return}, /*IsExit=*/true);
  F.edge(0, 2, EdgeKind::Indirect);
  setCode(F);
  branch(0x401004, 0x401010, 2);
  branch(0x401004, 0x401008, 30);
  branch(0x401004, 0x40100c, 400); // no block begins there
  MachineFrequencies Result = estimate(EstimatorKind::Branches);
  ASSERT_EQ(Result.Functions.size(), 1u);
  EXPECT_EQ(edgesOf(Result.Functions[0]),
            (Edges{{0x401004, 0x401008, 30}, {0x401004, 0x401010, 2}}));
}

// What was not seen is what it must have been, and everything adds up.
TEST_F(BranchesTest, AreEvidenceForTheModel) {
  setCode(loop());
  setCode(leaf());
  arrival(0x401000, 100);
  branch(0x401004, 0x401010, 700);
  range(0x401000, 0x401004, 700);
  // Of the call all was lost, and what went on with it not.
  branch(0x401014, 0x401000, 900);
  range(0x401010, 0x401014, 900);
  range(0x401010, 0x401018, 100);
  range(0x401000, 0x40100c, 300);
  Samples.Total = 1000;
  Samples.TotalPeriod = 17 * 1600;
  MachineFrequencies Result = estimate(EstimatorKind::Model);
  ASSERT_EQ(Result.Functions.size(), 1u);
  const FunctionFrequencies &F = Result.Functions[0];
  EXPECT_NEAR(Result.ExecutionsPerSample, 17, 1e-9);
  ASSERT_TRUE(Result.Resolution);
  EXPECT_NEAR(*Result.Resolution, 17, 1e-9);
  auto ExpectNear = [](uint64_t Count, double Expected) {
    EXPECT_NEAR(double(Count), 17 * Expected, 0.05 * 17 * Expected);
  };
  ExpectNear(countAt(F, 0x401000), 1000);
  ExpectNear(countAt(F, 0x401008), 300);
  ExpectNear(countAt(F, 0x401018), 100);
  ExpectNear(countOf(F, 0x40100c, 0x401010), 300);
  ExpectNear(countOf(F, 0x401004, 0x401010), 700);
  ExpectNear(*F.EntryCount, 100);
  EXPECT_NEAR(
      double(countOf(F, 0x401004, 0x401010) + countOf(F, 0x401004, 0x401008)),
      double(countAt(F, 0x401000)), 2);
  ASSERT_TRUE(Result.SureShare);
  EXPECT_GT(*Result.SureShare, 0.9);
}

// A block of which nothing was seen on the way to one that was.
TEST_F(BranchesTest, TheModelFillsGaps) {
  FakeFunction F("f", 0x401000);
  F.block({ALU, ALU, ALU});
  F.block({ALU, ConditionalBranch});
  F.block({ALU, Return}, /*IsExit=*/true);
  F.edge(0, 1).edge(1, 1, EdgeKind::Taken).edge(1, 2);
  setCode(F);
  range(0x40100c, 0x401010, 5000);
  branch(0x401010, 0x40100c, 5000);
  Samples.TotalPeriod = 5000 * 1000;
  MachineFrequencies Result = estimate(EstimatorKind::Model);
  ASSERT_EQ(Result.Functions.size(), 1u);
  // Less than one observation.
  EXPECT_GT(countAt(Result.Functions[0], 0x401000), 0u);
  EXPECT_LT(countAt(Result.Functions[0], 0x401000), 1000u);
  EXPECT_NEAR(double(countAt(Result.Functions[0], 0x40100c)), 5000e3, 50e3);
}

// Whom an indirect call leads to, in the proportions that were seen; what went
// to other binaries is nobody's here.
TEST_F(BranchesTest, IndirectCallsHaveTargets) {
  FakeFunction F("f", 0x401000);
  F.block().addCall(std::nullopt);
  F.block({Return}, /*IsExit=*/true);
  F.edge(0, 1);
  setCode(F);
  setCode(leaf());
  arrival(0x401000, 1000);
  range(0x401000, 0x401000, 1000);
  branch(0x401000, 0x401100, 60);
  departure(0x401000, 40);
  range(0x401100, 0x401104, 60);
  MachineFrequencies Result = estimate(EstimatorKind::Model);
  ASSERT_EQ(Result.Functions.size(), 2u);
  const FunctionFrequencies &Caller = Result.Functions[0];
  ASSERT_EQ(Caller.Calls.size(), 1u);
  EXPECT_EQ(Caller.Calls[0].Target, 0x401100u);
  EXPECT_EQ(Caller.Calls[0].TargetName, "leaf");
  EXPECT_NEAR(double(Caller.Calls[0].Count),
              0.6 * double(countAt(Caller, 0x401000)), 1);
}

// Damaged input may say anything.
TEST_F(BranchesTest, AbsurdCountsDoNoHarm) {
  setCode(loop());
  for (uint64_t First = 0x401000; First < 0x401010; First += 4)
    range(First, 0x401014, ~0ull);
  branch(0x401004, 0x401010, ~0ull);
  arrival(0x401000, ~0ull);
  departure(0x40100c, ~0ull);
  Samples.TotalPeriod = ~0ull;
  Samples.Total = ~0ull;
  EXPECT_EQ(estimate(EstimatorKind::Branches).Functions.size(), 1u);
  EXPECT_EQ(estimate(EstimatorKind::Model).Functions.size(), 1u);
}
