//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// Which code is at an address: a process's, the kernel's, or that of a guest's
// kernel.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_SAMPLING_CODEMAP_H
#define INLAY_LIB_SAMPLING_CODEMAP_H

#include "AddressSpaces.h"

namespace inlay {

/// The upper half of the address space is the kernel's, on all processors that
/// record branches.
inline bool isKernelAddress(uint64_t Address) { return Address >> 63; }

class CodeMap {
public:
  AddressSpaces Processes;
  /// By what perf calls the machine's pid: HostKernel; of a guest, the process
  /// that runs it, or DefaultGuest if the recording does not know.
  AddressSpaces Kernels;
  static constexpr int32_t HostKernel = -1, DefaultGuest = 0;

  /// Mapping::Binary for anonymous memory in the place of a file's code.
  static constexpr uint32_t NoBinary = ~0u;

  /// Code of a process, or nullptr.
  const Mapping *findUser(int32_t Pid, uint64_t Address) {
    const Mapping *M = Processes.find(Pid, Address);
    return M && M->Binary != NoBinary ? M : nullptr;
  }

  bool isInPlaceOfCode(int32_t Pid, uint64_t Address) {
    const Mapping *M = Processes.find(Pid, Address);
    return M && M->Binary == NoBinary;
  }

  /// Code that process \p Pid of the host may have run in either mode.
  const Mapping *find(int32_t Pid, uint64_t Address) {
    return isKernelAddress(Address) ? Kernels.find(HostKernel, Address)
                                    : findUser(Pid, Address);
  }

  const Mapping *findGuestKernel(int32_t Pid, uint64_t Address) {
    const Mapping *M = Kernels.find(Pid, Address);
    return M ? M : Kernels.find(DefaultGuest, Address);
  }
};

} // namespace inlay

#endif
