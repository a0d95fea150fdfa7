//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a perf.data file in file mode and hands its events to a visitor.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PERF_PERFREADER_H
#define INLAY_PERF_PERFREADER_H

#include "inlay/Perf/PerfEvents.h"
#include <memory>

namespace inlay {

class DiagnosticSink;

/// What HEADER_BUILD_ID lists: the build IDs of the binaries that were hit.
struct PerfBuildID {
  int32_t Pid;
  CpuMode Mode;
  std::string Path;
  llvm::SmallVector<uint8_t, 20> BuildID;
};

/// A perf.data file, opened and its header read. Memory: the header's tables
/// plus one window; never the file's size.
class PerfReader {
public:
  /// Opens \p Path, reads header, attributes and the feature sections, and
  /// checks every size and offset against the file's size.
  static llvm::Expected<std::unique_ptr<PerfReader>>
  open(llvm::StringRef Path, DiagnosticSink &Diagnostics);

  virtual ~PerfReader();

  virtual llvm::ArrayRef<PerfEventAttr> attrs() const = 0;
  virtual llvm::ArrayRef<PerfBuildID> buildIDs() const = 0;
  /// Header features; empty when the file lacks them.
  virtual llvm::StringRef hostName() const = 0;
  virtual llvm::StringRef arch() const = 0;    ///< e.g. "x86_64"
  virtual llvm::StringRef cpuDesc() const = 0; ///< e.g. "AMD EPYC 7B13"
  virtual llvm::StringRef cpuID() const = 0;   ///< e.g. "AuthenticAMD,25,1,1"
  virtual llvm::ArrayRef<std::string> commandLine() const = 0;
  virtual uint64_t fileSize() const = 0; ///< bytes

  /// Streams all events once, in file order. Stops at the first error, be it
  /// the visitor's or the file's. \p OnProgress gets bytes read so far, at
  /// most once per window.
  virtual llvm::Error
  visit(PerfEventVisitor &Visitor,
        llvm::function_ref<void(uint64_t BytesRead)> OnProgress = nullptr) = 0;
};

} // namespace inlay

#endif
