//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// That of frames is the tree of stacks as far as the code agrees with it: a
// frame is a function called by a frame. Frames that differ only in how far
// they have come are one.
//
// Rows of callers grow outwards: a function, its callers, theirs. They grow by
// one at a time, over all frames, and one that has too few samples is not
// followed further. Samples count for all frames of their stack, so that a
// caller under its callers never has fewer than what it calls: if the one row
// is kept, so is the other.
//
// Then frames are given contexts, callers before callees: that of the caller
// and one more, if such a row was kept; else the function begins a row of its
// own. So what a context says of a call, and the context of what is called
// there, are about the same executions.
//
//
//===----------------------------------------------------------------------===//

#include "CallingContexts.h"
#include "SampledFunctions.h"
#include "inlay/Object/ProfiledBinary.h"
#include "inlay/Sampling/StackBinaries.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inlay {

namespace {

constexpr uint32_t None = ~0u;

/// A function that a frame calls, or whose caller is not known.
struct Frame {
  uint32_t Caller; ///< index, before this one's; None
  uint32_t Call;   ///< of the calling function
  uint32_t Function;
  uint64_t Own = 0;    ///< samples in the function itself
  uint64_t Total = 0;  ///< and in what it called
  uint32_t Row = None; ///< with its callers, as far as that has grown
  uint32_t Context = None;
};

class FrameTree {
public:
  FrameTree(const EventSamples &Event, const BinarySamples &Samples,
            const ProfiledBinary &Binary, CallSites &Sites);

  std::vector<Frame> Frames;
  /// (frame, block) -> samples.
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> Blocks;

private:
  uint32_t frame(uint32_t Caller, uint32_t Call, uint32_t Function);
  /// The frame of \p Function above \p Outer, a call in the frame \p Caller.
  uint32_t frameAbove(uint32_t Caller, std::optional<SiteIndex> Outer,
                      uint32_t Function);
  /// The same where the chain lacks a caller; None if nobody can tell which.
  uint32_t frameAboveMissing(uint32_t Caller, std::optional<SiteIndex> Outer,
                             uint32_t Function);
  void addSamples(uint32_t Frame, uint64_t Address, uint64_t Count);

  CallSites &Sites;
  DenseMap<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> IndexOf;
};

class ContextTree {
public:
  ContextTree(FrameTree &Tree, const CallSites &Sites,
              const ContextOptions &Options)
      : Frames(Tree.Frames), Sites(Sites), Options(Options) {}

  void grow();
  void assign();
  CallingContexts take(const FrameTree &Tree);

private:
  /// A function and some callers.
  struct Row {
    uint32_t Inner; ///< of one caller less; None
    SiteIndex Site; ///< of the outermost caller, unless Inner is None
    uint32_t Function;
    uint32_t Caller;         ///< the row without the function; None
    uint32_t Call;           ///< of the function, unless Caller is None
    uint32_t Context = None; ///< index in the result, if it is in use
  };

  bool contains(uint32_t Row, uint32_t Function) const;
  bool growLevel();
  uint32_t use(uint32_t Row, CallingContexts &Result);

  std::vector<Frame> &Frames;
  const CallSites &Sites;
  const ContextOptions &Options;
  uint64_t Least = 0;
  std::vector<Row> Rows;
  std::map<uint32_t, uint32_t> Single; ///< function -> the row of it alone
  /// Of a row and one more caller.
  std::map<std::pair<uint32_t, SiteIndex>, uint32_t> Outer;
  /// (row, call, function) -> the row of all of these.
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> Called;
  /// (frame, the outermost frame of its row so far).
  std::vector<std::pair<uint32_t, uint32_t>> Growing;
};

} // namespace

uint32_t FrameTree::frame(uint32_t Caller, uint32_t Call, uint32_t Function) {
  auto [It, IsNew] =
      IndexOf.try_emplace({Caller, Call, Function}, Frames.size());
  if (IsNew)
    Frames.push_back({Caller, Call, Function});
  return It->second;
}

uint32_t FrameTree::frameAbove(uint32_t Caller, std::optional<SiteIndex> Outer,
                               uint32_t Function) {
  if (Caller != None && Outer && Sites.mayCall(Sites.call(*Outer), Function))
    return frame(Caller, Outer->second, Function);
  return frame(None, 0, Function);
}

uint32_t FrameTree::frameAboveMissing(uint32_t Caller,
                                      std::optional<SiteIndex> Outer,
                                      uint32_t Function) {
  std::optional<uint32_t> Missing =
      Outer ? Sites.calleeOf(Sites.call(*Outer)) : std::nullopt;
  if (!Missing || Missing == Function)
    return None;
  std::optional<SiteIndex> Site = Sites.onlySite(*Missing, Function);
  if (!Site)
    return None;
  return frame(frameAbove(Caller, Outer, *Missing), Site->second, Function);
}

void FrameTree::addSamples(uint32_t Index, uint64_t Address, uint64_t Count) {
  Frame &F = Frames[Index];
  F.Own = SaturatingAdd(F.Own, Count);
  const MachineFunction &Code = Sites.code(F.Function);
  std::optional<uint32_t> Instruction = findInstruction(Code, Address);
  if (!Instruction)
    return;
  uint32_t Block = partition_point(Code.Blocks,
                                   [&](const MachineBlock &B) {
                                     return B.First + B.Count <= *Instruction;
                                   }) -
                   Code.Blocks.begin();
  uint64_t &Sum = Blocks[{Index, Block}];
  Sum = SaturatingAdd(Sum, Count);
}

FrameTree::FrameTree(const EventSamples &Event, const BinarySamples &Samples,
                     const ProfiledBinary &Binary, CallSites &Sites)
    : Sites(Sites) {
  const StackBinaries Own(Event, Samples);
  ArrayRef<StackNode> Stacks = Event.Stacks;
  // Of the nodes that are not leaves.
  std::vector<uint32_t> FrameOf(Stacks.size(), None);
  std::vector<std::optional<SiteIndex>> SiteOf(Stacks.size());
  for (auto [I, Node] : enumerate(Stacks)) {
    if (!Own.contains(Node))
      continue;
    std::optional<uint64_t> Address = Binary.addressOf(Node.Offset);
    if (!Address)
      continue;
    if (!Node.IsLeaf)
      SiteOf[I] = Sites.siteBefore(*Address);
    // A return address may be the first byte behind its function.
    std::optional<uint32_t> Function =
        SiteOf[I] ? SiteOf[I]->first
                  : Sites.functionAt(*Address - !Node.IsLeaf);
    if (!Function)
      continue;
    // Callers come first.
    const bool HasCaller = Node.Caller < I;
    const uint32_t Caller = HasCaller ? FrameOf[Node.Caller] : None;
    const std::optional<SiteIndex> Outer =
        HasCaller ? SiteOf[Node.Caller] : std::nullopt;
    if (!Node.IsLeaf) {
      FrameOf[I] = frameAbove(Caller, Outer, *Function);
      continue;
    }
    if (!Node.Samples)
      continue;
    const uint32_t Leaf =
        Event.hasCallStacks() || Sites.hasFrame(*Function, *Address)
            ? frameAbove(Caller, Outer, *Function)
            : frameAboveMissing(Caller, Outer, *Function);
    if (Leaf != None)
      addSamples(Leaf, *Address, Node.Samples);
  }
  for (Frame &F : reverse(Frames)) {
    F.Total = SaturatingAdd(F.Total, F.Own);
    if (F.Caller != None) {
      Frame &Caller = Frames[F.Caller];
      Caller.Total = SaturatingAdd(Caller.Total, F.Total);
    }
  }
}

bool ContextTree::contains(uint32_t Row, uint32_t Function) const {
  for (; Rows[Row].Inner != None; Row = Rows[Row].Inner)
    if (Rows[Row].Site.first == Function)
      return true;
  return Rows[Row].Function == Function;
}

/// Adds one more caller to the rows that have enough samples for it. Returns
/// whether there were any.
bool ContextTree::growLevel() {
  auto SiteOf = [&](std::pair<uint32_t, uint32_t> G) {
    const Frame &Outermost = Frames[G.second];
    return SiteIndex(Frames[Outermost.Caller].Function, Outermost.Call);
  };
  auto KeyOf = [&](std::pair<uint32_t, uint32_t> G) {
    return std::pair(Frames[G.first].Row, SiteOf(G));
  };
  llvm::erase_if(Growing, [&](std::pair<uint32_t, uint32_t> G) {
    return Frames[G.second].Caller == None ||
           contains(Frames[G.first].Row, SiteOf(G).first);
  });
  std::map<std::pair<uint32_t, SiteIndex>, uint64_t> Totals;
  for (std::pair<uint32_t, uint32_t> G : Growing) {
    uint64_t &Total = Totals[KeyOf(G)];
    Total = SaturatingAdd(Total, Frames[G.first].Total);
  }
  const size_t Before = Rows.size();
  for (auto [Key, Total] : Totals) {
    if (Total < Least)
      continue;
    auto [Inner, Site] = Key;
    const bool IsFirst = Rows[Inner].Caller == None;
    Row New{Inner, Site, Rows[Inner].Function, None,
            IsFirst ? Site.second : Rows[Inner].Call};
    if (IsFirst) {
      New.Caller = Single.at(Site.first);
    } else {
      auto Caller = Outer.find({Rows[Inner].Caller, Site});
      if (Caller == Outer.end())
        continue;
      New.Caller = Caller->second;
    }
    Outer[Key] = Rows.size();
    Called[{New.Caller, New.Call, New.Function}] = Rows.size();
    Rows.push_back(New);
  }
  llvm::erase_if(Growing, [&](std::pair<uint32_t, uint32_t> &G) {
    auto It = Outer.find(KeyOf(G));
    if (It == Outer.end())
      return true;
    Frames[G.first].Row = It->second;
    G.second = Frames[G.second].Caller;
    return false;
  });
  return Rows.size() != Before;
}

void ContextTree::grow() {
  uint64_t All = 0;
  for (auto [Index, F] : enumerate(Frames)) {
    All = SaturatingAdd(All, F.Own);
    auto [It, IsNew] = Single.try_emplace(F.Function, Rows.size());
    if (IsNew)
      Rows.push_back({None, {}, F.Function, None, 0});
    F.Row = It->second;
    if (F.Total)
      Growing.emplace_back(Index, Index);
  }
  Least = std::max<uint64_t>(Options.LeastSamples,
                             uint64_t(double(All) * Options.LeastShare));
  for (unsigned Level = 0; Level < Options.Depth && growLevel(); ++Level)
    ;
}

void ContextTree::assign() {
  for (Frame &F : Frames) {
    F.Context = Single.at(F.Function);
    if (F.Caller == None)
      continue;
    auto It = Called.find({Frames[F.Caller].Context, F.Call, F.Function});
    if (It != Called.end())
      F.Context = It->second;
  }
}

/// The index in \p Result of what \p Row has become there, its callers first.
uint32_t ContextTree::use(uint32_t Row, CallingContexts &Result) {
  if (Rows[Row].Context != None)
    return Rows[Row].Context;
  CallingContext Context;
  Context.Function = Rows[Row].Function;
  // Rows are as long as Options.Depth: recursion is fine.
  if (Rows[Row].Caller != None)
    Context.Caller = {use(Rows[Row].Caller, Result), Rows[Row].Call};
  Result.Contexts.push_back(std::move(Context));
  return Rows[Row].Context = Result.Contexts.size() - 1;
}

CallingContexts ContextTree::take(const FrameTree &Tree) {
  CallingContexts Result;
  for (const Frame &F : Frames)
    if (F.Total)
      use(F.Context, Result);
  for (auto [Key, Count] : Tree.Blocks) {
    auto [Index, Block] = Key;
    Result.Contexts[Rows[Frames[Index].Context].Context].Blocks[Block] +=
        double(Count);
    Result.Samples = SaturatingAdd(Result.Samples, Count);
  }
  for (const Frame &F : Frames) {
    if (!F.Total || F.Caller == None)
      continue;
    const Frame &Caller = Frames[F.Caller];
    const uint32_t Context = Rows[Caller.Context].Context;
    const double Weight =
        double(F.Own) + WeightOfCallees * double(F.Total - F.Own);
    Result.Callees[{Context, F.Call, F.Function}] += Weight;
    // Who calls executes the call.
    const uint32_t Block = Sites.call({Caller.Function, F.Call}).Block;
    Result.Contexts[Context].Blocks[Block] += WeightOfCallees * Weight;
  }
  return Result;
}

CallingContexts findCallingContexts(const EventSamples &Event,
                                    const BinarySamples &Samples,
                                    const ProfiledBinary &Binary,
                                    CallSites &Sites,
                                    const ContextOptions &Options) {
  FrameTree Frames(Event, Samples, Binary, Sites);
  ContextTree Contexts(Frames, Sites, Options);
  Contexts.grow();
  Contexts.assign();
  return Contexts.take(Frames);
}

} // namespace inlay
