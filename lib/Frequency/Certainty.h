//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How sure the counts of a flow are.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FREQUENCY_CERTAINTY_H
#define INLAY_LIB_FREQUENCY_CERTAINTY_H

#include "inlay/Flow/FlowGraph.h"
#include "inlay/Object/MachineCFG.h"

namespace inlay {

/// Executed instructions, and those of them whose count is within a factor of
/// two, in the unit of the flow.
struct Certainty {
  double Executed = 0, Sure = 0;

  void add(const Certainty &Other) {
    Executed += Other.Executed;
    Sure += Other.Sure;
  }
  double share() const { return Executed > 0 ? Sure / Executed : 0; }
};

/// Of one function; \p Solution has deviations.
Certainty certaintyOf(const MachineFunction &Function, const Flow &Solution);

} // namespace inlay

#endif
