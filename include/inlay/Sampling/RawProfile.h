//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What sampling yields before anyone looks into a binary: for each binary and
// event the number of samples at each file offset. File offsets, because they
// survive address-space randomisation and need no ELF to compute; raw counts,
// never scaled, because the estimators need to know how many samples they saw.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SAMPLING_RAWPROFILE_H
#define INLAY_SAMPLING_RAWPROFILE_H

#include "inlay/Perf/PerfEvents.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace inlay {

/// Samples of one event in one binary.
struct BinarySamples {
  std::string Path;                       ///< as the kernel saw it
  llvm::SmallVector<uint8_t, 20> BuildID; ///< empty if not recorded
  /// File offset (bytes) -> samples there.
  llvm::DenseMap<uint64_t, uint64_t> Counts;
  uint64_t Total = 0; ///< sum of Counts
};

/// Samples of one event.
struct EventSamples {
  PerfEventAttr Attr;
  /// Most samples first; then by path. Code that is in no file is here as well,
  /// under the kernel's names for it ([vdso], //anon, /memfd:...).
  std::vector<BinarySamples> Binaries;
  uint64_t Total = 0;           ///< all samples of the event
  uint64_t KernelSamples = 0;   ///< taken in the kernel or a hypervisor
  uint64_t UnmappedSamples = 0; ///< user addresses outside any known mapping
};

struct RawProfile {
  /// In the file's order; also those without samples, such as the "dummy"
  /// event that perf adds to record mappings.
  std::vector<EventSamples> Events;
  std::string Arch, CpuDesc, CpuID; ///< of the recording host, may be empty
  uint64_t LostEvents = 0;
};

} // namespace inlay

#endif
