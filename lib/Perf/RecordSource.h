//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where records come from.
//
// A source knows how records are framed and stored (a file, later a pipe or a
// compressed stream inside of either); it knows nothing of what they say. The
// parsers know what they say and not where they were stored.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PERF_RECORDSOURCE_H
#define INLAY_LIB_PERF_RECORDSOURCE_H

#include "FileWindow.h"

namespace inlay {

class DiagnosticSink;

/// One record, as stored.
struct RawRecord {
  uint64_t Offset = 0; ///< of its header, in the file
  uint32_t Type = 0;
  uint16_t Misc = 0;
  llvm::ArrayRef<uint8_t> Payload; ///< without the header; until the next one
};

class RecordSource {
public:
  virtual ~RecordSource();
  /// Sets \p Record to the next one; false at the end.
  virtual llvm::Expected<bool> next(RawRecord &Record) = 0;
  /// Passes over bytes that follow the current record and are not records.
  virtual llvm::Error skip(uint64_t Size) = 0;
  /// Bytes of the file that lie behind.
  virtual uint64_t position() const = 0;
};

/// The data section [Begin, End) of a file.
class FileRecordSource final : public RecordSource {
public:
  /// With \p IsOpenEnded the recording was interrupted: a last record that is
  /// cut off gets a warning and ends the section.
  FileRecordSource(const InputFile &File, uint64_t Begin, uint64_t End,
                   bool IsOpenEnded, DiagnosticSink &Diagnostics)
      : File(File), Window(File), Offset(Begin), End(End),
        IsOpenEnded(IsOpenEnded), Diagnostics(Diagnostics) {}

  llvm::Expected<bool> next(RawRecord &Record) override;
  llvm::Error skip(uint64_t Size) override;
  uint64_t position() const override { return Offset; }

private:
  llvm::Expected<bool> cutOff(uint64_t Needed);

  const InputFile &File;
  FileWindow Window;
  uint64_t Offset;
  uint64_t End;
  bool IsOpenEnded;
  DiagnosticSink &Diagnostics;
};

} // namespace inlay

#endif
