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
#include "inlay/Support/Diagnostics.h"
#include <cstring>

using namespace llvm;

namespace inlay {

void RecordSource::hold() {
  assert(Begin == 0 && "only from the start");
  IsHeld = true;
}

void RecordSource::rewind() {
  Begin = 0;
  IsHeld = false;
}

/// Reads on until \p Size bytes are there; false if the stream, or the room
/// while held, does not suffice.
Expected<bool> RecordSource::fill(uint64_t Size) {
  assert(Size <= Opts.Capacity && "more than fits");
  if (Begin != 0 && !IsHeld) {
    std::memmove(Buffer.data(), Buffer.data() + Begin, End - Begin);
    Base += Begin;
    End -= Begin;
    Begin = 0;
  }
  if (Buffer.empty())
    Buffer.resize_for_overwrite(Opts.Capacity);
  while (End - Begin < Size && End != Buffer.size() && !IsAtEnd) {
    Expected<size_t> Read =
        Bytes->read(MutableArrayRef(Buffer).drop_front(End));
    if (!Read)
      return Read.takeError();
    IsAtEnd = *Read == 0;
    End += *Read;
  }
  return End - Begin >= Size;
}

/// The stream ends \p Left bytes behind the place where we are, within a record
/// of \p Needed bytes.
Expected<bool> RecordSource::cutOff(uint64_t Needed, uint64_t Left) {
  if (!Opts.IsOpenEnded)
    return fileErrorAt(File, position(),
                       "a record of " + Twine(Needed) + " bytes, but only " +
                           Twine(Left) +
                           " are left in the data section; the file is "
                           "corrupt, record again");
  if (IsHeld)
    return false; // it will come again
  Diagnostics.warning(File + ": at offset 0x" + Twine::utohexstr(position()) +
                      ": the last record is cut off; it is left out");
  Base = position() + Left;
  Begin = End = 0;
  return false;
}

Expected<bool> RecordSource::refillAndTakeNext(RawRecord &Record) {
  uint64_t Size = perf::RecordHeaderSize;
  for (unsigned Part = 0; Part != 2; ++Part) { // the header, then all of it
    Expected<bool> IsThere = fill(Size);
    if (!IsThere)
      return IsThere.takeError();
    if (!*IsThere && !IsAtEnd)
      return false; // held, and the buffer is full
    if (!*IsThere && Begin == End)
      return false;
    if (!*IsThere)
      return cutOff(Size, End - Begin);
    Size = RawRecord::sizeOf(unread(), Opts.Order);
    if (Size < perf::RecordHeaderSize)
      return fileErrorAt(File, position(),
                         "a record of " + Twine(Size) +
                             " bytes, but a record has at least 8; the file is "
                             "corrupt, record again");
  }
  Record.Offset = position();
  Record.frame(unread(), Opts.Order);
  Begin += Size;
  return true;
}

Expected<bool> RecordSource::skip(uint64_t Size) {
  if (IsHeld) {
    if (Size > Buffer.size() - Begin)
      return false;
    Expected<bool> IsThere = fill(Size);
    if (IsThere && *IsThere)
      Begin += Size;
    return IsThere;
  }
  if (Size <= End - Begin) {
    Begin += Size;
    return true;
  }
  const uint64_t Buffered = End - Begin;
  Expected<uint64_t> Skipped = Bytes->skip(Size - Buffered);
  if (!Skipped)
    return Skipped.takeError();
  if (*Skipped != Size - Buffered)
    return cutOff(Size, Buffered + *Skipped);
  Base += End + *Skipped;
  Begin = End = 0;
  return true;
}

} // namespace inlay
