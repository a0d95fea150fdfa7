//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header for the method. Nothing here depends on the target.
//
//===----------------------------------------------------------------------===//

#include "IndirectJumps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace llvm;

namespace inlay {

namespace {

/// Entries of a table that we read at most.
constexpr uint64_t MaxTableEntries = 1 << 16;
/// States (a formula at the end of a block) of one walk.
constexpr unsigned MaxStates = 20000;
/// After a table was found, this many more, for tail-merged jumps.
constexpr unsigned MaxStatesAfterSuccess = 512;
constexpr unsigned MaxBoundStates = 128;
constexpr size_t MaxTables = 64;
/// Below are the headers of a position-independent binary.
constexpr uint64_t MinAddress = 64;

/// A term of the formula, and how its register came to be known by that name.
struct Term {
  ValueTerm Value;
  int64_t Added = 0; ///< to the register, before it is scaled
  bool IsOpaque = false;
  /// The value is in memory, at SlotBase + SlotOffset.
  bool IsSlot = false;
  uint16_t SlotBase = 0;
  int64_t SlotOffset = 0;
  /// The register and the instruction that first used it in this term.
  uint16_t Origin = 0;
  uint32_t OriginInstruction = 0;
};

struct Formula {
  uint64_t Constant = 0;
  SmallVector<Term, 2> Terms;
  bool HasLoad = false;
  uint8_t LoadSize = 0;
  bool IsLoadSigned = false;
  int64_t LoadScale = 1;
  uint64_t LoadConstant = 0;
  SmallVector<Term, 2> LoadTerms;
  bool HasBase = false; ///< a term of the load became part of LoadConstant

  /// Leaves out what is added to a register: around a loop that counts, the
  /// formula would never be the same.
  hash_code hash() const {
    hash_code H = hash_combine(Constant, HasLoad, LoadSize, IsLoadSigned,
                               LoadScale, LoadConstant);
    for (const SmallVector<Term, 2> *List : {&Terms, &LoadTerms})
      for (const Term &T : *List)
        H = hash_combine(H, T.Value.Register, T.Value.Scale, T.Value.Bits,
                         T.IsOpaque, T.IsSlot, T.SlotBase, T.SlotOffset);
    return hash_combine(H, Terms.size());
  }
};

enum class Progress { Continue, Found, Dead };

uint64_t extend(uint64_t Value, unsigned Bits, bool IsSigned) {
  if (Bits >= 64)
    return Value;
  return IsSigned ? uint64_t(SignExtend64(Value, Bits))
                  : Value & maskTrailingOnes<uint64_t>(Bits);
}

class Resolver {
public:
  Resolver(const CodeView &Code, uint64_t &Budget)
      : Code(Code), Budget(Budget) {}

  IndirectTargets run(uint32_t Block);

private:
  /// Decodes again: most instructions on the way write none of our registers.
  MCInst decode(uint32_t Index) const {
    const MachineInstruction &I = Code.Instructions[Index];
    MCInst Inst;
    MachineInstruction Ignored;
    Code.Set.decode(Code.Image.bytesAt(I.Address).take_front(I.Size), I.Address,
                    Inst, Ignored);
    return Inst;
  }
  bool isFrameRegister(uint16_t Register) const {
    return Register == Code.Set.stackPointer() ||
           Register == Code.Set.framePointer();
  }

  Progress substitute(Formula &F, uint32_t Index) const;
  bool substituteTerm(Formula &F, const Term &T, const RegisterValue &V,
                      uint32_t Index) const;
  void substituteLoadTerm(Formula &F, Term T, const RegisterValue &V,
                          uint32_t Index, SmallVectorImpl<Term> &Results) const;
  std::optional<Term> slotOf(const RegisterValue &V) const;
  Progress check(const Formula &F) const;
  bool use(uint64_t N) {
    if (Budget < N) {
      Budget = 0;
      return false;
    }
    Budget -= N;
    return true;
  }

  void found(const Formula &F);
  void readTable(const Formula &F);

  struct IndexBound {
    uint64_t First = 0, Last = UINT64_MAX;
    bool IsExact = false; ///< the table has entries for all of them
  };
  IndexBound boundOf(const Term &Index);

  const CodeView &Code;
  uint64_t &Budget;

  SetVector<uint64_t> Targets;
  SetVector<uint64_t> OutsideTargets;
  StringRef Symbol;
  bool IsTable = false;   ///< a formula had the form of a table
  bool IsSlot = false;    ///< it jumps through one pointer
  bool IsForeign = false; ///< a table of other functions' entries
  std::set<std::pair<uint64_t, uint64_t>> TablesRead;
};

} // namespace

/// The place on the stack from which \p V is reloaded.
std::optional<Term> Resolver::slotOf(const RegisterValue &V) const {
  if (V.LoadSize != 8 || !V.Terms.empty() || V.Constant != 0 ||
      V.LoadScale != 1 || V.LoadTerms.size() != 1 ||
      V.LoadTerms[0].Scale != 1 || !isFrameRegister(V.LoadTerms[0].Register))
    return std::nullopt;
  Term T;
  T.IsSlot = true;
  T.SlotBase = V.LoadTerms[0].Register;
  T.SlotOffset = V.LoadConstant;
  return T;
}

/// Replaces \p T, a term of the sum, already taken out.
bool Resolver::substituteTerm(Formula &F, const Term &T, const RegisterValue &V,
                              uint32_t Index) const {
  if (!V.IsKnown)
    return false;
  if (std::optional<Term> Slot = slotOf(V)) {
    Slot->Value = T.Value;
    Slot->Value.Register = 0;
    F.Terms.push_back(*Slot);
    return true;
  }
  RegisterValue Value = V;
  unsigned Bits = T.Value.Bits;
  if (Bits < 64) {
    if (V.Terms.empty() && V.LoadSize == 0) {
      Value.Constant = extend(V.Constant, Bits, T.Value.IsSigned);
    } else if (V.Terms.empty() && V.Constant == 0 && V.LoadScale == 1) {
      if (Bits <= 8u * V.LoadSize) {
        Value.LoadSize = Bits / 8;
        Value.IsLoadSigned = T.Value.IsSigned;
      }
    } else if (V.LoadSize == 0 && V.Terms.size() == 1 && V.Constant == 0 &&
               V.Terms[0].Scale == 1) {
      if (Bits < Value.Terms[0].Bits) {
        Value.Terms[0].Bits = Bits;
        Value.Terms[0].IsSigned = T.Value.IsSigned;
      }
    } else {
      return false;
    }
  }
  int64_t Scale = T.Value.Scale;
  F.Constant += uint64_t(Scale) * Value.Constant;
  for (ValueTerm New : Value.Terms) {
    New.Scale = int64_t(uint64_t(New.Scale) * uint64_t(Scale));
    Term Result;
    Result.Value = New;
    F.Terms.push_back(Result);
  }
  if (Value.LoadSize != 0) {
    if (F.HasLoad)
      return false;
    F.HasLoad = true;
    F.LoadSize = Value.LoadSize;
    F.IsLoadSigned = Value.IsLoadSigned;
    F.LoadScale = int64_t(uint64_t(Value.LoadScale) * uint64_t(Scale));
    F.LoadConstant = Value.LoadConstant;
    for (const ValueTerm &New : Value.LoadTerms) {
      Term Result;
      Result.Value = New;
      Result.Origin = New.Register;
      Result.OriginInstruction = Index;
      F.LoadTerms.push_back(Result);
    }
  }
  return true;
}

/// Replaces \p T, a term of the load's address. An index is as good unknown as
/// known; what matters is to find the one term that is constant.
void Resolver::substituteLoadTerm(Formula &F, Term T, const RegisterValue &V,
                                  uint32_t Index,
                                  SmallVectorImpl<Term> &Results) const {
  // The base; or an index that is constant on this path, which says nothing.
  auto IsBase = [&](uint64_t C) {
    return T.Value.Scale == 1 && C + uint64_t(T.Added) >= MinAddress;
  };
  auto AddBase = [&](uint64_t C) {
    F.LoadConstant +=
        extend(C, T.Value.Bits, T.Value.IsSigned) + uint64_t(T.Added);
    F.HasBase = true;
  };
  if (V.IsKnown && V.LoadSize == 0 && V.Terms.empty() && IsBase(V.Constant)) {
    AddBase(V.Constant);
    return;
  }
  if (V.IsKnown && V.LoadSize == 0 && V.Terms.size() == 1 &&
      V.Terms[0].Scale == 1) {
    T.Value.Register = V.Terms[0].Register;
    if (V.Terms[0].Bits < T.Value.Bits) {
      T.Value.Bits = V.Terms[0].Bits;
      T.Value.IsSigned = V.Terms[0].IsSigned;
    }
    T.Added += V.Constant;
    Results.push_back(T);
    return;
  }
  if (V.IsKnown && V.LoadSize == 0 && T.Value.Scale == 1 && T.Added == 0 &&
      !V.Terms.empty() && V.Terms.size() <= 2 && V.Constant == 0) {
    for (const ValueTerm &New : V.Terms) {
      Term Result;
      Result.Value = New;
      Result.Origin = New.Register;
      Result.OriginInstruction = Index;
      Results.push_back(Result);
    }
    return;
  }
  if (V.IsKnown) {
    if (std::optional<Term> Slot = slotOf(V)) {
      T.IsSlot = true;
      T.SlotBase = Slot->SlotBase;
      T.SlotOffset = Slot->SlotOffset;
      T.Value.Register = 0;
      Results.push_back(T);
      return;
    }
    // The table's address comes from a table of addresses (GOT).
    if (V.LoadSize == 8 && V.LoadTerms.empty() && V.Terms.empty() &&
        V.Constant == 0 && V.LoadScale == 1)
      if (std::optional<uint64_t> P = Code.Image.pointerAt(V.LoadConstant);
          P && IsBase(*P)) {
        AddBase(*P);
        return;
      }
  }
  T.IsOpaque = true;
  T.Value.Register = 0;
  Results.push_back(T);
}

/// Steps back over instruction \p Index.
Progress Resolver::substitute(Formula &F, uint32_t Index) const {
  const MachineInstruction &I = Code.Instructions[Index];
  bool IsCall = I.Kind == InstructionKind::Call ||
                I.Kind == InstructionKind::IndirectCall;
  auto IsChanged = [&](const Term &T) {
    if (T.IsOpaque)
      return false;
    if (T.IsSlot)
      return I.WritesMemory || is_contained(I.Writes, T.SlotBase);
    if (IsCall)
      return !Code.Set.isPreservedAcrossCalls(T.Value.Register);
    return is_contained(I.Writes, T.Value.Register);
  };
  if (none_of(F.Terms, IsChanged) && none_of(F.LoadTerms, IsChanged))
    return Progress::Continue;

  MCInst Inst;
  SmallVector<InstructionSet::Spill, 2> Spills;
  if (!IsCall) {
    Inst = decode(Index);
    if (I.WritesMemory)
      Spills = Code.Set.spills(Inst);
  }
  // What becomes of a slot: nullopt if it is lost.
  auto AfterSlot = [&](Term T) -> std::optional<Term> {
    for (const InstructionSet::Spill &S : Spills)
      if (S.Base == T.SlotBase && S.Offset == T.SlotOffset) {
        T.IsSlot = false;
        T.Value.Register = S.Stored;
        return T.Value.Register ? std::optional<Term>(T) : std::nullopt;
      }
    if (!IsCall && is_contained(I.Writes, T.SlotBase))
      return std::nullopt;
    return T;
  };
  auto ValueOf = [&](const Term &T) {
    return IsCall ? RegisterValue()
                  : Code.Set.valueWritten(Inst, I, T.Value.Register);
  };

  // Terms are formulas of what was before the instruction: old ones first.
  SmallVector<Term, 2> OldLoadTerms, NewLoadTerms;
  OldLoadTerms.swap(F.LoadTerms);
  for (Term &T : OldLoadTerms) {
    if (!IsChanged(T)) {
      NewLoadTerms.push_back(T);
    } else if (T.IsSlot) {
      if (std::optional<Term> After = AfterSlot(T)) {
        NewLoadTerms.push_back(*After);
      } else {
        T.IsOpaque = true;
        T.IsSlot = false;
        NewLoadTerms.push_back(T);
      }
    } else {
      substituteLoadTerm(F, T, ValueOf(T), Index, NewLoadTerms);
    }
  }
  F.LoadTerms = std::move(NewLoadTerms);

  SmallVector<Term, 2> OldTerms;
  OldTerms.swap(F.Terms);
  for (const Term &T : OldTerms) {
    if (!IsChanged(T)) {
      F.Terms.push_back(T);
    } else if (T.IsSlot) {
      std::optional<Term> After = AfterSlot(T);
      if (!After)
        return Progress::Dead;
      F.Terms.push_back(*After);
    } else if (!substituteTerm(F, T, ValueOf(T), Index)) {
      return Progress::Dead;
    }
  }
  if (F.Terms.size() > 4 || F.LoadTerms.size() > 4)
    return Progress::Dead;
  return check(F);
}

Progress Resolver::check(const Formula &F) const {
  if (!F.Terms.empty())
    return Progress::Continue;
  if (!F.HasLoad || F.LoadTerms.empty())
    return Progress::Found;
  bool AllOpaque =
      all_of(F.LoadTerms, [](const Term &T) { return T.IsOpaque; });
  if (F.LoadTerms.size() == 1) {
    const Term &T = F.LoadTerms[0];
    // What is left is the index, unless it may still turn out to be the base.
    bool IsIndex = F.HasBase || (!Code.Image.isPositionIndependent() &&
                                 (T.IsOpaque || T.Value.Scale != 1));
    if (IsIndex && !Code.Image.bytesAt(F.LoadConstant).empty())
      return Progress::Found;
  }
  return AllOpaque ? Progress::Dead : Progress::Continue;
}

IndirectTargets Resolver::run(uint32_t Block) {
  const MachineBlock &B = Code.Blocks[Block];
  uint32_t Jump = B.First + B.Count - 1;
  RegisterValue Target =
      Code.Set.indirectTarget(decode(Jump), Code.Instructions[Jump]);

  Formula Start;
  Term Whole;
  Whole.Value.Scale = 1;
  IndirectTargets Result;
  if (!substituteTerm(Start, Whole, Target, Jump))
    return Result;

  struct State {
    uint32_t Block;
    Formula F;
  };
  // Breadth first: what is near comes first.
  std::vector<State> Queue;
  DenseSet<std::pair<uint32_t, uint64_t>> Visited;
  unsigned StatesAfterSuccess = 0;
  auto IsTableForm = [](const Formula &F) {
    return F.HasLoad && F.LoadSize < 8 && !F.LoadTerms.empty();
  };
  // Steps back from instruction End (exclusive) to the block's start.
  auto Walk = [&](uint32_t Block, uint32_t End, Formula F) {
    const MachineBlock &B = Code.Blocks[Block];
    Progress P = check(F);
    for (uint32_t I = End; P == Progress::Continue && I-- > B.First;)
      P = substitute(F, I);
    IsTable |= IsTableForm(F);
    if (P == Progress::Found)
      found(F);
    if (P == Progress::Continue && use(Code.Predecessors[Block].size()))
      for (const MachineEdge &E : Code.Predecessors[Block])
        if (Queue.size() < MaxStates &&
            Visited.insert({E.Source, uint64_t(size_t(F.hash()))}).second)
          Queue.push_back({E.Source, F});
  };
  Walk(Block, Jump, Start);
  for (size_t Next = 0; Next != Queue.size(); ++Next) {
    if ((!Targets.empty() || !OutsideTargets.empty()) &&
        StatesAfterSuccess++ > MaxStatesAfterSuccess)
      break;
    State S = std::move(Queue[Next]);
    const MachineBlock &B = Code.Blocks[S.Block];
    if (!use(B.Count))
      break;
    Walk(S.Block, B.First + B.Count, std::move(S.F));
  }

  Result.InFunction.assign(Targets.begin(), Targets.end());
  if (Result.InFunction.empty()) {
    if (OutsideTargets.size() == 1)
      Result.Outside = OutsideTargets.front();
    Result.Symbol = Symbol;
    Result.IsUnresolvedTable =
        IsTable && !IsForeign && !IsSlot && OutsideTargets.empty();
  }
  return Result;
}

void Resolver::found(const Formula &F) {
  if (!F.HasLoad) {
    if (Code.IsInstruction(F.Constant))
      Targets.insert(F.Constant);
    else if (!Code.Image.bytesAt(F.Constant).empty())
      OutsideTargets.insert(F.Constant);
    return;
  }
  if (F.LoadTerms.empty()) {
    if (F.LoadSize != 8 || F.LoadScale != 1 || F.Constant != 0)
      return;
    IsSlot = true;
    Symbol = Code.Image.symbolAt(F.LoadConstant);
    std::optional<uint64_t> P = Code.Image.pointerAt(F.LoadConstant);
    if (P && *P && !Code.Image.bytesAt(*P).empty() && !Code.IsInstruction(*P))
      OutsideTargets.insert(*P);
    return;
  }
  readTable(F);
}

void Resolver::readTable(const Formula &F) {
  const Term &Index = F.LoadTerms[0];
  int64_t Stride = Index.Value.Scale == 1 ? F.LoadSize : Index.Value.Scale;
  if (Stride <= 0 || TablesRead.size() >= MaxTables)
    return;
  IndexBound Bound = boundOf(Index);
  if (Index.Value.Scale == 1 && F.LoadSize > 1) {
    Bound.First /= F.LoadSize;
    if (Bound.Last != UINT64_MAX)
      Bound.Last /= F.LoadSize;
  }
  IsTable = true;
  uint64_t First = Bound.First < MaxTableEntries ? Bound.First : 0;
  uint64_t Start = F.LoadConstant + First * uint64_t(Stride);
  if (!TablesRead.insert({Start, Bound.Last}).second)
    return;
  uint64_t Limit = Bound.IsExact ? UINT64_MAX : Code.NextObject(Start);
  uint64_t NumEntries = 0;
  for (uint64_t I = First; I <= Bound.Last && I - First < MaxTableEntries;
       ++I) {
    uint64_t Address = F.LoadConstant + I * uint64_t(Stride);
    if (Address < Start || Address >= Limit || !use(1))
      break;
    std::optional<uint64_t> Entry =
        F.LoadSize == 8 ? Code.Image.pointerAt(Address)
                        : Code.Image.integerAt(Address, F.LoadSize);
    if (!Entry)
      break;
    uint64_t Target =
        F.Constant +
        uint64_t(F.LoadScale) * extend(*Entry, 8 * F.LoadSize, F.IsLoadSigned);
    if (!Code.IsInstruction(Target)) {
      if (Code.IsEnd(Target))
        continue;
      // Some other function's: a table of functions.
      if (NumEntries == 0 && F.LoadSize == 8 && Target != 0 &&
          !Code.Image.bytesAt(Target).empty()) {
        IsForeign = true;
        return;
      }
      break;
    }
    ++NumEntries;
    Targets.insert(Target);
  }
}

/// Walks back from the first use of the index to what limits it.
Resolver::IndexBound Resolver::boundOf(const Term &Index) {
  IndexBound Result;
  if (Index.Origin == 0 || Index.OriginInstruction >= Code.Instructions.size())
    return Result;

  struct State {
    uint32_t Block;
    uint32_t End; ///< instruction after the last one to look at
    uint16_t Register;
    unsigned Bits;
    int64_t Added;
    uint64_t Cap; ///< of the index: a mask's
    /// Conditional branch at the end of the block whose flags we want.
    std::optional<uint32_t> Branch;
    bool IsTaken;
  };
  auto BlockOf = [&](uint32_t Instruction) {
    auto It = llvm::upper_bound(
        Code.Blocks, Instruction,
        [](uint32_t I, const MachineBlock &B) { return I < B.First; });
    return uint32_t(std::prev(It) - Code.Blocks.begin());
  };
  std::vector<State> Stack;
  std::set<std::tuple<uint32_t, uint16_t, int64_t, uint64_t, bool>> Visited;
  Stack.push_back({BlockOf(Index.OriginInstruction), Index.OriginInstruction,
                   Index.Origin, 64, 0, UINT64_MAX, std::nullopt, false});
  bool IsFirst = true;
  uint64_t First = UINT64_MAX, Last = 0;
  bool IsExact = true;
  unsigned States = 0;
  while (!Stack.empty()) {
    State S = Stack.back();
    Stack.pop_back();
    const MachineBlock &B = Code.Blocks[S.Block];
    if (States++ > MaxBoundStates || Stack.size() > MaxBoundStates ||
        !use(S.End - B.First + Code.Predecessors[S.Block].size()))
      return Result;

    // Ends the path: the index is in [Added, Maximum + Added], or below Cap.
    bool IsDone = false;
    auto Bounded = [&](uint64_t Maximum) {
      IsDone = true;
      uint64_t End = Maximum + uint64_t(S.Added);
      if (S.Added < 0 && 0 - uint64_t(S.Added) > Maximum)
        return; // empty: the path is never taken with this index
      First = std::min(First, S.Added > 0 ? uint64_t(S.Added) : 0);
      Last = std::max(Last, std::min(End, S.Cap));
    };
    auto Capped = [&] {
      IsDone = true;
      IsExact = false;
      First = 0;
      Last = std::max(Last, S.Cap);
    };
    for (uint32_t I = S.End; !IsDone && I-- > B.First;) {
      const MachineInstruction &MI = Code.Instructions[I];
      if (S.Branch && is_contained(MI.Writes, Code.Set.flags())) {
        std::optional<InstructionSet::Bound> Limit =
            Code.Set.bound(decode(I), decode(*S.Branch), S.IsTaken);
        if (Limit && Limit->Register == S.Register &&
            (Limit->Bits >= 32 || Limit->Bits >= S.Bits)) {
          Bounded(Limit->Maximum);
          break;
        }
        S.Branch.reset();
      }
      bool IsCall = MI.Kind == InstructionKind::Call ||
                    MI.Kind == InstructionKind::IndirectCall;
      if (IsCall ? Code.Set.isPreservedAcrossCalls(S.Register)
                 : !is_contained(MI.Writes, S.Register))
        continue;
      RegisterValue V;
      if (!IsCall)
        V = Code.Set.valueWritten(decode(I), MI, S.Register);
      if (V.Maximum != UINT64_MAX) {
        uint64_t Cap = V.Maximum + uint64_t(S.Added);
        if (S.Added >= 0 || 0 - uint64_t(S.Added) <= V.Maximum)
          S.Cap = std::min(S.Cap, Cap);
      }
      if (V.IsKnown && V.LoadSize == 0 && V.Terms.size() == 1 &&
          V.Terms[0].Scale == 1) {
        S.Register = V.Terms[0].Register;
        S.Bits = std::min<unsigned>(S.Bits, V.Terms[0].Bits);
        S.Added = int64_t(uint64_t(S.Added) + V.Constant);
        continue;
      }
      Capped();
    }
    if (IsDone) {
      IsFirst = false;
      continue;
    }
    if (Code.Predecessors[S.Block].empty() || S.Block == 0) {
      Capped();
      IsFirst = false;
    }
    for (const MachineEdge &E : Code.Predecessors[S.Block]) {
      const MachineBlock &P = Code.Blocks[E.Source];
      State Next = S;
      Next.Block = E.Source;
      Next.End = P.First + P.Count;
      Next.Branch.reset();
      Next.IsTaken = E.Kind == EdgeKind::Taken;
      uint32_t Branch = Next.End - 1;
      if (Code.Instructions[Branch].Kind ==
          InstructionKind::ConditionalBranch) {
        Next.Branch = Branch;
        Next.End = Branch;
      }
      if (Visited
              .insert({Next.Block, Next.Register, Next.Added, Next.Cap,
                       Next.IsTaken})
              .second)
        Stack.push_back(Next);
    }
  }
  if (IsFirst || First > Last)
    return Result;
  Result.First = First;
  Result.Last = Last;
  Result.IsExact = IsExact;
  return Result;
}

IndirectTargets resolveIndirectJump(const CodeView &Code, uint32_t Block,
                                    uint64_t &Budget) {
  return Resolver(Code, Budget).run(Block);
}

IndirectTargets
resolveInStraightLine(const InstructionSet &Set, const LoadedImage &Image,
                      ArrayRef<MachineInstruction> Instructions) {
  MachineBlock Block;
  Block.Count = Instructions.size();
  SmallVector<MachineEdge, 2> NoPredecessors;
  auto Nowhere = [](uint64_t) { return false; };
  auto NoLimit = [](uint64_t) { return UINT64_MAX; };
  CodeView View{Set,     Image,   Instructions, Block, NoPredecessors,
                NoLimit, Nowhere, Nowhere};
  uint64_t Budget = Instructions.size();
  return resolveIndirectJump(View, 0, Budget);
}

} // namespace inlay
