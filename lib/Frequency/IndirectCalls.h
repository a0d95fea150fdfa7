//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Divides the executions of indirect calls among those whom they were seen to
// call.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FREQUENCY_INDIRECTCALLS_H
#define INLAY_LIB_FREQUENCY_INDIRECTCALLS_H

#include "SampledFunctions.h"

namespace inlay {

struct IndirectTarget {
  uint32_t Instruction; ///< index of the call
  uint64_t Target;      ///< address; 0: in another binary
  double Weight;        ///< compared to the others of the call
};

/// Adds to \p Counts the calls whose callee the code does not tell.
/// \p Targets are by Instruction.
void addIndirectCalls(const MachineFunction &Function,
                      llvm::ArrayRef<double> Blocks,
                      llvm::ArrayRef<IndirectTarget> Targets, MachineCode &Code,
                      FunctionCounts &Counts);

} // namespace inlay

#endif
