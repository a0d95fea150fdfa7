//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From stacks to pairs of frames, from these to shares of call sites, and to
// targets of indirect calls.
//
//===----------------------------------------------------------------------===//

#include "CallerShares.h"
#include "FakeBinary.h"
#include "FakeCode.h"
#include "FrameSetUp.h"
#include "inlay/Frequency/Estimation.h"
#include "inlay/Sampling/RawProfile.h"
#include "gtest/gtest.h"

using namespace inlay;
using enum InstructionKind;

namespace {

constexpr uint16_t StackPointer = 1, FramePointer = 2, Saved = 3;

/// push %rbp; mov %rsp, %rbp; what is asked for; pop %rbp; ret
FakeFunction framed(llvm::StringRef Name, uint64_t Entry) {
  FakeFunction F(Name, Entry);
  F.block(/*IsExit=*/true);
  F.add(Push, {FramePointer, StackPointer}, {StackPointer});
  F.last().WritesMemory = F.last().IsStackAccess = true;
  F.add(ALU, {StackPointer}, {FramePointer});
  return F;
}

void leave(FakeFunction &F) {
  F.add(Pop, {StackPointer}, {FramePointer, StackPointer});
  F.add(Return);
}

using Site = std::tuple<uint64_t, uint64_t, double>;

/// Two sites of an indirect call, 0x401008 and 0x40100c, and one of a direct
/// call of the first, 0x401010; callees at 0x401100 and 0x401200.
class CallChainsTest : public testing::Test {
protected:
  CallChainsTest() {
    FakeFunction Caller = framed("caller", 0x401000);
    Caller.addCall(std::nullopt).addCall(std::nullopt).addCall(0x401100);
    leave(Caller);
    FakeFunction First = framed("first", 0x401100);
    First.add(Load).add(Load);
    leave(First);
    FakeFunction Second = framed("second", 0x401200);
    Second.add(Load).add(Load);
    leave(Second);
    for (const FakeFunction &F : {Caller, First, Second}) {
      Binary.Functions.push_back(F.F.Parts.front());
      Code.Functions.push_back(F.F);
      Sampled.Functions.emplace_back().Code = F.F;
    }
    Code.AddressTaken = {0x401100, 0x401200};
  }

  /// \p Return, \p Callee: addresses.
  void add(std::optional<uint64_t> Return, uint64_t Callee, bool IsLeaf,
           uint64_t Samples) {
    if (Return)
      *Return -= 0x400000;
    Calls.push_back({Return, Callee - 0x400000, IsLeaf, Samples});
  }
  /// (address of the site, callee, share) for all callees.
  std::vector<Site> shares() {
    CallerShares Shares(Sampled, Calls, Binary, Code);
    std::vector<Site> Result;
    for (size_t Callee = 0; Callee < Sampled.Functions.size(); ++Callee)
      for (const CallerShares::Site &S : Shares.sitesOf(Callee)) {
        const MachineFunction &F = Sampled.Functions[S.Function].Code;
        Result.emplace_back(F.Instructions[F.Calls[S.Call].Instruction].Address,
                            Sampled.Functions[Callee].Code.Entry, S.Share);
      }
    return Result;
  }

  FakeBinary Binary;
  FakeCode Code;
  SampledFunctions Sampled;
  std::vector<CallSamples> Calls;
};

} // namespace

TEST(CallSamples, AddUpWhatStandsOnAFrame) {
  EventSamples Event;
  Event.Binaries.resize(2);
  Event.Binaries[0].Path = "app";
  Event.Binaries[1].Path = "lib";
  auto Node = [&](uint32_t Caller, uint32_t Binary, uint64_t Offset,
                  uint64_t Samples, bool IsLeaf) {
    Event.Stacks.push_back({Caller, Binary, Offset, Samples, IsLeaf});
    return uint32_t(Event.Stacks.size() - 1);
  };
  uint32_t Main = Node(StackNode::Root, 0, 0x10, 0, false);
  Node(Main, 0, 0x20, 5, true);
  uint32_t Lib = Node(Main, 1, 0x30, 0, false);
  Node(Lib, 0, 0x20, 7, true);
  uint32_t Again = Node(Lib, 0, 0x10, 0, false);
  Node(Again, 0, 0x20, 11, true);
  Node(Again, 1, 0x40, 13, true);

  std::vector<std::tuple<std::optional<uint64_t>, uint64_t, bool, uint64_t>>
      Got;
  for (const CallSamples &C : callSamplesOf(Event, Event.Binaries[0]))
    Got.emplace_back(C.Return, C.Callee, C.IsLeaf, C.Samples);
  EXPECT_EQ(Got, (decltype(Got){
                     // All 36 stand on main, and 24 once more on its like.
                     {std::nullopt, 0x10, false, 36 + 24},
                     {std::nullopt, 0x20, true, 7},
                     {0x10, 0x20, true, 16},
                 }));
}

TEST(CallSamples, DamagedTreesDoNoHarm) {
  EventSamples Event;
  Event.Binaries.resize(1);
  Event.Stacks.push_back({7, 0, 0x10, ~0ull, true});
  Event.Stacks.push_back({0, 9, 0x10, ~0ull, true});
  Event.Stacks.push_back({2, 0, 0x10, ~0ull, true}); // its own caller
  std::vector<CallSamples> Calls = callSamplesOf(Event, Event.Binaries[0]);
  ASSERT_EQ(Calls.size(), 1u);
  EXPECT_EQ(Calls[0].Samples, ~0ull);
}

TEST_F(CallChainsTest, SharesGoBySamples) {
  add(0x40100c, 0x401108, true, 30); // returns behind the first indirect call
  add(0x401010, 0x401108, true, 10);
  add(0x401010, 0x40110c, true, 10);
  add(0x401014, 0x40110c, true, 40);
  add(std::nullopt, 0x401108, true, 10);
  add(0x401010, 0x401208, true, 5);
  EXPECT_EQ(shares(), (std::vector<Site>{{0x401008, 0x401100, 0.3},
                                         {0x40100c, 0x401100, 0.2},
                                         {0x401010, 0x401100, 0.4},
                                         {0x40100c, 0x401200, 1.0}}));
}

// Before the frame is set up, and after it was left, the caller is missing.
TEST_F(CallChainsTest, LeavesOutWhereTheFrameIsNotThere) {
  add(0x40100c, 0x401200, true, 1000); // push
  add(0x40100c, 0x401204, true, 1000); // mov
  add(0x40100c, 0x401214, true, 1000); // ret, behind the pop
  EXPECT_TRUE(shares().empty());
  add(0x401010, 0x401208, true, 1);
  add(0x401010, 0x401210, true, 1); // pop
  EXPECT_EQ(shares(), (std::vector<Site>{{0x40100c, 0x401200, 1.0}}));
}

// The caller's caller is there, and names the one that is missing.
TEST_F(CallChainsTest, FindsTheMissingCaller) {
  FakeFunction Outer = framed("outer", 0x401400);
  Outer.addCall(0x401500); // returns to 0x40140c
  leave(Outer);
  FakeFunction Missing = framed("missing", 0x401500);
  Missing.addCall(std::nullopt).addCall(0x401100);
  leave(Missing);
  for (const FakeFunction &F : {Outer, Missing}) {
    Binary.Functions.push_back(F.F.Parts.front());
    Code.Functions.push_back(F.F);
    Sampled.Functions.emplace_back().Code = F.F;
  }
  add(0x40140c, 0x401204, true, 7);
  // This one may have called either way.
  add(0x40140c, 0x401104, true, 7);
  EXPECT_EQ(shares(), (std::vector<Site>{{0x401508, 0x401200, 1.0}}));
}

// By a tail call: a direct call calls another function, or nobody takes the
// callee's address.
TEST_F(CallChainsTest, WhoCannotBeCalledThereWasNot) {
  add(0x401014, 0x401208, true, 30);
  add(0x40100c, 0x401208, true, 10);
  EXPECT_EQ(shares(), (std::vector<Site>{{0x401008, 0x401200, 0.25}}));
  Code.AddressTaken.erase(0x401200);
  EXPECT_TRUE(shares().empty());
}

TEST_F(CallChainsTest, FindsNoFrameWhereThereIsNone) {
  FakeFunction F("f", 0x401300);
  F.block(/*IsExit=*/true);
  F.add(Push, {Saved, StackPointer}, {StackPointer});
  F.last().WritesMemory = F.last().IsStackAccess = true;
  F.add(ALU, {FramePointer}, {Saved});        // not from the stack pointer
  F.add(ALU, {StackPointer}, {FramePointer}); // nobody stored it
  EXPECT_EQ(findFrameSetUp(F.F).Instruction, std::nullopt);
  EXPECT_FALSE(findFrameSetUp(F.F).isSetUpAt(0x401308, F.F));
  EXPECT_EQ(findFrameSetUp(Sampled.Functions[0].Code).Instruction, 1u);
}

// Targets come with the counts of their site; the share of one that takes long
// is not greater for that.
TEST_F(CallChainsTest, IndirectCallsHaveTargets) {
  BinarySamples Samples;
  auto Sample = [&](uint64_t Address, uint64_t Count) {
    Samples.Counts[Address - 0x400000] = Count;
    Samples.Total += Count;
  };
  for (uint64_t Offset : {0x8, 0xc, 0x10, 0x14}) {
    Sample(0x401000 + Offset, 400);
    Sample(0x401100 + Offset, 300);
    Sample(0x401200 + Offset, 100);
  }
  for (uint64_t Offset : {0x8, 0xc}) {
    add(0x40100c, 0x401100 + Offset, true, 300);
    add(0x40100c, 0x401200 + Offset, true, 100);
  }
  EstimationOptions Options;
  Options.Kind = EstimatorKind::Model;
  Options.Rates = chooseRateTable("", SampledEvent::Timer, false).Table;
  Options.ExecutionsPerSample = 1e6; // no rounding
  MachineFrequencies Result =
      estimateFrequencies(Samples, Binary, Code, Options, Calls);
  ASSERT_EQ(Result.Functions.size(), 3u);
  const FunctionFrequencies &Caller = Result.Functions[0];
  uint64_t Block = Caller.Instructions.front().second;
  std::vector<CallFrequency> AtSite;
  for (const CallFrequency &Call : Caller.Calls)
    if (Call.Site == 0x401008)
      AtSite.push_back(Call);
  ASSERT_EQ(AtSite.size(), 2u);
  EXPECT_EQ(AtSite[0].TargetName, "first");
  EXPECT_EQ(AtSite[1].TargetName, "second");
  EXPECT_NEAR(double(AtSite[0].Count + AtSite[1].Count), double(Block), 2);
  double First = double(*Result.Functions[1].EntryCount),
         Second = double(*Result.Functions[2].EntryCount);
  EXPECT_NEAR(double(AtSite[0].Count) / double(Block), First / (First + Second),
              1e-6);

  // Without chains nobody knows.
  Result = estimateFrequencies(Samples, Binary, Code, Options);
  for (const CallFrequency &Call : Result.Functions[0].Calls)
    EXPECT_EQ(Call.Site, 0x401010u);
}
