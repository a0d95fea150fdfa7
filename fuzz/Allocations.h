//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Peak memory of a piece of code, so that a fuzzer can hold a reader to the
// bound that its header states.
//
// The sanitizer's runtime calls us at each allocation. What the process holds
// besides (the fuzzer's corpus, LLVM's tables) does not count.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_FUZZ_ALLOCATIONS_H
#define INLAY_FUZZ_ALLOCATIONS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>

namespace inlay::fuzz {

/// Bytes of memory, for an input of N bytes: PerByte * N + Constant.
struct MemoryBound {
  uint64_t PerByte;
  uint64_t Constant;
};

/// Runs \p Code, and aborts if at any time more of what it allocated is alive
/// than \p Bound allows for \p InputSize bytes.
void runWithin(MemoryBound Bound, uint64_t InputSize,
               llvm::function_ref<void()> Code);

} // namespace inlay::fuzz

#endif
