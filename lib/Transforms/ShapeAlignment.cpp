//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The best alignment of the first I old and J new lines that ends in the pair
// (I, J) extends either the best one that ends at the same distance, at no
// cost, or the best of all shorter ones, at the cost of a change. Both are
// running maxima, so that a pair takes constant time.
//
//===----------------------------------------------------------------------===//

#include "ShapeAlignment.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <limits>
#include <vector>

using namespace llvm;
using namespace inlay;

// What a pair of lines earns, in units of two lines that have code and nothing
// else in common. The values are not critical: they were chosen on Lua and
// zstd, by what diff says of their sources (docs/benchmarks.md).
static constexpr float SameLine = 1;
/// Times the share of the new line's that the old one has, where it has any.
static constexpr float SameDiscriminators = 1.5;
static constexpr float LostDiscriminator = -1;
static constexpr float SameCallee = 1;
static constexpr float SameRareCallee = 2; // divided by how many lines call it
static constexpr float PossibleCallee = 0.5;
static constexpr float OtherCallee = -2;
static constexpr float LastLines = 1;
/// What it costs that the distance changes.
static constexpr float ChangeOfDistance = 1.5;

static constexpr float Impossible = -std::numeric_limits<float>::infinity();
/// All offsets that have a place are less.
static constexpr size_t MaxDistance = 0x8000;
static constexpr size_t MaxPairs = size_t(1) << 24;

static bool isCalled(FunctionId Callee, const LineShape &New) {
  return New.Callees.count(Callee) || New.HasIndirectCall;
}

static bool isSubset(const std::set<uint32_t> &A, const std::set<uint32_t> &B) {
  return all_of(A,
                [&](uint32_t Discriminator) { return B.count(Discriminator); });
}

bool inlay::fits(const FunctionShape &Old, const FunctionShape &New) {
  return all_of(Old.Lines, [&](const auto &OldLine) {
    // Prologues are on the first line, but no instruction of the IR is.
    if (OldLine.first == 0)
      return true;
    auto NewLine = New.Lines.find(OldLine.first);
    return NewLine != New.Lines.end() &&
           isSubset(OldLine.second.Discriminators,
                    NewLine->second.Discriminators) &&
           all_of(OldLine.second.Callees, [&](FunctionId Callee) {
             return isCalled(Callee, NewLine->second);
           });
  });
}

namespace {
class Aligner {
public:
  Aligner(const FunctionShape &Old, const FunctionShape &New,
          MayBeRenamed Renamed);
  ShapeAlignment run();

private:
  struct Line {
    uint32_t Offset;
    const LineShape *Shape;
    bool IsPlain; ///< nothing to compare but that it is there
  };
  /// An alignment by its last pair, and what it has earned.
  struct Best {
    float Score = 0;
    uint32_t Pair = NoPair;
  };
  static constexpr uint32_t NoPair = std::numeric_limits<uint32_t>::max();

  static std::vector<Line> linesOf(const FunctionShape &Shape);
  float score(size_t I, size_t J) const;
  float scoreInPlace() const;
  float scoreOfCallees(const LineShape &Old, const LineShape &New) const;
  const FunctionShape &Old;
  MayBeRenamed Renamed;
  std::vector<Line> OldLines, NewLines;
  std::map<FunctionId, unsigned> LinesCalling;
};
} // namespace

std::vector<Aligner::Line> Aligner::linesOf(const FunctionShape &Shape) {
  std::vector<Line> Lines;
  for (const auto &[Offset, L] : Shape.Lines)
    if (Offset != 0)
      Lines.push_back({Offset, &L,
                       L.Callees.empty() && L.Discriminators.size() == 1 &&
                           *L.Discriminators.begin() == 0});
  return Lines;
}

Aligner::Aligner(const FunctionShape &Old, const FunctionShape &New,
                 MayBeRenamed Renamed)
    : Old(Old), Renamed(Renamed), OldLines(linesOf(Old)),
      NewLines(linesOf(New)) {
  std::map<FunctionId, unsigned> NewLinesCalling;
  for (const Line &L : OldLines)
    for (FunctionId Callee : L.Shape->Callees)
      ++LinesCalling[Callee];
  for (const Line &L : NewLines)
    for (FunctionId Callee : L.Shape->Callees)
      ++NewLinesCalling[Callee];
  for (auto &[Callee, Count] : LinesCalling)
    Count = std::max(Count, NewLinesCalling[Callee]);
}

float Aligner::scoreOfCallees(const LineShape &OldLine,
                              const LineShape &NewLine) const {
  float Score = 0;
  bool MayBeCalled = NewLine.HasIndirectCall;
  for (FunctionId Callee : OldLine.Callees) {
    if (NewLine.Callees.count(Callee))
      Score += SameCallee + SameRareCallee / LinesCalling.at(Callee);
    MayBeCalled |= any_of(NewLine.Callees, [&](FunctionId Other) {
      return Renamed(Callee, Other);
    });
  }
  if (Score > 0 || OldLine.Callees.empty())
    return Score;
  return MayBeCalled ? PossibleCallee : OtherCallee;
}

float Aligner::score(size_t I, size_t J) const {
  float Score = SameLine;
  if (I + 1 == OldLines.size() && J + 1 == NewLines.size())
    Score += LastLines;
  if (OldLines[I].IsPlain)
    return Score;
  const LineShape &OldLine = *OldLines[I].Shape, &NewLine = *NewLines[J].Shape;
  if (*OldLine.Discriminators.rbegin() != 0)
    Score += isSubset(OldLine.Discriminators, NewLine.Discriminators)
                 ? SameDiscriminators * OldLine.Discriminators.size() /
                       NewLine.Discriminators.size()
                 : LostDiscriminator;
  return Score + scoreOfCallees(OldLine, NewLine);
}

/// What the alignment earns that leaves all lines where they are.
float Aligner::scoreInPlace() const {
  float Sum = 0;
  size_t J = 0;
  for (size_t I = 0; I != OldLines.size(); ++I) {
    while (J != NewLines.size() && NewLines[J].Offset < OldLines[I].Offset)
      ++J;
    if (J != NewLines.size() && NewLines[J].Offset == OldLines[I].Offset)
      Sum += std::max(score(I, J), 0.0f);
  }
  return Sum;
}

ShapeAlignment Aligner::run() {
  ShapeAlignment Result;
  const size_t Columns = NewLines.size();
  if (OldLines.empty() || !Columns || OldLines.size() > MaxPairs / Columns)
    return Result;

  std::vector<uint32_t> Previous(OldLines.size() * Columns, NoPair);
  // Of all rows before: the best that ends in a column before or at this one,
  // at the cost of a change, and the best at each distance.
  std::vector<Best> UpTo(Columns, {-ChangeOfDistance, NoPair});
  std::vector<Best> AtDistance(2 * MaxDistance, {Impossible, NoPair});
  AtDistance[MaxDistance] = {0, NoPair}; // the function's first line
  auto Distance = [&](size_t I, size_t J) {
    return MaxDistance + NewLines[J].Offset - OldLines[I].Offset;
  };
  std::vector<float> Scores(Columns);
  for (size_t I = 0; I != OldLines.size(); ++I) {
    for (size_t J = 0; J != Columns; ++J) {
      float Own = score(I, J);
      Best Extended = J ? UpTo[J - 1] : Best{-ChangeOfDistance, NoPair};
      const Best &Same = AtDistance[Distance(I, J)];
      if (Same.Score >= Extended.Score)
        Extended = Same;
      Previous[I * Columns + J] = Extended.Pair;
      // What earns nothing is no pair.
      Scores[J] = Own > 0 ? Extended.Score + Own : Impossible;
    }
    Best Row{-ChangeOfDistance, NoPair};
    for (size_t J = 0; J != Columns; ++J) {
      auto Pair = static_cast<uint32_t>(I * Columns + J);
      if (Scores[J] - ChangeOfDistance > Row.Score)
        Row = {Scores[J] - ChangeOfDistance, Pair};
      if (Row.Score > UpTo[J].Score)
        UpTo[J] = Row;
      Best &Same = AtDistance[Distance(I, J)];
      if (Scores[J] > Same.Score)
        Same = {Scores[J], Pair};
    }
  }

  Result.Gain = UpTo.back().Score + ChangeOfDistance - scoreInPlace();
  double Paired = 0, All = 0;
  for (uint32_t Pair = UpTo.back().Pair; Pair != NoPair;
       Pair = Previous[Pair]) {
    const Line &OldLine = OldLines[Pair / Columns];
    const Line &NewLine = NewLines[Pair % Columns];
    Result.Pairs[OldLine.Offset] = NewLine.Offset;
    Paired += SameLine;
    if (any_of(OldLine.Shape->Callees, [&](FunctionId Callee) {
          return isCalled(Callee, *NewLine.Shape);
        }))
      Paired += SameRareCallee;
  }
  for (const Line &L : OldLines)
    All += L.Shape->Callees.empty() ? SameLine : SameLine + SameRareCallee;
  Result.Similarity = Paired / All;
  // Where the profile lists what never ran, new lines count as well.
  if (Old.ListsColdLines) {
    double NewPaired = double(Result.Pairs.size()) / Columns;
    Result.Similarity = (Result.Similarity + NewPaired) / 2;
  }
  return Result;
}

ShapeAlignment inlay::alignShapes(const FunctionShape &Old,
                                  const FunctionShape &New,
                                  MayBeRenamed Renamed) {
  return Aligner(Old, New, Renamed).run();
}
