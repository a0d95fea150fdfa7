//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recordings: files, streams from a file and through a pipe, compressed records
// in each, either byte order. What could be read is aggregated; and that can be
// written as a raw profile, which reads back as what it was.
//
//===----------------------------------------------------------------------===//

#include "Recordings.h"

using namespace llvm;
using namespace inlay;
using namespace inlay::fuzz;

/// Whether perf's writer could have made a stream of it; a file, which is read
/// here and there, cannot come through a pipe.
static bool isStream(StringRef Bytes) {
  constexpr size_t SizeAt = 8;
  return Bytes.size() > SizeAt + 7 &&
         (Bytes[SizeAt] == 16 || Bytes[SizeAt + 7] == 16);
}

/// \p Bytes are no more than a pipe holds, so that nobody need write while they
/// are read.
static void readThroughPipe(StringRef Bytes) {
  int Ends[2];
  if (pipe(Ends) != 0)
    fail("pipe failed");
  if (::write(Ends[1], Bytes.data(), Bytes.size()) != ssize_t(Bytes.size()))
    fail("cannot write to the pipe");
  close(Ends[1]);
  readRecording("/proc/self/fd/" + std::to_string(Ends[0]), Bytes);
  close(Ends[0]);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static MemoryFile File;
  StringRef Bytes = input(Data, Size);
  File.write(Bytes);
  readRecording(File.path(), Bytes);
  constexpr size_t PipeCapacity = 1 << 16;
  if (isStream(Bytes) && Size <= PipeCapacity)
    readThroughPipe(Bytes);
  return 0;
}
