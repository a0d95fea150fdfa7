//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// callgrind's counts are exact but for two kinds of instructions: one that
// calls through a PLT stub has the stub's instructions added (--skip-plt=yes,
// the default), and one that repeats itself has its iterations. Neither ends a
// block or changes how often the others of its block execute, so their counts
// are taken from a neighbour.
//
// A jump that leaves a function, by callgrind's notion of one, is a call to
// callgrind, also where it leads to the part of the function that was split
// off; so both jumps and calls are looked up for the edges of the graph.
//
//===----------------------------------------------------------------------===//

#include "inlay/Exact/ExactFrequencies.h"
#include "inlay/Object/MachineCFG.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace llvm;

namespace inlay {

namespace {

/// Executions of a function's instructions, by their indices.
using InstructionCounts = std::vector<uint64_t>;

class ExactFunctions {
public:
  ExactFunctions(const CallgrindProfile &Profile, const CallgrindObject &Object,
                 const ProfiledBinary &Binary, MachineCode &Code,
                 ExactCounts &Result)
      : Profile(Profile), Object(Object), Binary(Binary), Code(Code),
        Result(Result), ObjectIndex(&Object - Profile.Objects.data()) {}

  void add(const MachineFunction &Function);

private:
  ArrayRef<std::pair<uint64_t, uint64_t>>
  executionsIn(const FunctionRange &Part) const;
  ArrayRef<CallgrindCall> callsAt(uint64_t Site) const;
  /// Times that control went from \p From to \p To by a jump or a call.
  uint64_t transfers(uint64_t From, uint64_t To) const;
  uint64_t jumps(uint64_t From, uint64_t To) const;
  /// Calls at the site of a direct call.
  uint64_t directCalls(uint64_t Site) const;
  /// The linkage name of an indirect call's callee; empty if unknown.
  StringRef calleeName(const CallgrindCall &Call) const;

  InstructionCounts countInstructions(const MachineFunction &Function);
  void correctCounts(const MachineFunction &Function,
                     InstructionCounts &Executions);
  std::vector<EdgeFrequency>
  countEdges(const MachineFunction &Function,
             const InstructionCounts &Executions) const;
  std::vector<CallFrequency> countCalls(const MachineFunction &Function,
                                        const InstructionCounts &Executions);

  const CallgrindProfile &Profile;
  const CallgrindObject &Object;
  const ProfiledBinary &Binary;
  MachineCode &Code;
  ExactCounts &Result;
  const uint32_t ObjectIndex;
};

} // namespace

ArrayRef<std::pair<uint64_t, uint64_t>>
ExactFunctions::executionsIn(const FunctionRange &Part) const {
  auto IsBefore = [](const std::pair<uint64_t, uint64_t> &Entry, uint64_t A) {
    return Entry.first < A;
  };
  auto Begin = llvm::lower_bound(Object.Instructions, Part.Begin, IsBefore);
  auto End =
      std::lower_bound(Begin, Object.Instructions.end(), Part.End, IsBefore);
  return ArrayRef(Object.Instructions)
      .slice(Begin - Object.Instructions.begin(), End - Begin);
}

ArrayRef<CallgrindCall> ExactFunctions::callsAt(uint64_t Site) const {
  auto Begin = llvm::lower_bound(
      Object.Calls, Site,
      [](const CallgrindCall &Call, uint64_t S) { return Call.Site < S; });
  auto End = std::upper_bound(
      Begin, Object.Calls.end(), Site,
      [](uint64_t S, const CallgrindCall &Call) { return S < Call.Site; });
  return ArrayRef(Object.Calls)
      .slice(Begin - Object.Calls.begin(), End - Begin);
}

uint64_t ExactFunctions::jumps(uint64_t From, uint64_t To) const {
  auto Jump = llvm::lower_bound(
      Object.Jumps, std::pair(From, To),
      [](const CallgrindJump &J, const std::pair<uint64_t, uint64_t> &Key) {
        return std::pair(J.From, J.To) < Key;
      });
  bool IsThere =
      Jump != Object.Jumps.end() && Jump->From == From && Jump->To == To;
  return IsThere ? Jump->Count : 0;
}

uint64_t ExactFunctions::transfers(uint64_t From, uint64_t To) const {
  uint64_t Count = jumps(From, To);
  auto Begin = llvm::lower_bound(
      Object.Calls, std::tuple(From, ObjectIndex, To),
      [](const CallgrindCall &C,
         const std::tuple<uint64_t, uint32_t, uint64_t> &Key) {
        return std::tie(C.Site, C.CalleeObject, C.Callee) < Key;
      });
  for (const CallgrindCall &Call : make_range(Begin, Object.Calls.end())) {
    if (Call.Site != From || Call.CalleeObject != ObjectIndex ||
        Call.Callee != To)
      break;
    Count = SaturatingAdd(Count, Call.Count);
  }
  return Count;
}

uint64_t ExactFunctions::directCalls(uint64_t Site) const {
  // The dynamic linker's resolver is called once as well, and a callee may have
  // several names where callgrind keeps contexts apart.
  std::map<std::pair<uint32_t, uint64_t>, uint64_t> ByCallee;
  uint64_t Most = 0;
  for (const CallgrindCall &Call : callsAt(Site)) {
    uint64_t &Count = ByCallee[{Call.CalleeObject, Call.Callee}];
    Count = SaturatingAdd(Count, Call.Count);
    Most = std::max(Most, Count);
  }
  return Most;
}

StringRef ExactFunctions::calleeName(const CallgrindCall &Call) const {
  if (Call.CalleeObject == ObjectIndex) {
    const FunctionRange *Callee = Binary.functionAt(Call.Callee);
    return Callee && Callee->Begin == Call.Callee ? Callee->Name : "";
  }
  // What a context adds ("f'2", "f'main").
  StringRef Name =
      StringRef(Profile.Functions[Call.CalleeName]).take_until([](char C) {
        return C == '\'';
      });
  bool IsLinkageName =
      !Name.empty() && !isDigit(Name.front()) && all_of(Name, [](char C) {
        return isAlnum(C) || C == '_' || C == '.' || C == '$';
      });
  return IsLinkageName ? Name : "";
}

InstructionCounts
ExactFunctions::countInstructions(const MachineFunction &Function) {
  std::vector<std::pair<uint64_t, uint32_t>> IndexOf; // by address
  IndexOf.reserve(Function.Instructions.size());
  for (auto [Index, Instruction] : enumerate(Function.Instructions))
    IndexOf.emplace_back(Instruction.Address, Index);
  llvm::sort(IndexOf);
  InstructionCounts Executions(Function.Instructions.size());
  for (const FunctionRange &Part : Function.Parts)
    for (auto [Address, Count] : executionsIn(Part)) {
      auto It = llvm::lower_bound(IndexOf, std::pair(Address, uint32_t(0)));
      if (It != IndexOf.end() && It->first == Address)
        Executions[It->second] = Count;
      else
        Result.OffInstructions = SaturatingAdd(Result.OffInstructions, Count);
    }
  return Executions;
}

void ExactFunctions::correctCounts(const MachineFunction &Function,
                                   InstructionCounts &Executions) {
  BitVector IsUnreliable(Executions.size());
  for (auto [Index, Instruction] : enumerate(Function.Instructions))
    if (Instruction.Kind == InstructionKind::Repeat)
      IsUnreliable.set(Index);
  for (const MachineCall &Call : Function.Calls)
    IsUnreliable.set(Call.Instruction);

  for (const MachineBlock &Block : Function.Blocks) {
    const uint32_t End = Block.First + Block.Count;
    // The neighbour before, for what follows a call may run less often; the
    // first ones have only that after them.
    std::optional<uint64_t> Neighbour;
    for (uint32_t I = Block.First; I < End && !Neighbour; ++I)
      if (!IsUnreliable[I])
        Neighbour = Executions[I];
    for (uint32_t I = Block.First; I < End; ++I) {
      if (!IsUnreliable[I]) {
        Neighbour = Executions[I];
        continue;
      }
      const MachineInstruction &Instruction = Function.Instructions[I];
      uint64_t Corrected = Executions[I];
      if (Neighbour)
        Corrected = *Neighbour;
      else if (Instruction.Kind == InstructionKind::Repeat)
        Corrected -= std::min(Corrected,
                              jumps(Instruction.Address, Instruction.Address));
      else if (uint64_t Calls = directCalls(Instruction.Address))
        Corrected = Calls;
      if (Instruction.Kind != InstructionKind::Repeat)
        Result.CorrectedSites += Corrected != Executions[I];
      Executions[I] = Corrected;
    }
  }
}

std::vector<EdgeFrequency>
ExactFunctions::countEdges(const MachineFunction &Function,
                           const InstructionCounts &Executions) const {
  std::vector<EdgeFrequency> Edges;
  if (!Profile.HasJumps)
    return Edges;
  ArrayRef<MachineEdge> Rest = Function.Edges;
  for (auto [Index, Block] : enumerate(Function.Blocks)) {
    auto Out = Rest.take_while(
        [Source = Index](const MachineEdge &E) { return E.Source == Source; });
    Rest = Rest.drop_front(Out.size());
    const uint32_t Last = Block.First + Block.Count - 1;
    const MachineInstruction &Branch = Function.Instructions[Last];
    // What falls through is what is left by the rest.
    uint64_t Left = Executions[Last];
    if (Branch.Kind == InstructionKind::ConditionalBranch && Block.IsExit)
      Left -= std::min(Left, directCalls(Branch.Address));
    auto Add = [&](const MachineEdge &E, uint64_t Count) {
      uint64_t To =
          Function.Instructions[Function.Blocks[E.Target].First].Address;
      if (Count)
        Edges.push_back({Branch.Address, To, Count});
      Left -= std::min(Left, Count);
    };
    for (const MachineEdge &E : Out)
      if (E.Kind != EdgeKind::FallThrough && Out.size() + Block.IsExit > 1)
        Add(E, transfers(Branch.Address,
                         Function.Instructions[Function.Blocks[E.Target].First]
                             .Address));
    for (const MachineEdge &E : Out)
      if (E.Kind == EdgeKind::FallThrough || Out.size() + Block.IsExit == 1)
        Add(E, Left);
  }
  llvm::sort(Edges, [](const EdgeFrequency &L, const EdgeFrequency &R) {
    return std::tie(L.From, L.To) < std::tie(R.From, R.To);
  });
  return Edges;
}

std::vector<CallFrequency>
ExactFunctions::countCalls(const MachineFunction &Function,
                           const InstructionCounts &Executions) {
  std::vector<CallFrequency> Calls;
  for (const MachineCall &Call : Function.Calls) {
    const uint64_t Site = Function.Instructions[Call.Instruction].Address;
    if (Call.Target || !Call.TargetName.empty()) {
      uint64_t Count =
          Call.IsConditional ? directCalls(Site) : Executions[Call.Instruction];
      if (Count)
        Calls.push_back(
            {Site, Call.Target.value_or(0),
             Call.Target ? Code.calleeName(*Call.Target) : Call.TargetName,
             Count});
      continue;
    }
    std::map<std::pair<StringRef, uint64_t>, uint64_t> ByCallee;
    for (const CallgrindCall &Record : callsAt(Site)) {
      Result.IndirectCalls = SaturatingAdd(Result.IndirectCalls, Record.Count);
      StringRef Name = calleeName(Record);
      if (Name.empty()) {
        Result.UnnamedCalls = SaturatingAdd(Result.UnnamedCalls, Record.Count);
        continue;
      }
      uint64_t Target = Record.CalleeObject == ObjectIndex ? Record.Callee : 0;
      uint64_t &Count = ByCallee[{Name, Target}];
      Count = SaturatingAdd(Count, Record.Count);
    }
    for (auto [Callee, Count] : ByCallee)
      Calls.push_back({Site, Callee.second, Callee.first, Count});
  }
  return Calls;
}

/// Executions of the entry less those by jumps back to it; nullopt if nobody
/// knows how many these were.
static std::optional<uint64_t> countEntries(const MachineFunction &Function,
                                            const InstructionCounts &Executions,
                                            ArrayRef<EdgeFrequency> Edges,
                                            bool HasEdges) {
  bool HasPredecessor = any_of(
      Function.Edges, [](const MachineEdge &E) { return E.Target == 0; });
  if (HasPredecessor && !HasEdges)
    return std::nullopt;
  uint64_t Entries = Executions[Function.Blocks.front().First];
  for (const EdgeFrequency &E : Edges)
    if (E.To == Function.Entry)
      Entries -= std::min(Entries, E.Count);
  return Entries;
}

void ExactFunctions::add(const MachineFunction &Function) {
  if (Function.Blocks.empty())
    return;
  InstructionCounts Executions = countInstructions(Function);
  correctCounts(Function, Executions);
  std::vector<EdgeFrequency> Edges = countEdges(Function, Executions);
  std::vector<CallFrequency> Calls = countCalls(Function, Executions);

  std::vector<FunctionFrequencies> Parts;
  for (const FunctionRange &Part : Function.Parts) {
    FunctionFrequencies &Frequencies = Parts.emplace_back();
    Frequencies.Begin = Part.Begin;
    Frequencies.End = Part.End;
    Frequencies.Confidence = 1;
    if (Part.Begin == Function.Entry)
      Frequencies.EntryCount =
          countEntries(Function, Executions, Edges, Profile.HasJumps);
  }
  llvm::sort(Parts,
             [](const FunctionFrequencies &L, const FunctionFrequencies &R) {
               return L.Begin < R.Begin;
             });
  auto PartOf = [&](uint64_t Address) -> FunctionFrequencies & {
    auto It = llvm::upper_bound(
        Parts, Address, [](uint64_t A, const FunctionFrequencies &Part) {
          return A < Part.Begin;
        });
    return It == Parts.begin() ? *It : *std::prev(It);
  };

  for (auto [Instruction, Count] : zip(Function.Instructions, Executions))
    if (Count) {
      FunctionFrequencies &Part = PartOf(Instruction.Address);
      Part.Instructions.emplace_back(Instruction.Address, Count);
      Part.Samples = SaturatingAdd(Part.Samples, Count);
    }
  for (const EdgeFrequency &E : Edges)
    PartOf(E.From).Edges.push_back(E);
  for (const CallFrequency &Call : Calls)
    PartOf(Call.Site).Calls.push_back(Call);
  MachineFrequencies &All = Result.Frequencies;
  // One execution and none are told apart.
  All.Resolution = 1;
  for (FunctionFrequencies &Part : Parts) {
    All.SamplesInFunctions =
        SaturatingAdd(All.SamplesInFunctions, Part.Samples);
    All.Functions.push_back(std::move(Part));
  }
}

ExactCounts exactFrequencies(const CallgrindProfile &Profile,
                             const CallgrindObject &Object,
                             const ProfiledBinary &Binary, MachineCode &Code) {
  ExactCounts Result;
  ExactFunctions Functions(Profile, Object, Binary, Code, Result);
  DenseSet<uint64_t> Done; // entries
  // Parts of functions whose graph could not be made, and code in no function.
  uint64_t &Outside = Result.Frequencies.SamplesOutsideFunctions;
  DenseSet<uint64_t> Failed;
  for (auto [Address, Count] : Object.Instructions) {
    std::optional<uint64_t> Entry = Code.entryOf(Address);
    if (!Entry || Failed.contains(*Entry)) {
      Outside = SaturatingAdd(Outside, Count);
      continue;
    }
    if (!Done.insert(*Entry).second)
      continue;
    Expected<MachineFunction> FunctionOrErr = Code.function(*Entry);
    if (!FunctionOrErr) {
      consumeError(FunctionOrErr.takeError());
      Failed.insert(*Entry);
      Outside = SaturatingAdd(Outside, Count);
      continue;
    }
    Functions.add(*FunctionOrErr);
  }
  llvm::sort(Result.Frequencies.Functions,
             [](const FunctionFrequencies &L, const FunctionFrequencies &R) {
               return L.Begin < R.Begin;
             });
  return Result;
}

} // namespace inlay
