//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See IndirectCalls.h.
//
//===----------------------------------------------------------------------===//

#include "IndirectCalls.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inlay {

void addIndirectCalls(const MachineFunction &Function, ArrayRef<double> Blocks,
                      ArrayRef<IndirectTarget> Targets, MachineCode &Code,
                      FunctionCounts &Counts) {
  // Both are by instruction.
  for (const MachineCall &Call : Function.Calls) {
    Targets = Targets.drop_while([&](const IndirectTarget &T) {
      return T.Instruction < Call.Instruction;
    });
    ArrayRef<IndirectTarget> OfCall =
        Targets.take_while([&](const IndirectTarget &T) {
          return T.Instruction == Call.Instruction;
        });
    if (Call.Target)
      continue;
    double All = 0;
    for (const IndirectTarget &T : OfCall)
      All += T.Weight;
    if (!(All > 0))
      continue;
    for (const IndirectTarget &T : OfCall)
      if (T.Target)
        Counts.Calls.push_back({T.Instruction, T.Target,
                                Code.calleeName(T.Target),
                                Blocks[Call.Block] * T.Weight / All});
  }
}

} // namespace inlay
