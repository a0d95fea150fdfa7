//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that have samples: their machine CFG, and how many samples each
// instruction has. What every estimator but Max starts from.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FREQUENCY_SAMPLEDFUNCTIONS_H
#define INLAY_LIB_FREQUENCY_SAMPLEDFUNCTIONS_H

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
};

struct SampledFunctions {
  std::vector<SampledFunction> Functions; ///< by Entry
  uint64_t SamplesOutsideFunctions = 0;
  uint64_t SamplesOutsideText = 0;
  uint64_t SamplesInsideInstructions = 0; ///< see MachineFrequencies
  uint64_t MostSamples = 0; ///< the largest count of an instruction
};

SampledFunctions collectSampledFunctions(const BinarySamples &Samples,
                                         const ProfiledBinary &Binary,
                                         MachineCode &Code);

/// The graph of \p Function, without evidence. Node N is block N, edge N is
/// edge N.
FlowGraph makeFlowGraph(const MachineFunction &Function);

/// Counts of one function in expected samples of an average instruction, or
/// whatever ExecutionsPerSample takes to executions.
struct FunctionFlow {
  std::vector<double> Blocks;
  std::vector<double> Edges; ///< empty if unknown
  std::optional<double> Entry;
};

/// Appends the function's parts to \p Result.
void appendFrequencies(const SampledFunction &Function,
                       const FunctionFlow &Flow,
                       std::optional<double> Confidence, MachineCode &Code,
                       MachineFrequencies &Result);

} // namespace inlay

#endif
