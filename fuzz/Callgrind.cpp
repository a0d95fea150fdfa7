//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// callgrind's output.
//
//===----------------------------------------------------------------------===//

#include "Fuzzing.h"
#include "inlay/Exact/CallgrindProfile.h"
#include "inlay/Support/Diagnostics.h"

using namespace llvm;
using namespace inlay;
using namespace inlay::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static MemoryFile File;
  File.write(input(Data, Size));
  constexpr MemoryBound Bound = {500, 4 << 20};
  runWithin(Bound, Size, [] {
    DiagnosticSink Silent;
    (void)isCallgrindFile(File.path());
    Expected<CallgrindProfile> Profile = readCallgrind({File.path()}, Silent);
    if (!Profile)
      checkError(Profile.takeError(), File.path());
  });
  return 0;
}
