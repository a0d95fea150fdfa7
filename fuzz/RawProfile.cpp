//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Raw profiles. A mutated one fails its checksum, so that the input is given a
// header that fits, and only then shows what the reader makes of its body; what
// it makes of the header is tried as well.
//
//===----------------------------------------------------------------------===//

#include "Recordings.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace inlay;
using namespace inlay::fuzz;

static void read(StringRef Bytes) {
  std::optional<RawProfile> Profile;
  runWithin({40, 4096}, Bytes.size(), [&] {
    Expected<RawProfile> Read = readRawProfile(MemoryBufferRef(Bytes, "input"));
    if (Read)
      Profile = std::move(*Read);
    else
      checkError(Read.takeError(), "input");
  });
  // Numbers may be encoded in more than one way, so that the bytes may differ.
  if (Profile)
    checkRoundTrip(*Profile);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  StringRef Bytes = input(Data, Size);
  read(Bytes);
  constexpr size_t HeaderSize = 32, SizeAt = 16, HashAt = 24;
  if (Bytes.size() < HeaderSize || !isRawProfile(Bytes))
    return 0;
  std::string Sealed = Bytes.str();
  ArrayRef<uint8_t> Body(Data + HeaderSize, Size - HeaderSize);
  support::endian::write64le(&Sealed[SizeAt], Body.size());
  support::endian::write64le(&Sealed[HashAt], xxh3_64bits(Body));
  read(Sealed);
  return 0;
}
