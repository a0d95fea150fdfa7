//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tree's operations: sums that saturate, entry estimates that agree with
// LLVM's, and nothing lost on the way to a file and back.
//
//===----------------------------------------------------------------------===//

#include "inlay/Profile/ContextSummaryMap.h"
#include "inlay/Profile/ProfileFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace llvm::sampleprof;
using namespace inlay;

namespace {

constexpr uint64_t Max = ~uint64_t(0);

FunctionId id(StringRef Name) { return FunctionId(Name); }

std::string printed(const ContextSummaryMap &Map) {
  std::string Text;
  raw_string_ostream OS(Text);
  Map.print(OS);
  return Text;
}

/// Any tree; many counts are 0, as in real profiles.
void fill(ContextNode &Node, std::mt19937 &Random, unsigned Depth = 0) {
  static constexpr StringLiteral Names[] = {"a", "b", "c", "_ZN1dEv"};
  auto Count = [&] { return Random() % 3 ? Random() % 1000 : 0; };
  auto Location = [&] {
    return LineLocation(Random() % 6, Random() % 4 ? 0 : Random() % 3);
  };
  Node.TotalSamples = Count();
  if (Random() % 4 == 0 && Depth == 0) // only roots have them in a file
    Node.HeadSamples = Count();
  for (unsigned N = Random() % 4; N; --N) {
    LineCounts &Line = Node.Lines[Location()];
    Line.Count = Count();
    if (Random() % 3 == 0)
      Line.CallTargets[id(Names[Random() % std::size(Names)])] = Count();
  }
  if (Depth < 3)
    for (unsigned N = Random() % 3; N; --N)
      fill(Node.getOrCreateCallee(Location(),
                                  id(Names[Random() % std::size(Names)])),
           Random, Depth + 1);
}

void convert(const ContextNode &Node, FunctionSamples &FS) {
  FS.setFunction(Node.Function);
  FS.addTotalSamples(Node.TotalSamples);
  FS.addHeadSamples(Node.HeadSamples);
  for (const auto &[Location, Counts] : Node.Lines)
    FS.addBodySamples(Location.LineOffset, Location.Discriminator,
                      Counts.Count);
  for (const auto &[CallSite, Children] : Node.Callees)
    for (const auto &[Callee, Child] : Children)
      convert(*Child, FS.functionSamplesAt(CallSite)[Callee]);
}

TEST(ContextSummaryMapTest, EntryEstimateAgreesWithLLVM) {
  std::mt19937 Random(1);
  for (unsigned I = 0; I != 5000; ++I) {
    ContextNode Node(id("root"));
    fill(Node, Random);
    FunctionSamples FS;
    convert(Node, FS);
    // LLVM's rule for a callee; of a root it looks at head samples as well.
    FunctionSamples::ProfileIsCS = false;
    EXPECT_EQ(Node.entryEstimate(),
              Node.HeadSamples ? Node.HeadSamples : FS.getHeadSamplesEstimate())
        << "tree " << I;
  }
}

TEST(ContextSummaryMapTest, EntryEstimateOfSeveralInlineesOfOneCall) {
  // A promoted indirect call at the first line.
  ContextNode Node(id("root"));
  Node.getOrCreateCallee({1, 0}, id("a")).raiseLine({1, 0}, 30);
  Node.getOrCreateCallee({1, 0}, id("b")).raiseLine({1, 0}, 12);
  Node.raiseLine({2, 0}, 7);
  EXPECT_EQ(Node.entryEstimate(), 42u);
}

TEST(ContextSummaryMapTest, EntryEstimateOfSomethingThatRanIsNotZero) {
  ContextNode Node(id("root"));
  EXPECT_EQ(Node.entryEstimate(), 0u);
  Node.TotalSamples = 5;
  EXPECT_EQ(Node.entryEstimate(), 1u);
  Node.raiseLine({1, 0}, 0);
  EXPECT_EQ(Node.entryEstimate(), 1u);
}

TEST(ContextSummaryMapTest, RaiseLineKeepsTheGreater) {
  ContextNode Node(id("f"));
  Node.raiseLine({1, 0}, 5);
  Node.raiseLine({1, 0}, 3);
  EXPECT_EQ((Node.Lines[{1, 0}].Count), 5u);
  Node.raiseLine({1, 0}, 9);
  EXPECT_EQ((Node.Lines[{1, 0}].Count), 9u);
  // An explicit zero is there.
  Node.raiseLine({2, 0}, 0);
  EXPECT_EQ((Node.Lines.count({2, 0})), 1u);
}

TEST(ContextSummaryMapTest, MergeAddsLineByLineAndContextByContext) {
  ContextNode A(id("f")), B(id("f"));
  A.TotalSamples = 100;
  A.HeadSamples = 1;
  A.Lines[{1, 0}] = {10, {{id("x"), 4}}};
  A.getOrCreateCallee({3, 0}, id("g")).Lines[{1, 0}].Count = 7;
  B.TotalSamples = 11;
  B.HeadSamples = 2;
  B.Lines[{1, 0}] = {5, {{id("x"), 1}, {id("y"), 2}}};
  B.Lines[{1, 1}] = {8, {}};
  B.getOrCreateCallee({3, 0}, id("g")).Lines[{1, 0}].Count = 20;
  B.getOrCreateCallee({3, 0}, id("h")).TotalSamples = 3;
  A.merge(B);
  EXPECT_EQ(A.TotalSamples, 111u);
  EXPECT_EQ(A.HeadSamples, 3u);
  EXPECT_EQ((A.Lines[{1, 0}].Count), 15u);
  EXPECT_EQ((A.Lines[{1, 0}].CallTargets[id("x")]), 5u);
  EXPECT_EQ((A.Lines[{1, 0}].CallTargets[id("y")]), 2u);
  EXPECT_EQ((A.Lines[{1, 1}].Count), 8u);
  EXPECT_EQ((A.findCallee({3, 0}, id("g"))->Lines[{1, 0}].Count), 27u);
  EXPECT_EQ(A.findCallee({3, 0}, id("h"))->TotalSamples, 3u);
  EXPECT_EQ(A.findCallee({3, 1}, id("g")), nullptr);
}

TEST(ContextSummaryMapTest, SumsSaturate) {
  ContextNode A(id("f")), B(id("f"));
  for (ContextNode *Node : {&A, &B}) {
    Node->TotalSamples = Max - 1;
    Node->HeadSamples = Max / 2 + 1;
    Node->Lines[{1, 0}] = {Max, {{id("x"), Max - 5}}};
  }
  A.merge(B);
  EXPECT_EQ(A.TotalSamples, Max);
  EXPECT_EQ(A.HeadSamples, Max);
  EXPECT_EQ((A.Lines[{1, 0}].Count), Max);
  EXPECT_EQ((A.Lines[{1, 0}].CallTargets[id("x")]), Max);

  ContextNode Promoted(id("f"));
  Promoted.getOrCreateCallee({1, 0}, id("a")).raiseLine({1, 0}, Max);
  Promoted.getOrCreateCallee({1, 0}, id("b")).raiseLine({1, 0}, Max);
  EXPECT_EQ(Promoted.entryEstimate(), Max);
}

TEST(ContextSummaryMapTest, MergedMapOwnsItsNames) {
  ContextSummaryMap Map;
  {
    ContextSummaryMap Other;
    ContextNode &Root = Other.getOrCreateRoot(std::string(100, 'r'));
    Root.TotalSamples = 3;
    Root.Lines[{1, 0}].CallTargets[Other.intern(std::string(100, 't'))] = 2;
    Root.getOrCreateCallee({2, 0}, Other.intern(std::string(100, 'c')))
        .TotalSamples = 1;
    Map.merge(Other);
    Map.merge(Other);
  }
  const ContextNode *Root = Map.findRoot(Map.idOf(std::string(100, 'r')));
  ASSERT_NE(Root, nullptr);
  EXPECT_EQ(Root->TotalSamples, 6u);
  EXPECT_EQ(Root->findCallee({2, 0}, id(std::string(100, 'c')))->TotalSamples,
            2u);
  EXPECT_NE(printed(Map).find(std::string(100, 't') + ":4"), std::string::npos);
}

TEST(ContextSummaryMapTest, HashedNames) {
  ContextSummaryMap Map;
  Map.UsesMD5 = true;
  ContextNode &Root = Map.getOrCreateRoot("f");
  EXPECT_EQ(&Map.getOrCreateRoot("f"), &Root);
  EXPECT_FALSE(Root.Function.isStringRef());
  EXPECT_EQ(Map.findRoot(Map.idOf("f")), &Root);
  EXPECT_EQ(Map.findRoot(Map.idOf("g")), nullptr);
}

TEST(ContextSummaryMapTest, NothingIsLostInAFile) {
  std::mt19937 Random(2);
  SmallString<128> Path;
  ASSERT_FALSE(sys::fs::createTemporaryFile("inlay", "prof", Path));
  for (unsigned I = 0; I != 100; ++I)
    for (ProfileFormat Format : {ProfileFormat::Text, ProfileFormat::ExtBinary})
      for (bool UsesMD5 : {false, true}) {
        // LLVM's text reader takes hashes for names.
        if (UsesMD5 && Format == ProfileFormat::Text)
          continue;
        ContextSummaryMap Map;
        Map.UsesMD5 = UsesMD5;
        if (UsesMD5) {
          ContextNode &Root = Map.getOrCreateRoot("first");
          Root.TotalSamples = 10;
          Root.Lines[{1, 0}] = {10, {{Map.idOf("target"), 9}}};
          Root.getOrCreateCallee({2, 0}, Map.idOf("callee")).TotalSamples = 4;
        } else {
          fill(Map.getOrCreateRoot("first"), Random);
          fill(Map.getOrCreateRoot("second"), Random);
        }
        if (I % 2)
          Map.Resolution = 1 + (Random() >> Random() % 32);
        ASSERT_EQ(toString(writeProfile(Path, Map, Format)), "");
        Expected<ProfileFile> File = readProfile(Path);
        ASSERT_TRUE(bool(File)) << toString(File.takeError());
        EXPECT_EQ(printed(File->Map), printed(Map));
        EXPECT_EQ(File->Map.Resolution, Map.Resolution);
      }
  sys::fs::remove(Path);
}

TEST(ContextSummaryMapTest, MergingKeepsTheCoarserResolution) {
  ContextSummaryMap Unknown, Fine, Coarse;
  Fine.Resolution = 3;
  Coarse.Resolution = 5;
  Unknown.merge(Coarse);
  EXPECT_EQ(Unknown.Resolution, 5u);
  Unknown.merge(Fine);
  EXPECT_EQ(Unknown.Resolution, 5u);
}

TEST(ContextSummaryMapTest, MergingMapsIsMergingFiles) {
  std::mt19937 Random(3);
  for (unsigned I = 0; I != 200; ++I) {
    ContextSummaryMap A, B;
    fill(A.getOrCreateRoot("first"), Random);
    fill(A.getOrCreateRoot("second"), Random);
    fill(B.getOrCreateRoot("second"), Random);
    fill(B.getOrCreateRoot("third"), Random);
    ContextSummaryMap AB, BA;
    AB.merge(A);
    AB.merge(B);
    BA.merge(B);
    BA.merge(A);
    EXPECT_EQ(printed(AB), printed(BA));
  }
}

} // namespace
