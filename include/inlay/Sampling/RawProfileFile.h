//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Raw profiles as files: counts by file offset, to be symbolized elsewhere and
// later, or kept for years.
//
// The format is ours, little-endian, and small: places are sorted and stored as
// differences, numbers as LEB128. Nothing in it depends on the order in which
// samples came: the same profile makes the same bytes.
//
//   magic        "InlayRaw"
//   u32          version, 1
//   u32          0
//   u64          size of what follows the header (bytes)
//   u64          XXH3 (64 bits) of what follows the header
//   body         see lib/Sampling/RawProfileWriter.cpp
//
// Of an event's attribute a file keeps what tells the event: type, code,
// precision, period or frequency, kind of branches, name. How its records were
// laid out in perf.data is forgotten.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SAMPLING_RAWPROFILEFILE_H
#define INLAY_SAMPLING_RAWPROFILEFILE_H

#include "inlay/Sampling/RawProfile.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace inlay {

inline constexpr llvm::StringLiteral RawProfileMagic = "InlayRaw";

/// Whether \p Start, the first bytes of a file, are those of a raw profile.
inline bool isRawProfile(llvm::StringRef Start) {
  return Start.starts_with(RawProfileMagic);
}

/// The caller sees to it that \p OS reached the disk.
void writeRawProfile(const RawProfile &Profile, llvm::raw_ostream &OS);

/// Reads what writeRawProfile() wrote. Errors name the buffer and the place in
/// it. Whatever the buffer holds, no more than 40 bytes of memory are used for
/// each of its bytes (by binaries with nothing in them).
llvm::Expected<RawProfile> readRawProfile(llvm::MemoryBufferRef Buffer);

/// The same of a file, which is read into memory as a whole.
llvm::Expected<RawProfile> readRawProfile(llvm::StringRef Path);

} // namespace inlay

#endif
