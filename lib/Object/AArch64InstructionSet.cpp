//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// AArch64.
//
//===----------------------------------------------------------------------===//

#include "InstructionSet.h"

using namespace llvm;

namespace inlay {
std::unique_ptr<InstructionSet> createAArch64InstructionSet(Triple TT) {
  return createX86InstructionSet(TT);
}
} // namespace inlay
