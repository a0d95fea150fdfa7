//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Function by function: its blocks' shares in each of its contexts
// (ContextShares.h), then its counts by these. Calls are divided by the samples
// in their callees instead, as far as there are any.
//
//===----------------------------------------------------------------------===//

#include "inlay/Frequency/ContextFrequencies.h"
#include "CallingContexts.h"
#include "ContextShares.h"
#include "SampledFunctions.h"
#include "inlay/Object/ProfiledBinary.h"
#include "inlay/Sampling/StackBinaries.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <set>

using namespace llvm;

namespace inlay {

namespace {

/// Cuts a whole number into whole parts that add up to it.
class Parts {
public:
  explicit Parts(uint64_t Whole) : Whole(Whole) {}
  /// The next part; all shares add up to 1.
  uint64_t next(double Share) {
    Shares += Share;
    constexpr double AlmostAll = 1 - 1e-9;
    const uint64_t Until =
        Shares >= AlmostAll
            ? Whole
            : std::min(Whole, uint64_t(std::round(double(Whole) * Shares)));
    const uint64_t Part = Until - std::min(Until, Given);
    Given = std::max(Given, Until);
    return Part;
  }

private:
  uint64_t Whole, Given = 0;
  double Shares = 0;
};

class Divider {
public:
  Divider(const MachineFrequencies &Frequencies, MachineCode &Code,
          const std::vector<MachineFunction> &Functions);

  ContextFrequencies divide(const EventSamples &Event,
                            const BinarySamples &Samples,
                            const ProfiledBinary &Binary,
                            const ContextOptions &Options);

private:
  void divideFunction(uint32_t Function);
  void divideCalls(const FunctionFrequencies &Part, uint32_t Function);
  std::optional<uint32_t> blockAt(uint32_t Function, uint64_t Address) const;
  std::vector<double> blockCounts(uint32_t Function) const;
  FunctionFrequencies &partIn(uint32_t Context, const FunctionFrequencies &Of);

  const std::vector<MachineFunction> &Functions;
  CallSites Sites;
  MachineCode &Code;
  /// By function.
  std::vector<std::vector<const FunctionFrequencies *>> PartsOf;
  std::vector<const FunctionFrequencies *> WithoutCode;
  CallingContexts Calling;
  std::vector<std::vector<uint32_t>> ContextsOf; ///< by function
  /// (function, call, callee) -> the weights of all its contexts.
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, double> CalleeWeights;
  std::vector<std::vector<double>> Shares; ///< of the function at hand
  ContextFrequencies Result;
};

} // namespace

static std::vector<const MachineFunction *>
pointersTo(const std::vector<MachineFunction> &Functions) {
  std::vector<const MachineFunction *> Pointers;
  for (const MachineFunction &Function : Functions)
    Pointers.push_back(&Function);
  return Pointers;
}

Divider::Divider(const MachineFrequencies &Frequencies, MachineCode &Code,
                 const std::vector<MachineFunction> &Functions)
    : Functions(Functions), Sites(pointersTo(Functions), Code), Code(Code),
      PartsOf(Functions.size()), ContextsOf(Functions.size()) {
  for (const FunctionFrequencies &Part : Frequencies.Functions)
    if (std::optional<uint32_t> Function = Sites.functionAt(Part.Begin))
      PartsOf[*Function].push_back(&Part);
    else
      WithoutCode.push_back(&Part);
}

std::optional<uint32_t> Divider::blockAt(uint32_t Function,
                                         uint64_t Address) const {
  const MachineFunction &F = Functions[Function];
  std::optional<uint32_t> Index = findInstruction(F, Address);
  if (!Index)
    return std::nullopt;
  return partition_point(F.Blocks,
                         [&](const MachineBlock &B) {
                           return B.First + B.Count <= *Index;
                         }) -
         F.Blocks.begin();
}

std::vector<double> Divider::blockCounts(uint32_t Function) const {
  std::vector<double> Counts(Functions[Function].Blocks.size());
  for (const FunctionFrequencies *Part : PartsOf[Function])
    for (auto [Address, Count] : Part->Instructions)
      if (std::optional<uint32_t> Block = blockAt(Function, Address))
        Counts[*Block] = std::max(Counts[*Block], double(Count));
  return Counts;
}

FunctionFrequencies &Divider::partIn(uint32_t Context,
                                     const FunctionFrequencies &Of) {
  std::vector<FunctionFrequencies> &Parts = Result.Contexts[Context].Parts;
  if (Parts.empty() || Parts.back().Begin != Of.Begin) {
    FunctionFrequencies &New = Parts.emplace_back();
    New.Begin = Of.Begin;
    New.End = Of.End;
  }
  return Parts.back();
}

void Divider::divideCalls(const FunctionFrequencies &Part, uint32_t Function) {
  const MachineFunction &F = Functions[Function];
  const std::vector<uint32_t> &Contexts = ContextsOf[Function];
  for (const CallFrequency &Call : Part.Calls) {
    std::optional<uint32_t> Instruction = findInstruction(F, Call.Site);
    std::optional<uint32_t> Block = blockAt(Function, Call.Site);
    auto Site = find_if(F.Calls, [&](const MachineCall &C) {
      return Instruction && C.Instruction == *Instruction;
    });
    std::optional<uint64_t> Entry =
        Call.Target ? Code.calleeEntry(Call.Target) : std::nullopt;
    std::optional<uint32_t> Callee =
        Entry ? Sites.functionAt(*Entry) : std::nullopt;
    const uint32_t Index = Site - F.Calls.begin();
    const double All = Callee && Site != F.Calls.end()
                           ? CalleeWeights[{Function, Index, *Callee}]
                           : 0;
    Parts Counts(Call.Count);
    for (auto [Context, Shares] : zip_equal(Contexts, Shares)) {
      double Share = Block ? Shares[*Block] : 1.0 / double(Contexts.size());
      if (All > 0) {
        auto Own = Calling.Callees.find({Context, Index, *Callee});
        Share = ((Own == Calling.Callees.end() ? 0 : Own->second) +
                 BorrowedSamples * Share) /
                (All + BorrowedSamples);
      }
      CallFrequency Mine = Call;
      Mine.Count = Counts.next(Share);
      if (Mine.Count)
        partIn(Context, Part).Calls.push_back(Mine);
    }
  }
}

void Divider::divideFunction(uint32_t Function) {
  std::vector<uint32_t> &Contexts = ContextsOf[Function];
  if (Contexts.empty()) {
    Contexts.push_back(Result.Contexts.size());
    Result.Contexts.push_back({std::nullopt, 0, Functions[Function].Entry, {}});
  }
  static const std::map<uint32_t, double> NoSamples;
  SmallVector<const std::map<uint32_t, double> *, 8> Samples;
  for (uint32_t Context : Contexts)
    Samples.push_back(Context < Calling.Contexts.size()
                          ? &Calling.Contexts[Context].Blocks
                          : &NoSamples);
  Shares = contextShares(Functions[Function], blockCounts(Function), Samples);

  for (const FunctionFrequencies *Part : PartsOf[Function]) {
    for (uint32_t Context : Contexts) {
      FunctionFrequencies &Mine = partIn(Context, *Part);
      Mine.Instructions.reserve(Part->Instructions.size());
    }
    for (auto [Address, Count] : Part->Instructions) {
      std::optional<uint32_t> Block = blockAt(Function, Address);
      Parts Counts(Count);
      for (auto [Context, Shares] : zip_equal(Contexts, Shares))
        if (uint64_t Mine = Counts.next(Block ? Shares[*Block]
                                              : 1.0 / double(Contexts.size())))
          partIn(Context, *Part).Instructions.emplace_back(Address, Mine);
    }
    if (Part->EntryCount) {
      Parts Counts(*Part->EntryCount);
      for (auto [Context, Shares] : zip_equal(Contexts, Shares))
        partIn(Context, *Part).EntryCount = Counts.next(Shares.front());
    }
    divideCalls(*Part, Function);
  }
}

ContextFrequencies Divider::divide(const EventSamples &Event,
                                   const BinarySamples &Samples,
                                   const ProfiledBinary &Binary,
                                   const ContextOptions &Options) {
  Calling = findCallingContexts(Event, Samples, Binary, Sites, Options);
  Result.SamplesWithContext = Calling.Samples;
  for (auto [Index, Context] : enumerate(Calling.Contexts)) {
    FunctionInContext &Mine = Result.Contexts.emplace_back();
    const MachineFunction &F = Functions[Context.Function];
    Mine.Entry = F.Entry;
    if (Context.Caller) {
      Mine.Caller = Context.Caller->Context;
      const MachineFunction &Caller =
          Functions[Calling.Contexts[Context.Caller->Context].Function];
      Mine.Site =
          Caller.Instructions[Caller.Calls[Context.Caller->Index].Instruction]
              .Address;
    }
    ContextsOf[Context.Function].push_back(Index);
  }
  for (auto [Call, Weight] : Calling.Callees)
    CalleeWeights[{Calling.Contexts[Call.Context].Function, Call.Index,
                   Call.Callee}] += Weight;
  for (uint32_t Function = 0; Function < Functions.size(); ++Function)
    if (!PartsOf[Function].empty())
      divideFunction(Function);
  for (const FunctionFrequencies *Part : WithoutCode)
    Result.Contexts.push_back({std::nullopt, 0, Part->Begin, {*Part}});
  return std::move(Result);
}

/// The code of all functions that have frequencies or are in a stack, by entry.
static std::vector<MachineFunction>
functionsOf(const MachineFrequencies &Frequencies, const EventSamples &Event,
            const StackBinaries &Own, const ProfiledBinary &Binary,
            MachineCode &Code) {
  std::set<uint64_t> Entries;
  auto Add = [&](uint64_t Address) {
    if (std::optional<uint64_t> Entry = Code.entryOf(Address))
      Entries.insert(*Entry);
  };
  for (const FunctionFrequencies &Function : Frequencies.Functions)
    Add(Function.Begin);
  for (const StackNode &Node : Event.Stacks)
    if (Own.contains(Node))
      if (std::optional<uint64_t> Address = Binary.addressOf(Node.Offset))
        Add(*Address - !Node.IsLeaf);
  std::vector<MachineFunction> Functions;
  for (uint64_t Entry : Entries) {
    Expected<MachineFunction> Function = Code.function(Entry);
    if (Function)
      Functions.push_back(std::move(*Function));
    else
      consumeError(Function.takeError()); // not in the file
  }
  return Functions;
}

Expected<ContextFrequencies>
divideByContext(const MachineFrequencies &Frequencies,
                const EventSamples &Event, const BinarySamples &Samples,
                const ProfiledBinary &Binary, const ContextOptions &Options) {
  Expected<std::unique_ptr<MachineCode>> CodeOrErr =
      MachineCode::create(Binary);
  if (!CodeOrErr)
    return CodeOrErr.takeError();
  const std::vector<MachineFunction> Functions = functionsOf(
      Frequencies, Event, StackBinaries(Event, Samples), Binary, **CodeOrErr);
  return Divider(Frequencies, **CodeOrErr, Functions)
      .divide(Event, Samples, Binary, Options);
}

} // namespace inlay
