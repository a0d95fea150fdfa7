//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two symbols with the very same name at two addresses are two functions. Parts
// of one function have different symbols (foo, foo.cold), though one canonical
// name.
//
//===----------------------------------------------------------------------===//

#include "inlay/Attribution/Attribution.h"
#include "inlay/Object/ProfiledBinary.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inlay {

std::vector<StringRef> namesakes(const MachineFrequencies &Frequencies,
                                 const ProfiledBinary &Binary) {
  DenseSet<StringRef> Symbols, Shared; // the latter canonical
  for (const FunctionRange &Function : Binary.functions()) {
    // Of several names of one function only the first is the profile's.
    ArrayRef<StringRef> Names = Binary.symbolNames(Function);
    if (!Names.empty() && !Symbols.insert(Names.front()).second)
      Shared.insert(Function.Name);
  }
  MapVector<StringRef, uint64_t> Samples;
  for (const FunctionFrequencies &Function : Frequencies.Functions)
    if (const FunctionRange *Range = Binary.functionAt(Function.Begin))
      if (Function.Samples && Shared.contains(Range->Name))
        Samples[Range->Name] =
            SaturatingAdd(Samples[Range->Name], Function.Samples);
  std::vector<StringRef> Result;
  auto Sorted = Samples.takeVector();
  sort(Sorted, [](const auto &A, const auto &B) {
    return A.second != B.second ? A.second > B.second : A.first < B.first;
  });
  for (const auto &[Name, Count] : Sorted)
    Result.push_back(Name);
  return Result;
}

} // namespace inlay
