//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The flow tells how far all evidence together pins each block down, on the
// assumption that the evidence is independent and right. It is neither: what
// makes one block's rates unusual makes those of its neighbours so. The normal
// distribution with the deviation that is left then gives the probability that
// a count is within a factor of two.
//
//===----------------------------------------------------------------------===//

#include "Certainty.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace inlay {

/// What no evidence takes away. Chosen so that what is claimed is, over several
/// programs and numbers of samples, about what is true.
static constexpr double ModelDeviation = 0.28;

Certainty certaintyOf(const MachineFunction &Function, const Flow &Solution) {
  Certainty Result;
  // Empty where nothing ran.
  if (Solution.Deviations.empty())
    return Result;
  for (auto [Block, Count, FlowDeviation] :
       zip_equal(Function.Blocks, Solution.Nodes, Solution.Deviations)) {
    if (!(Count > 0))
      continue;
    double Deviation = std::hypot(FlowDeviation, ModelDeviation);
    double Executed = Count * Block.Count;
    Result.Executed += Executed;
    Result.Sure +=
        Executed * std::erf(std::log(2.0) / Deviation / std::sqrt(2.0));
  }
  return Result;
}

} // namespace inlay
