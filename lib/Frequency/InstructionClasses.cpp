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
// first. Behind these come the classes that have no such instruction.
//
//===----------------------------------------------------------------------===//

#include "inlay/Frequency/InstructionClasses.h"
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

/// Bits of a class that has a cause.
constexpr unsigned IsFirst = 1, IsDependent = 2, CauseFactor = 4;

enum WithoutCause : uint16_t {
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
  NumClasses
};

constexpr std::array<StringLiteral, NumClasses - FirstEntry> NamesWithoutCause =
    {"first.entry",
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

std::string instructionClassName(InstructionClass Class) {
  assert(Class < NumClasses);
  if (Class >= FirstEntry)
    return NamesWithoutCause[Class - FirstEntry].str();
  unsigned Cause = Class / CauseFactor;
  std::string Name = Cause == StackLoad
                         ? "stack_load"
                         : instructionKindName(InstructionKind(Cause)).str();
  if (Class & IsDependent)
    Name += "_d";
  if (Class & IsFirst)
    Name += "@0";
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

/// The class of what \p I causes.
static InstructionClass causedBy(const MachineInstruction &I, bool Dependent,
                                 bool First) {
  unsigned Cause = I.Kind == InstructionKind::Load && I.IsStackAccess
                       ? StackLoad
                       : unsigned(I.Kind);
  return Cause * CauseFactor + Dependent * IsDependent + First * IsFirst;
}

/// For each block the class of its first instruction.
static std::vector<InstructionClass>
classifyEntries(const MachineFunction &Function) {
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

  auto Classify = [&](const Ways &W) -> InstructionClass {
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
  std::vector<InstructionClass> Classes(Function.Blocks.size());
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
  std::vector<InstructionClass> Entries = classifyEntries(Function);
  FreshLoads Fresh;
  for (auto [Block, EntryClass] : zip_equal(Function.Blocks, Entries)) {
    Fresh.clear();
    InstructionClass Previous = EntryClass;
    for (uint32_t N = 0; N < Block.Count; ++N) {
      const MachineInstruction &I = Function.Instructions[Block.First + N];
      InstructionClass Own = causedBy(I, Fresh.anyOf(I.Reads), N == 0);
      InstructionClass Hit = Skid == SampleSkid::Next ? Previous : Own;
      if (I.Kind != InstructionKind::Nop)
        Classes[Block.First + N] = I.IsFusedWithPrevious ? +Fused : Hit;
      Previous = Own;
      Fresh.advance(I);
    }
  }
  return Classes;
}

} // namespace inlay
