//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that have samples: their machine CFG, and how many samples each
// instruction has. What every estimator but Max starts from, and where it puts
// its results.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FREQUENCY_SAMPLEDFUNCTIONS_H
#define INLAY_LIB_FREQUENCY_SAMPLEDFUNCTIONS_H

#include "BranchCounts.h"
#include "EstimationProgress.h"
#include "inlay/Flow/FlowGraph.h"
#include "inlay/Frequency/MachineFrequencies.h"
#include "inlay/Object/MachineCFG.h"

namespace inlay {

struct BinarySamples;

struct SampledFunction {
  MachineFunction Code;
  /// Of each instruction, by index.
  std::vector<uint64_t> Samples;
  /// (address, samples) as recorded, sorted.
  std::vector<std::pair<uint64_t, uint64_t>> RawSamples;
  BranchCounts Branches; ///< empty unless asked for
};

struct SampledFunctions {
  std::vector<SampledFunction> Functions; ///< by Entry
  uint64_t SamplesOutsideFunctions = 0;
  uint64_t SamplesOutsideText = 0;
  uint64_t SamplesInsideInstructions = 0; ///< see MachineFrequencies
  uint64_t MostSamples = 0;             ///< the largest count of an instruction
  uint64_t BranchRecords = 0;           ///< see MachineFrequencies
  uint64_t ImpossibleBranchRecords = 0; ///< likewise
};

/// Tells \p Progress of each function, in a stage that ends at \p EndShare.
SampledFunctions collectSampledFunctions(const BinarySamples &Samples,
                                         const ProfiledBinary &Binary,
                                         MachineCode &Code,
                                         EstimationProgress &Progress,
                                         double EndShare);

/// Index of the instruction that begins at \p Address.
std::optional<uint32_t> findInstruction(const MachineFunction &Function,
                                        uint64_t Address);

/// The graph of \p Function, without evidence. Node N is block N, edge N is
/// edge N.
FlowGraph makeFlowGraph(const MachineFunction &Function);

/// Counts of one function in expected samples of an average instruction, or
/// whatever MachineFrequencies::ExecutionsPerSample takes to executions.
struct FunctionCounts {
  struct Call {
    uint32_t Instruction; ///< index
    uint64_t Target;      ///< address; 0: known by name alone
    llvm::StringRef TargetName;
    double Count;
  };
  std::vector<double> Instructions; ///< by index
  std::vector<double> Edges;        ///< by index; empty if unknown
  std::optional<double> Entry;
  std::vector<Call> Calls; ///< in any order
};

/// From counts of blocks: those of its instructions, and of the calls whose
/// callee the code tells. \p Edges may be empty.
FunctionCounts countsOfBlocks(const MachineFunction &Function,
                              llvm::ArrayRef<double> Blocks,
                              llvm::ArrayRef<double> Edges, MachineCode &Code);

/// Appends the function's parts to \p Result, whose scale is set.
void appendFrequencies(const SampledFunction &Function,
                       const FunctionCounts &Counts,
                       std::optional<double> Confidence,
                       MachineFrequencies &Result);

} // namespace inlay

#endif
