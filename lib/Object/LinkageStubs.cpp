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

LinkageStub readLinkageStub(const InstructionSet &Set, const LoadedImage &Image,
                            uint64_t Address) {
  constexpr unsigned MaxInstructions = 8;
  std::vector<MachineInstruction> Instructions;
  ArrayRef<uint8_t> Bytes = Image.bytesAt(Address);
  for (unsigned I = 0; I != MaxInstructions; ++I) {
    MCInst Inst;
    MachineInstruction MI;
    if (!Set.decode(Bytes, Address, Inst, MI))
      return {};
    Bytes = Bytes.drop_front(MI.Size);
    Address += MI.Size;
    Instructions.push_back(MI);
    switch (MI.Kind) {
    case InstructionKind::IndirectJump:
      break;
    case InstructionKind::Jump:
    case InstructionKind::Return:
    case InstructionKind::ConditionalBranch:
      return {};
    default:
      continue;
    }
    IndirectTargets Targets = resolveInStraightLine(Set, Image, Instructions);
    return {Targets.Symbol, Targets.Outside};
  }
  return {};
}

} // namespace inlay
