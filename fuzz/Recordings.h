//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a recording as llvm-profconv does, and holds it to what is promised.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_FUZZ_RECORDINGS_H
#define INLAY_FUZZ_RECORDINGS_H

#include "Fuzzing.h"
#include "inlay/Perf/PerfReader.h"
#include "inlay/Sampling/RawProfileFile.h"
#include "inlay/Sampling/SampleAggregator.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

namespace inlay::fuzz {

inline std::string rawProfileOf(const RawProfile &Profile) {
  std::string Bytes;
  llvm::raw_string_ostream OS(Bytes);
  writeRawProfile(Profile, OS);
  return Bytes;
}

/// What was written reads back, and is written the same again.
inline void checkRoundTrip(const RawProfile &Profile) {
  std::string Once = rawProfileOf(Profile);
  llvm::Expected<RawProfile> Read =
      readRawProfile(llvm::MemoryBufferRef(Once, "raw"));
  if (!Read)
    fail("what was written does not read back: " +
         llvm::toString(Read.takeError()));
  if (rawProfileOf(*Read) != Once)
    fail("what was written reads back as something else");
}

/// Compressed records may make up to 64 MiB each, with a window of 128 MiB.
inline MemoryBound recordingBound(llvm::StringRef Bytes) {
  constexpr uint64_t MiB = 1 << 20;
  if (Bytes.contains("\x28\xb5\x2f\xfd"))
    return {10000, 256 * MiB};
  return {1000, 16 * MiB};
}

inline void readRecording(llvm::StringRef Path, llvm::StringRef Bytes) {
  runWithin(recordingBound(Bytes), Bytes.size(), [&] {
    DiagnosticSink Silent;
    llvm::Expected<std::unique_ptr<PerfReader>> Reader =
        PerfReader::open(Path, Silent);
    if (!Reader)
      return checkError(Reader.takeError(), Path);
    llvm::Expected<RawProfile> Profile = aggregateSamples(**Reader, Silent);
    if (!Profile)
      return checkError(Profile.takeError(), Path);
    checkRoundTrip(*Profile);
  });
}

} // namespace inlay::fuzz

#endif
