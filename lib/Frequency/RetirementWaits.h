//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For how long each instruction would keep those behind it from retiring, if
// every load hit the nearest cache and every branch was predicted.
//
// Instructions retire in order, and a timer hits the one that has not retired
// yet. Of a chain of dependent multiplications each is waited for three cycles;
// of ten independent additions most are not waited for at all, and are hardly
// ever hit however often they execute. Which of the two an instruction is does
// not show in itself nor in its neighbours, but in the whole chain that leads
// up to it.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FREQUENCY_RETIREMENTWAITS_H
#define INLAY_LIB_FREQUENCY_RETIREMENTWAITS_H

#include <vector>

namespace inlay {

struct MachineFunction;

struct RetirementWaits {
  /// Cycles from the retirement of the instruction before to its own, by
  /// index into MachineFunction::Instructions.
  std::vector<float> OfInstruction;
  /// The same of the instruction before each block; 0 where it is not known
  /// which one that is.
  std::vector<float> BeforeBlock;
};

RetirementWaits retirementWaits(const MachineFunction &Function);

} // namespace inlay

#endif
