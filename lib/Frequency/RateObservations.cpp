//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pairs the samples of a binary with its exact executions, instruction by
// instruction.
//
// The instructions of a block execute equally often. Where exact counts of a
// block differ, the least is right: callgrind counts the iterations of repeated
// string instructions, and a PLT stub's instructions at the call.
//
//===----------------------------------------------------------------------===//

#include "SampledFunctions.h"
#include "inlay/Frequency/RateTraining.h"
#include "inlay/Object/ProfiledBinary.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inlay {

/// Entries of the functions that executed, by address.
static std::vector<uint64_t> executedEntries(const ProfiledBinary &Binary,
                                             MachineCode &Code,
                                             ExactExecutions Executions) {
  std::vector<uint64_t> Entries;
  DenseSet<uint64_t> Seen;
  for (auto [Address, Count] : Executions)
    if (const FunctionRange *Range =
            Count ? Binary.functionAt(Address) : nullptr)
      if (std::optional<uint64_t> Entry = Code.entryOf(Range->Begin))
        if (Seen.insert(*Entry).second)
          Entries.push_back(*Entry);
  llvm::sort(Entries);
  return Entries;
}

static uint64_t executionsOf(const MachineFunction &Function,
                             const MachineBlock &Block,
                             ExactExecutions Executions) {
  uint64_t Least = UINT64_MAX;
  for (uint32_t N = Block.First; N < Block.First + Block.Count; ++N) {
    uint64_t Address = Function.Instructions[N].Address;
    auto It = llvm::lower_bound(Executions,
                                std::pair<uint64_t, uint64_t>(Address, 0));
    bool IsThere = It != Executions.end() && It->first == Address;
    Least = std::min(Least, IsThere ? It->second : 0);
  }
  return Least;
}

BinaryObservations observeRates(const BinarySamples &Samples,
                                const ProfiledBinary &Binary, MachineCode &Code,
                                ExactExecutions Executions, SampleSkid Skid) {
  BinaryObservations Result;
  EstimationProgress Unwatched(nullptr);
  SampledFunctions Sampled =
      collectSampledFunctions(Samples, Binary, Code, Unwatched, 1);
  DenseMap<uint64_t, const SampledFunction *> ByEntry;
  for (const SampledFunction &Function : Sampled.Functions)
    ByEntry[Function.Code.Entry] = &Function;

  for (uint64_t Entry : executedEntries(Binary, Code, Executions)) {
    MachineFunction Unsampled;
    const SampledFunction *Function = ByEntry.lookup(Entry);
    const MachineFunction *MF = Function ? &Function->Code : &Unsampled;
    if (!Function) {
      Expected<MachineFunction> FunctionOrErr = Code.function(Entry);
      if (!FunctionOrErr) {
        consumeError(FunctionOrErr.takeError());
        continue;
      }
      Unsampled = std::move(*FunctionOrErr);
    }
    std::vector<InstructionClass> Classes = classifyInstructions(*MF, Skid);
    for (const MachineBlock &Block : MF->Blocks) {
      uint64_t Count = executionsOf(*MF, Block, Executions);
      for (uint32_t N = Block.First; N < Block.First + Block.Count; ++N) {
        uint64_t Hits = Function ? Function->Samples[N] : 0;
        Result.Samples += Hits;
        if (Classes[N] == NoInstructionClass)
          continue;
        Result.Executions += Count;
        Result.Observations.push_back({Classes[N], Hits, double(Count)});
      }
    }
  }
  double SamplesPerExecution =
      Result.Executions ? double(Result.Samples) / Result.Executions : 0;
  for (RateObservation &O : Result.Observations)
    O.Expected *= SamplesPerExecution;
  return Result;
}

} // namespace inlay
