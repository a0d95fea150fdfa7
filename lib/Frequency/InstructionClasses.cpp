//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A class is a number made of what it says: the kind of the instruction that
// took the time (accesses to the stack, which hit the cache and are forwarded,
// apart from other loads), whether that one waited for a load, whether it stood
// first. Behind these come the classes that have no such instruction. Each of
// them is followed by those that are the same with a wait.
//
//===----------------------------------------------------------------------===//

#include "inlay/Frequency/InstructionClasses.h"
#include "RetirementWaits.h"
#include "inlay/Object/MachineCFG.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ErrorHandling.h"
#include <array>

using namespace llvm;

namespace inlay {

namespace {

constexpr unsigned NumKinds = unsigned(InstructionKind::Trap) + 1;
/// Of the kinds, one more for loads from the stack.
constexpr unsigned StackLoad = NumKinds;
constexpr unsigned NumCauses = NumKinds + 1;

/// Bits of what tells the classes of a cause apart.
constexpr unsigned IsFirst = 1, IsDependent = 2, CauseFactor = 4;

/// Of a wait in cycles: up to where, and how classes are called.
struct Wait {
  float Below; ///< the last one's is infinite, whatever it says
  StringLiteral Name;
};
constexpr Wait Waits[] = {{0.08f, "~0"}, {0.25f, "~.1"}, {0.6f, "~.4"},
                          {1.5f, "~1"},  {3.5f, "~2"},   {8, "~5"},
                          {0, "~9"}};
/// The first, 0, is that of classes without.
constexpr unsigned NumWaits = 1 + std::size(Waits);

/// A class is its basis times NumWaits, and the wait.
enum BasisWithoutCause : uint16_t {
  FirstEntry = NumCauses * CauseFactor, // the function's first instruction
  FirstBranch,                          // one jump or taken branch leads here
  FirstThrough,         // one branch that was not taken leads here
  FirstFall,            // one block that ends without a branch leads here
  FirstIndirect,        // one indirect jump leads here
  FirstSeveral,         // several edges, none of them indirect
  FirstSeveralIndirect, // several edges, an indirect one among them
  FirstLandingPad,
  FirstUnknown, // no edge leads here
  Fused,        // one operation with the instruction before
  NumBases
};
constexpr unsigned NumClasses = NumBases * NumWaits;

constexpr std::array<StringLiteral, NumBases - FirstEntry> NamesWithoutCause = {
    "first.entry",
    "first.branch",
    "first.through",
    "first.fall",
    "first.indirect",
    "first.several",
    "first.several_indirect",
    "first.landing_pad",
    "first.unknown",
    "fused"};

/// A register counts as freshly loaded for so many instructions. Measured: the
/// out-of-order window hides what comes later.
constexpr unsigned LoadReach = 5;

/// The registers that were loaded in the last few instructions of a block.
class FreshLoads {
public:
  bool anyOf(ArrayRef<uint16_t> Registers) const {
    return any_of(Loads, [&](const Load &L) {
      return L.Age <= LoadReach && is_contained(Registers, L.Register);
    });
  }

  /// Goes past \p I.
  void advance(const MachineInstruction &I) {
    erase_if(Loads, [&](Load &L) {
      return ++L.Age > LoadReach || is_contained(I.Writes, L.Register);
    });
    // A pop also moves the stack pointer, which is not loaded.
    if (I.ReadsMemory)
      for (uint16_t Register : I.Writes)
        if (I.Kind != InstructionKind::Pop || !is_contained(I.Reads, Register))
          Loads.push_back({Register, 1});
    // What a callee loaded was long ago.
    if (I.Kind == InstructionKind::Call ||
        I.Kind == InstructionKind::IndirectCall)
      Loads.clear();
  }

  void clear() { Loads.clear(); }

private:
  struct Load {
    uint16_t Register;
    unsigned Age; ///< 1: by the instruction just before
  };
  SmallVector<Load, 8> Loads;
};

} // namespace

unsigned numInstructionClasses() { return NumClasses; }

InstructionClass withoutWait(InstructionClass Class) {
  return Class == NoInstructionClass ? Class : Class - Class % NumWaits;
}

static InstructionClass withWait(unsigned Basis, float Cycles) {
  unsigned Wait = 0;
  while (Wait + 1 < std::size(Waits) && Cycles >= Waits[Wait].Below)
    ++Wait;
  return Basis * NumWaits + 1 + Wait;
}

static std::string basisName(unsigned Basis) {
  if (Basis >= FirstEntry)
    return NamesWithoutCause[Basis - FirstEntry].str();
  unsigned Cause = Basis / CauseFactor;
  std::string Name = Cause == StackLoad
                         ? "stack_load"
                         : instructionKindName(InstructionKind(Cause)).str();
  if (Basis & IsDependent)
    Name += "_d";
  if (Basis & IsFirst)
    Name += "@0";
  return Name;
}

std::string instructionClassName(InstructionClass Class) {
  assert(Class < NumClasses);
  std::string Name = basisName(Class / NumWaits);
  if (unsigned Wait = Class % NumWaits)
    Name += Waits[Wait - 1].Name;
  return Name;
}

std::optional<InstructionClass> findInstructionClass(StringRef Name) {
  static const StringMap<InstructionClass> Classes = [] {
    StringMap<InstructionClass> Result;
    for (unsigned Class = 0; Class < NumClasses; ++Class)
      Result[instructionClassName(Class)] = Class;
    return Result;
  }();
  auto It = Classes.find(Name);
  if (It == Classes.end())
    return std::nullopt;
  return It->second;
}

/// The basis of the class of what \p I causes.
static unsigned causedBy(const MachineInstruction &I, bool Dependent,
                         bool First) {
  unsigned Cause = I.Kind == InstructionKind::Load && I.IsStackAccess
                       ? StackLoad
                       : unsigned(I.Kind);
  return Cause * CauseFactor + Dependent * IsDependent + First * IsFirst;
}

/// For each block the basis of the class of its first instruction.
static std::vector<unsigned> classifyEntries(const MachineFunction &Function) {
  struct Ways {
    unsigned Count = 0;
    bool AnyIndirect = false;
    const MachineEdge *Only = nullptr;
  };
  std::vector<Ways> Incoming(Function.Blocks.size());
  std::vector<unsigned> Outgoing(Function.Blocks.size());
  for (const MachineEdge &Edge : Function.Edges) {
    Ways &W = Incoming[Edge.Target];
    ++W.Count;
    W.AnyIndirect |= Edge.Kind == EdgeKind::Indirect;
    W.Only = &Edge;
    ++Outgoing[Edge.Source];
  }

  auto Classify = [&](const Ways &W) -> unsigned {
    if (W.Count > 1)
      return W.AnyIndirect ? FirstSeveralIndirect : FirstSeveral;
    switch (W.Only->Kind) {
    case EdgeKind::Taken:
      return FirstBranch;
    case EdgeKind::Indirect:
      return FirstIndirect;
    case EdgeKind::FallThrough:
      return Outgoing[W.Only->Source] > 1 ||
                     Function.Blocks[W.Only->Source].IsExit
                 ? FirstThrough
                 : FirstFall;
    }
    llvm_unreachable("unknown kind of edge");
  };
  std::vector<unsigned> Classes(Function.Blocks.size());
  for (auto [Block, W] : enumerate(Incoming)) {
    if (Block == 0)
      Classes[Block] = FirstEntry;
    else if (W.Count)
      Classes[Block] = Classify(W);
    else
      Classes[Block] =
          Function.Blocks[Block].IsLandingPad ? FirstLandingPad : FirstUnknown;
  }
  return Classes;
}

std::vector<InstructionClass>
classifyInstructions(const MachineFunction &Function, SampleSkid Skid) {
  std::vector<InstructionClass> Classes(Function.Instructions.size(),
                                        NoInstructionClass);
  std::vector<unsigned> Entries = classifyEntries(Function);
  RetirementWaits Waits = retirementWaits(Function);
  FreshLoads Fresh;
  for (auto [Block, EntryBasis, EntryWait] :
       zip_equal(Function.Blocks, Entries, Waits.BeforeBlock)) {
    Fresh.clear();
    InstructionClass Previous = withWait(EntryBasis, EntryWait);
    for (uint32_t N = Block.First; N < Block.First + Block.Count; ++N) {
      const MachineInstruction &I = Function.Instructions[N];
      InstructionClass Own =
          withWait(causedBy(I, Fresh.anyOf(I.Reads), N == Block.First),
                   Waits.OfInstruction[N]);
      InstructionClass Hit = Skid == SampleSkid::Next ? Previous : Own;
      if (I.Kind != InstructionKind::Nop)
        Classes[N] = I.IsFusedWithPrevious ? Fused * NumWaits : Hit;
      Previous = Own;
      Fresh.advance(I);
    }
  }
  return Classes;
}

} // namespace inlay
