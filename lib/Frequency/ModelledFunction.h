//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function under way in the model: what was seen of it, the graph with what
// is believed of its blocks, and the flow that fits best.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FREQUENCY_MODELLEDFUNCTION_H
#define INLAY_LIB_FREQUENCY_MODELLEDFUNCTION_H

#include "BlockPosterior.h"
#include "SampledFunctions.h"
#include "inlay/Flow/FlowGraph.h"
#include "inlay/Frequency/InstructionClasses.h"
#include <vector>

namespace inlay {

struct ModelledFunction {
  const SampledFunction *Sampled;
  std::vector<InstructionClass> Classes;  ///< of instructions
  std::vector<BlockPosterior> Posteriors; ///< of blocks
  /// Its evidence is that of Posteriors, and what other functions tell.
  FlowGraph Graph;
  Flow Solution;

  /// Instructions executed, by the solution.
  double executed() const;

  /// All counts, those of the evidence too, times \p Factor: a solution stays
  /// one.
  void scale(double Factor);
};

} // namespace inlay

#endif
