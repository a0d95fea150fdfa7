//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header for the method.
//
//===----------------------------------------------------------------------===//

#include "FunctionBuilder.h"
#include "inlay/Object/SymbolName.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inlay {

/// Larger functions are refused; the largest that compilers made so far are a
/// tenth of this. What we make of one takes 80 bytes an instruction.
static constexpr uint64_t MaxFunctionSize = 4 << 20;
static constexpr size_t MaxParts = 64;
/// Rounds in all, and such that found new parts or starts.
static constexpr unsigned MaxRounds = 64;
static constexpr unsigned MaxDecodings = 16;
/// Edges of indirect jumps in one function; more jumps are left unresolved.
static constexpr size_t MaxIndirectEdges = 1 << 21;

Expected<MachineFunction> FunctionBuilder::build() {
  bool MustDecode = true;
  unsigned Decodings = 0;
  for (unsigned Round = 0;; ++Round) {
    if (MustDecode) {
      ++Decodings;
      if (Error E = decodeParts())
        return E;
    }
    if (Round == 0)
      Budget = 64 * uint64_t(F.Instructions.size()) + (1 << 20);
    findLeaders();
    resolveIndirectCalls();
    findCallsThatDoNotReturn();
    makeBlocks();
    makeEdges();
    findReachable();
    if (Round == MaxRounds)
      break;
    MustDecode = Decodings != MaxDecodings && findPartsAndStarts();
    if (!MustDecode && !resolveIndirectJumps())
      break;
  }
  makeCalls();
  markFrameAccesses();
  // What may be jumped to is not always decoded with what stands before it.
  for (const MachineBlock &Block : F.Blocks)
    F.Instructions[Block.First].IsFusedWithPrevious = false;
  F.InvalidInstructions = count_if(
      Invalid, [&](uint32_t I) { return F.Blocks[BlockOf[I]].IsReachable; });
  F.Name = Parts.front().Name;
  F.Entry = Parts.front().Begin;
  F.Parts = Parts;
  return std::move(F);
}

Error FunctionBuilder::decodeParts() {
  F = MachineFunction();
  PartRanges.clear();
  DirectTargets.clear();
  Mentioned.clear();
  Invalid.clear();
  SetsFramePointer = false;
  uint64_t TotalSize = 0;
  for (const FunctionRange &Part : Parts) {
    uint64_t Size = Part.End - Part.Begin;
    TotalSize += Size;
    ArrayRef<uint8_t> Bytes = Image.bytesAt(Part.Begin);
    if (TotalSize > MaxFunctionSize)
      return fileError(Context.path(),
                       "function " + Part.Name + " at 0x" +
                           utohexstr(Part.Begin, /*LowerCase=*/true) + " of " +
                           Twine(TotalSize) +
                           " bytes is larger than what is disassembled (" +
                           Twine(MaxFunctionSize) + ")");
    if (Bytes.size() < Size)
      return fileError(Context.path(),
                       "function " + Part.Name + " at 0x" +
                           utohexstr(Part.Begin, /*LowerCase=*/true) +
                           " lies outside of what the file holds: its symbol "
                           "table is corrupt");
    Bytes = Bytes.take_front(Size);

    PartInstructions Range;
    Range.First = F.Instructions.size();
    std::vector<std::pair<uint16_t, uint64_t>> Pages;
    auto Forced = ForcedStarts.lower_bound(Part.Begin);
    MCInst Inst, Previous;
    bool HasPrevious = false;
    for (uint64_t Offset = 0; Offset < Size;) {
      uint64_t Address = Part.Begin + Offset;
      while (Forced != ForcedStarts.end() && *Forced <= Address)
        ++Forced;
      MachineInstruction I;
      bool IsValid = Set.decode(Bytes.drop_front(Offset), Address, Inst, I);
      std::optional<uint64_t> Target;
      if (IsValid)
        Target = Set.directTarget(Inst, I);
      if (Forced != ForcedStarts.end() && *Forced - Address < I.Size) {
        // Something jumps into it, past a prefix: the prefix is an instruction
        // of its own that falls through.
        I.Size = *Forced - Address;
        I.Kind = InstructionKind::Other;
        Target.reset();
      } else if (IsValid) {
        if (std::optional<uint64_t> A = Set.addressConstant(Inst, I, Pages))
          Mentioned.push_back(*A);
        SetsFramePointer |= Set.setsFramePointer(Inst);
        I.IsFusedWithPrevious = HasPrevious &&
                                I.Kind == InstructionKind::ConditionalBranch &&
                                Set.isFused(Previous, Inst);
      } else {
        Invalid.push_back(F.Instructions.size());
      }
      Previous = Inst;
      HasPrevious = IsValid;
      Offset += I.Size;
      F.Instructions.push_back(std::move(I));
      DirectTargets.push_back(Target);
    }
    Range.End = F.Instructions.size();
    PartRanges.push_back(Range);
  }
  for (uint64_t A : Mentioned)
    Context.addressMentioned(A);
  llvm::sort(Mentioned);
  Mentioned.erase(llvm::unique(Mentioned), Mentioned.end());
  return Error::success();
}

const std::vector<uint64_t> &
FunctionBuilder::landingPads(const FunctionRange &Part) {
  auto [It, IsNew] = PadsOfPart.try_emplace(Part.Begin);
  if (IsNew)
    It->second = Context.landingPads(Part.Begin, Part.End);
  return It->second;
}

std::optional<uint32_t> FunctionBuilder::indexOf(uint64_t Address) const {
  for (unsigned P = 0; P != Parts.size(); ++P) {
    if (Address < Parts[P].Begin || Address >= Parts[P].End)
      continue;
    auto Begin = F.Instructions.begin() + PartRanges[P].First;
    auto End = F.Instructions.begin() + PartRanges[P].End;
    auto It = std::lower_bound(
        Begin, End, Address,
        [](const MachineInstruction &I, uint64_t A) { return I.Address < A; });
    if (It != End && It->Address == Address)
      return uint32_t(It - F.Instructions.begin());
    return std::nullopt;
  }
  return std::nullopt;
}

bool FunctionBuilder::isInParts(uint64_t Address) const {
  return any_of(Parts, [&](const FunctionRange &P) {
    return Address >= P.Begin && Address < P.End;
  });
}

const FunctionRange *FunctionBuilder::newPartAt(uint64_t Address) const {
  if (isInParts(Address) || Parts.size() >= MaxParts)
    return nullptr;
  const FunctionRange *Range = Context.functionAt(Address);
  return Range && Context.isSplitPart(*Range, Parts.front()) ? Range : nullptr;
}

bool FunctionBuilder::isPartEnd(uint32_t Index) const {
  return any_of(PartRanges,
                [&](const PartInstructions &R) { return Index + 1 == R.End; });
}

bool FunctionBuilder::endsBlock(uint32_t Index) const {
  switch (F.Instructions[Index].Kind) {
  case InstructionKind::ConditionalBranch:
  case InstructionKind::Jump:
  case InstructionKind::IndirectJump:
  case InstructionKind::Return:
  case InstructionKind::Trap:
    return true;
  default:
    return DoesNotReturn[Index];
  }
}

void FunctionBuilder::findLeaders() {
  IsLeader.assign(F.Instructions.size(), false);
  DoesNotReturn.assign(F.Instructions.size(), false);
  LandingPads.clear();
  for (const PartInstructions &R : PartRanges)
    if (R.First != R.End)
      IsLeader[R.First] = true;
  for (const FunctionRange &Part : Parts)
    for (uint64_t Address : landingPads(Part))
      if (std::optional<uint32_t> I = indexOf(Address)) {
        IsLeader[*I] = true;
        LandingPads.push_back(*I);
      }
  for (uint32_t I = 0, E = F.Instructions.size(); I != E; ++I) {
    if (endsBlock(I) && I + 1 != E)
      IsLeader[I + 1] = true;
    uint32_t Target;
    if (isDirectTargetInside(I, Target))
      IsLeader[Target] = true;
  }
  for (const auto &[Address, Targets] : Resolved)
    for (uint64_t Target : Targets.InFunction)
      if (std::optional<uint32_t> I = indexOf(Target))
        IsLeader[*I] = true;
}

bool FunctionBuilder::isDirectTargetInside(uint32_t Index,
                                           uint32_t &Target) const {
  InstructionKind Kind = F.Instructions[Index].Kind;
  if ((Kind != InstructionKind::ConditionalBranch &&
       Kind != InstructionKind::Jump) ||
      !DirectTargets[Index])
    return false;
  std::optional<uint32_t> I = indexOf(*DirectTargets[Index]);
  if (I)
    Target = *I;
  return I.has_value();
}

/// Calls through slots that the dynamic linker fills (-fno-plt), and of
/// addresses that were loaded just before.
void FunctionBuilder::resolveIndirectCalls() {
  uint32_t Leader = 0;
  for (uint32_t I = 0, E = F.Instructions.size(); I != E; ++I) {
    if (IsLeader[I])
      Leader = I;
    if (F.Instructions[I].Kind != InstructionKind::IndirectCall)
      continue;
    auto [It, IsNew] = Resolved.try_emplace(F.Instructions[I].Address);
    if (IsNew)
      It->second = resolveInStraightLine(
          Set, Image, ArrayRef(F.Instructions).slice(Leader, I + 1 - Leader));
  }
}

/// Compilers put nothing behind a call that does not return that is not reached
/// otherwise. So only calls with such a thing behind them are worth a look at
/// the callee.
void FunctionBuilder::findCallsThatDoNotReturn() {
  for (uint32_t I = 0, E = F.Instructions.size(); I != E; ++I) {
    const MachineInstruction &MI = F.Instructions[I];
    if (MI.Kind != InstructionKind::Call &&
        MI.Kind != InstructionKind::IndirectCall)
      continue;
    std::optional<uint64_t> Callee = DirectTargets[I];
    StringRef Name;
    if (MI.Kind == InstructionKind::IndirectCall) {
      const IndirectTargets &Targets = Resolved[MI.Address];
      Callee = Targets.Outside;
      Name = Targets.Symbol;
    }
    if (!isPartEnd(I) && (Context.mayReturnTwice(Name) ||
                          (Callee && Context.mayReturnTwice(*Callee)))) {
      IsLeader[I + 1] = true;
      LandingPads.push_back(I + 1);
      continue;
    }
    bool DoesNot = Context.isKnownNotToReturn(Name) ||
                   (Callee && Context.isKnownNotToReturn(*Callee));
    if (!DoesNot && Callee && !isInParts(*Callee)) {
      InstructionKind Next = InstructionKind::Other;
      bool IsEnd = isPartEnd(I);
      if (!IsEnd)
        Next = F.Instructions[I + 1].Kind;
      if (IsEnd || IsLeader[I + 1] || Next == InstructionKind::Nop ||
          Next == InstructionKind::Trap)
        DoesNot = Context.neverReturns(*Callee);
    }
    DoesNotReturn[I] = DoesNot;
    if (DoesNot && I + 1 != E)
      IsLeader[I + 1] = true;
  }
}

void FunctionBuilder::makeBlocks() {
  F.Blocks.clear();
  BlockOf.resize(F.Instructions.size());
  for (uint32_t I = 0, E = F.Instructions.size(); I != E; ++I) {
    if (IsLeader[I]) {
      MachineBlock B;
      B.First = I;
      F.Blocks.push_back(B);
    }
    BlockOf[I] = F.Blocks.size() - 1;
    ++F.Blocks.back().Count;
  }
  for (uint32_t I : LandingPads)
    F.Blocks[BlockOf[I]].IsLandingPad = true;
}

void FunctionBuilder::makeEdges() {
  F.Edges.clear();
  F.UnresolvedIndirectJumps = 0;
  for (uint32_t B = 0, E = F.Blocks.size(); B != E; ++B) {
    MachineBlock &Block = F.Blocks[B];
    Block.IsExit = false;
    uint32_t Last = Block.First + Block.Count - 1;
    auto Add = [&](uint32_t Target, EdgeKind Kind) {
      F.Edges.push_back({B, Target, Kind});
    };
    auto FallThrough = [&] {
      if (isPartEnd(Last))
        Block.IsExit = true;
      else
        Add(B + 1, EdgeKind::FallThrough);
    };
    uint32_t Target;
    switch (F.Instructions[Last].Kind) {
    case InstructionKind::ConditionalBranch:
      if (isDirectTargetInside(Last, Target))
        Add(BlockOf[Target], EdgeKind::Taken);
      else
        Block.IsExit = true;
      FallThrough();
      break;
    case InstructionKind::Jump:
      if (isDirectTargetInside(Last, Target))
        Add(BlockOf[Target], EdgeKind::Taken);
      else
        Block.IsExit = true;
      break;
    case InstructionKind::IndirectJump: {
      auto It = Resolved.find(F.Instructions[Last].Address);
      size_t Before = F.Edges.size();
      if (It != Resolved.end())
        for (uint64_t Address : It->second.InFunction)
          if (std::optional<uint32_t> I = indexOf(Address))
            Add(BlockOf[*I], EdgeKind::Indirect);
      Block.IsExit = F.Edges.size() == Before;
      break;
    }
    case InstructionKind::Return:
    case InstructionKind::Trap:
      Block.IsExit = true;
      break;
    default:
      if (DoesNotReturn[Last])
        Block.IsExit = true;
      else
        FallThrough();
      break;
    }
  }
  Predecessors.assign(F.Blocks.size(), {});
  for (const MachineEdge &E : F.Edges)
    Predecessors[E.Target].push_back(E);
}

void FunctionBuilder::findReachable() {
  std::vector<uint32_t> FirstEdge(F.Blocks.size() + 1, 0);
  for (const MachineEdge &E : F.Edges)
    ++FirstEdge[E.Source + 1];
  for (uint32_t B = 0, E = F.Blocks.size(); B != E; ++B)
    FirstEdge[B + 1] += FirstEdge[B];
  std::vector<uint32_t> Stack;
  for (uint32_t B = 0, E = F.Blocks.size(); B != E; ++B) {
    F.Blocks[B].IsReachable = B == 0 || F.Blocks[B].IsLandingPad;
    if (F.Blocks[B].IsReachable)
      Stack.push_back(B);
  }
  while (!Stack.empty()) {
    uint32_t B = Stack.back();
    Stack.pop_back();
    for (uint32_t I = FirstEdge[B]; I != FirstEdge[B + 1]; ++I) {
      uint32_t Target = F.Edges[I].Target;
      if (!F.Blocks[Target].IsReachable) {
        F.Blocks[Target].IsReachable = true;
        Stack.push_back(Target);
      }
    }
  }
}

bool FunctionBuilder::findPartsAndStarts() {
  bool IsChanged = false;
  SmallVector<FunctionRange, 1> NewParts;
  auto Lead = [&](uint64_t Target) {
    if (isInParts(Target)) {
      if (!indexOf(Target))
        IsChanged |= ForcedStarts.insert(Target).second;
    } else if (const FunctionRange *Part = newPartAt(Target)) {
      NewParts.push_back(*Part);
    }
  };
  for (const MachineBlock &Block : F.Blocks) {
    if (!Block.IsReachable)
      continue;
    uint32_t Last = Block.First + Block.Count - 1;
    const MachineInstruction &I = F.Instructions[Last];
    if ((I.Kind == InstructionKind::ConditionalBranch ||
         I.Kind == InstructionKind::Jump) &&
        DirectTargets[Last])
      Lead(*DirectTargets[Last]);
    if (I.Kind == InstructionKind::IndirectJump) {
      auto It = Resolved.find(I.Address);
      if (It != Resolved.end())
        for (uint64_t Target : It->second.InFunction)
          if (!isInParts(Target))
            Lead(Target);
    }
  }
  for (const FunctionRange &Part : Parts)
    for (uint64_t Pad : landingPads(Part))
      Lead(Pad);

  for (const FunctionRange &Part : NewParts)
    if (!isInParts(Part.Begin) && Parts.size() < MaxParts) {
      Parts.push_back(Part);
      IsChanged = true;
    }
  std::sort(Parts.begin() + 1, Parts.end(),
            [](const FunctionRange &A, const FunctionRange &B) {
              return A.Begin < B.Begin;
            });
  return IsChanged;
}

bool FunctionBuilder::resolveIndirectJumps() {
  auto NextObject = [&](uint64_t Address) {
    auto It = llvm::upper_bound(Mentioned, Address);
    uint64_t Next = It == Mentioned.end() ? UINT64_MAX : *It;
    return std::min(Next, Context.nextObject(Address));
  };
  auto IsInstruction = [&](uint64_t Address) {
    return indexOf(Address).has_value() || newPartAt(Address) != nullptr;
  };
  auto IsEnd = [&](uint64_t Address) {
    return any_of(Parts,
                  [&](const FunctionRange &P) { return P.End == Address; });
  };
  CodeView View{Set,          Image,      F.Instructions, F.Blocks,
                Predecessors, NextObject, IsInstruction,  IsEnd};
  bool IsChanged = false;
  for (uint32_t B = 0, E = F.Blocks.size(); B != E; ++B) {
    if (!F.Blocks[B].IsReachable)
      continue;
    uint32_t Last = F.Blocks[B].First + F.Blocks[B].Count - 1;
    const MachineInstruction &I = F.Instructions[Last];
    if (I.Kind != InstructionKind::IndirectJump)
      continue;
    IndirectTargets &Result = Resolved[I.Address];
    if (!Result.InFunction.empty() || Result.Outside)
      continue;
    if (IndirectEdges >= MaxIndirectEdges) {
      Result.IsUnresolvedTable = true;
      continue;
    }
    Result = resolveIndirectJump(View, B, Budget);
    IndirectEdges += Result.InFunction.size();
    IsChanged |= !Result.InFunction.empty();
  }
  return IsChanged;
}

void FunctionBuilder::makeCalls() {
  for (uint32_t I = 0, E = F.Instructions.size(); I != E; ++I) {
    const MachineInstruction &MI = F.Instructions[I];
    MachineCall Call;
    Call.Instruction = I;
    Call.Block = BlockOf[I];
    uint32_t Inside;
    bool IsLast =
        I + 1 == F.Blocks[Call.Block].First + F.Blocks[Call.Block].Count;
    switch (MI.Kind) {
    case InstructionKind::Call:
      Call.Target = DirectTargets[I];
      break;
    case InstructionKind::IndirectCall: {
      const IndirectTargets &Targets = Resolved[MI.Address];
      Call.Target = Targets.Outside;
      Call.TargetName = canonicalFunctionName(Targets.Symbol);
      break;
    }
    case InstructionKind::ConditionalBranch:
      Call.IsConditional = true;
      [[fallthrough]];
    case InstructionKind::Jump:
      if (isDirectTargetInside(I, Inside))
        continue;
      Call.IsTail = true;
      Call.Target = DirectTargets[I];
      break;
    case InstructionKind::IndirectJump: {
      if (!F.Blocks[Call.Block].IsExit)
        continue;
      auto It = Resolved.find(MI.Address);
      if (It != Resolved.end()) {
        if (It->second.IsUnresolvedTable) {
          ++F.UnresolvedIndirectJumps;
          continue;
        }
        Call.Target = It->second.Outside;
        Call.TargetName = canonicalFunctionName(It->second.Symbol);
      }
      Call.IsTail = true;
      break;
    }
    default: {
      // Falls into the next function.
      if (!IsLast || !isPartEnd(I) || MI.Kind == InstructionKind::Return ||
          MI.Kind == InstructionKind::Trap || MI.Kind == InstructionKind::Nop)
        continue;
      const FunctionRange *Next = Context.functionAt(MI.Address + MI.Size);
      if (!Next || Next->Begin != MI.Address + MI.Size)
        continue;
      Call.IsTail = true;
      Call.Target = Next->Begin;
      break;
    }
    }
    F.Calls.push_back(Call);
  }
}

/// Accesses through the frame pointer are only such where the function sets it;
/// elsewhere it is a register like any other.
void FunctionBuilder::markFrameAccesses() {
  if (SetsFramePointer)
    return;
  for (MachineInstruction &I : F.Instructions)
    if (is_contained(I.Reads, Set.framePointer()) &&
        !is_contained(I.Reads, Set.stackPointer()))
      I.IsStackAccess = false;
}

} // namespace inlay
