//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An inline stack is a path in the map, from its outermost frame inwards. The
// path ends early at a call site without a line: what was inlined there cannot
// be found again, but its samples count in the totals of the frames outside.
// (create_llvm_prof then books the inlinee's line in the caller, under the
// inlinee's line offset; we book no line.)
//
//===----------------------------------------------------------------------===//

#include "inlay/Attribution/Attribution.h"
#include "CalleeName.h"
#include "inlay/Object/ProfiledBinary.h"
#include "inlay/Object/SymbolName.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inlay {

namespace {

class Attributor {
public:
  Attributor(ProfiledBinary &Binary, ContextSummaryMap &Map)
      : Binary(Binary), Map(Map) {}

  /// Adds \p Function to \p Base, the node of its outermost frame; null: to its
  /// root. Returns whether there was a line to take anything.
  bool addFunction(const FunctionFrequencies &Function,
                   ContextNode *Base = nullptr);
  void countSamples(const FunctionFrequencies &Function, bool HasLines);
  /// The node, made if absent, of the function at \p Entry when called by the
  /// instruction at \p Site in the function of \p Base (null: in its root);
  /// null if the call has no line or either function no debug information.
  ContextNode *called(ContextNode *Base, uint64_t Site, uint64_t Entry);
  /// Adds what was called to the totals of its callers.
  void addCalledToTotals(ContextNode &Node);
  AttributionStatistics Statistics;

private:
  /// The node of \p Stack's innermost frame, made if absent, with \p Count
  /// added to the totals on the way; null if a call site on the way has no
  /// line.
  ContextNode *descend(ContextNode *Base, ArrayRef<InlineFrame> Stack,
                       uint64_t Count);
  /// Adds \p Count at the innermost frame of \p Stack, and to the totals on the
  /// way. Returns whether a line was there to take it.
  bool addStack(ContextNode *Base, ArrayRef<InlineFrame> Stack, uint64_t Count);
  void addEntries(const FunctionFrequencies &Function, ContextNode *Base);
  void addCall(const CallFrequency &Call, ContextNode *Base);
  /// Accounts for samples at \p Address, whose stack leads to a line or not.
  void countSamples(uint64_t Address, uint64_t Samples, bool HasLine);
  FunctionId intern(StringRef Name);

  ProfiledBinary &Binary;
  ContextSummaryMap &Map;
  DenseMap<StringRef, FunctionId> Names;
};

} // namespace

FunctionId Attributor::intern(StringRef Name) {
  auto [It, IsNew] = Names.try_emplace(Name);
  if (IsNew)
    It->second = Map.intern(Name);
  return It->second;
}

/// Whether addStack would find a line.
static bool leadsToLine(ArrayRef<InlineFrame> Stack) {
  if (Stack.empty() || !Stack.front().HasLine)
    return false;
  for (size_t I = Stack.size() - 1; I > 0; --I)
    if (!Stack[I].HasLine || Stack[I - 1].Function.empty())
      return false;
  return true;
}

ContextNode *Attributor::descend(ContextNode *Base, ArrayRef<InlineFrame> Stack,
                                 uint64_t Count) {
  ContextNode *Node =
      Base ? Base : &Map.getOrCreateRoot(intern(Stack.back().Function));
  Node->TotalSamples = SaturatingAdd(Node->TotalSamples, Count);
  for (size_t I = Stack.size() - 1; I > 0; --I) {
    const InlineFrame &Caller = Stack[I];
    StringRef Callee = Stack[I - 1].Function;
    if (!Caller.HasLine || Callee.empty())
      return nullptr;
    Node = &Node->getOrCreateCallee({Caller.LineOffset, Caller.Discriminator},
                                    intern(Callee));
    Node->TotalSamples = SaturatingAdd(Node->TotalSamples, Count);
  }
  return Node;
}

bool Attributor::addStack(ContextNode *Base, ArrayRef<InlineFrame> Stack,
                          uint64_t Count) {
  ContextNode *Node = descend(Base, Stack, Count);
  const InlineFrame &Innermost = Stack.front();
  if (!Node || !Innermost.HasLine)
    return false;
  Node->raiseLine({Innermost.LineOffset, Innermost.Discriminator}, Count);
  return true;
}

void Attributor::addEntries(const FunctionFrequencies &Function,
                            ContextNode *Base) {
  if (!Function.EntryCount)
    return;
  InlineStack Stack = Binary.inlineStackAt(Function.Begin);
  if (Stack.empty())
    return;
  if (!Base)
    Base = &Map.getOrCreateRoot(intern(Stack.back().Function));
  Base->HeadSamples = SaturatingAdd(Base->HeadSamples, *Function.EntryCount);
}

ContextNode *Attributor::called(ContextNode *Base, uint64_t Site,
                                uint64_t Entry) {
  InlineStack Caller = Binary.inlineStackAt(Site);
  InlineStack Callee = Binary.inlineStackAt(Entry);
  if (Caller.empty() || Callee.empty() || !Caller.front().HasLine)
    return nullptr;
  ContextNode *Node = descend(Base, Caller, 0);
  if (!Node)
    return nullptr;
  const LineLocation CallSite = {Caller.front().LineOffset,
                                 Caller.front().Discriminator};
  const FunctionId Function = intern(Callee.back().Function);
  if (ContextNode *Present = Node->findCallee(CallSite, Function))
    return Present;
  ContextNode &New = Node->getOrCreateCallee(CallSite, Function);
  New.IsCall = true;
  return &New;
}

void Attributor::addCalledToTotals(ContextNode &Node) {
  // Contexts are as deep as ContextOptions::Depth and inlining make them.
  for (auto &[CallSite, Children] : Node.Callees)
    for (auto &[Callee, Child] : Children) {
      const uint64_t Before = Child->TotalSamples;
      addCalledToTotals(*Child);
      // An inlined one is in the total but for what it called.
      Node.TotalSamples =
          SaturatingAdd(Node.TotalSamples,
                        Child->TotalSamples - (Child->IsCall ? 0 : Before));
    }
}

void Attributor::addCall(const CallFrequency &Call, ContextNode *Base) {
  StringRef Callee = calleeName(Call, Binary);
  InlineStack Stack = Binary.inlineStackAt(Call.Site);
  if (Callee.empty() || Stack.empty() || !Stack.front().HasLine)
    return;
  ContextNode *Node = descend(Base, Stack, 0);
  if (!Node)
    return;
  LineLocation Location = {Stack.front().LineOffset,
                           Stack.front().Discriminator};
  uint64_t &Count = Node->Lines[Location].CallTargets[intern(Callee)];
  Count = SaturatingAdd(Count, Call.Count);
}

void Attributor::countSamples(uint64_t Address, uint64_t Samples,
                              bool HasLine) {
  if (HasLine) {
    Statistics.AttributedSamples += Samples;
    return;
  }
  switch (Binary.debugInfoAt(Address)) {
  case DebugInfoKind::None:
    Statistics.SamplesWithoutDebugInfo += Samples;
    break;
  case DebugInfoKind::Lines:
    Statistics.SamplesWithoutFirstLine += Samples;
    break;
  case DebugInfoKind::Functions:
    Statistics.SamplesWithoutLine += Samples;
    break;
  }
}

bool Attributor::addFunction(const FunctionFrequencies &Function,
                             ContextNode *Base) {
  bool HasLines = false;
  for (uint64_t Address :
       Binary.locationBoundaries(Function.Begin, Function.End)) {
    InlineStack Stack = Binary.inlineStackAt(Address);
    if (Stack.empty())
      continue;
    HasLines |= addStack(Base, Stack, 0);
    Statistics.HasDiscriminators |=
        any_of(Stack, [](const InlineFrame &F) { return F.Discriminator; });
  }

  for (auto [Address, Samples] : Function.Instructions) {
    InlineStack Stack = Binary.inlineStackAt(Address);
    HasLines |= !Stack.empty() &&
                addStack(Base, Stack,
                         SaturatingMultiply<uint64_t>(
                             Samples, Stack.front().DuplicationFactor));
  }
  addEntries(Function, Base);
  for (const CallFrequency &Call : Function.Calls)
    addCall(Call, Base);
  return HasLines;
}

/// Accounts for all samples in \p Function.
void Attributor::countSamples(const FunctionFrequencies &Function,
                              bool HasLines) {
  const auto &Samples = Function.RawSamples.empty() && Function.Samples
                            ? Function.Instructions
                            : Function.RawSamples;
  for (auto [Address, Count] : Samples)
    countSamples(Address, Count, leadsToLine(Binary.inlineStackAt(Address)));
  Statistics.Functions += HasLines;
}

AttributionStatistics
attribute(const MachineFrequencies &Frequencies, ProfiledBinary &Binary,
          ContextSummaryMap &Map,
          function_ref<void(uint64_t Functions)> OnProgress) {
  Attributor A(Binary, Map);
  for (auto [Index, Function] : enumerate(Frequencies.Functions)) {
    A.countSamples(Function, A.addFunction(Function));
    if (OnProgress)
      OnProgress(Index + 1);
  }
  return A.Statistics;
}

AttributionStatistics
attribute(const MachineFrequencies &Frequencies,
          const ContextFrequencies &Contexts, ProfiledBinary &Binary,
          ContextSummaryMap &Map,
          function_ref<void(uint64_t Functions)> OnProgress) {
  Attributor A(Binary, Map);
  std::vector<ContextNode *> Nodes;
  DenseSet<uint64_t> WithLines; // by address
  for (const FunctionInContext &Context : Contexts.Contexts) {
    ContextNode *Caller = Context.Caller ? Nodes[*Context.Caller] : nullptr;
    ContextNode *Node = Context.Caller
                            ? A.called(Caller, Context.Site, Context.Entry)
                            : nullptr;
    Nodes.push_back(Node);
    for (const FunctionFrequencies &Part : Context.Parts)
      if (A.addFunction(Part, Node))
        WithLines.insert(Part.Begin);
  }
  for (auto [Index, Function] : enumerate(Frequencies.Functions)) {
    A.countSamples(Function, WithLines.contains(Function.Begin));
    if (OnProgress)
      OnProgress(Index + 1);
  }
  for (const auto &[Id, Root] : Map.roots())
    A.addCalledToTotals(*Root);
  return A.Statistics;
}

void addSymbols(const ProfiledBinary &Binary, ContextSummaryMap &Map) {
  for (const FunctionRange &Function : Binary.functions()) {
    Map.Symbols.insert(Function.Name.str());
    for (StringRef Name : Binary.symbolNames(Function))
      Map.Symbols.insert(canonicalFunctionName(Name).str());
  }
}

} // namespace inlay
