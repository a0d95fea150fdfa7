//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linkers have made stubs of many shapes, but all are a few instructions in a
// row that end in a jump through a slot. We ask where the jump leads, as with
// any other indirect jump, and the slot's relocation names the symbol.
//
//===----------------------------------------------------------------------===//

#include "LinkageStubs.h"
#include "IndirectJumps.h"

using namespace llvm;

namespace inlay {

StringRef linkageStubSymbol(const InstructionSet &Set, const LoadedImage &Image,
                            uint64_t Address) {
  constexpr unsigned MaxInstructions = 8;
  std::vector<MachineInstruction> Instructions;
  ArrayRef<uint8_t> Bytes = Image.bytesAt(Address);
  for (unsigned I = 0; I != MaxInstructions; ++I) {
    MCInst Inst;
    MachineInstruction MI;
    if (!Set.decode(Bytes, Address, Inst, MI))
      return StringRef();
    Bytes = Bytes.drop_front(MI.Size);
    Address += MI.Size;
    Instructions.push_back(MI);
    switch (MI.Kind) {
    case InstructionKind::IndirectJump:
      break;
    case InstructionKind::Jump:
    case InstructionKind::Return:
    case InstructionKind::ConditionalBranch:
      return StringRef();
    default:
      continue;
    }
    MachineBlock Block;
    Block.Count = Instructions.size();
    SmallVector<MachineEdge, 2> NoPredecessors;
    auto Nowhere = [](uint64_t) { return false; };
    CodeView View{Set, Image,   Instructions, Block, NoPredecessors,
                  {},  Nowhere, Nowhere};
    uint64_t Budget = 1000;
    return resolveIndirectJump(View, 0, Budget).Symbol;
  }
  return StringRef();
}

} // namespace inlay
