//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts of callgrind on graphs that the test writes down: what is corrected,
// and what edges, calls and entries come to.
//
//===----------------------------------------------------------------------===//

#include "inlay/Exact/ExactFrequencies.h"
#include "FakeBinary.h"
#include "FakeCode.h"
#include "gtest/gtest.h"

using namespace inlay;
using enum InstructionKind;
using Counts = std::vector<std::pair<uint64_t, uint64_t>>;

namespace inlay {
static bool operator==(const EdgeFrequency &L, const EdgeFrequency &R) {
  return L.From == R.From && L.To == R.To && L.Count == R.Count;
}
static bool operator==(const CallFrequency &L, const CallFrequency &R) {
  return L.Site == R.Site && L.Target == R.Target &&
         L.TargetName == R.TargetName && L.Count == R.Count;
}
static void PrintTo(const EdgeFrequency &E, std::ostream *OS) {
  *OS << std::hex << E.From << "->" << E.To << std::dec << ": " << E.Count;
}
static void PrintTo(const CallFrequency &C, std::ostream *OS) {
  *OS << std::hex << C.Site << "->" << C.Target << std::dec << " "
      << C.TargetName.str() << ": " << C.Count;
}
} // namespace inlay

namespace {

class ExactFrequenciesTest : public testing::Test {
protected:
  ExactFrequenciesTest() {
    Profile.Objects.resize(2);
    Profile.Objects[1].Path = "libc.so";
    Profile.HasJumps = true;
  }

  CallgrindObject &object() { return Profile.Objects[0]; }

  ExactCounts count() {
    return exactFrequencies(Profile, object(), Binary, Code);
  }

  CallgrindProfile Profile;
  FakeBinary Binary;
  FakeCode Code;
};

//   0x1000  push           block 0, 1 entry
//   0x1004  load           block 1, the loop
//   0x1008  jcc  0x1010    to block 3
//   0x100c  alu            block 2
//   0x1010  jcc  0x1004    block 3
//   0x1014  ret            block 4
FakeFunction loop() {
  FakeFunction Loop("loop", 0x1000);
  Loop.block({Push});
  Loop.block({Load, ConditionalBranch});
  Loop.block({ALU});
  Loop.block({ConditionalBranch});
  Loop.block({Return}, /*IsExit=*/true);
  Loop.edge(0, 1, EdgeKind::FallThrough);
  Loop.edge(1, 3, EdgeKind::Taken);
  Loop.edge(1, 2, EdgeKind::FallThrough);
  Loop.edge(2, 3, EdgeKind::FallThrough);
  Loop.edge(3, 1, EdgeKind::Taken);
  Loop.edge(3, 4, EdgeKind::FallThrough);
  return Loop;
}

TEST_F(ExactFrequenciesTest, BranchesGoWhereTheyWereTaken) {
  Code.Functions = {loop().F};
  object().Instructions = {{0x1000, 2}, {0x1004, 20}, {0x1008, 20},
                           {0x100c, 5}, {0x1010, 20}, {0x1014, 2}};
  object().Jumps = {{0x1008, 0x1010, 15}, {0x1010, 0x1004, 18}};
  ExactCounts Exact = count();
  ASSERT_EQ(Exact.Frequencies.Functions.size(), 1u);
  const FunctionFrequencies &F = Exact.Frequencies.Functions[0];
  EXPECT_EQ(F.Begin, 0x1000u);
  EXPECT_EQ(F.End, 0x1018u);
  EXPECT_EQ(F.Instructions, object().Instructions);
  EXPECT_EQ(F.Edges, (std::vector<EdgeFrequency>{{0x1000, 0x1004, 2},
                                                 {0x1008, 0x100c, 5},
                                                 {0x1008, 0x1010, 15},
                                                 {0x100c, 0x1010, 5},
                                                 {0x1010, 0x1004, 18},
                                                 {0x1010, 0x1014, 2}}));
  EXPECT_EQ(F.EntryCount, 2u);
  EXPECT_EQ(F.Confidence, 1.0);
  EXPECT_EQ(F.Samples, 69u);
  EXPECT_EQ(Exact.Frequencies.SamplesInFunctions, 69u);
  EXPECT_EQ(Exact.OffInstructions, 0u);
  EXPECT_EQ(Exact.CorrectedSites, 0u);
}

TEST_F(ExactFrequenciesTest, WithoutJumpsThereAreNoEdges) {
  Code.Functions = {loop().F};
  Profile.HasJumps = false;
  object().Instructions = {{0x1000, 2}, {0x1004, 20}};
  ExactCounts Exact = count();
  EXPECT_TRUE(Exact.Frequencies.Functions[0].Edges.empty());
  EXPECT_EQ(Exact.Frequencies.Functions[0].EntryCount, 2u);
}

TEST_F(ExactFrequenciesTest, JumpsToTheEntryAreNoEntries) {
  FakeFunction Loop("loop", 0x1000);
  Loop.block({ALU, ConditionalBranch});
  Loop.block({Return}, true);
  Loop.edge(0, 0, EdgeKind::Taken);
  Loop.edge(0, 1, EdgeKind::FallThrough);
  Code.Functions = {Loop.F};
  object().Instructions = {{0x1000, 10}, {0x1004, 10}, {0x1008, 3}};
  object().Jumps = {{0x1004, 0x1000, 7}};
  EXPECT_EQ(count().Frequencies.Functions[0].EntryCount, 3u);
  Profile.HasJumps = false;
  EXPECT_EQ(count().Frequencies.Functions[0].EntryCount, std::nullopt);
}

TEST_F(ExactFrequenciesTest, PLTStubsAreTakenOffCalls) {
  FakeFunction F("f", 0x1000);
  F.block({ALU, Call, ALU, Call, Call}); // the second throws at times
  F.block({Call});                       // nothing but a call
  F.block({ALU, Jump}, true);            // a tail call
  F.edge(0, 1, EdgeKind::FallThrough);
  F.edge(1, 2, EdgeKind::FallThrough);
  F.call(1, 0x500);
  F.call(3, 0x500);
  F.call(4, 0x600);
  F.call(5, 0x500);
  F.call(7, 0x500).IsTail = true;
  Code.Functions = {F.F};
  Code.CalleeNames = {{0x500, "puts"}};
  object().Instructions = {{0x1000, 10}, {0x1004, 24}, {0x1008, 9},
                           {0x100c, 18}, {0x1010, 9},  {0x1014, 17},
                           {0x1018, 8},  {0x101c, 16}};
  // The stub leads to puts, and once to the dynamic linker.
  object().Calls = {{0x1004, 1, 0x70, 0, 10},
                    {0x1004, 1, 0x90, 1, 1},
                    {0x1014, 1, 0x70, 0, 5},
                    {0x1014, 1, 0x70, 2, 3},
                    {0x1014, 1, 0x90, 1, 1}};
  Profile.Functions = {"puts", "resolve", "puts'f"};
  ExactCounts Exact = count();
  const FunctionFrequencies &Got = Exact.Frequencies.Functions[0];
  EXPECT_EQ(Got.Instructions, (Counts{{0x1000, 10},
                                      {0x1004, 10},
                                      {0x1008, 9},
                                      {0x100c, 9},
                                      {0x1010, 9},
                                      {0x1014, 8},
                                      {0x1018, 8},
                                      {0x101c, 8}}));
  EXPECT_EQ(Exact.CorrectedSites, 4u);
  // Of direct calls the code knows the callee, not callgrind.
  EXPECT_EQ(Got.Calls,
            (std::vector<CallFrequency>{{0x1004, 0x500, "puts", 10},
                                        {0x100c, 0x500, "puts", 9},
                                        {0x1010, 0x600, "", 9},
                                        {0x1014, 0x500, "puts", 8},
                                        {0x101c, 0x500, "puts", 8}}));
}

TEST_F(ExactFrequenciesTest, RepeatedInstructionsExecuteOnce) {
  FakeFunction F("f", 0x1000);
  F.block({ALU, Repeat});
  F.block({Repeat}, true);
  F.edge(0, 1, EdgeKind::FallThrough);
  Code.Functions = {F.F};
  object().Instructions = {{0x1000, 11}, {0x1004, 218}, {0x1008, 218}};
  object().Jumps = {{0x1004, 0x1004, 207}, {0x1008, 0x1008, 207}};
  ExactCounts Exact = count();
  EXPECT_EQ(Exact.Frequencies.Functions[0].Instructions,
            (Counts{{0x1000, 11}, {0x1004, 11}, {0x1008, 11}}));
  EXPECT_EQ(Exact.Frequencies.Functions[0].Edges,
            (std::vector<EdgeFrequency>{{0x1004, 0x1008, 11}}));
  EXPECT_EQ(Exact.CorrectedSites, 0u);
}

TEST_F(ExactFrequenciesTest, SplitOffPartsAreOneFunction) {
  FakeFunction F("f", 0x1000);
  F.block({ALU, ConditionalBranch}); // to the cold part
  F.block({Return}, true);
  F.part(0x2000);
  F.block({ALU, Jump}); // and back
  F.edge(0, 2, EdgeKind::Taken);
  F.edge(0, 1, EdgeKind::FallThrough);
  F.edge(2, 1, EdgeKind::Taken);
  Code.Functions = {F.F};
  object().Instructions = {
      {0x1000, 10}, {0x1004, 10}, {0x1008, 10}, {0x2000, 3}, {0x2004, 3}};
  // To callgrind f.cold is a function that is called, by a jump.
  object().Calls = {{0x1004, 0, 0x2000, 0, 3}, {0x2004, 0, 0x1008, 0, 3}};
  Profile.Functions = {"f.cold"};
  ExactCounts Exact = count();
  ASSERT_EQ(Exact.Frequencies.Functions.size(), 2u);
  const FunctionFrequencies &Hot = Exact.Frequencies.Functions[0],
                            &Cold = Exact.Frequencies.Functions[1];
  EXPECT_EQ(Hot.Edges, (std::vector<EdgeFrequency>{{0x1004, 0x1008, 7},
                                                   {0x1004, 0x2000, 3}}));
  EXPECT_EQ(Hot.EntryCount, 10u);
  EXPECT_EQ(Cold.Begin, 0x2000u);
  EXPECT_EQ(Cold.Edges, (std::vector<EdgeFrequency>{{0x2004, 0x1008, 3}}));
  EXPECT_EQ(Cold.EntryCount, std::nullopt);
  EXPECT_TRUE(Hot.Calls.empty());
}

TEST_F(ExactFrequenciesTest, ConditionalTailCallsLeave) {
  FakeFunction F("f", 0x1000);
  F.block({ALU, ConditionalBranch}, /*IsExit=*/true);
  F.block({Return}, true);
  F.edge(0, 1, EdgeKind::FallThrough);
  MachineCall &Tail = F.call(1, 0x3000);
  Tail.IsTail = Tail.IsConditional = true;
  Code.Functions = {F.F};
  Code.CalleeNames = {{0x3000, "g"}};
  object().Instructions = {{0x1000, 10}, {0x1004, 10}, {0x1008, 4}};
  object().Calls = {{0x1004, 0, 0x3000, 0, 6}};
  Profile.Functions = {"g"};
  ExactCounts Exact = count();
  const FunctionFrequencies &Got = Exact.Frequencies.Functions[0];
  EXPECT_EQ(Got.Edges, (std::vector<EdgeFrequency>{{0x1004, 0x1008, 4}}));
  EXPECT_EQ(Got.Calls, (std::vector<CallFrequency>{{0x1004, 0x3000, "g", 6}}));
}

TEST_F(ExactFrequenciesTest, IndirectCallsHaveTheCalleesThatWereSeen) {
  FakeFunction F("f", 0x1000);
  F.block({ALU, IndirectCall, Return}, true);
  F.call(1, std::nullopt);
  Code.Functions = {F.F};
  Binary.Functions = {{0x1000, 0x100c, "f"}, {0x3000, 0x3010, "g"}};
  object().Instructions = {{0x1000, 30}, {0x1004, 30}, {0x1008, 30}};
  object().Calls = {{0x1004, 0, 0x3000, 0, 10},
                    {0x1004, 1, 0x70, 1, 7},
                    {0x1004, 1, 0x70, 2, 1},
                    {0x1004, 1, 0x80, 3, 12}};
  Profile.Functions = {"what callgrind calls g", "qsort", "qsort'2",
                       "A::f(int)"};
  ExactCounts Exact = count();
  EXPECT_EQ(Exact.Frequencies.Functions[0].Calls,
            (std::vector<CallFrequency>{{0x1004, 0x3000, "g", 10},
                                        {0x1004, 0, "qsort", 8}}));
  EXPECT_EQ(Exact.IndirectCalls, 30u);
  EXPECT_EQ(Exact.UnnamedCalls, 12u);
}

TEST_F(ExactFrequenciesTest, CallsThroughSlotsHaveTheSlotsCallee) {
  FakeFunction F("f", 0x1000);
  F.block({ALU, IndirectCall, Return}, true);
  F.call(1, std::nullopt).TargetName = "_ZN1A1fEi";
  Code.Functions = {F.F};
  object().Instructions = {{0x1000, 30}, {0x1004, 30}, {0x1008, 30}};
  object().Calls = {{0x1004, 1, 0x70, 0, 30}};
  Profile.Functions = {"A::f(int)"};
  ExactCounts Exact = count();
  EXPECT_EQ(Exact.Frequencies.Functions[0].Calls,
            (std::vector<CallFrequency>{{0x1004, 0, "_ZN1A1fEi", 30}}));
  EXPECT_EQ(Exact.UnnamedCalls, 0u);
}

TEST_F(ExactFrequenciesTest, IndirectJumpsGoWhereTheyWent) {
  FakeFunction F("f", 0x1000);
  F.block({IndirectJump});
  F.block({Return}, true);
  F.block({Return}, true);
  F.edge(0, 1, EdgeKind::Indirect);
  F.edge(0, 2, EdgeKind::Indirect);
  Code.Functions = {F.F};
  object().Instructions = {{0x1000, 10}, {0x1004, 4}, {0x1008, 6}};
  object().Jumps = {{0x1000, 0x1004, 4}, {0x1000, 0x1008, 6}};
  EXPECT_EQ(
      count().Frequencies.Functions[0].Edges,
      (std::vector<EdgeFrequency>{{0x1000, 0x1004, 4}, {0x1000, 0x1008, 6}}));
}

TEST_F(ExactFrequenciesTest, CountsThatDoNotFitAreTold) {
  Code.Functions = {loop().F};
  object().Instructions = {
      {0x900, 100}, {0x1000, 2}, {0x1001, 30}, {0x1015, 4}};
  ExactCounts Exact = count();
  EXPECT_EQ(Exact.OffInstructions, 34u);
  EXPECT_EQ(Exact.Frequencies.SamplesOutsideFunctions, 100u);
  EXPECT_EQ(Exact.Frequencies.SamplesInFunctions, 2u);
}

} // namespace
