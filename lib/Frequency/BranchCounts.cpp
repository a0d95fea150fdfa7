//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A range adds to every instruction that it covers. Ranges may be long and
// many, so each only marks where it begins and where it ends, and sums are
// taken last.
//
// Real records are not all true: some processors write an entry twice, or lose
// one, and then a range seems to run over a jump or a return. Such ranges, and
// those that begin or end within an instruction, are left out.
//
// No range goes on after a call. What comes back from one is a branch to the
// instruction behind it.
//
//===----------------------------------------------------------------------===//

#include "BranchCounts.h"
#include "SampledFunctions.h"
#include "inlay/Object/ProfiledBinary.h"
#include "inlay/Sampling/RawProfile.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace inlay {

namespace {

/// Nobody observes that much; so sums do not overflow.
constexpr uint64_t MostObservations = uint64_t(1) << 40;

/// A range that falls through from one function into another so often is none.
constexpr unsigned MostFunctionsOfRange = 16;

/// An instruction of one of the functions.
struct Place {
  size_t Function;
  uint32_t Instruction;
};

/// A function while records are added up.
class Tally {
public:
  explicit Tally(const MachineFunction &Function);

  /// The instruction that begins at \p Address.
  std::optional<uint32_t> instructionAt(uint64_t Address) const;
  /// The last instruction of the part that instruction \p I is in.
  uint32_t lastOfPart(uint32_t I) const;
  /// Control may go straight on from \p First to \p Last.
  bool isStraight(uint32_t First, uint32_t Last) const {
    return First <= Last && StopsBefore[First] == StopsBefore[Last];
  }

  void addRange(uint32_t First, uint32_t Last, uint64_t Count) {
    Begins[First] += Count;
    Ends[Last] += Count;
  }
  /// Returns whether it is one: \p From ends a block and \p To begins one.
  bool addEdge(const MachineFunction &Function, uint32_t From, uint32_t To,
               uint64_t Count);
  /// Control came back to \p To from a call.
  void addReturn(uint32_t To, uint64_t Count) { Returns[To] += Count; }
  void addCall(uint32_t From, uint64_t Target, uint64_t Count) {
    Calls[{From, Target}] += Count;
  }
  void addEntry(uint64_t Count) { Entries += Count; }

  void finish(SampledFunction &Function) const;

private:
  struct PartRange {
    uint64_t Begin, End;
    uint32_t First, Last; ///< instructions, Last exclusive
  };
  const MachineInstruction *Instructions;
  SmallVector<PartRange, 1> Parts;
  std::vector<uint32_t> StopsBefore; ///< instructions that never fall through
  std::vector<uint32_t> BlockOf;     ///< by instruction
  std::vector<uint64_t> Begins, Ends, Returns; ///< by instruction
  /// (source block, target block) -> index of the edge.
  DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> EdgeOf;
  std::vector<uint64_t> Taken; ///< by edge
  /// What EdgeOf does not know, from indirect jumps.
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> MoreEdges;
  std::map<std::pair<uint32_t, uint64_t>, uint64_t> Calls;
  uint64_t Entries = 0;
};

class BranchCounter {
public:
  BranchCounter(const BinarySamples &Samples, const ProfiledBinary &Binary,
                MachineCode &Code, SampledFunctions &Sampled,
                EstimationProgress &Progress, double EndShare);

  void addRanges();
  void addBranches();
  void finish();

private:
  /// Those with records join those with samples.
  void addFunctions(EstimationProgress &Progress, double EndShare);
  /// nullopt: in no function, or not where an instruction begins.
  std::optional<Place> placeAt(uint64_t FileOffset);
  std::optional<Place> placeAtAddress(uint64_t Address);
  bool addRange(uint64_t Begin, uint64_t Last, uint64_t Count);
  void addBranch(uint64_t From, uint64_t To, uint64_t Count);
  /// From outside, or from where nobody knows.
  void addArrival(const Place &To, uint64_t Count);
  const MachineInstruction &instruction(const Place &P) const {
    return Sampled.Functions[P.Function].Code.Instructions[P.Instruction];
  }
  bool isEntry(const Place &P) const {
    return instruction(P).Address == Sampled.Functions[P.Function].Code.Entry;
  }

  const BinarySamples &Samples;
  const ProfiledBinary &Binary;
  MachineCode &Code;
  SampledFunctions &Sampled;
  std::vector<Tally> Tallies;         ///< parallel to Sampled.Functions
  DenseMap<uint64_t, size_t> IndexOf; ///< by entry
};

} // namespace

static bool isCall(InstructionKind Kind) {
  return Kind == InstructionKind::Call || Kind == InstructionKind::IndirectCall;
}

static bool isJump(InstructionKind Kind) {
  return Kind == InstructionKind::ConditionalBranch ||
         Kind == InstructionKind::Jump || Kind == InstructionKind::IndirectJump;
}

/// Never goes on to the next instruction.
static bool isStop(InstructionKind Kind) {
  return Kind == InstructionKind::Jump ||
         Kind == InstructionKind::IndirectJump ||
         Kind == InstructionKind::Return || Kind == InstructionKind::Trap;
}

Tally::Tally(const MachineFunction &Function)
    : Instructions(Function.Instructions.data()) {
  const size_t Size = Function.Instructions.size();
  uint32_t First = 0;
  for (const FunctionRange &Part : Function.Parts) {
    uint32_t Last = First;
    while (Last < Size && Instructions[Last].Address >= Part.Begin &&
           Instructions[Last].Address < Part.End)
      ++Last;
    Parts.push_back({Part.Begin, Part.End, First, Last});
    First = Last;
  }
  StopsBefore.reserve(Size);
  uint32_t Stops = 0;
  for (const MachineInstruction &I : Function.Instructions) {
    StopsBefore.push_back(Stops);
    Stops += isStop(I.Kind);
  }
  BlockOf.resize(Size);
  for (auto [Index, Block] : enumerate(Function.Blocks))
    std::fill_n(BlockOf.begin() + Block.First, Block.Count, uint32_t(Index));
  for (auto [Index, Edge] : enumerate(Function.Edges))
    EdgeOf[{Edge.Source, Edge.Target}] = Index;
  Begins.resize(Size);
  Ends.resize(Size);
  Returns.resize(Size);
  Taken.resize(Function.Edges.size());
}

std::optional<uint32_t> Tally::instructionAt(uint64_t Address) const {
  for (const PartRange &Part : Parts) {
    if (Address < Part.Begin || Address >= Part.End)
      continue;
    const MachineInstruction *Begin = Instructions + Part.First;
    const MachineInstruction *End = Instructions + Part.Last;
    const MachineInstruction *I =
        std::partition_point(Begin, End, [&](const MachineInstruction &MI) {
          return MI.Address < Address;
        });
    if (I != End && I->Address == Address)
      return I - Instructions;
  }
  return std::nullopt;
}

uint32_t Tally::lastOfPart(uint32_t I) const {
  return find_if(Parts, [&](const PartRange &P) { return I < P.Last; })->Last -
         1;
}

bool Tally::addEdge(const MachineFunction &Function, uint32_t From, uint32_t To,
                    uint64_t Count) {
  const MachineBlock &Source = Function.Blocks[BlockOf[From]];
  if (Source.First + Source.Count - 1 != From ||
      Function.Blocks[BlockOf[To]].First != To)
    return false;
  std::pair<uint32_t, uint32_t> Ends = {BlockOf[From], BlockOf[To]};
  if (auto It = EdgeOf.find(Ends); It != EdgeOf.end()) {
    Taken[It->second] += Count;
    return true;
  }
  if (Instructions[From].Kind != InstructionKind::IndirectJump)
    return false;
  MoreEdges[Ends] += Count;
  return true;
}

void Tally::finish(SampledFunction &Function) const {
  MachineFunction &MF = Function.Code;
  BranchCounts &Result = Function.Branches;
  uint64_t Cover = 0;
  Result.Instructions.reserve(Begins.size());
  for (auto [Begin, End] : zip_equal(Begins, Ends)) {
    Result.Instructions.push_back(Cover += Begin);
    Cover -= End;
  }

  std::vector<std::pair<MachineEdge, uint64_t>> Edges;
  Edges.reserve(MF.Edges.size() + MoreEdges.size());
  for (auto [Edge, Count] : zip_equal(MF.Edges, Taken)) {
    const MachineBlock &Source = MF.Blocks[Edge.Source];
    const uint32_t Last = Source.First + Source.Count - 1;
    uint64_t Passed = 0;
    if (MF.Blocks[Edge.Target].First == Last + 1)
      Passed = isCall(MF.Instructions[Last].Kind)
                   ? Returns[Last + 1]
                   : Result.Instructions[Last] - this->Ends[Last];
    Edges.emplace_back(Edge, Count + Passed);
  }
  // Behind the others of their source: it has none that falls through.
  for (auto [Ends, Count] : MoreEdges) {
    auto Behind = llvm::partition_point(
        Edges, [&](const auto &E) { return E.first.Source <= Ends.first; });
    Edges.insert(Behind,
                 {{Ends.first, Ends.second, EdgeKind::Indirect}, Count});
  }
  MF.Edges.clear();
  for (auto [Edge, Count] : Edges) {
    MF.Edges.push_back(Edge);
    Result.Edges.push_back(Count);
  }
  Result.Entries = Entries;
  for (auto [Key, Count] : Calls)
    Result.Calls.push_back({Key.first, Key.second, Count});
}

BranchCounter::BranchCounter(const BinarySamples &Samples,
                             const ProfiledBinary &Binary, MachineCode &Code,
                             SampledFunctions &Sampled,
                             EstimationProgress &Progress, double EndShare)
    : Samples(Samples), Binary(Binary), Code(Code), Sampled(Sampled) {
  addFunctions(Progress, EndShare);
  // From here on Sampled.Functions stay where they are.
  Tallies.reserve(Sampled.Functions.size());
  for (auto [Index, Function] : enumerate(Sampled.Functions)) {
    IndexOf[Function.Code.Entry] = Index;
    Tallies.emplace_back(Function.Code);
  }
}

void BranchCounter::addFunctions(EstimationProgress &Progress,
                                 double EndShare) {
  DenseSet<uint64_t> Known;
  for (const SampledFunction &Function : Sampled.Functions)
    Known.insert(Function.Code.Entry);
  std::vector<uint64_t> New;
  auto Add = [&](uint64_t FileOffset) {
    if (std::optional<uint64_t> Address = Binary.addressOf(FileOffset))
      if (std::optional<uint64_t> Entry = Code.entryOf(*Address);
          Entry && Known.insert(*Entry).second)
        New.push_back(*Entry);
  };
  for (const auto *Pairs : {&Samples.Ranges, &Samples.Branches})
    for (const auto &Pair : *Pairs) {
      Add(Pair.first.first);
      Add(Pair.first.second);
    }
  for (const auto *Ends : {&Samples.BranchesIn, &Samples.BranchesOut})
    for (const auto &End : *Ends)
      Add(End.first);

  Sampled.Functions.reserve(Sampled.Functions.size() + New.size());
  Progress.beginStage(EndShare, New.size());
  for (uint64_t Entry : New) {
    Progress.step();
    Expected<MachineFunction> FunctionOrErr = Code.function(Entry);
    if (!FunctionOrErr) {
      // Its bytes are not in the file.
      consumeError(FunctionOrErr.takeError());
      continue;
    }
    SampledFunction &Function = Sampled.Functions.emplace_back();
    Function.Code = std::move(*FunctionOrErr);
    Function.Samples.resize(Function.Code.Instructions.size());
  }
  llvm::sort(Sampled.Functions,
             [](const SampledFunction &A, const SampledFunction &B) {
               return A.Code.Entry < B.Code.Entry;
             });
}

std::optional<Place> BranchCounter::placeAt(uint64_t FileOffset) {
  std::optional<uint64_t> Address = Binary.addressOf(FileOffset);
  return Address ? placeAtAddress(*Address) : std::nullopt;
}

std::optional<Place> BranchCounter::placeAtAddress(uint64_t Address) {
  std::optional<uint64_t> Entry = Code.entryOf(Address);
  auto It = Entry ? IndexOf.find(*Entry) : IndexOf.end();
  if (It == IndexOf.end())
    return std::nullopt;
  std::optional<uint32_t> I = Tallies[It->second].instructionAt(Address);
  if (!I)
    return std::nullopt;
  return Place{It->second, *I};
}

bool BranchCounter::addRange(uint64_t Begin, uint64_t Last, uint64_t Count) {
  struct Piece {
    size_t Function;
    uint32_t First, Last;
  };
  SmallVector<Piece, 1> Pieces;
  std::optional<Place> End = placeAtAddress(Last);
  if (!End || Begin > Last)
    return false;
  while (Pieces.size() < MostFunctionsOfRange) {
    std::optional<Place> First = placeAtAddress(Begin);
    if (!First)
      return false;
    const Tally &T = Tallies[First->Function];
    const uint32_t PartLast = T.lastOfPart(First->Instruction);
    const bool EndsHere = First->Function == End->Function &&
                          First->Instruction <= End->Instruction &&
                          End->Instruction <= PartLast;
    Pieces.push_back({First->Function, First->Instruction,
                      EndsHere ? End->Instruction : PartLast});
    if (!T.isStraight(Pieces.back().First, Pieces.back().Last))
      return false;
    if (EndsHere) {
      for (const Piece &P : Pieces)
        Tallies[P.Function].addRange(P.First, P.Last, Count);
      return true;
    }
    // It falls through into what lies behind.
    const MachineInstruction &I = instruction({First->Function, PartLast});
    if (isStop(I.Kind))
      return false;
    Begin = I.Address + I.Size;
  }
  return false;
}

void BranchCounter::addRanges() {
  for (auto [Offsets, Observed] : Samples.Ranges) {
    uint64_t Count = std::min(Observed, MostObservations);
    std::optional<uint64_t> Begin = Binary.addressOf(Offsets.first);
    std::optional<uint64_t> Last = Binary.addressOf(Offsets.second);
    Sampled.BranchRecords += Count;
    // What runs in a PLT belongs to no function.
    if (Begin && !Code.entryOf(*Begin))
      continue;
    if (!Begin || !Last || !addRange(*Begin, *Last, Count))
      Sampled.ImpossibleBranchRecords += Count;
  }
}

void BranchCounter::addArrival(const Place &To, uint64_t Count) {
  if (isEntry(To))
    Tallies[To.Function].addEntry(Count);
  else
    Tallies[To.Function].addReturn(To.Instruction, Count);
}

void BranchCounter::addBranch(uint64_t From, uint64_t To, uint64_t Count) {
  std::optional<Place> Source = placeAt(From), Target = placeAt(To);
  if (!Source) {
    // A PLT stub, say.
    if (Target)
      addArrival(*Target, Count);
    return;
  }
  const InstructionKind Kind = instruction(*Source).Kind;
  Tally &Caller = Tallies[Source->Function];
  if (Target && Source->Function == Target->Function && isJump(Kind) &&
      Caller.addEdge(Sampled.Functions[Source->Function].Code,
                     Source->Instruction, Target->Instruction, Count))
    return;
  if (!Target || isEntry(*Target))
    if (std::optional<uint64_t> Callee = Binary.addressOf(To);
        Callee && (isCall(Kind) || isJump(Kind)))
      Caller.addCall(Source->Instruction, *Callee, Count);
  if (Target && (isEntry(*Target) || Kind == InstructionKind::Return))
    addArrival(*Target, Count);
}

void BranchCounter::addBranches() {
  for (auto [Ends, Observed] : Samples.Branches)
    addBranch(Ends.first, Ends.second, std::min(Observed, MostObservations));
  for (auto [To, Observed] : Samples.BranchesIn)
    if (std::optional<Place> Target = placeAt(To))
      addArrival(*Target, std::min(Observed, MostObservations));
  for (auto [From, Observed] : Samples.BranchesOut)
    if (std::optional<Place> Source = placeAt(From);
        Source && (isCall(instruction(*Source).Kind) ||
                   isJump(instruction(*Source).Kind)))
      Tallies[Source->Function].addCall(Source->Instruction, 0,
                                        std::min(Observed, MostObservations));
}

void BranchCounter::finish() {
  for (auto [Function, Tally] : zip_equal(Sampled.Functions, Tallies))
    Tally.finish(Function);
}

void addBranchCounts(const BinarySamples &Samples, const ProfiledBinary &Binary,
                     MachineCode &Code, SampledFunctions &Sampled,
                     EstimationProgress &Progress, double EndShare) {
  BranchCounter Counter(Samples, Binary, Code, Sampled, Progress, EndShare);
  Counter.addRanges();
  Counter.addBranches();
  Counter.finish();
}

} // namespace inlay
