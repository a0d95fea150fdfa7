//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether LLVM's parser may be given a line table.
//
// It complains about a header of DWARF 5 with an odd size of addresses, and
// then reads by it, which ends somewhere else in the program; it takes numbers
// from entries that are none; and it reads as many entries of no bytes as the
// header says there are. Linkers and compilers make none of these.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_OBJECT_LINETABLEHEADER_H
#define INLAY_LIB_OBJECT_LINETABLEHEADER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace inlay {

/// An error if the header at \p Offset of .debug_line, \p Section, of a 64-bit
/// little-endian file must not be parsed. One that LLVM refuses by itself (of
/// an unknown version, cut short) is none.
llvm::Error checkLineTableHeader(llvm::StringRef Section, uint64_t Offset);

} // namespace inlay

#endif
