//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A probe stands before an instruction of its block, so that the block executed
// as often as the instruction. Blocks that were copied have copies of the
// probe, and their executions add up; that is the difference to lines, several
// instructions of which belong to one execution.
//
// A probe behind the last instruction of a function, in a block that became
// nothing, has the address of the next function. It is left out.
//
//===----------------------------------------------------------------------===//

#include "CalleeName.h"
#include "inlay/Attribution/Attribution.h"
#include "inlay/Object/PseudoProbes.h"
#include "inlay/Object/SymbolName.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inlay {

namespace {

class ProbeAttributor {
public:
  ProbeAttributor(ProfiledBinary &Binary, const PseudoProbes &Probes,
                  ContextSummaryMap &Map)
      : Binary(Binary), Probes(Probes), Map(Map) {}

  void addFunction(const FunctionFrequencies &Function);
  AttributionStatistics Statistics;

private:
  ContextNode &nodeOf(ArrayRef<ProbeFrame> Stack, uint64_t Count);
  bool isOf(const FunctionRange &Range, StringRef Function) const;
  void addCall(const CallFrequency &Call);
  FunctionId intern(StringRef Name);

  ProfiledBinary &Binary;
  const PseudoProbes &Probes;
  ContextSummaryMap &Map;
  DenseMap<StringRef, FunctionId> Names;
};

} // namespace

FunctionId ProbeAttributor::intern(StringRef Name) {
  auto [It, IsNew] = Names.try_emplace(Name);
  if (IsNew)
    It->second = Map.intern(Name);
  return It->second;
}

/// The node of \p Stack's innermost frame, made if absent, with \p Count added
/// to the totals on the way.
ContextNode &ProbeAttributor::nodeOf(ArrayRef<ProbeFrame> Stack,
                                     uint64_t Count) {
  ContextNode *Node = nullptr;
  for (size_t I = Stack.size(); I-- > 0;) {
    const ProbeFrame &Frame = Stack[I];
    FunctionId Function = intern(Frame.Function);
    Node = Node ? &Node->getOrCreateCallee({Stack[I + 1].Probe, 0}, Function)
                : &Map.getOrCreateRoot(Function);
    Node->Checksum = Frame.Checksum;
    Node->TotalSamples = SaturatingAdd(Node->TotalSamples, Count);
  }
  return *Node;
}

bool ProbeAttributor::isOf(const FunctionRange &Range,
                           StringRef Function) const {
  return Range.Name == Function ||
         any_of(Binary.symbolNames(Range), [&](StringRef Name) {
           return canonicalFunctionName(Name) == Function;
         });
}

void ProbeAttributor::addCall(const CallFrequency &Call) {
  StringRef Callee = calleeName(Call, Binary);
  if (Callee.empty())
    return;
  for (const PlacedProbe &Probe : Probes.probesIn(Call.Site, Call.Site + 1)) {
    if (!Probe.IsCall)
      continue;
    LineCounts &Counts =
        nodeOf(Probes.stackOf(Probe), 0).Lines[{Probe.Id, Probe.Discriminator}];
    uint64_t &Count = Counts.CallTargets[intern(Callee)];
    Count = SaturatingAdd(Count, Call.Count);
  }
}

void ProbeAttributor::addFunction(const FunctionFrequencies &Function) {
  const FunctionRange *Range = Binary.functionAt(Function.Begin);
  ArrayRef<PlacedProbe> Placed = Probes.probesIn(Function.Begin, Function.End);
  StringRef Outermost;
  auto Instruction = Function.Instructions.begin();
  for (const PlacedProbe &Probe : Placed) {
    ProbeStack Stack = Probes.stackOf(Probe);
    if (!Range || !isOf(*Range, Stack.back().Function))
      continue;
    Outermost = Stack.back().Function;
    Instruction = std::lower_bound(
        Instruction, Function.Instructions.end(), Probe.Address,
        [](const auto &I, uint64_t Address) { return I.first < Address; });
    uint64_t Count = Instruction != Function.Instructions.end() &&
                             Instruction->first == Probe.Address
                         ? Instruction->second
                         : 0;
    LineCounts &Counts =
        nodeOf(Stack, Count).Lines[{Probe.Id, Probe.Discriminator}];
    Counts.Count = SaturatingAdd(Counts.Count, Count);
  }
  if (Outermost.empty()) {
    Statistics.SamplesWithoutProbes += Function.Samples;
    return;
  }
  Statistics.AttributedSamples += Function.Samples;
  ++Statistics.Functions;
  if (Function.EntryCount) {
    ContextNode &Root = Map.getOrCreateRoot(intern(Outermost));
    Root.HeadSamples = SaturatingAdd(Root.HeadSamples, *Function.EntryCount);
  }
  for (const CallFrequency &Call : Function.Calls)
    addCall(Call);
}

Expected<AttributionStatistics>
attributeToProbes(const MachineFrequencies &Frequencies, ProfiledBinary &Binary,
                  const PseudoProbes &Probes, ContextSummaryMap &Map,
                  function_ref<void(uint64_t Functions)> OnProgress) {
  if (none_of(Frequencies.Functions, [](const FunctionFrequencies &Function) {
        return Function.EntryCount.has_value();
      }))
    return createStringError(
        inconvertibleErrorCode(),
        "pseudo probes need estimated executions (--estimator=model), not "
        "samples of single instructions; or take lines (--anchors=lines)");
  Map.IsProbeBased = true;
  ProbeAttributor A(Binary, Probes, Map);
  for (auto [Index, Function] : enumerate(Frequencies.Functions)) {
    A.addFunction(Function);
    if (OnProgress)
      OnProgress(Index + 1);
  }
  return A.Statistics;
}

} // namespace inlay
