//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CallingContexts.h"
#include "FakeBinary.h"
#include "FakeCode.h"
#include "inlay/Sampling/RawProfile.h"
#include "gtest/gtest.h"

using namespace inlay;
using enum InstructionKind;

namespace {

constexpr uint16_t StackPointer = 1, FramePointer = 2;

/// push %rbp; mov %rsp, %rbp; calls of these; a load; pop %rbp; ret
MachineFunction function(llvm::StringRef Name, uint64_t Entry,
                         std::initializer_list<uint64_t> Callees) {
  FakeFunction F(Name, Entry);
  F.block(/*IsExit=*/true);
  F.add(Push, {FramePointer, StackPointer}, {StackPointer});
  F.last().WritesMemory = F.last().IsStackAccess = true;
  F.add(ALU, {StackPointer}, {FramePointer});
  for (uint64_t Callee : Callees)
    F.addCall(Callee);
  F.add(Load);
  F.add(Pop, {StackPointer}, {FramePointer, StackPointer});
  F.add(Return);
  return F.build();
}

/// main (0x401000) calls left and right, which call leaf; leaf calls itself.
class CallingContextsTest : public testing::Test {
protected:
  static constexpr uint64_t Main = 0x401000, Left = 0x401100, Right = 0x401200,
                            Leaf = 0x401300;

  CallingContextsTest() {
    Code.Functions = {
        function("main", Main, {Left, Right}), function("left", Left, {Leaf}),
        function("right", Right, {Leaf}), function("leaf", Leaf, {Leaf})};
    for (const MachineFunction &F : Code.Functions)
      Pointers.push_back(&F);
    Event.Binaries.resize(1);
    Event.Binaries[0].Path = "fake";
  }

  /// Behind the call number \p Call of the function at \p Entry.
  static uint64_t behind(uint64_t Entry, unsigned Call = 0) {
    return Entry + 12 + 4 * Call;
  }

  /// A stack: return addresses from the outermost inwards, and the sample.
  void add(std::initializer_list<uint64_t> Returns, uint64_t Address,
           uint64_t Samples) {
    uint32_t Caller = StackNode::Root;
    auto Push = [&](uint64_t A, uint64_t Samples, bool IsLeaf) {
      Event.Stacks.push_back({Caller, 0, A - 0x400000, Samples, IsLeaf});
      Caller = Event.Stacks.size() - 1;
    };
    for (uint64_t Return : Returns)
      Push(Return, 0, false);
    Push(Address, Samples, true);
  }

  /// "main@left@leaf" -> samples in its blocks, but for those of calls.
  std::map<std::string, double> contexts(ContextOptions Options) {
    CallSites Sites(Pointers, Code);
    CallingContexts Found =
        findCallingContexts(Event, Event.Binaries[0], Binary, Sites, Options);
    std::map<std::string, double> Result;
    std::vector<std::string> Names;
    for (const CallingContext &C : Found.Contexts) {
      std::string Name = Code.Functions[C.Function].Name.str();
      if (C.Caller)
        Name = Names.at(C.Caller->Context) + "@" + Name;
      Names.push_back(Name);
      double &Sum = Result[Name];
      for (auto [Block, Samples] : C.Blocks)
        Sum += Samples;
    }
    Samples = Found.Samples;
    return Result;
  }

  FakeBinary Binary;
  FakeCode Code;
  std::vector<const MachineFunction *> Pointers;
  EventSamples Event;
  uint64_t Samples = 0;
};

ContextOptions least(uint64_t Samples, unsigned Depth = 24) {
  ContextOptions Options;
  Options.Depth = Depth;
  Options.LeastSamples = Samples;
  Options.LeastShare = 0;
  return Options;
}

} // namespace

TEST_F(CallingContextsTest, RareCallersShareAContext) {
  add({behind(Main, 0), behind(Left)}, Leaf + 12, 100);
  add({behind(Main, 1), behind(Right)}, Leaf + 12, 9);
  auto Got = contexts(least(10));
  EXPECT_EQ(Got.at("main@left@leaf"), 100);
  EXPECT_EQ(Got.at("leaf"), 9);
  EXPECT_FALSE(Got.count("main@right@leaf"));
  EXPECT_EQ(Samples, 109u);

  Got = contexts(least(9));
  EXPECT_EQ(Got.at("main@right@leaf"), 9);
  EXPECT_FALSE(Got.count("leaf"));
}

TEST_F(CallingContextsTest, ACallThatLeadsOnExecutes) {
  add({behind(Main, 0), behind(Left)}, Leaf + 12, 100);
  auto Got = contexts(least(10));
  EXPECT_GT(Got.at("main@left"), 0); // although no sample was taken there
}

TEST_F(CallingContextsTest, AllDepthsOfARecursionButTheFirstAreOne) {
  add({behind(Main, 0), behind(Left)}, Leaf + 12, 20);
  add({behind(Main, 0), behind(Left), behind(Leaf)}, Leaf + 12, 30);
  add({behind(Main, 0), behind(Left), behind(Leaf), behind(Leaf)}, Leaf + 12,
      40);
  for (const auto &[Name, Sum] : contexts(least(1)))
    EXPECT_EQ(Name.find("leaf@leaf"), std::string::npos) << Name;
  EXPECT_GE(contexts(least(1)).at("leaf"), 70);
}

TEST_F(CallingContextsTest, AChainThatTheCodeContradictsIsCut) {
  // The call leads to left, and not to leaf: a tail call did.
  add({behind(Main, 0)}, Leaf + 16, 50);
  EXPECT_EQ(contexts(least(1)).at("leaf"), 50);
}

TEST_F(CallingContextsTest, ACallerThatIsMissingIsFound) {
  // Before leaf has its frame, its caller is not in the chain; main's call
  // leads to left, which has one call of leaf.
  add({behind(Main, 0)}, Leaf, 50);
  EXPECT_EQ(contexts(least(1)).at("main@left@leaf"), 50);
  // The processor's own stacks do not lack it: there was a tail call.
  Event.Attr.BranchSampleType = 0x801;
  EXPECT_EQ(contexts(least(1)).at("leaf"), 50);
}

TEST_F(CallingContextsTest, NoContextIsDeeperThanItMay) {
  add({behind(Main, 0), behind(Left)}, Leaf + 12, 100);
  auto Got = contexts(least(1, /*Depth=*/1));
  EXPECT_TRUE(Got.count("main@left"));
  EXPECT_EQ(Got.at("leaf"), 100);
  Got = contexts(least(1, /*Depth=*/0));
  EXPECT_EQ(Got.at("leaf"), 100);
  EXPECT_FALSE(Got.count("main@left"));
}
