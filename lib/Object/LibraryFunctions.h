//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of the system's libraries that return in unusual ways, by name.
// Those of the binary itself that never return are found by their code.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_OBJECT_LIBRARYFUNCTIONS_H
#define INLAY_LIB_OBJECT_LIBRARYFUNCTIONS_H

#include "llvm/ADT/StringRef.h"

namespace inlay {

/// exit, abort, __cxa_throw, ...
bool neverReturns(llvm::StringRef Name);
/// setjmp and the like: each call may return many times.
bool mayReturnTwice(llvm::StringRef Name);

} // namespace inlay

#endif
