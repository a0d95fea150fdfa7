//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A machine of few rules: so many instructions are fetched each cycle, each
// executes when what it reads is there, and they retire in order. It has no
// units that could be busy; with them, rates learned on some programs fitted
// others no better.
//
// A block is simulated at the end of the path that leads to it, as far back as
// that is certain (one predecessor each), and a block that loops by itself
// after a few of its iterations. Guesses about the path (along back edges,
// into the likelier predecessor) did not help either. So the work is linear:
// a bounded number of instructions before each block.
//
//===----------------------------------------------------------------------===//

#include "RetirementWaits.h"
#include "inlay/Object/MachineCFG.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace inlay {

namespace {

// Those of current large cores, roughly; rates are learned for what comes out.
constexpr float FetchStep = 1 / 6.0f, RetireStep = 1 / 8.0f;
/// Of what takes no slot of its own: NOPs, second halves of fused pairs.
constexpr float FreeFetchStep = 0.05f, FreeRetireStep = 0.02f;
/// Cycles by which fetching may run ahead of retirement: the reorder buffer.
constexpr float FetchAhead = 100;

/// So many instructions of a path before a block are simulated at least, if
/// there are as many.
constexpr unsigned PathLength = 64;
/// Iterations of a block that loops by itself before the one that counts.
constexpr unsigned WarmUpIterations = 3;

class Machine {
public:
  explicit Machine(size_t NumRegisters) : Ready(NumRegisters) {}

  /// Back to the start; forgets all registers.
  void reset() {
    for (uint16_t Register : Touched)
      Ready[Register] = 0;
    Touched.clear();
    Fetched = Retired = 0;
  }
  /// The cycles until \p I retires, after the one before it.
  float execute(const MachineInstruction &I);

private:
  std::vector<float> Ready; ///< by register: when its value is there
  std::vector<uint16_t> Touched;
  float Fetched = 0, Retired = 0;
};

} // namespace

/// Cycles from operands to result.
static float latency(InstructionKind Kind) {
  switch (Kind) {
  case InstructionKind::Multiply:
    return 3;
  case InstructionKind::FloatingPoint:
    return 4;
  case InstructionKind::Load:
  case InstructionKind::Pop:
    return 5;
  case InstructionKind::LoadOperation:
  case InstructionKind::ReadModifyWrite:
    return 6;
  case InstructionKind::FloatingPointSlow:
    return 13;
  case InstructionKind::Divide:
    return 14;
  case InstructionKind::Atomic:
    return 20;
  case InstructionKind::Repeat:
    return 30;
  default:
    return 1;
  }
}

/// Moves the stack pointer, which the front end does by itself.
static bool movesStack(InstructionKind Kind) {
  return Kind == InstructionKind::Push || Kind == InstructionKind::Pop ||
         Kind == InstructionKind::Call || Kind == InstructionKind::Return;
}

float Machine::execute(const MachineInstruction &I) {
  bool IsFree = I.IsFusedWithPrevious || I.Kind == InstructionKind::Nop;
  Fetched += IsFree ? FreeFetchStep : FetchStep;
  Fetched = std::max(Fetched, Retired - FetchAhead);

  float Start = Fetched;
  auto IsMovedStack = [&](uint16_t Register, ArrayRef<uint16_t> Others) {
    return movesStack(I.Kind) && is_contained(Others, Register);
  };
  for (uint16_t Register : I.Reads)
    if (!IsMovedStack(Register, I.Writes))
      Start = std::max(Start, Ready[Register]);
  float Done = Start + latency(I.Kind);
  for (uint16_t Register : I.Writes)
    if (!IsMovedStack(Register, I.Reads)) {
      Ready[Register] = Done;
      Touched.push_back(Register);
    }
  // What was on its way before a call is there after it.
  if (I.Kind == InstructionKind::Call ||
      I.Kind == InstructionKind::IndirectCall) {
    for (uint16_t Register : Touched)
      Ready[Register] = std::min(Ready[Register], Fetched);
    Fetched += 1;
  }

  float Before = Retired;
  Retired = std::max(Retired + (IsFree ? FreeRetireStep : RetireStep), Done);
  return Retired - Before;
}

static size_t numRegisters(const MachineFunction &Function) {
  uint16_t Largest = 0;
  for (const MachineInstruction &I : Function.Instructions) {
    for (uint16_t Register : I.Reads)
      Largest = std::max(Largest, Register);
    for (uint16_t Register : I.Writes)
      Largest = std::max(Largest, Register);
  }
  return size_t(Largest) + 1;
}

RetirementWaits retirementWaits(const MachineFunction &Function) {
  struct Incoming {
    unsigned Edges = 0;
    uint32_t Source = 0;
    bool FromItself = false;
  };
  std::vector<Incoming> Incoming(Function.Blocks.size());
  for (const MachineEdge &Edge : Function.Edges) {
    auto &In = Incoming[Edge.Target];
    ++In.Edges;
    In.Source = Edge.Source;
    In.FromItself |= Edge.Source == Edge.Target;
  }

  RetirementWaits Waits;
  Waits.OfInstruction.resize(Function.Instructions.size());
  Waits.BeforeBlock.resize(Function.Blocks.size());
  Machine M(numRegisters(Function));
  SmallVector<uint32_t, 16> Path; // from the block backwards
  for (uint32_t Index = 0; Index < Function.Blocks.size(); ++Index) {
    Path.assign(1, Index);
    if (Incoming[Index].FromItself) {
      Path.append(WarmUpIterations, Index);
    } else {
      for (unsigned Length = 0;
           Length < PathLength && Incoming[Path.back()].Edges == 1;
           Length += Function.Blocks[Path.back()].Count)
        Path.push_back(Incoming[Path.back()].Source);
    }
    M.reset();
    float Last = 0;
    for (uint32_t Step : reverse(Path)) {
      const MachineBlock &Block = Function.Blocks[Step];
      Waits.BeforeBlock[Index] = Last;
      for (uint32_t N = Block.First; N < Block.First + Block.Count; ++N) {
        Last = M.execute(Function.Instructions[N]);
        // Of iterations and of paths the last is what stays.
        if (Step == Index)
          Waits.OfInstruction[N] = Last;
      }
    }
  }
  return Waits;
}

} // namespace inlay
