//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mechanical edits of a function whose lines are told apart by their calls:
// where every line went is known, and the alignment must say so.
//
//===----------------------------------------------------------------------===//

#include "ShapeAlignment.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace inlay;

namespace {

const auto NoRenames = [](FunctionId, FunctionId) { return false; };

ShapeAlignment align(const FunctionShape &Old, const FunctionShape &New) {
  return alignShapes(Old, New, NoRenames);
}

/// A line that calls function number \p Callee; 0: none.
LineShape line(unsigned Callee = 0) {
  LineShape Line;
  Line.Discriminators.insert(0);
  if (Callee)
    Line.Callees.insert(FunctionId(uint64_t(Callee)));
  return Line;
}

/// Lines From to To, of which every third calls a function of its own.
FunctionShape source(unsigned From, unsigned To) {
  FunctionShape Shape;
  for (unsigned L = From; L <= To; ++L)
    Shape.Lines[L] = line(L % 3 == 0 ? L : 0);
  return Shape;
}

TEST(ShapeAlignmentTest, SameSourceStaysAndGainsNothing) {
  FunctionShape Shape = source(1, 40);
  ShapeAlignment Alignment = align(Shape, Shape);
  EXPECT_EQ(Alignment.Pairs.size(), 40u);
  for (auto [Old, New] : Alignment.Pairs)
    EXPECT_EQ(Old, New);
  EXPECT_EQ(Alignment.Gain, 0);
  EXPECT_EQ(Alignment.Similarity, 1);
  EXPECT_TRUE(fits(Shape, Shape));
}

TEST(ShapeAlignmentTest, NothingAlike) {
  FunctionShape Old, New;
  Old.Lines = {{1, line(1)}, {2, line(2)}};
  New.Lines = {{1, line(3)}, {2, line(4)}};
  ShapeAlignment Alignment = align(Old, New);
  EXPECT_TRUE(Alignment.Pairs.empty());
  EXPECT_EQ(Alignment.Similarity, 0);
  EXPECT_FALSE(fits(Old, New));
  EXPECT_TRUE(align({}, New).Pairs.empty());
  EXPECT_TRUE(align(Old, {}).Pairs.empty());
}

TEST(ShapeAlignmentTest, ALineThatCallsAnotherFunctionIsLost) {
  FunctionShape Old = source(1, 12), New = Old;
  New.Lines[6] = line(1000);
  ShapeAlignment Alignment = align(Old, New);
  EXPECT_EQ(Alignment.Pairs.size(), 11u);
  EXPECT_EQ(Alignment.Pairs.count(6), 0u);
  EXPECT_EQ(alignShapes(Old, New, [](FunctionId, FunctionId) { return true; })
                .Pairs.count(6),
            1u);
}

TEST(ShapeAlignmentTest, DiscriminatorsTellLinesApart) {
  // One line before a loop's header has come in; nothing is called.
  FunctionShape Old, New;
  for (unsigned L : {1, 2, 3, 4})
    Old.Lines[L] = line();
  Old.Lines[3].Discriminators = {0, 2, 3};
  for (unsigned L : {1, 2, 3, 4, 5})
    New.Lines[L] = line();
  New.Lines[4].Discriminators = {0, 2, 3};
  EXPECT_EQ(align(Old, New).Pairs.at(3), 4u);
  EXPECT_EQ(align(Old, New).Pairs.at(4), 5u);
}

TEST(ShapeAlignmentTest, TooLargeIsNotAligned) {
  FunctionShape Shape;
  for (unsigned L = 1; L <= 4097; ++L)
    Shape.Lines[L] = line();
  EXPECT_TRUE(align(Shape, Shape).Pairs.empty());
  Shape.Lines.erase(1);
  EXPECT_EQ(align(Shape, Shape).Pairs.size(), 4096u);
}

/// Lines come and go in blocks. Between two edits there is a call at least,
/// which fixes the distance; how far it reaches toward the edit is anybody's
/// guess, so that only lines with calls are compared.
TEST(ShapeAlignmentTest, FindsLinesAfterRandomEdits) {
  for (unsigned Seed = 1; Seed <= 50; ++Seed) {
    std::mt19937 Random(Seed);
    FunctionShape Old = source(1, 120), New;
    std::map<uint32_t, uint32_t> Truth;
    unsigned At = 1, Fresh = 1000;
    for (unsigned L = 1; L <= 120; ++L) {
      unsigned Choice = L % 12 == 1 ? Random() % 3 : 2;
      unsigned Lines = 1 + Random() % 6;
      if (Choice == 0)
        for (unsigned I = 0; I != Lines; ++I)
          New.Lines[At++] = line(I % 3 == 0 ? Fresh++ : 0);
      else if (Choice == 1)
        L += Lines;
      New.Lines[At] = Old.Lines.at(L);
      Truth[L] = At++;
    }
    ShapeAlignment Alignment = align(Old, New);
    for (auto [OldLine, NewLine] : Truth)
      if (OldLine % 3 == 0) {
        ASSERT_TRUE(Alignment.Pairs.count(OldLine)) << Seed;
        EXPECT_EQ(Alignment.Pairs.at(OldLine), NewLine) << Seed;
      }
    uint32_t Last = 0;
    for (auto [OldLine, NewLine] : Alignment.Pairs) {
      EXPECT_LT(Last, NewLine) << Seed;
      Last = NewLine;
    }
  }
}

} // namespace
