//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CPU profiles of other profilers, in pprof's format: what Parca, Pyroscope, Go
// and gperftools write or export.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_STORE_PPROF_H
#define INLAY_STORE_PPROF_H

#include "inlay/Sampling/RawProfile.h"
#include "inlay/Support/Diagnostics.h"

namespace inlay {

struct PprofProfile {
  RawProfile Profile;
  int64_t Started = 0;  ///< seconds since 1970; 0 if it does not say
  int64_t Duration = 0; ///< milliseconds; 0 if it does not say
  /// The profiler has made addresses those of the ELF files already: counts are
  /// by virtual address, not by file offset.
  bool CountsVirtualAddresses = false;
};

/// gzip's magic number, or the tag of a profile's first field.
bool isPprof(llvm::StringRef Start);

/// Reads the file at \p Path, gzip'd or not. Takes samples whose innermost
/// frame has an address and a mapping with a GNU build ID. An error if there
/// are none: a profile of names alone tells nothing of lines and branches. At
/// most 256 MiB once unpacked.
///
/// Addresses are those of the process, and become file offsets by the mapping;
/// but not where all mappings begin at 0 or hold none of the addresses.
llvm::Expected<PprofProfile> readPprof(llvm::StringRef Path,
                                       DiagnosticSink &Diagnostics);

} // namespace inlay

#endif
