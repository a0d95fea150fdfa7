//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// Which code is at an address: that of a process, or the kernel's.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_SAMPLING_CODEMAP_H
#define INLAY_LIB_SAMPLING_CODEMAP_H

#include "AddressSpaces.h"

namespace inlay {

/// The upper half of the address space is the kernel's, on all processors that
/// record branches.
inline bool isKernelAddress(uint64_t Address) { return Address >> 63; }

struct CodeMap {
  /// The "process" of AddressSpaces that is the host's kernel.
  static constexpr int32_t HostKernel = -1;

  AddressSpaces Processes;
  AddressSpaces Kernels;

  /// What \p Address, which code of the process used, is in.
  const Mapping *find(int32_t Pid, uint64_t Address) {
    if (isKernelAddress(Address))
      return Kernels.find(HostKernel, Address);
    return Processes.find(Pid, Address);
  }
};

} // namespace inlay

#endif
