//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RecordStream.h.
//
//===----------------------------------------------------------------------===//

#include "RecordStream.h"
#include "ByteCursor.h"
#include "inlay/Support/Diagnostics.h"
#include <cstring>

using namespace llvm;

namespace inlay {

void RecordStream::hold() {
  IsHeld = true;
  Source.hold();
}

void RecordStream::rewind() {
  IsHeld = false;
  Source.rewind();
}

Expected<bool> RecordStream::skip(uint64_t Size) {
  if (IsInflating)
    return fileErrorAt(File, CompressedAt,
                       "compressed records with trace data between them, which "
                       "perf does not write; the file is corrupt, record "
                       "again");
  return Source.skip(Size);
}

/// Past the last record of the source.
Expected<bool> RecordStream::atEnd() {
  if (Begin == End)
    return false;
  if (!IsOpenEnded)
    return fileErrorAt(File, CompressedAt,
                       "the last compressed record ends within a record; the "
                       "file is corrupt, record again");
  Diagnostics.warning(File + ": the last compressed record ends within a "
                             "record, which is left out");
  Begin = End;
  return false;
}

/// The source gave \p HasRecord: none, or a compressed one, or an error.
Expected<bool> RecordStream::nextCompressed(Expected<bool> HasRecord,
                                            RawRecord &Record) {
  if (!HasRecord)
    return HasRecord;
  if (IsHeld)
    return *HasRecord;
  if (!*HasRecord)
    return atEnd();
  if (Error E = beginInflating(Record))
    return E;
  return nextInflated(Record);
}

Error RecordStream::beginInflating(const RawRecord &Compressed) {
  if (!ZstdStream::isAvailable())
    return fileErrorAt(File, Compressed.Offset,
                       "compressed records (perf record -z), but Inlay was "
                       "built without zstd; record again without -z, or build "
                       "with libzstd's development package installed");
  ArrayRef<uint8_t> Bytes = Compressed.Payload;
  if (Compressed.Type == perf::COMPRESSED2) {
    // Padded to a multiple of eight bytes, and says what counts.
    ByteCursor C(Bytes, Order);
    uint64_t Size = C.u64();
    Bytes = C.bytes(Size);
    if (C.failed())
      return fileErrorAt(File, Compressed.Offset,
                         "a compressed record of " + Twine(Size) +
                             " bytes that reaches beyond its end; the file is "
                             "corrupt, record again");
  }
  CompressedAt = Compressed.Offset;
  Expansion = 0;
  IsInflating = true;
  Zstd.setInput(Bytes);
  return Error::success();
}

Expected<bool> RecordStream::nextInflated(RawRecord &Record) {
  while (true) {
    Expected<bool> HasRecord = takeInflated(Record);
    if (!HasRecord || *HasRecord)
      return HasRecord;
    IsInflating = false;
    HasRecord = Source.next(Record);
    if (!HasRecord)
      return HasRecord;
    if (!*HasRecord)
      return atEnd();
    if (!isCompressed(Record))
      return true;
    if (Error E = beginInflating(Record))
      return E;
  }
}

/// False when the compressed record has no whole record to give any more.
Expected<bool> RecordStream::takeInflated(RawRecord &Record) {
  while (true) {
    ArrayRef<uint8_t> Left(Inflated.data() + Begin, End - Begin);
    if (Record.frame(Left, Order)) {
      Record.Offset = CompressedAt;
      Begin += Record.Payload.size() + perf::RecordHeaderSize;
      if (isCompressed(Record))
        return fileErrorAt(File, CompressedAt,
                           "compressed records within compressed records; the "
                           "file is corrupt, record again");
      return true;
    }
    if (Left.size() >= perf::RecordHeaderSize &&
        RawRecord::sizeOf(Left, Order) < perf::RecordHeaderSize)
      return fileErrorAt(File, CompressedAt,
                         "a compressed record of less than 8 bytes; the file "
                         "is corrupt, record again");
    Expected<bool> HasMore = inflate();
    if (!HasMore || !*HasMore)
      return HasMore;
  }
}

/// Decompresses more; false if there is no more. Behind what is left there is
/// always room for the rest of a record.
Expected<bool> RecordStream::inflate() {
  constexpr uint64_t Capacity = 1 << 18;
  if (Inflated.empty())
    Inflated.resize_for_overwrite(Capacity);
  std::memmove(Inflated.data(), Inflated.data() + Begin, End - Begin);
  End -= Begin;
  Begin = 0;
  Expected<size_t> Size = Zstd.read(MutableArrayRef(Inflated).drop_front(End));
  if (!Size)
    return fileErrorAt(File, CompressedAt,
                       "cannot decompress: " + toString(Size.takeError()) +
                           "; the file is corrupt, record again");
  End += *Size;
  Expansion += *Size;
  if (Expansion > MaxExpansion)
    return fileErrorAt(File, CompressedAt,
                       "a compressed record that expands to more than 64 MiB; "
                       "the file is corrupt, record again");
  return *Size != 0;
}

} // namespace inlay
