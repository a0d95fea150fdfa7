//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all readers have in common: they answer questions about the header, and
// hand records to the parser.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PERF_HEADERREADER_H
#define INLAY_LIB_PERF_HEADERREADER_H

#include "PerfHeader.h"
#include "RecordParser.h"
#include "RecordStream.h"

namespace inlay {

class HeaderReader : public PerfReader {
public:
  llvm::ArrayRef<PerfEventAttr> attrs() const final { return Header.Attrs; }
  llvm::ArrayRef<PerfBuildID> buildIDs() const final { return Header.BuildIDs; }
  llvm::StringRef hostName() const final { return Header.HostName; }
  llvm::StringRef arch() const final { return Header.Arch; }
  llvm::StringRef cpuDesc() const final { return Header.CpuDesc; }
  llvm::StringRef cpuID() const final { return Header.CpuID; }
  uint32_t cpusOnline() const final { return Header.CpusOnline; }
  llvm::ArrayRef<std::string> commandLine() const final {
    return Header.CommandLine;
  }
  std::optional<std::pair<uint64_t, uint64_t>> sampleTimes() const final {
    return Header.SampleTimes;
  }
  uint64_t fileSize() const override { return File.size(); }

protected:
  HeaderReader(InputFile File, DiagnosticSink &Diagnostics)
      : File(std::move(File)), Diagnostics(Diagnostics) {}

  /// Hands on all records of \p Stream, which are all that there are.
  llvm::Error visitStream(RecordStream &Stream, PerfEventVisitor &Visitor,
                          llvm::function_ref<void(uint64_t)> OnProgress);
  /// Hands on one record, or passes over it with what is behind it.
  llvm::Error visitRecord(const RawRecord &Record, RecordStream &Stream,
                          RecordParser &Parser, PerfEventVisitor &Visitor);
  void warnOfUnknownIds(const RecordParser &Parser);

  InputFile File;
  PerfHeader Header;
  DiagnosticSink &Diagnostics;
};

/// Opens the directory that `perf record --threads' wrote.
llvm::Expected<std::unique_ptr<PerfReader>>
openPerfDirectory(llvm::StringRef Path, DiagnosticSink &Diagnostics);

} // namespace inlay

#endif
