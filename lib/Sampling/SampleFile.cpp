//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SampleFile.h.
//
//===----------------------------------------------------------------------===//

#include "inlay/Sampling/SampleFile.h"
#include "inlay/Perf/PerfReader.h"
#include "inlay/Sampling/RawProfileFile.h"
#include "inlay/Sampling/SampleAggregator.h"
#include "inlay/Support/Progress.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace inlay {

/// Only regular files are looked into: what is read of a pipe is gone.
static bool beginsAsRawProfile(StringRef Path) {
  if (Path == "-" || !sys::fs::is_regular_file(Path))
    return false;
  Expected<sys::fs::file_t> File = sys::fs::openNativeFileForRead(Path);
  if (!File) {
    consumeError(File.takeError());
    return false; // the reader of perf.data will say why
  }
  char Start[RawProfileMagic.size()];
  Expected<size_t> Size = sys::fs::readNativeFile(*File, Start);
  const bool IsClosed = !sys::fs::closeFile(*File);
  if (!Size) {
    consumeError(Size.takeError());
    return false;
  }
  return IsClosed && isRawProfile(StringRef(Start, *Size));
}

Expected<RawProfile> readSampleFile(StringRef Path,
                                    DiagnosticSink &Diagnostics) {
  if (beginsAsRawProfile(Path))
    return readRawProfile(Path);
  Expected<std::unique_ptr<PerfReader>> ReaderOrErr =
      PerfReader::open(Path, Diagnostics);
  if (!ReaderOrErr)
    return ReaderOrErr.takeError();
  Progress Reading(Path == "-" ? "reading standard input"
                               : ("reading " + Path).str(),
                   (*ReaderOrErr)->fileSize());
  return aggregateSamples(**ReaderOrErr, Diagnostics,
                          [&](uint64_t Bytes) { Reading.update(Bytes); });
}

} // namespace inlay
