//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "inlay/Attribution/Attribution.h"
#include "FakeBinary.h"
#include "gtest/gtest.h"

using namespace inlay;

namespace {

/// A frame with a line.
InlineFrame at(llvm::StringRef Function, uint32_t Line,
               uint32_t Discriminator = 0, uint32_t DuplicationFactor = 1) {
  return {Function, Line, Discriminator, DuplicationFactor, true};
}

/// A frame without one.
InlineFrame nowhere(llvm::StringRef Function) {
  return {Function, 0, 0, 1, false};
}

MachineFrequencies
inFunction(uint64_t Begin, uint64_t End,
           std::vector<std::pair<uint64_t, uint64_t>> Instructions) {
  MachineFrequencies Frequencies;
  FunctionFrequencies Function;
  Function.Begin = Begin;
  Function.End = End;
  for (auto [Address, Count] : Instructions)
    Function.Samples += Count;
  Function.Instructions = std::move(Instructions);
  Frequencies.SamplesInFunctions = Function.Samples;
  Frequencies.Functions.push_back(std::move(Function));
  return Frequencies;
}

const ContextNode &root(const ContextSummaryMap &Map, llvm::StringRef Name) {
  const ContextNode *Node = Map.findRoot(FunctionId(Name));
  EXPECT_NE(nullptr, Node) << Name.str();
  static const ContextNode Missing{FunctionId("missing")};
  return Node ? *Node : Missing;
}

uint64_t count(const ContextNode &Node, LineLocation Location) {
  auto It = Node.Lines.find(Location);
  return It == Node.Lines.end() ? ~0ull : It->second.Count;
}

} // namespace

TEST(Attribution, TakesTheMaximumOfALineAndTheSumOfAFunction) {
  FakeBinary Binary;
  Binary.Stacks = {{0x1000, {at("f", 1)}},
                   {0x1008, {at("f", 2, 3)}},
                   {0x1010, {at("f", 1)}},
                   {0x1018, {at("f", 4)}}};
  ContextSummaryMap Map;
  AttributionStatistics Statistics = attribute(
      inFunction(0x1000, 0x1020,
                 {{0x1000, 5}, {0x1004, 9}, {0x1008, 2}, {0x1010, 7}}),
      Binary, Map);

  const ContextNode &F = root(Map, "f");
  EXPECT_EQ(9u, count(F, {1, 0}));
  EXPECT_EQ(2u, count(F, {2, 3}));
  EXPECT_EQ(0u, count(F, {4, 0})); // explicit
  EXPECT_EQ(3u, F.Lines.size());
  EXPECT_EQ(23u, F.TotalSamples);
  EXPECT_EQ(0u, F.HeadSamples);
  EXPECT_EQ(23u, Statistics.AttributedSamples);
  EXPECT_EQ(1u, Statistics.Functions);
  EXPECT_TRUE(Statistics.HasDiscriminators);
}

TEST(Attribution, FollowsTheInlineStackInwards) {
  FakeBinary Binary;
  Binary.Stacks = {
      {0x1000, {at("h", 1), at("g", 2, 1), at("f", 3)}},
      {0x1008, {at("g", 5), at("f", 3)}},
      {0x1010, {at("h", 9), at("g", 2, 1), at("f", 3)}},
  };
  ContextSummaryMap Map;
  attribute(inFunction(0x1000, 0x1018, {{0x1000, 10}, {0x1008, 4}}), Binary,
            Map);

  EXPECT_EQ(1u, Map.roots().size());
  const ContextNode &F = root(Map, "f");
  EXPECT_TRUE(F.Lines.empty());
  EXPECT_EQ(14u, F.TotalSamples);
  const ContextNode *G = F.findCallee({3, 0}, FunctionId("g"));
  ASSERT_NE(nullptr, G);
  EXPECT_EQ(14u, G->TotalSamples);
  EXPECT_EQ(4u, count(*G, {5, 0}));
  const ContextNode *H = G->findCallee({2, 1}, FunctionId("h"));
  ASSERT_NE(nullptr, H);
  EXPECT_EQ(10u, H->TotalSamples);
  EXPECT_EQ(10u, count(*H, {1, 0}));
  EXPECT_EQ(0u, count(*H, {9, 0}));
}

TEST(Attribution, MultipliesByTheInnermostDuplicationFactor) {
  FakeBinary Binary;
  Binary.Stacks = {{0x1000, {at("g", 1, 0, 4), at("f", 3, 0, 2)}}};
  ContextSummaryMap Map;
  AttributionStatistics Statistics =
      attribute(inFunction(0x1000, 0x1008, {{0x1000, 10}}), Binary, Map);
  const ContextNode &F = root(Map, "f");
  EXPECT_EQ(40u, F.TotalSamples);
  EXPECT_EQ(40u, count(*F.findCallee({3, 0}, FunctionId("g")), {1, 0}));
  EXPECT_EQ(10u, Statistics.AttributedSamples); // raw
}

TEST(Attribution, AnInstructionWithoutLineCountsInTotalsOnly) {
  FakeBinary Binary;
  Binary.Stacks = {{0x1000, {nowhere("g"), at("f", 3)}},
                   {0x1008, {at("g", 1), at("f", 3)}}};
  ContextSummaryMap Map;
  AttributionStatistics Statistics = attribute(
      inFunction(0x1000, 0x1010, {{0x1000, 10}, {0x1008, 1}}), Binary, Map);
  const ContextNode &F = root(Map, "f");
  const ContextNode *G = F.findCallee({3, 0}, FunctionId("g"));
  ASSERT_NE(nullptr, G);
  EXPECT_EQ(11u, F.TotalSamples);
  EXPECT_EQ(11u, G->TotalSamples);
  EXPECT_EQ(1u, G->Lines.size());
  EXPECT_EQ(1u, Statistics.AttributedSamples);
  EXPECT_EQ(10u, Statistics.SamplesWithoutLine);
}

TEST(Attribution, StopsAtACallSiteWithoutLine) {
  FakeBinary Binary;
  Binary.Stacks = {{0x1000, {at("h", 1), nowhere("g"), at("f", 3)}},
                   {0x1008, {at("f", 0)}}};
  ContextSummaryMap Map;
  AttributionStatistics Statistics = attribute(
      inFunction(0x1000, 0x1010, {{0x1000, 10}, {0x1008, 1}}), Binary, Map);
  const ContextNode &F = root(Map, "f");
  const ContextNode *G = F.findCallee({3, 0}, FunctionId("g"));
  ASSERT_NE(nullptr, G);
  EXPECT_EQ(10u, G->TotalSamples);
  EXPECT_TRUE(G->Callees.empty());
  EXPECT_TRUE(G->Lines.empty()); // h's line is no line of g
  EXPECT_EQ(10u, Statistics.SamplesWithoutLine);
}

TEST(Attribution, TellsWhyThereAreNoLines) {
  FakeBinary Binary;
  Binary.Kind = DebugInfoKind::Lines;
  Binary.Stacks = {{0x1000, {nowhere("f")}}, {0x1008, {}}};
  ContextSummaryMap Map;
  AttributionStatistics Statistics = attribute(
      inFunction(0x1000, 0x1010, {{0x1000, 10}, {0x1008, 3}}), Binary, Map);
  EXPECT_EQ(0u, Statistics.AttributedSamples);
  EXPECT_EQ(10u, Statistics.SamplesWithoutFirstLine);
  EXPECT_EQ(3u, Statistics.SamplesWithoutDebugInfo);
  EXPECT_EQ(0u, Statistics.Functions);
}

TEST(Attribution, TotalsSaturate) {
  FakeBinary Binary;
  Binary.Stacks = {{0x1000, {at("f", 1, 0, 3)}}};
  ContextSummaryMap Map;
  attribute(inFunction(0x1000, 0x1008, {{0x1000, ~0ull}, {0x1004, 8}}), Binary,
            Map);
  EXPECT_EQ(~0ull, root(Map, "f").TotalSamples);
  EXPECT_EQ(~0ull, count(root(Map, "f"), {1, 0}));
}

TEST(Attribution, EntriesBecomeHeadSamples) {
  FakeBinary Binary;
  Binary.Stacks = {{0x1000, {at("g", 1), at("f", 1)}}, {0x1010, {}}};
  MachineFrequencies Frequencies = inFunction(0x1000, 0x1010, {{0x1000, 10}});
  Frequencies.Functions.front().EntryCount = 7;
  // Another copy, and one without debug information.
  Frequencies.Functions.push_back(Frequencies.Functions.front());
  Frequencies.Functions.push_back({});
  Frequencies.Functions.back().Begin = 0x1010;
  Frequencies.Functions.back().EntryCount = 3;
  ContextSummaryMap Map;
  attribute(Frequencies, Binary, Map);

  EXPECT_EQ(1u, Map.roots().size());
  EXPECT_EQ(14u, root(Map, "f").HeadSamples);
  const ContextNode *G = root(Map, "f").findCallee({1, 0}, FunctionId("g"));
  ASSERT_NE(nullptr, G);
  EXPECT_EQ(0u, G->HeadSamples);
}

TEST(Attribution, CallsBecomeCallTargets) {
  FakeBinary Binary;
  Binary.Functions = {{0x1000, 0x1020, "f"},
                      {0x1020, 0x1030, "g_symbol"},
                      {0x1030, 0x1040, "h"}};
  Binary.Stacks = {
      {0x1000, {at("f", 1)}},   {0x1008, {at("inlined", 2, 1, 4), at("f", 3)}},
      {0x1010, {nowhere("f")}}, {0x1018, {at("inlined", 9), nowhere("f")}},
      {0x1020, {at("g", 0)}},   {0x1030, {}}};
  MachineFrequencies Frequencies = inFunction(0x1000, 0x1020, {{0x1000, 10}});
  Frequencies.Functions.front().Calls = {
      {0x1000, 0x1020, "g_symbol", 10},
      {0x1004, 0x1020, "g_symbol", 5}, // a copy of the call
      {0x1008, 0x1030, "h", 3},        // no debug information
      {0x100c, 0x9000, "memcpy", 2},   // a PLT stub
      {0x100c, 0, "qsort", 1},         // seen by name
      {0x1010, 0x1030, "h", 100},      // no line
      {0x1018, 0x1030, "h", 100},      // no call site
      {0x1000, 0x1024, "", 100},       // no function begins there
  };
  ContextSummaryMap Map;
  attribute(Frequencies, Binary, Map);

  using Targets = std::map<FunctionId, uint64_t>;
  const ContextNode &F = root(Map, "f");
  EXPECT_EQ(F.Lines.at({1, 0}).CallTargets, (Targets{{FunctionId("g"), 15}}));
  const ContextNode *Inlined = F.findCallee({3, 0}, FunctionId("inlined"));
  ASSERT_NE(nullptr, Inlined);
  EXPECT_EQ(Inlined->Lines.at({2, 1}).CallTargets,
            (Targets{{FunctionId("h"), 3},
                     {FunctionId("memcpy"), 2},
                     {FunctionId("qsort"), 1}}));
  // Calls add nothing else.
  EXPECT_EQ(10u, F.TotalSamples);
  EXPECT_EQ(0u, count(*Inlined, {2, 1}));
  EXPECT_EQ(1u, F.Callees.size());
}

// Executions are estimates; the statistics are of what was sampled, where that
// is known. A split-off part may have executed and have no samples.
TEST(Attribution, CountsSamplesAndNotExecutions) {
  FakeBinary Binary;
  Binary.Stacks = {{0x1000, {at("f", 1)}}, {0x1008, {nowhere("f")}}};
  MachineFrequencies Frequencies =
      inFunction(0x1000, 0x1010, {{0x1000, 1000}, {0x1008, 1000}});
  Frequencies.Functions[0].Samples = 9;
  Frequencies.Functions[0].RawSamples = {{0x1000, 3}, {0x1004, 4}, {0x1008, 2}};
  MachineFrequencies Part = inFunction(0x2000, 0x2008, {{0x2000, 70}});
  Binary.Stacks[0x2000] = {at("f", 2)};
  Part.Functions[0].Samples = 0;
  Frequencies.Functions.push_back(Part.Functions[0]);
  ContextSummaryMap Map;
  AttributionStatistics Statistics = attribute(Frequencies, Binary, Map);
  EXPECT_EQ(7u, Statistics.AttributedSamples);
  EXPECT_EQ(2u, Statistics.SamplesWithoutLine);
  EXPECT_EQ(1000u, count(root(Map, "f"), {1, 0}));
  EXPECT_EQ(70u, count(root(Map, "f"), {2, 0}));
}
