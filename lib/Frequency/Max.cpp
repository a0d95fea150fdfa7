//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Samples are sorted by address and dealt out to the function symbols that
// cover them. An instruction's frequency is its number of samples; the name is
// that of what Attribution does with it, the maximum over a line.
//
//===----------------------------------------------------------------------===//

#include "Max.h"
#include "inlay/Object/ProfiledBinary.h"
#include "inlay/Sampling/RawProfile.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inlay {

MachineFrequencies estimateMax(const BinarySamples &Samples,
                               const ProfiledBinary &Binary) {
  MachineFrequencies Result;
  std::vector<std::pair<uint64_t, uint64_t>> ByAddress;
  ByAddress.reserve(Samples.Counts.size());
  for (auto [FileOffset, Count] : Samples.Counts) {
    if (std::optional<uint64_t> Address = Binary.addressOf(FileOffset))
      ByAddress.emplace_back(*Address, Count);
    else
      Result.SamplesOutsideText += Count;
  }
  llvm::sort(ByAddress);

  for (auto [Address, Count] : ByAddress) {
    if (Result.Functions.empty() || Address >= Result.Functions.back().End) {
      const FunctionRange *Function = Binary.functionAt(Address);
      if (!Function) {
        Result.SamplesOutsideFunctions += Count;
        continue;
      }
      Result.Functions.emplace_back();
      Result.Functions.back().Begin = Function->Begin;
      Result.Functions.back().End = Function->End;
    }
    FunctionFrequencies &Function = Result.Functions.back();
    Function.Samples += Count;
    Result.SamplesInFunctions += Count;
    // Overlapping segments may show one address under two file offsets.
    if (!Function.Instructions.empty() &&
        Function.Instructions.back().first == Address)
      Function.Instructions.back().second += Count;
    else
      Function.Instructions.emplace_back(Address, Count);
  }
  return Result;
}

} // namespace inlay
