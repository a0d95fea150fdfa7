//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ELF binaries: headers, segments, symbols, debug information, exception
// tables, machine code. Of each of the first functions everything is asked that
// a conversion would ask.
//
//===----------------------------------------------------------------------===//

#include "Fuzzing.h"
#include "inlay/Object/MachineCFG.h"
#include "inlay/Object/ProfiledBinary.h"
#include "inlay/Object/PseudoProbes.h"

using namespace llvm;
using namespace inlay;
using namespace inlay::fuzz;

static void askOf(ProfiledBinary &Binary) {
  constexpr size_t MostFunctions = 32, MostBoundaries = 256;
  (void)Binary.addressOf(0);
  if (Error E = Binary.countOffsetsFrom("_text"))
    consumeError(std::move(E));
  std::unique_ptr<MachineCode> Code;
  if (Expected<std::unique_ptr<MachineCode>> Created =
          MachineCode::create(Binary))
    Code = std::move(*Created);
  else
    consumeError(Created.takeError());
  for (const FunctionRange &Function :
       Binary.functions().take_front(MostFunctions)) {
    (void)Binary.symbolNames(Function);
    (void)Binary.debugInfoAt(Function.Begin);
    std::vector<uint64_t> Boundaries =
        Binary.locationBoundaries(Function.Begin, Function.End);
    for (uint64_t Address : ArrayRef(Boundaries).take_front(MostBoundaries))
      (void)Binary.inlineStackAt(Address);
    if (!Code)
      continue;
    (void)Code->entryOf(Function.Begin);
    (void)Code->calleeName(Function.Begin);
    (void)Code->calleeEntry(Function.Begin);
    (void)Code->isAddressTaken(Function.Begin);
    Expected<MachineFunction> Graph = Code->function(Function.Begin);
    if (!Graph)
      consumeError(Graph.takeError());
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static MemoryFile File;
  File.write(input(Data, Size));
  constexpr MemoryBound Bound = {2000, 64 << 20};
  runWithin(Bound, Size, [] {
    Expected<std::unique_ptr<ProfiledBinary>> Binary =
        ProfiledBinary::open(File.path());
    if (!Binary)
      return checkError(Binary.takeError(), File.path());
    askOf(**Binary);
    Expected<std::unique_ptr<PseudoProbes>> Probes =
        PseudoProbes::read(**Binary);
    if (!Probes)
      return checkError(Probes.takeError(), File.path());
    if (*Probes)
      for (const PlacedProbe &Probe : (*Probes)->probesIn(0, ~uint64_t(0)))
        (void)(*Probes)->stackOf(Probe);
  });
  return 0;
}
