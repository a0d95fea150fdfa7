//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Branches.h.
//
//===----------------------------------------------------------------------===//

#include "Branches.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inlay {

void estimateBranches(const SampledFunctions &Sampled, MachineCode &Code,
                      MachineFrequencies &Result) {
  for (const SampledFunction &Function : Sampled.Functions) {
    const BranchCounts &Branches = Function.Branches;
    FunctionCounts Counts;
    append_range(Counts.Instructions, Branches.Instructions);
    append_range(Counts.Edges, Branches.Edges);
    Counts.Entry = Branches.Entries;
    for (const BranchCounts::Call &Call : Branches.Calls)
      if (Call.Target)
        Counts.Calls.push_back({Call.Instruction, Call.Target,
                                Code.calleeName(Call.Target),
                                double(Call.Count)});
    appendFrequencies(Function, Counts, std::nullopt, Result);
  }
}

} // namespace inlay
