//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// First functions that still have their names are aligned. Where the profile
// has a call of a function that the module does not know, and the IR has, in
// the line that it is aligned with, one of a function that the profile does not
// know, the one may be the other under a new name: if the two are alike as
// well, it is. The calls inside them may tell of more.
//
// A module knows a function when it defines or declares it. Of most functions
// in a program's profile it knows nothing, because they are in other modules;
// this is why likeness alone makes no rename.
//
// Probes are aligned as lines are: blocks are numbered in the order of the
// source, and calls have callees. But whether they are the same is no guess: a
// function whose checksum is another has changed.
//
//===----------------------------------------------------------------------===//

#include "StaleMatching.h"
#include "ContextLookup.h"
#include "ProbeChecksums.h"
#include "ShapeAlignment.h"
#include "llvm/IR/Module.h"
#include <set>

using namespace llvm;
using namespace inlay;

using Copies = std::vector<const ContextNode *>;

namespace {
/// Finds out which function is which, and which line.
class StaleMatcher {
public:
  StaleMatcher(Module &M, ContextSummaryMap &Map,
               sampleprof::ProfileSymbolList *Symbols, const Options &Opts);

  void run();

  struct Change {
    Function *F;
    bool IsRenamed;
    size_t Lines; ///< of the profile that can be moved: without the first
    ShapeAlignment Alignment;
  };
  /// By the function's name in the profile.
  std::map<FunctionId, Change> Changes;
  std::map<FunctionId, Function *> Defined;

private:
  void addCopies(const ContextNode &Node);
  FunctionShape oldShape(FunctionId Id) const;
  bool isNew(FunctionId Id) const;
  bool mayBeRenamed(FunctionId Old, FunctionId New) const {
    return !Known.count(Old) && !Changes.count(Old) && isNew(New);
  }
  ShapeAlignment align(const FunctionShape &Old, const FunctionShape &New);
  bool hasSameChecksum(FunctionId Id) const;
  void matchSameName(FunctionId Id, Function &F);
  void matchRenamed();
  void matchRenamed(FunctionId Old, FunctionId New);

  const ContextSummaryMap &Map;
  sampleprof::ProfileSymbolList *Symbols;
  const Options &Opts;
  std::set<FunctionId> Known;
  std::map<FunctionId, Copies> CopiesOf;
  std::set<Function *> Renamed;
  /// Of the module's functions, if they have probes.
  ProbeChecksums Checksums;
  /// (old name, new name): in how many lines one stands for the other.
  std::map<std::pair<FunctionId, FunctionId>, unsigned> Votes;
};
} // namespace

StaleMatcher::StaleMatcher(Module &M, ContextSummaryMap &Map,
                           sampleprof::ProfileSymbolList *Symbols,
                           const Options &Opts)
    : Map(Map), Symbols(Symbols), Opts(Opts), Checksums(probeChecksums(M)) {
  for (Function &F : M) {
    if (F.isIntrinsic())
      continue;
    FunctionId Id = Map.idOf(profileName(F));
    Known.insert(Id);
    if (!F.isDeclaration() && F.getSubprogram())
      Defined.try_emplace(Id, &F);
  }
  for (const auto &[Id, Root] : Map.roots())
    addCopies(*Root);
}

void StaleMatcher::addCopies(const ContextNode &Node) {
  CopiesOf[Node.Function].push_back(&Node);
  for (const auto &[CallSite, Children] : Node.Callees)
    for (const auto &[Callee, Child] : Children)
      addCopies(*Child);
}

FunctionShape StaleMatcher::oldShape(FunctionId Id) const {
  // One copy was optimized otherwise than another: together they know most.
  FunctionShape Shape;
  for (const ContextNode *Node : CopiesOf.at(Id))
    addToShape(*Node, Shape);
  // Calls that optimization makes, merges and turns into each other.
  for (StringRef Name : {"memcpy", "memmove", "memset", "memcmp", "bcmp"})
    for (auto &[Offset, Line] : Shape.Lines)
      Line.Callees.erase(Map.idOf(Name));
  return Shape;
}

/// Whether the profile says nothing of a function that the module defines.
bool StaleMatcher::isNew(FunctionId Id) const {
  auto It = Defined.find(Id);
  return It != Defined.end() && !CopiesOf.count(Id) &&
         !Renamed.count(It->second) &&
         !(Symbols && Symbols->contains(profileName(*It->second)));
}

ShapeAlignment StaleMatcher::align(const FunctionShape &Old,
                                   const FunctionShape &New) {
  auto MayBe = [&](FunctionId A, FunctionId B) { return mayBeRenamed(A, B); };
  ShapeAlignment Alignment = alignShapes(Old, New, MayBe);
  for (const auto &[OldLine, NewLine] : Alignment.Pairs)
    for (FunctionId OldCallee : Old.Lines.at(OldLine).Callees)
      for (FunctionId NewCallee : New.Lines.at(NewLine).Callees)
        if (MayBe(OldCallee, NewCallee))
          ++Votes[{OldCallee, NewCallee}];
  return Alignment;
}

static size_t movableLines(const FunctionShape &Shape) {
  return Shape.Lines.size() - Shape.Lines.count(0);
}

static size_t linesMoved(const ShapeAlignment &Alignment) {
  return count_if(Alignment.Pairs,
                  [](const auto &Pair) { return Pair.first != Pair.second; });
}

/// Optimization moves a call or two to another line, in code that is fresh.
static bool hasChanged(const FunctionShape &Old,
                       const ShapeAlignment &Alignment) {
  constexpr double LeastGain = 2;
  constexpr size_t LeastLines = 2;
  size_t Moved = linesMoved(Alignment);
  return Alignment.Gain >= LeastGain &&
         Moved >= std::min(LeastLines, movableLines(Old));
}

bool StaleMatcher::hasSameChecksum(FunctionId Id) const {
  // GUIDs are hashes of names, whatever the profile has.
  auto Checksum = Checksums.find(Id.getHashCode());
  return Checksum != Checksums.end() &&
         all_of(CopiesOf.at(Id), [&](const ContextNode *Node) {
           return Node->Checksum == Checksum->second;
         });
}

void StaleMatcher::matchSameName(FunctionId Id, Function &F) {
  if (Map.IsProbeBased) {
    if (hasSameChecksum(Id))
      return;
    // Numbers of another graph say nothing as they are.
    Change C{&F, false, 0, {}};
    FunctionShape Old = oldShape(Id);
    C.Lines = movableLines(Old);
    if (Opts.MatchStale)
      if (ShapeAlignment Alignment = align(Old, shapeOf(F, Map));
          100 * Alignment.Similarity >= Opts.StaleSimilarity)
        C.Alignment = std::move(Alignment);
    Changes.try_emplace(Id, std::move(C));
    return;
  }
  FunctionShape Old = oldShape(Id), New = shapeOf(F, Map);
  if (fits(Old, New))
    return;
  ShapeAlignment Alignment = align(Old, New);
  if (hasChanged(Old, Alignment) &&
      100 * Alignment.Similarity >= Opts.StaleSimilarity)
    Changes.try_emplace(
        Id, Change{&F, false, movableLines(Old), std::move(Alignment)});
}

void StaleMatcher::matchRenamed() {
  // What is called inside a renamed function is voted for in the next round.
  while (!Votes.empty()) {
    std::vector<std::pair<std::pair<FunctionId, FunctionId>, unsigned>> Round(
        Votes.begin(), Votes.end());
    Votes.clear();
    sort(Round, [](const auto &A, const auto &B) {
      return A.second != B.second ? A.second > B.second : A.first < B.first;
    });
    for (const auto &[Names, Count] : Round)
      matchRenamed(Names.first, Names.second);
  }
}

void StaleMatcher::matchRenamed(FunctionId Old, FunctionId New) {
  // One of them may have been decided about since.
  if (!mayBeRenamed(Old, New) || !CopiesOf.count(Old))
    return;
  Function &F = *Defined.at(New);
  FunctionShape OldShape = oldShape(Old);
  ShapeAlignment Alignment = align(OldShape, shapeOf(F, Map));
  if (100 * Alignment.Similarity < Opts.RenameSimilarity)
    return;
  Changes.try_emplace(
      Old, Change{&F, true, movableLines(OldShape), std::move(Alignment)});
  Renamed.insert(&F);
}

void StaleMatcher::run() {
  // In the map's order, which is that of names: the same every time.
  for (auto &[Id, F] : Defined)
    if (CopiesOf.count(Id))
      matchSameName(Id, *F);
  matchRenamed();
}

namespace {
/// Moves the counts accordingly.
class SampleMover {
public:
  SampleMover(ContextSummaryMap &Map, const StaleMatcher &Matcher,
              StaleMatch &Result)
      : Map(Map), Matcher(Matcher), Result(Result) {}

  void run();

private:
  FunctionId newName(FunctionId Id) const {
    auto It = NewNames.find(Id);
    return It == NewNames.end() ? Id : It->second;
  }
  uint64_t move(ContextNode &Node, bool IsElsewhere);

  ContextSummaryMap &Map;
  const StaleMatcher &Matcher;
  StaleMatch &Result;
  std::map<FunctionId, FunctionId> NewNames;
  std::vector<std::unique_ptr<ContextNode>> WithoutCallSite;
};
} // namespace

/// Where \p Place is now; nullopt if nowhere.
static std::optional<LineLocation> newPlace(const ShapeAlignment &Alignment,
                                            LineLocation Place) {
  if (Place.LineOffset == 0 || !hasPlace(Place.LineOffset))
    return Place;
  auto Pair = Alignment.Pairs.find(Place.LineOffset);
  if (Pair == Alignment.Pairs.end())
    return std::nullopt;
  return LineLocation(Pair->second, Place.Discriminator);
}

/// Returns what \p Node loses of its total. \p IsElsewhere: the copy as a whole
/// is not where it was.
uint64_t SampleMover::move(ContextNode &Node, bool IsElsewhere) {
  auto Found = Matcher.Changes.find(Node.Function);
  const StaleMatcher::Change *Change =
      Found == Matcher.Changes.end() ? nullptr : &Found->second;
  const bool IsDefined = Change || Matcher.Defined.count(Node.Function);
  IsElsewhere |= Change && Change->IsRenamed;
  Node.Function = newName(Node.Function);
  uint64_t Lost = 0;

  std::map<LineLocation, LineCounts> Lines;
  for (auto &[Place, Counts] : Node.Lines) {
    std::optional<LineLocation> New =
        Change ? newPlace(Change->Alignment, Place) : Place;
    if (IsDefined) {
      uint64_t &Sum = !New                           ? Result.SamplesDropped
                      : IsElsewhere || *New != Place ? Result.SamplesRecovered
                                                     : Result.SamplesMatched;
      Sum = SaturatingAdd(Sum, Counts.Recorded);
    }
    if (!New) {
      Lost = SaturatingAdd(Lost, Counts.Count);
      continue;
    }
    LineCounts &Line = Lines[*New];
    Line.Count = Counts.Count;
    Line.Recorded = Counts.Recorded;
    for (const auto &[Target, Count] : Counts.CallTargets) {
      uint64_t &Sum = Line.CallTargets[newName(Target)];
      Sum = SaturatingAdd(Sum, Count);
    }
  }
  Node.Lines = std::move(Lines);

  std::map<LineLocation, ContextNode::CalleeMap> Callees;
  for (auto &[Place, Children] : Node.Callees) {
    std::optional<LineLocation> New =
        Change ? newPlace(Change->Alignment, Place) : Place;
    for (auto &[Callee, Child] : Children) {
      if (!New)
        Lost = SaturatingAdd(Lost, Child->TotalSamples);
      uint64_t LostInChild = move(*Child, IsElsewhere || !New || *New != Place);
      if (!New) {
        WithoutCallSite.push_back(std::move(Child));
        continue;
      }
      Lost = SaturatingAdd(Lost, LostInChild);
      std::unique_ptr<ContextNode> &Slot = Callees[*New][newName(Callee)];
      if (Slot)
        Slot->merge(*Child);
      else
        Slot = std::move(Child);
    }
  }
  Node.Callees = std::move(Callees);
  Node.TotalSamples -= std::min(Node.TotalSamples, Lost);
  return Lost;
}

void SampleMover::run() {
  for (const auto &[Old, Change] : Matcher.Changes)
    if (Change.IsRenamed) {
      StringRef Name = profileName(*Change.F);
      NewNames[Old] = Map.UsesMD5 ? Map.idOf(Name) : Map.intern(Name);
    }
  for (auto &[Id, Root] : Map.roots())
    move(*Root, /*IsElsewhere=*/false);
  for (const auto &[Old, New] : NewNames) {
    auto Root = Map.roots().find(Old);
    if (Root == Map.roots().end())
      continue;
    std::unique_ptr<ContextNode> Node = std::move(Root->second);
    Map.roots().erase(Root);
    Map.getOrCreateRoot(New).merge(*Node);
  }
  // What ran below a call that is not there any more was called from elsewhere,
  // or will be: it still says how its function runs.
  for (const std::unique_ptr<ContextNode> &Node : WithoutCallSite)
    Map.getOrCreateRoot(Node->Function).merge(*Node);
}

/// Adds the counts below \p Node of functions that are in \p Defined to \p Sum.
static void addSamples(const ContextNode &Node,
                       const std::map<FunctionId, Function *> &Defined,
                       uint64_t &Sum) {
  if (Defined.count(Node.Function))
    for (const auto &[Place, Counts] : Node.Lines)
      Sum = SaturatingAdd(Sum, Counts.Recorded);
  for (const auto &[Place, Children] : Node.Callees)
    for (const auto &[Callee, Child] : Children)
      addSamples(*Child, Defined, Sum);
}

StaleMatch inlay::matchStaleProfile(Module &M, ProfileFile &File,
                                    const Options &Opts) {
  StaleMatch Result;
  StaleMatcher Matcher(M, File.Map, File.SymbolList.get(), Opts);
  Matcher.run();
  for (const auto &[Old, Change] : Matcher.Changes) {
    StaleMatch::ChangedFunction &Changed = Result.Changed.emplace_back();
    Changed.F = Change.F;
    Changed.OldName = Old.str();
    Changed.Similarity = Change.Alignment.Similarity;
    Changed.IsRenamed = Change.IsRenamed;
    Changed.Lines = Change.Lines;
    Changed.LinesMoved = linesMoved(Change.Alignment);
    Changed.LinesDropped = Change.Lines - Change.Alignment.Pairs.size();
  }
  if (Result.Changed.empty())
    for (const auto &[Id, Root] : File.Map.roots())
      addSamples(*Root, Matcher.Defined, Result.SamplesMatched);
  else
    SampleMover(File.Map, Matcher, Result).run();
  return Result;
}
