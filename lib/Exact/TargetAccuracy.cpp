//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Callees are told apart by address and, where there is none (they are in other
// binaries), by name.
//
//===----------------------------------------------------------------------===//

#include "TargetAccuracy.h"
#include "inlay/Object/MachineCFG.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace inlay {

/// Of one site: from callee to executions.
using Targets = std::map<std::pair<uint64_t, StringRef>, double>;

static DenseMap<uint64_t, Targets>
targetsBySite(ArrayRef<FunctionFrequencies> Functions) {
  DenseMap<uint64_t, Targets> Result;
  for (const FunctionFrequencies &Function : Functions)
    for (const CallFrequency &Call : Function.Calls)
      Result[Call.Site]
            [{Call.Target, Call.Target ? StringRef() : Call.TargetName}] +=
          double(Call.Count);
  return Result;
}

static double sum(const Targets &Of) {
  double Sum = 0;
  for (const auto &Target : Of)
    Sum += Target.second;
  return Sum;
}

static auto greatest(const Targets &Of) {
  return llvm::max_element(
             Of,
             [](const auto &A, const auto &B) { return A.second < B.second; })
      ->first;
}

TargetAccuracy measureTargets(const MachineFrequencies &Exact,
                              const MachineFrequencies &Estimate,
                              MachineCode &Code) {
  TargetAccuracy Result;
  const DenseMap<uint64_t, Targets> Estimated =
      targetsBySite(Estimate.Functions);
  double All = 0, Dominating = 0, Overlap = 0;
  for (const FunctionFrequencies &Function : Exact.Functions) {
    if (Function.Calls.empty())
      continue;
    Expected<MachineFunction> MF = Code.function(Function.Begin);
    if (!MF) {
      consumeError(MF.takeError());
      continue;
    }
    DenseMap<uint64_t, Targets> BySite = targetsBySite(Function);
    for (const MachineCall &Call : MF->Calls) {
      if (Call.Target || !Call.TargetName.empty())
        continue;
      auto It = BySite.find(MF->Instructions[Call.Instruction].Address);
      if (It == BySite.end())
        continue;
      const double Count = sum(It->second);
      All += Count;
      auto Guess = Estimated.find(It->first);
      if (Guess == Estimated.end())
        continue;
      if (greatest(It->second) == greatest(Guess->second))
        Dominating += Count;
      const double Guessed = sum(Guess->second);
      for (const auto &[Target, Executions] : It->second)
        if (auto Found = Guess->second.find(Target);
            Found != Guess->second.end())
          Overlap += std::min(Executions, Found->second / Guessed * Count);
    }
  }
  Result.Calls = uint64_t(All);
  if (All > 0) {
    Result.Dominating = Dominating / All;
    Result.Overlap = Overlap / All;
  }
  return Result;
}

} // namespace inlay
