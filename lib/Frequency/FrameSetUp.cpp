//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stack pointer is what the store was addressed by, whatever its number.
//
//===----------------------------------------------------------------------===//

#include "FrameSetUp.h"
#include "SampledFunctions.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inlay {

FrameSetUp findFrameSetUp(const MachineFunction &Function) {
  FrameSetUp Result;
  if (Function.Blocks.empty())
    return Result;
  const MachineBlock &Entry = Function.Blocks.front();
  ArrayRef<MachineInstruction> Block =
      ArrayRef(Function.Instructions).slice(Entry.First, Entry.Count);
  // Set-ups stand at the beginning.
  constexpr size_t MostInstructions = 32;
  Block = Block.take_front(MostInstructions);
  for (auto [Index, Set] : enumerate(Block)) {
    if (Set.Kind != InstructionKind::ALU || Set.Writes.empty())
      continue;
    for (const MachineInstruction &Store : Block.take_front(Index)) {
      if (!Store.WritesMemory || !Store.IsStackAccess)
        continue;
      for (uint16_t Pointer : Set.Writes)
        if (is_contained(Store.Reads, Pointer) &&
            any_of(Set.Reads, [&](uint16_t R) {
              return R != Pointer && is_contained(Store.Reads, R);
            })) {
          Result.Instruction = Entry.First + Index;
          Result.FramePointer = Pointer;
          return Result;
        }
    }
  }
  return Result;
}

bool FrameSetUp::isSetUpAt(uint64_t Address,
                           const MachineFunction &Function) const {
  if (!Instruction)
    return false;
  std::optional<uint32_t> Index = findInstruction(Function, Address);
  if (!Index)
    return false;
  auto Block = partition_point(Function.Blocks, [&](const MachineBlock &B) {
    return B.First + B.Count <= *Index;
  });
  if (Block == Function.Blocks.begin() && *Index <= *Instruction)
    return false;
  // Left again: the caller's frame pointer was loaded.
  if (!Block->IsExit)
    return true;
  for (uint32_t I = Block->First; I < *Index; ++I)
    if (I != *Instruction &&
        is_contained(Function.Instructions[I].Writes, FramePointer))
      return false;
  return true;
}

} // namespace inlay
