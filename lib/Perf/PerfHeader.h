//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The header of a perf.data file: which events were recorded, where the records
// lie, and what perf noted down about the machine.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PERF_PERFHEADER_H
#define INLAY_LIB_PERF_PERFHEADER_H

#include "FileWindow.h"
#include "inlay/Perf/PerfReader.h"

namespace inlay {

struct PerfHeader {
  std::vector<PerfEventAttr> Attrs; ///< at least one
  uint64_t DataBegin = 0;           ///< file offsets of the records
  uint64_t DataEnd = 0;
  /// perf did not live to write the sizes: the records go on to the file's end,
  /// and the last may be cut off.
  bool IsInterrupted = false;
  std::vector<PerfBuildID> BuildIDs;
  std::string HostName, Arch, CpuDesc, CpuID;
  std::vector<std::string> CommandLine;
};

/// Every offset and size in the result lies within the file. Takes memory in
/// proportion to the header's tables, which do not exceed the file.
llvm::Expected<PerfHeader> readPerfHeader(const InputFile &File,
                                          DiagnosticSink &Diagnostics);

/// A name for an event whose file does not name it: "cpu-clock", "raw:0x20c4".
std::string eventName(uint32_t Type, uint64_t Config);

} // namespace inlay

#endif
