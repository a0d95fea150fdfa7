//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an instruction leaves in a register, as a formula over the registers
// before it: as much of it as addresses of jump tables and of their targets are
// made of.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_OBJECT_REGISTERVALUE_H
#define INLAY_LIB_OBJECT_REGISTERVALUE_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace inlay {

/// Scale * extend(low Bits of Register).
struct ValueTerm {
  uint16_t Register = 0;
  int64_t Scale = 1;
  uint8_t Bits = 64; ///< 64: the whole register
  bool IsSigned = false;
};

/// Constant + sum of Terms [+ LoadScale * extend(memory at LoadConstant + sum
/// of LoadTerms)], modulo 2^64.
struct RegisterValue {
  bool IsKnown = false; ///< false: the formula says nothing, Maximum may
  uint64_t Constant = 0;
  llvm::SmallVector<ValueTerm, 2> Terms;

  uint8_t LoadSize = 0; ///< bytes; 0: no load
  bool IsLoadSigned = false;
  int64_t LoadScale = 1;
  uint64_t LoadConstant = 0;
  llvm::SmallVector<ValueTerm, 2> LoadTerms;

  /// No value is larger, whatever the registers hold.
  uint64_t Maximum = UINT64_MAX;

  static RegisterValue constant(uint64_t C) {
    RegisterValue V;
    V.IsKnown = true;
    V.Constant = C;
    return V;
  }
};

} // namespace inlay

#endif
