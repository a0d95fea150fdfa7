//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What branch records tell of a function: ranges between two taken branches say
// which instructions ran and where control fell through, branches which edges
// and calls were taken. Records are observations, each of one execution.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FREQUENCY_BRANCHCOUNTS_H
#define INLAY_LIB_FREQUENCY_BRANCHCOUNTS_H

#include <cstdint>
#include <vector>

namespace inlay {

class EstimationProgress;
class MachineCode;
class ProfiledBinary;
struct BinarySamples;
struct SampledFunctions;

struct BranchCounts {
  struct Call {
    uint32_t Instruction; ///< index; a call, or a jump that leaves the function
    uint64_t Target;      ///< address; 0: in another binary
    uint64_t Count;
  };
  /// Ranges that cover each instruction, by index. Empty: nothing was recorded.
  std::vector<uint64_t> Instructions;
  /// By index in MachineFunction::Edges: branches taken, or ranges that fall
  /// through.
  std::vector<uint64_t> Edges;
  uint64_t Entries = 0;    ///< branches to the entry that are not Edges
  std::vector<Call> Calls; ///< by Instruction, Target

  bool empty() const { return Instructions.empty(); }
};

/// Fills in SampledFunction::Branches. Functions that have records but no
/// samples are added. Where an indirect jump was seen to lead to a block, and
/// the graph of its function does not know, the edge is added to it. \p
/// Progress is told of each function that is added, in a stage that ends at \p
/// EndShare.
void addBranchCounts(const BinarySamples &Samples, const ProfiledBinary &Binary,
                     MachineCode &Code, SampledFunctions &Sampled,
                     EstimationProgress &Progress, double EndShare);

} // namespace inlay

#endif
