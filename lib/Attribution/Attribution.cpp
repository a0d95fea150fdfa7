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
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inlay {

namespace {

class Attributor {
public:
  Attributor(ProfiledBinary &Binary, ContextSummaryMap &Map)
      : Binary(Binary), Map(Map) {}

  void addFunction(const FunctionFrequencies &Function);
  AttributionStatistics Statistics;

private:
  /// The node of \p Stack's innermost frame, made if absent, with \p Count
  /// added to the totals on the way; null if a call site on the way has no
  /// line.
  ContextNode *descend(ArrayRef<InlineFrame> Stack, uint64_t Count);
  /// Adds \p Count at the innermost frame of \p Stack, and to the totals on the
  /// way. Returns whether a line was there to take it.
  bool addStack(ArrayRef<InlineFrame> Stack, uint64_t Count);
  void addEntries(const FunctionFrequencies &Function);
  void addCall(const CallFrequency &Call);
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

ContextNode *Attributor::descend(ArrayRef<InlineFrame> Stack, uint64_t Count) {
  ContextNode *Node = &Map.getOrCreateRoot(intern(Stack.back().Function));
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

bool Attributor::addStack(ArrayRef<InlineFrame> Stack, uint64_t Count) {
  ContextNode *Node = descend(Stack, Count);
  const InlineFrame &Innermost = Stack.front();
  if (!Node || !Innermost.HasLine)
    return false;
  Node->raiseLine({Innermost.LineOffset, Innermost.Discriminator}, Count);
  return true;
}

void Attributor::addEntries(const FunctionFrequencies &Function) {
  if (!Function.EntryCount)
    return;
  InlineStack Stack = Binary.inlineStackAt(Function.Begin);
  if (Stack.empty())
    return;
  ContextNode &Root = Map.getOrCreateRoot(intern(Stack.back().Function));
  Root.HeadSamples = SaturatingAdd(Root.HeadSamples, *Function.EntryCount);
}

void Attributor::addCall(const CallFrequency &Call) {
  StringRef Callee = calleeName(Call, Binary);
  InlineStack Stack = Binary.inlineStackAt(Call.Site);
  if (Callee.empty() || Stack.empty() || !Stack.front().HasLine)
    return;
  ContextNode *Node = descend(Stack, 0);
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

void Attributor::addFunction(const FunctionFrequencies &Function) {
  bool HasLines = false;
  for (uint64_t Address :
       Binary.locationBoundaries(Function.Begin, Function.End)) {
    InlineStack Stack = Binary.inlineStackAt(Address);
    if (Stack.empty())
      continue;
    HasLines |= addStack(Stack, 0);
    Statistics.HasDiscriminators |=
        any_of(Stack, [](const InlineFrame &F) { return F.Discriminator; });
  }

  for (auto [Address, Samples] : Function.Instructions) {
    InlineStack Stack = Binary.inlineStackAt(Address);
    bool HasLine =
        !Stack.empty() &&
        addStack(Stack, SaturatingMultiply<uint64_t>(
                            Samples, Stack.front().DuplicationFactor));
    HasLines |= HasLine;
    if (Function.RawSamples.empty() && Function.Samples)
      countSamples(Address, Samples, HasLine);
  }
  for (auto [Address, Samples] : Function.RawSamples)
    countSamples(Address, Samples, leadsToLine(Binary.inlineStackAt(Address)));
  addEntries(Function);
  for (const CallFrequency &Call : Function.Calls)
    addCall(Call);
  Statistics.Functions += HasLines;
}

AttributionStatistics
attribute(const MachineFrequencies &Frequencies, ProfiledBinary &Binary,
          ContextSummaryMap &Map,
          function_ref<void(uint64_t Functions)> OnProgress) {
  Attributor A(Binary, Map);
  for (auto [Index, Function] : enumerate(Frequencies.Functions)) {
    A.addFunction(Function);
    if (OnProgress)
      OnProgress(Index + 1);
  }
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
