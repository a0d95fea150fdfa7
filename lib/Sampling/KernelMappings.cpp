//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See KernelMappings.h. The names are those of perf's machine__mmap_name(), and
// what they mean is in its machine__process_kernel_mmap_event().
//
//===----------------------------------------------------------------------===//

#include "KernelMappings.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inlay {

std::optional<CodeKind> kernelCodeKind(StringRef Path) {
  if (Path.starts_with("[kernel.kallsyms") ||
      Path.starts_with("[guest.kernel.kallsyms"))
    return CodeKind::Kernel;
  if (Path.starts_with("/") || Path.starts_with("["))
    return CodeKind::KernelModule;
  return std::nullopt;
}

std::optional<Mapping> kernelMapping(const MmapEvent &Event, CodeKind Kind) {
  Mapping M;
  M.Begin = Event.Address;
  M.End = Event.Address + Event.Length;
  if (Kind == CodeKind::Kernel) {
    // Very old versions of perf begin the mapping at 0.
    const uint64_t Symbol = Event.FileOffset ? Event.FileOffset : M.Begin;
    if (Symbol == 0)
      return std::nullopt;
    M.Begin = std::max(M.Begin, Symbol);
    M.FileOffset = M.Begin - Symbol;
  }
  // The kernel may end with the address space.
  if (M.End < Event.Address)
    M.End = ~uint64_t(0);
  if (M.End <= M.Begin || M.offsetOf(M.End) > uint64_t(INT64_MAX))
    return std::nullopt;
  return M;
}

ArrayRef<uint8_t> kernelBuildID(ArrayRef<PerfBuildID> Table, CpuMode Mode) {
  // "[kernel.kallsyms]", "[kernel.kcore]", or the path of a vmlinux.
  auto IsKernel = [&](const PerfBuildID &B) {
    StringRef Path = B.Path;
    return B.Mode == Mode && (Path.starts_with("[kernel.k") ||
                              Path.starts_with("[guest.kernel.k") ||
                              (Path.starts_with("/") && !Path.contains(".ko")));
  };
  const auto *It = llvm::find_if(Table, IsKernel);
  return It == Table.end() ? ArrayRef<uint8_t>() : ArrayRef(It->BuildID);
}

} // namespace inlay
