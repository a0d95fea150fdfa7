//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RecordSource.h.
//
//===----------------------------------------------------------------------===//

#include "RecordSource.h"
#include "PerfFormat.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace llvm::support;

namespace inlay {

RecordSource::~RecordSource() = default;

/// The section ends within a record of \p Needed bytes.
Expected<bool> FileRecordSource::cutOff(uint64_t Needed) {
  if (!IsOpenEnded)
    return fileErrorAt(File.path(), Offset,
                       "a record of " + Twine(Needed) + " bytes, but only " +
                           Twine(End - Offset) +
                           " are left in the data section; the file is "
                           "corrupt, record again");
  Diagnostics.warning(File.path() + ": at offset 0x" +
                      Twine::utohexstr(Offset) +
                      ": the last record is cut off; it is left out");
  Offset = End;
  return false;
}

Expected<bool> FileRecordSource::next(RawRecord &Record) {
  if (Offset == End)
    return false;
  if (End - Offset < perf::RecordHeaderSize)
    return cutOff(perf::RecordHeaderSize);
  Expected<const uint8_t *> Header = Window.at(Offset, perf::RecordHeaderSize);
  if (!Header)
    return Header.takeError();
  uint32_t Type = endian::read32le(*Header);
  uint16_t Misc = endian::read16le(*Header + 4);
  uint64_t Size = endian::read16le(*Header + 6);
  if (Size < perf::RecordHeaderSize)
    return fileErrorAt(File.path(), Offset,
                       "a record of " + Twine(Size) +
                           " bytes, but a record has at least 8; the file is "
                           "corrupt, record again");
  if (Size > End - Offset)
    return cutOff(Size);
  Expected<const uint8_t *> Bytes = Window.at(Offset, Size);
  if (!Bytes)
    return Bytes.takeError();
  Record.Offset = Offset;
  Record.Type = Type;
  Record.Misc = Misc;
  Record.Payload = ArrayRef(*Bytes, Size).drop_front(perf::RecordHeaderSize);
  Offset += Size;
  return true;
}

Error FileRecordSource::skip(uint64_t Size) {
  if (Size <= End - Offset) {
    Offset += Size;
    return Error::success();
  }
  return cutOff(Size).takeError();
}

} // namespace inlay
