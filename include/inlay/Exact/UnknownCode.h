//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// valgrind takes an object's .text section for all of its code. What lies in
// other sections (.text.hot where the linker keeps it apart, sections that the
// source names) is counted under the object "???", at addresses of the process.
// Here it is given back to its binary.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_EXACT_UNKNOWNCODE_H
#define INLAY_EXACT_UNKNOWNCODE_H

#include "inlay/Exact/CallgrindProfile.h"

namespace inlay {

class MachineCode;
class ProfiledBinary;

/// Moves counts from the unknown object of \p Profile to \p Object, one of
/// \p Profile's that \p Binary is, where they are in functions of \p Binary.
/// Returns the number of executed instructions that were moved.
///
/// Where \p Binary was loaded is known if it has a fixed address. Else it
/// follows from calls and jumps from known to unknown code whose targets the
/// machine code tells; without these nothing is moved.
uint64_t adoptUnknownCode(CallgrindProfile &Profile, CallgrindObject &Object,
                          const ProfiledBinary &Binary, MachineCode &Code);

} // namespace inlay

#endif
