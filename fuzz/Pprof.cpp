//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CPU profiles in pprof's format. A mutated gzip file fails its checksum, so
// that inputs are mostly not compressed.
//
//===----------------------------------------------------------------------===//

#include "inlay/Store/Pprof.h"
#include "Recordings.h"

using namespace llvm;
using namespace inlay;
using namespace inlay::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static MemoryFile File;
  File.write(input(Data, Size));
  // gzip packs no more than a thousandfold; protobuf believes a string that
  // claims to have up to 50 MB.
  constexpr MemoryBound Bound = {1 << 16, 64 << 20};
  runWithin(Bound, Size, [] {
    DiagnosticSink Silent;
    Expected<PprofProfile> Profile = readPprof(File.path(), Silent);
    if (!Profile)
      return checkError(Profile.takeError(), File.path());
    checkRoundTrip(Profile->Profile);
  });
  return 0;
}
