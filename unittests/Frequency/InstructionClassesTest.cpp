//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "inlay/Frequency/InstructionClasses.h"
#include "FakeCode.h"
#include "gtest/gtest.h"
#include <set>

using namespace inlay;
using Kind = InstructionKind;

static std::string nameOf(InstructionClass Class) {
  return Class == NoInstructionClass ? "" : instructionClassName(Class);
}

/// Without waits.
static std::vector<std::string> classNames(const MachineFunction &F,
                                           SampleSkid Skid) {
  std::vector<std::string> Names;
  for (InstructionClass Class : classifyInstructions(F, Skid))
    Names.push_back(nameOf(withoutWait(Class)));
  return Names;
}

TEST(InstructionClasses, HaveNamesOfTheirOwn) {
  std::set<std::string> Names;
  for (unsigned Class = 0; Class < numInstructionClasses(); ++Class) {
    std::string Name = instructionClassName(Class);
    EXPECT_TRUE(Names.insert(Name).second) << Name;
    EXPECT_EQ(Class, findInstructionClass(Name));
  }
  EXPECT_EQ(std::nullopt, findInstructionClass("lode"));
}

TEST(InstructionClasses, WithoutWait) {
  InstructionClass Load = *findInstructionClass("load_d@0");
  EXPECT_EQ(Load, withoutWait(Load));
  for (const char *Name : {"load_d@0~0", "load_d@0~.1", "load_d@0~9"})
    EXPECT_EQ(Load, withoutWait(*findInstructionClass(Name))) << Name;
  EXPECT_NE(Load, withoutWait(*findInstructionClass("load@0~0")));
  EXPECT_EQ(NoInstructionClass, withoutWait(NoInstructionClass));
}

// What is waited for is what the sampled instruction stands behind.
TEST(InstructionClasses, Waits) {
  FakeFunction B("f", 0x1000);
  B.block().add(Kind::Load, {1}, {2}).add(Kind::Multiply, {2}, {2});
  B.add(Kind::ALU, {9}, {9}).add(Kind::ConditionalBranch);
  B.last().IsFusedWithPrevious = true;
  B.block(true).add(Kind::Multiply, {2}, {2}).add(Kind::Return);
  B.edge(0, 1);
  std::vector<std::string> Names;
  for (InstructionClass Class :
       classifyInstructions(B.build(), SampleSkid::Next))
    Names.push_back(nameOf(Class));
  EXPECT_EQ(
      (std::vector<std::string>{"first.entry~0", "load@0~5", "multiply_d~2",
                                "fused", "first.fall~0", "multiply@0~2"}),
      Names);
}

// With skid an instruction is in the class of what stands before it; without,
// in its own.
TEST(InstructionClasses, Skid) {
  MachineFunction F = FakeFunction("f", 0x1000)
                          .block(true)
                          .add(Kind::Load, {1}, {2})
                          .add(Kind::ALU, {2}, {3})
                          .add(Kind::Store, {4})
                          .add(Kind::Return)
                          .build();
  EXPECT_EQ(
      (std::vector<std::string>{"first.entry", "load@0", "alu_d", "store"}),
      classNames(F, SampleSkid::Next));
  EXPECT_EQ((std::vector<std::string>{"load@0", "alu_d", "store", "return"}),
            classNames(F, SampleSkid::None));
}

TEST(InstructionClasses, LoadedRegisters) {
  FakeFunction B("f", 0x1000);
  B.block(true).add(Kind::Load, {1}, {2});
  for (int I = 0; I < 4; ++I)
    B.add(Kind::ALU, {9}, {9});
  B.add(Kind::ALU, {2}, {3}); // the fifth after the load
  B.add(Kind::ALU, {2}, {3}); // the sixth
  B.add(Kind::Load, {1}, {2});
  B.add(Kind::ALU, {9}, {2}); // overwritten
  B.add(Kind::ALU, {2}, {3});
  B.add(Kind::Load, {1}, {2});
  B.add(Kind::Call);
  B.add(Kind::ALU, {2}, {3}); // after a call
  EXPECT_EQ((std::vector<std::string>{"load@0", "alu", "alu", "alu", "alu",
                                      "alu_d", "alu", "load", "alu", "alu",
                                      "load", "call", "alu"}),
            classNames(B.build(), SampleSkid::None));
}

// What a pop does to the stack pointer, here register 7, is no load.
TEST(InstructionClasses, StackPointerIsNotLoaded) {
  MachineFunction F = FakeFunction("f", 0x1000)
                          .block(true)
                          .add(Kind::ALU)
                          .add(Kind::Pop, {7}, {3, 7})
                          .add(Kind::Pop, {7}, {4, 7})
                          .add(Kind::ALU, {3}, {3})
                          .build();
  EXPECT_EQ((std::vector<std::string>{"alu@0", "pop", "pop", "alu_d"}),
            classNames(F, SampleSkid::None));
}

TEST(InstructionClasses, NopsAndFusedPairs) {
  FakeFunction B("f", 0x1000);
  B.block(true).add(Kind::Nop).add(Kind::ALU).add(Kind::Load, {}, {1});
  B.last().IsStackAccess = true;
  B.add(Kind::ALU).add(Kind::ConditionalBranch);
  B.last().IsFusedWithPrevious = true;
  EXPECT_EQ(
      (std::vector<std::string>{"", "nop@0", "alu", "stack_load", "fused"}),
      classNames(B.build(), SampleSkid::Next));
}

TEST(InstructionClasses, WaysIntoABlock) {
  FakeFunction B("f", 0x1000);
  for (int Block = 0; Block < 9; ++Block)
    B.block().add(Kind::ALU);
  B.edge(0, 1, EdgeKind::FallThrough).edge(0, 2, EdgeKind::Taken); // branch
  B.edge(1, 3, EdgeKind::FallThrough);                             // falls
  B.edge(2, 4, EdgeKind::Indirect).edge(2, 5, EdgeKind::Indirect);
  B.edge(3, 5, EdgeKind::Taken);
  B.edge(3, 6, EdgeKind::Taken).edge(4, 6, EdgeKind::FallThrough);
  MachineFunction F = B.build();
  F.Blocks[8].IsLandingPad = true;
  EXPECT_EQ((std::vector<std::string>{
                "first.entry", "first.through", "first.branch", "first.fall",
                "first.indirect", "first.several_indirect", "first.several",
                "first.unknown", "first.landing_pad"}),
            classNames(F, SampleSkid::Next));
}
