//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// What the mappings are that perf makes up for a kernel: by their names.
//
//   [kernel.kallsyms]_text     the kernel; its symbol _text (or _stext, as the
//                              name says) was at the mapping's "file offset",
//                              wherever address-space randomisation put it
//   [guest.kernel.kallsyms.7]_text
//                              the same of a guest
//   /lib/modules/.../x.ko, [x] a module
//   __entry_SYSCALL_64_trampoline and others
//                              a piece of the kernel that every CPU sees at an
//                              address of its own; they are left out
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_SAMPLING_KERNELMAPPINGS_H
#define INLAY_LIB_SAMPLING_KERNELMAPPINGS_H

#include "AddressSpaces.h"
#include "inlay/Perf/PerfReader.h"
#include "inlay/Sampling/RawProfile.h"

namespace inlay {

/// The kind of the code that \p Path names; nullopt if it is left out.
std::optional<CodeKind> kernelCodeKind(llvm::StringRef Path);

/// Where \p Event, a mapping of the kernel, shows which of the offsets that
/// RawProfile counts by. nullopt if that is not known, as when the recording
/// user was not allowed to see the kernel's addresses. Binary is left 0.
std::optional<Mapping> kernelMapping(const MmapEvent &Event, CodeKind Kind);

/// The build ID of the kernel, or of a guest's, in the header's \p Table, where
/// it has another name than the mapping; or empty.
llvm::ArrayRef<uint8_t> kernelBuildID(llvm::ArrayRef<PerfBuildID> Table,
                                      CpuMode Mode);

} // namespace inlay

#endif
