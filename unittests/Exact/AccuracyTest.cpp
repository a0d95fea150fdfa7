//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Metrics on graphs whose values are computed by hand.
//
//===----------------------------------------------------------------------===//

#include "inlay/Exact/Accuracy.h"
#include "FakeCode.h"
#include "gtest/gtest.h"

using namespace inlay;
using enum InstructionKind;

namespace {

/// Function \p Name at \p Entry:
///   block 0 at +0    2 instructions and a no-op, the last one a branch
///   block 1 at +0xc  1 instruction
///   block 2 at +0x10 a no-op and a return
FakeFunction diamond(llvm::StringRef Name, uint64_t Entry) {
  FakeFunction F(Name, Entry);
  F.block({Nop, ALU, ConditionalBranch});
  F.block({ALU});
  F.block({Nop, Return}, true);
  F.edge(0, 2, EdgeKind::Taken);
  F.edge(0, 1, EdgeKind::FallThrough);
  F.edge(1, 2, EdgeKind::FallThrough);
  return F;
}

/// Counts of the diamond's three blocks, on all of their instructions.
FunctionFrequencies counts(uint64_t Entry, uint64_t Block0, uint64_t Block1,
                           uint64_t Block2) {
  FunctionFrequencies F;
  F.Begin = Entry;
  F.End = Entry + 0x18;
  F.Instructions = {{Entry, Block0},        {Entry + 4, Block0},
                    {Entry + 8, Block0},    {Entry + 0xc, Block1},
                    {Entry + 0x10, Block2}, {Entry + 0x14, Block2}};
  for (auto [Address, Count] : F.Instructions)
    F.Samples += Count;
  return F;
}

FunctionFrequencies withEdges(FunctionFrequencies F, uint64_t FallThrough,
                              uint64_t Taken) {
  F.Edges = {{F.Begin + 8, F.Begin + 0xc, FallThrough},
             {F.Begin + 8, F.Begin + 0x10, Taken},
             {F.Begin + 0xc, F.Begin + 0x10, FallThrough}};
  return F;
}

class AccuracyTest : public testing::Test {
protected:
  AccuracyTest() {
    Code.Functions = {diamond("f", 0x1000).F, diamond("g", 0x2000).F};
  }

  Accuracy measure(AccuracyLimits Limits = {}) {
    return llvm::cantFail(
        measureAccuracy(Exact, Estimate, RawSamples, Code, Limits));
  }

  FakeCode Code;
  MachineFrequencies Exact, Estimate, RawSamples;
};

TEST_F(AccuracyTest, ExactCountsAgreeWithThemselvesOnAnyScale) {
  Exact.Functions = {withEdges(counts(0x1000, 10, 2, 10), 2, 8),
                     withEdges(counts(0x2000, 4, 4, 4), 4, 0)};
  Estimate.Functions = {withEdges(counts(0x1000, 70, 14, 70), 14, 56),
                        withEdges(counts(0x2000, 28, 28, 28), 28, 0)};
  RawSamples = Estimate;
  Accuracy Got = measure();
  EXPECT_DOUBLE_EQ(Got.Overlap, 1);
  EXPECT_DOUBLE_EQ(*Got.FunctionOverlap, 1);
  EXPECT_DOUBLE_EQ(*Got.BranchError, 0);
  EXPECT_DOUBLE_EQ(*Got.Direction, 1);
  EXPECT_DOUBLE_EQ(Got.ShareWithoutSamples, 0);
  EXPECT_EQ(Got.Functions, 2u);
  EXPECT_EQ(Got.Blocks, 6u);
  EXPECT_EQ(Got.Branches, 2u);
}

TEST_F(AccuracyTest, OverlapsAreWeightedByInstructions) {
  // Weights of blocks: 2, 1, 1 instructions.
  Exact.Functions = {counts(0x1000, 10, 2, 10),    // 20 2 10: 32
                     counts(0x2000, 4, 4, 4)};     // 8 4 4: 16
  Estimate.Functions = {counts(0x1000, 4, 4, 4),   // 8 4 4: 16
                        counts(0x2000, 0, 16, 0)}; // 0 16 0: 16
  RawSamples = Estimate;
  Accuracy Got = measure();
  // Of 48 and of 32: f 8/32 < 20/48, 2/48 < 4/32, 4/32 < 10/48; g 4/48.
  EXPECT_DOUBLE_EQ(Got.Overlap, 8. / 32 + 2. / 48 + 4. / 32 + 4. / 48);
  // Within a factor of two: f's blocks 20/48 and 8/32, 10/48 and 4/32; g's 8/48
  // and 0, 4/48 and 16/32, 4/48 and 0 are not, nor is f's 2/48 and 4/32.
  EXPECT_DOUBLE_EQ(Got.WithinTwo, 30. / 48);
  // f: 8/16, 2/32, 4/16; g: 4/16; weights 32 and 16.
  const double F = 8. / 16 + 2. / 32 + 4. / 16, G = 4. / 16;
  EXPECT_DOUBLE_EQ(*Got.FunctionOverlap, (32 * F + 16 * G) / 48);

  ASSERT_EQ(Got.Worst.size(), 2u);
  const FunctionAccuracy &WorstF =
      Got.Worst[0].Name == "f" ? Got.Worst[0] : Got.Worst[1];
  EXPECT_EQ(WorstF.Entry, 0x1000u);
  EXPECT_DOUBLE_EQ(WorstF.ExactShare, 32. / 48);
  EXPECT_DOUBLE_EQ(WorstF.EstimatedShare, 16. / 32);
  EXPECT_DOUBLE_EQ(*WorstF.Overlap, F);
  // All that is misplaced is what the overlap lacks.
  EXPECT_DOUBLE_EQ(Got.Worst[0].Misplaced + Got.Worst[1].Misplaced,
                   1 - Got.Overlap);
  EXPECT_GE(Got.Worst[0].Misplaced, Got.Worst[1].Misplaced);

  // g: blocks |8/48 - 0|, |4/48 - 16/32|, |4/48 - 0|.
  const FunctionAccuracy &WorstG =
      Got.Worst[0].Name == "g" ? Got.Worst[0] : Got.Worst[1];
  ASSERT_EQ(WorstG.Blocks.size(), 3u);
  EXPECT_EQ(WorstG.Blocks[0].Address, 0x200cu);
  EXPECT_DOUBLE_EQ(WorstG.Blocks[0].Misplaced, 16. / 32 - 4. / 48);
  EXPECT_EQ(WorstG.Blocks[0].Instructions, 1u);
  EXPECT_DOUBLE_EQ(WorstG.Blocks[0].Exact, 4);
  EXPECT_DOUBLE_EQ(WorstG.Blocks[0].Estimate, 16 * 48. / 32);
  EXPECT_EQ(WorstG.Blocks[0].Samples, 16u);
  EXPECT_EQ(WorstG.Blocks[1].Address, 0x2000u);
  EXPECT_EQ(WorstG.Blocks[1].Instructions, 2u);
}

TEST_F(AccuracyTest, ABlocksEstimateIsTheMaximumOfItsInstructions) {
  Exact.Functions = {counts(0x1000, 10, 10, 10)};
  FunctionFrequencies Raw;
  Raw.Begin = 0x1000;
  Raw.End = 0x1018;
  Raw.Instructions = {{0x1004, 1}, {0x1008, 5}, {0x100c, 5}, {0x1014, 5}};
  Raw.Samples = 16;
  Estimate.Functions = {Raw};
  RawSamples = Estimate;
  EXPECT_DOUBLE_EQ(measure().Overlap, 1);
}

TEST_F(AccuracyTest, FunctionsWithoutSamplesCountInTheBinarysTotal) {
  Exact.Functions = {withEdges(counts(0x1000, 10, 10, 10), 10, 0),
                     withEdges(counts(0x2000, 30, 30, 30), 0, 30)};
  Estimate.Functions = {withEdges(counts(0x1000, 1, 1, 1), 1, 0)};
  RawSamples = Estimate;
  Accuracy Got = measure();
  EXPECT_DOUBLE_EQ(Got.Overlap, 0.25);
  EXPECT_DOUBLE_EQ(*Got.FunctionOverlap, 1);
  EXPECT_DOUBLE_EQ(*Got.BranchError, 0);
  EXPECT_DOUBLE_EQ(Got.ShareWithoutSamples, 0.75);
  EXPECT_EQ(Got.Functions, 2u);
  EXPECT_EQ(Got.FunctionsWithSamples, 1u);
  EXPECT_EQ(Got.Branches, 1u);
}

TEST_F(AccuracyTest, SampledFunctionsThatNeverRanTakeFromTheOthers) {
  Exact.Functions = {counts(0x1000, 10, 10, 10)};
  Estimate.Functions = {counts(0x1000, 3, 3, 3), counts(0x2000, 1, 1, 1)};
  RawSamples = Estimate;
  Accuracy Got = measure();
  EXPECT_DOUBLE_EQ(Got.Overlap, 0.75);
  EXPECT_DOUBLE_EQ(*Got.FunctionOverlap, 1);
}

TEST_F(AccuracyTest, SampledFunctionsThatTheEstimateForgetsCount) {
  Exact.Functions = {counts(0x1000, 10, 10, 10), counts(0x2000, 10, 10, 10)};
  Estimate.Functions = {counts(0x1000, 3, 3, 3), counts(0x2000, 0, 0, 0)};
  RawSamples.Functions = {counts(0x1000, 3, 3, 3), counts(0x2000, 1, 0, 0)};
  EXPECT_DOUBLE_EQ(*measure().FunctionOverlap, 0.5);
}

TEST_F(AccuracyTest, BranchesComeFromEdgesOrElseFromSuccessors) {
  // p(taken): f 0.8 of 10, g 0 of 30.
  Exact.Functions = {withEdges(counts(0x1000, 10, 2, 10), 2, 8),
                     withEdges(counts(0x2000, 30, 30, 30), 30, 0)};
  // f has edges: 0.5, undecided. g has not: blocks 1 and 2, 3 / (1 + 3).
  Estimate.Functions = {withEdges(counts(0x1000, 10, 5, 10), 5, 5),
                        counts(0x2000, 4, 1, 3)};
  RawSamples = Estimate;
  Accuracy Got = measure();
  EXPECT_DOUBLE_EQ(*Got.BranchError, (10 * 0.3 + 30 * 0.75) / 40);
  EXPECT_DOUBLE_EQ(*Got.Direction, 10 * 0.5 / 40);

  // An even branch has no right side; one without estimate is even.
  Exact.Functions = {withEdges(counts(0x1000, 100, 49, 100), 49, 51),
                     withEdges(counts(0x2000, 30, 0, 30), 0, 30)};
  Estimate.Functions = {withEdges(counts(0x1000, 10, 8, 10), 8, 2),
                        withEdges(counts(0x2000, 4, 0, 0), 0, 0)};
  Estimate.Functions[1].Edges.front().Count = 0;
  Got = measure();
  EXPECT_DOUBLE_EQ(*Got.BranchError, (100 * 0.31 + 30 * 0.5) / 130);
  EXPECT_DOUBLE_EQ(*Got.Direction, 0.5);
}

TEST_F(AccuracyTest, WithoutExactEdgesThereIsNoBranchError) {
  Exact.Functions = {counts(0x1000, 10, 2, 10)};
  Estimate.Functions = {counts(0x1000, 10, 2, 10)};
  RawSamples = Estimate;
  Accuracy Got = measure();
  EXPECT_EQ(Got.BranchError, std::nullopt);
  EXPECT_EQ(Got.Direction, std::nullopt);
  EXPECT_DOUBLE_EQ(Got.Overlap, 1);
}

TEST_F(AccuracyTest, SplitOffPartsAreOneFunction) {
  FakeFunction F("f", 0x1000);
  F.block({ALU, ConditionalBranch});
  F.block({Return}, true);
  F.part(0x3000);
  F.block({ALU, Jump});
  F.edge(0, 2, EdgeKind::Taken);
  F.edge(0, 1, EdgeKind::FallThrough);
  F.edge(2, 1, EdgeKind::Taken);
  Code.Functions = {F.F};
  auto Sides = [](uint64_t Hot, uint64_t Cold) {
    FunctionFrequencies H, C;
    H.Begin = 0x1000;
    H.End = 0x100c;
    H.Instructions = {{0x1000, Hot}, {0x1004, Hot}, {0x1008, Hot}};
    H.Edges = {{0x1004, 0x1008, Hot - Cold}, {0x1004, 0x3000, Cold}};
    H.Samples = 3 * Hot;
    C.Begin = 0x3000;
    C.End = 0x3008;
    C.Instructions = {{0x3000, Cold}, {0x3004, Cold}};
    C.Edges = {{0x3004, 0x1008, Cold}};
    C.Samples = 2 * Cold;
    return std::vector<FunctionFrequencies>{H, C};
  };
  Exact.Functions = Sides(10, 1);
  Estimate.Functions = Sides(10, 5);
  RawSamples = Estimate;
  Accuracy Got = measure();
  EXPECT_EQ(Got.Functions, 1u);
  EXPECT_EQ(Got.Blocks, 3u);
  // 20 10 2 of 32; 20 10 10 of 40.
  EXPECT_DOUBLE_EQ(Got.Overlap, 20. / 40 + 10. / 40 + 2. / 32);
  EXPECT_DOUBLE_EQ(*Got.BranchError, 0.4);
}

TEST_F(AccuracyTest, TargetsOfIndirectCalls) {
  FakeFunction F("f", 0x1000);
  F.block().addCall(std::nullopt).addCall(0x2000).addCall(std::nullopt);
  F.addCall(std::nullopt).add(Return);
  Code.Functions = {F.F, diamond("g", 0x2000).F};
  FunctionFrequencies Truth = counts(0x1000, 10, 10, 10), Guess = Truth;
  Truth.Calls = {{0x1000, 0x2000, "g", 60},
                 {0x1000, 0, "h", 20},
                 {0x1004, 0x2000, "g", 5000}, // direct
                 {0x1008, 0x2000, "g", 15},
                 {0x100c, 0, "h", 5}};
  Guess.Calls = {{0x1000, 0x2000, "g", 3},
                 {0x1000, 0, "h", 2},
                 {0x1008, 0, "g", 7}, // another g
                 {0x100c, 0, "h", 9},
                 {0x100c, 0, "i", 1}};
  Exact.Functions = {Truth};
  RawSamples.Functions = Estimate.Functions = {Guess};
  Accuracy Got = measure();
  EXPECT_EQ(Got.IndirectCalls, 100u);
  EXPECT_DOUBLE_EQ(*Got.DominatingTarget, 0.8 + 0.05);
  // 3/5 of 80 and 20 of 80; none of 15; 9/10 of 5
  EXPECT_DOUBLE_EQ(*Got.TargetOverlap, (48 + 20 + 0 + 4.5) / 100);

  Truth.Calls = {{0x1004, 0x2000, "g", 5000}};
  Exact.Functions = {Truth};
  EXPECT_EQ(measure().DominatingTarget, std::nullopt);
}

TEST_F(AccuracyTest, LimitsHold) {
  Exact.Functions = {counts(0x1000, 10, 2, 10), counts(0x2000, 4, 4, 4)};
  Estimate.Functions = {counts(0x1000, 4, 4, 4), counts(0x2000, 0, 16, 0)};
  RawSamples = Estimate;
  Accuracy All = measure(), Got = measure({1, 2});
  ASSERT_EQ(Got.Worst.size(), 1u);
  EXPECT_EQ(Got.Worst[0].Name, All.Worst[0].Name);
  EXPECT_EQ(Got.Worst[0].Blocks.size(), 2u);
  EXPECT_DOUBLE_EQ(Got.Overlap, All.Overlap);
}

TEST_F(AccuracyTest, NothingToCompareIsAnError) {
  auto Message = [&] {
    llvm::Expected<Accuracy> Got =
        measureAccuracy(Exact, Estimate, RawSamples, Code);
    return Got ? std::string() : llvm::toString(Got.takeError());
  };
  Estimate.Functions = {counts(0x1000, 1, 1, 1)};
  EXPECT_EQ(Message(), "no function has exact counts");
  Exact.Functions = Estimate.Functions;
  Estimate.Functions = {counts(0x9000, 1, 1, 1)}; // no function there
  EXPECT_EQ(Message(), "no function has an estimate");
}

} // namespace
