//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RetirementWaits.h"
#include "FakeCode.h"
#include "gtest/gtest.h"
#include <cmath>
#include <numeric>
#include <random>

using namespace inlay;
using Kind = InstructionKind;

TEST(RetirementWaits, ChainsAreWaitedForAndTheRestIsNot) {
  FakeFunction Chain("f", 0x1000), Independent("g", 0x1000);
  Chain.block(true);
  Independent.block(true);
  for (uint16_t N = 0; N < 20; ++N) {
    Chain.add(Kind::Multiply, {1}, {1});
    Independent.add(Kind::Multiply, {1}, {uint16_t(N + 2)});
  }
  std::vector<float> InChain = retirementWaits(Chain.build()).OfInstruction,
                     Alone = retirementWaits(Independent.build()).OfInstruction;
  for (unsigned N = 1; N < 20; ++N) {
    EXPECT_FLOAT_EQ(3, InChain[N]);
    EXPECT_LT(Alone[N], 0.25);
  }
}

// A load's result is waited for where the next instruction needs it, and in
// part where that comes later.
TEST(RetirementWaits, WorkBetweenHidesNothingThatRetiresInOrder) {
  FakeFunction B("f", 0x1000);
  B.block(true).add(Kind::ALU, {1}, {1}).add(Kind::Load, {1}, {2});
  for (int I = 0; I < 6; ++I)
    B.add(Kind::ALU, {9}, {9}); // done long before the load is
  B.add(Kind::ALU, {2}, {3});
  std::vector<float> Waits = retirementWaits(B.build()).OfInstruction;
  EXPECT_GT(Waits[1], 4);
  for (int N = 2; N < 8; ++N)
    EXPECT_LT(Waits[N], 1);
}

// The first iteration of a loop has nothing to wait for; the others do.
TEST(RetirementWaits, LoopsCarryTheirChains) {
  FakeFunction B("f", 0x1000);
  B.block({Kind::ALU}).block(true).add(Kind::ALU, {5}, {6});
  B.add(Kind::FloatingPoint, {1}, {1}).add(Kind::ALU, {5}, {6});
  B.edge(0, 1).edge(1, 1, EdgeKind::Taken);
  std::vector<float> Waits = retirementWaits(B.build()).OfInstruction;
  EXPECT_NEAR(4, Waits[1] + Waits[2] + Waits[3], 0.01);
  EXPECT_GT(Waits[2], 3.5);
}

// Where two ways meet nothing is known of what came before.
TEST(RetirementWaits, PathsAreFollowedAsFarAsTheyAreCertain) {
  FakeFunction B("f", 0x1000);
  B.block().add(Kind::ALU, {1}, {1}).add(Kind::Divide, {1}, {2});
  B.block(true).add(Kind::ALU, {2}, {3}); // waits for the division
  B.block(true).add(Kind::ALU, {2}, {3}); // may come from either of the two
  B.edge(0, 1).edge(0, 2, EdgeKind::Taken).edge(1, 2);
  RetirementWaits Waits = retirementWaits(B.build());
  EXPECT_GT(Waits.BeforeBlock[1], 10);
  EXPECT_NEAR(1, Waits.OfInstruction[2], 1e-3);
  EXPECT_EQ(0, Waits.BeforeBlock[0]);
  EXPECT_EQ(0, Waits.BeforeBlock[2]);
}

// Pushes and pops move the stack pointer, here register 7, at no cost.
TEST(RetirementWaits, StackPointerIsNoChain) {
  FakeFunction B("f", 0x1000);
  B.block(true);
  for (uint16_t N = 0; N < 8; ++N)
    B.add(Kind::Push, {7, N}, {7});
  std::vector<float> Waits = retirementWaits(B.build()).OfInstruction;
  for (int N = 1; N < 8; ++N)
    EXPECT_LT(Waits[N], 0.25);
}

// Any graph at all: cycles of single predecessors, blocks that nothing leads
// to, registers read that nothing wrote.
TEST(RetirementWaits, AreFiniteOnAnyGraph) {
  for (unsigned Seed = 0; Seed < 200; ++Seed) {
    std::mt19937 Random(Seed);
    auto Below = [&](unsigned Bound) { return unsigned(Random() % Bound); };
    FakeFunction B("f", 0x1000);
    unsigned Blocks = 1 + Below(8);
    for (unsigned Block = 0; Block < Blocks; ++Block) {
      B.block(Below(4) == 0);
      for (unsigned N = Below(6) + 1; N > 0; --N)
        B.add(Kind(Below(unsigned(Kind::Trap) + 1)), {uint16_t(Below(9))},
              {uint16_t(Below(9))});
    }
    for (unsigned Edge = Below(12); Edge > 0; --Edge)
      B.edge(Below(Blocks), Below(Blocks), EdgeKind(Below(3)));
    MachineFunction F = B.build();
    RetirementWaits Waits = retirementWaits(F);
    ASSERT_EQ(F.Instructions.size(), Waits.OfInstruction.size());
    ASSERT_EQ(F.Blocks.size(), Waits.BeforeBlock.size());
    for (const std::vector<float> &Cycles :
         {Waits.OfInstruction, Waits.BeforeBlock})
      for (float Wait : Cycles) {
        EXPECT_GE(Wait, 0);
        EXPECT_LT(Wait, 1000);
      }
  }
}
