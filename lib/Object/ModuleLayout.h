//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives a kernel module its addresses.
//
// A module (.ko) is a relocatable file: its sections have no addresses, its
// calls no targets, its debug information no numbers. The kernel's loader lays
// out executable sections one after another, in the order of the section
// headers and without those of initialization, which is what makes offsets from
// the start of a module's text mean something. The same is done here, on a copy
// of the file, so that everything else sees an ordinary linked one. Compressed
// debug information must be relocated too, and so is decompressed in it.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_OBJECT_MODULELAYOUT_H
#define INLAY_LIB_OBJECT_MODULELAYOUT_H

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace inlay {

/// Where the text of a laid out module begins.
inline constexpr uint64_t ModuleTextAddress = 0x100000;

/// A relocatable file with the section that modprobe reads, .modinfo. (A debug
/// file of a module has it, without contents.)
bool isKernelModule(const llvm::object::ELF64LEObjectFile &Object);

/// A copy of \p Module as an executable: sections and symbols have addresses,
/// there is a segment for each section that is loaded, and relocations are
/// applied in debug information, data, and calls. What refers to other modules
/// or the kernel refers to address 0.
///
/// Fails on tables that point outside the file, and on compressed sections that
/// cannot be decompressed or claim too much (CompressedSection.h).
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
layOutModule(const llvm::object::ELF64LEObjectFile &Module);

} // namespace inlay

#endif
