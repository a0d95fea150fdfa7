//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All records of a source, those in compressed ones included.
//
// `perf record -z' compresses what it takes from the kernel's buffers into
// PERF_RECORD_COMPRESSED (in newer versions COMPRESSED2) records of at most
// 64 KiB, between which other records stand. Together they are one zstd stream,
// and the records in it do not respect the borders of those around them.
//
// Memory: 256 KiB of decompressed bytes, and zstd's window. Work: one
// compressed record may not expand to more than MaxExpansion, far beyond what
// perf writes at once, so that a file of N bytes cannot keep us busy for long.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PERF_RECORDSTREAM_H
#define INLAY_LIB_PERF_RECORDSTREAM_H

#include "RecordSource.h"
#include "ZstdStream.h"

namespace inlay {

class RecordStream {
public:
  static constexpr uint64_t MaxExpansion = 64 << 20;

  RecordStream(llvm::StringRef File, std::unique_ptr<ByteStream> Bytes,
               const RecordSource::Options &Opts, DiagnosticSink &Diagnostics)
      : File(File), Source(File, std::move(Bytes), Opts, Diagnostics),
        Diagnostics(Diagnostics), Order(Opts.Order),
        IsOpenEnded(Opts.IsOpenEnded) {}

  /// Sets \p Record to the next one; false at the end. A record that was
  /// compressed has the offset of the one around it.
  llvm::Expected<bool> next(RawRecord &Record) {
    if (LLVM_UNLIKELY(IsInflating))
      return nextInflated(Record);
    llvm::Expected<bool> HasRecord = Source.next(Record);
    if (LLVM_UNLIKELY(!HasRecord || !*HasRecord || isCompressed(Record)))
      return nextCompressed(std::move(HasRecord), Record);
    return true;
  }

  /// See RecordSource. Compressed records are not looked into while held.
  llvm::Expected<bool> skip(uint64_t Size);
  uint64_t position() const { return Source.position(); }
  void hold();
  void rewind();

private:
  static bool isCompressed(const RawRecord &Record) {
    return Record.Type == perf::COMPRESSED || Record.Type == perf::COMPRESSED2;
  }
  llvm::Expected<bool> nextCompressed(llvm::Expected<bool> HasRecord,
                                      RawRecord &Record);
  llvm::Expected<bool> nextInflated(RawRecord &Record);
  llvm::Expected<bool> takeInflated(RawRecord &Record);
  llvm::Expected<bool> inflate();
  llvm::Error beginInflating(const RawRecord &Compressed);
  llvm::Expected<bool> atEnd();

  llvm::StringRef File;
  RecordSource Source;
  DiagnosticSink &Diagnostics;
  llvm::endianness Order;
  bool IsOpenEnded;
  bool IsHeld = false;

  /// In a compressed record that has more to give.
  bool IsInflating = false;
  uint64_t CompressedAt = 0; ///< its offset
  uint64_t Expansion = 0;    ///< bytes that it has become so far
  ZstdStream Zstd;
  llvm::SmallVector<uint8_t, 0> Inflated;
  uint64_t Begin = 0; ///< the part of Inflated that is not taken yet
  uint64_t End = 0;
};

} // namespace inlay

#endif
