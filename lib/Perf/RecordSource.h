//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cuts a stream of bytes into records.
//
// A source knows how records are framed; it knows nothing of what they say. The
// parsers know what they say, and not where they were stored.
//
// Memory: one buffer, of the capacity given.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PERF_RECORDSOURCE_H
#define INLAY_LIB_PERF_RECORDSOURCE_H

#include "ByteStream.h"
#include "PerfFormat.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <memory>

namespace inlay {

class DiagnosticSink;

/// One record, as stored.
struct RawRecord {
  uint64_t Offset = 0; ///< of its header, in the file
  uint32_t Type = 0;
  uint16_t Misc = 0;
  llvm::ArrayRef<uint8_t> Payload; ///< without the header; until the next one

  /// Frames the record that \p Bytes start with; false if they hold no whole
  /// one. A size below that of a header is left to the caller: Payload is then
  /// not set.
  bool frame(llvm::ArrayRef<uint8_t> Bytes, llvm::endianness Order) {
    if (Bytes.size() < perf::RecordHeaderSize)
      return false;
    Type = llvm::support::endian::read32(Bytes.data(), Order);
    Misc = llvm::support::endian::read16(Bytes.data() + 4, Order);
    uint64_t Size = sizeOf(Bytes, Order);
    if (Size < perf::RecordHeaderSize || Size > Bytes.size())
      return false;
    Payload =
        Bytes.slice(perf::RecordHeaderSize, Size - perf::RecordHeaderSize);
    return true;
  }
  /// What the record at the start of \p Bytes says of its size, header
  /// included.
  static uint64_t sizeOf(llvm::ArrayRef<uint8_t> Bytes,
                         llvm::endianness Order) {
    return llvm::support::endian::read16(Bytes.data() + 6, Order);
  }
};

class RecordSource {
public:
  /// Holds any record, and is small enough for a cache.
  static constexpr uint64_t DefaultCapacity = 1 << 20;

  struct Options {
    uint64_t Offset = 0; ///< where in the file \p Bytes start
    llvm::endianness Order = llvm::endianness::little;
    /// Nobody knows where the recording should have ended: a last record that
    /// is cut off gets a warning; otherwise it is an error.
    bool IsOpenEnded = false;
    uint64_t Capacity = DefaultCapacity;

    /// A buffer no larger than \p Size bytes of input need, but one that holds
    /// any record.
    void limitCapacity(uint64_t Size) {
      Capacity = std::clamp(Size, perf::MaxRecordSize, Capacity);
    }
  };

  /// \p File, for messages, must outlive the source.
  RecordSource(llvm::StringRef File, std::unique_ptr<ByteStream> Bytes,
               const Options &Opts, DiagnosticSink &Diagnostics)
      : File(File), Bytes(std::move(Bytes)), Diagnostics(Diagnostics),
        Opts(Opts), Base(Opts.Offset) {}

  /// Sets \p Record to the next one; false at the end. While the source is
  /// held, also false when the next one does not fit into the buffer any more.
  llvm::Expected<bool> next(RawRecord &Record) {
    if (LLVM_LIKELY(Record.frame(unread(), Opts.Order))) {
      Record.Offset = position();
      Begin += Record.Payload.size() + perf::RecordHeaderSize;
      return true;
    }
    return refillAndTakeNext(Record);
  }

  /// Passes over bytes that follow the current record and are not records;
  /// false as for next().
  llvm::Expected<bool> skip(uint64_t Size);

  /// The offset in the file of what comes next.
  uint64_t position() const { return Base + Begin; }

  /// From here on keep what is read, as far as the buffer reaches...
  void hold();
  /// ...and go back to where hold() was called.
  void rewind();

private:
  llvm::ArrayRef<uint8_t> unread() const {
    return llvm::ArrayRef(Buffer.data() + Begin, End - Begin);
  }
  llvm::Expected<bool> refillAndTakeNext(RawRecord &Record);
  llvm::Expected<bool> fill(uint64_t Size);
  llvm::Expected<bool> cutOff(uint64_t Needed, uint64_t Left);

  llvm::StringRef File;
  std::unique_ptr<ByteStream> Bytes;
  DiagnosticSink &Diagnostics;
  Options Opts;
  llvm::SmallVector<uint8_t, 0> Buffer;
  uint64_t Base;      ///< file offset of the buffer's start
  uint64_t Begin = 0; ///< what is read and not yet taken
  uint64_t End = 0;
  bool IsHeld = false;
  bool IsAtEnd = false; ///< of the stream
};

} // namespace inlay

#endif
