//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of the system's libraries that never return, by name. Those of the
// binary itself are found by looking at their code.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_OBJECT_NORETURNNAMES_H
#define INLAY_LIB_OBJECT_NORETURNNAMES_H

#include "llvm/ADT/StringRef.h"

namespace inlay {
bool isNameOfNoReturn(llvm::StringRef Name);
} // namespace inlay

#endif
