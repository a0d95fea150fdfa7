//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what perf record wrote and hands its events to a visitor.
//
// All containers are read: a file, a pipe's stream (`perf record -o -`, from a
// FIFO or standard input or saved to a file), a directory (`perf record
// --threads`), with compressed records in any of them (`perf record -z`), from
// machines of either byte order.
//
// Memory, none of it dependent on the size of the file: the header's tables,
// which take memory in proportion to the bytes that they have in the file; one
// window of 1 MiB, or in a directory one of 128 KiB for each of at most 1024
// data files; with compressed records 256 KiB and zstd's window of at most
// 128 MiB (perf's own are below 1 MiB at the default level), in a directory for
// each data file.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PERF_PERFREADER_H
#define INLAY_PERF_PERFREADER_H

#include "inlay/Perf/PerfEvents.h"
#include <memory>
#include <utility>

namespace inlay {

class DiagnosticSink;

/// What HEADER_BUILD_ID lists: the build IDs of the binaries that were hit.
struct PerfBuildID {
  int32_t Pid;
  CpuMode Mode;
  std::string Path;
  llvm::SmallVector<uint8_t, 20> BuildID;
};

/// A recording, opened and its header read.
class PerfReader {
public:
  /// Opens \p Path, a file or directory, or standard input if it is "-". Reads
  /// header, attributes and features and checks every size and offset; of a
  /// pipe's stream, the records that stand for these. Waits for the writer of
  /// a FIFO, and until perf has described its events.
  static llvm::Expected<std::unique_ptr<PerfReader>>
  open(llvm::StringRef Path, DiagnosticSink &Diagnostics);

  virtual ~PerfReader();

  /// Complete once the file is open, and stable.
  virtual llvm::ArrayRef<PerfEventAttr> attrs() const = 0;
  /// In a pipe's stream build IDs may come late, even after the mappings that
  /// they are of: complete only after visit(), and not to be held during it.
  virtual llvm::ArrayRef<PerfBuildID> buildIDs() const = 0;
  /// Header features; empty or 0 when the file lacks them.
  virtual llvm::StringRef hostName() const = 0;
  virtual llvm::StringRef arch() const = 0;    ///< e.g. "x86_64"
  virtual llvm::StringRef cpuDesc() const = 0; ///< e.g. "AMD EPYC 7B13"
  virtual llvm::StringRef cpuID() const = 0;   ///< e.g. "AuthenticAMD,25,1,1"
  virtual uint32_t cpusOnline() const = 0;
  virtual llvm::ArrayRef<std::string> commandLine() const = 0;
  /// Times of the first and the last sample, as PerfTime counts.
  virtual std::optional<std::pair<uint64_t, uint64_t>> sampleTimes() const = 0;
  /// Bytes; 0 if not known, as of a pipe.
  virtual uint64_t fileSize() const = 0;

  /// Streams all events once, in file order; those of a directory's files are
  /// merged by time. Stops at the first error, be it the visitor's or the
  /// file's. \p OnProgress gets bytes read so far, at most once for each MiB.
  /// A pipe can be visited only once.
  virtual llvm::Error
  visit(PerfEventVisitor &Visitor,
        llvm::function_ref<void(uint64_t BytesRead)> OnProgress = nullptr) = 0;
};

} // namespace inlay

#endif
