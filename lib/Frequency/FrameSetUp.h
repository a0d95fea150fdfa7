//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where in a function the frame pointer leads to its own frame, and a chain of
// frames that was sampled there has its caller.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FREQUENCY_FRAMESETUP_H
#define INLAY_LIB_FREQUENCY_FRAMESETUP_H

#include "inlay/Object/MachineCFG.h"

namespace inlay {

struct FrameSetUp {
  /// Index of the instruction that makes the frame, in block 0; nullopt: none
  /// does.
  std::optional<uint32_t> Instruction;
  uint16_t FramePointer = 0;

  /// The frame is there before the instruction at \p Address executes.
  bool isSetUpAt(uint64_t Address, const MachineFunction &Function) const;
};

/// The first instruction of the entry block that copies the stack pointer to a
/// register that was stored.
FrameSetUp findFrameSetUp(const MachineFunction &Function);

} // namespace inlay

#endif
