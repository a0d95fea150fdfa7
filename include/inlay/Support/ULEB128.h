//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of variable length in files that nobody vouches for.
//
// LLVM's decoder follows a number as long as its bytes add nothing, and shifts
// them by more than 64 bits, which is undefined. No writer makes such numbers.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SUPPORT_ULEB128_H
#define INLAY_SUPPORT_ULEB128_H

#include "llvm/Support/LEB128.h"
#include <cstddef>
#include <optional>

namespace inlay {

/// The number at \p Place, which is moved behind it. nullopt if it does not end
/// before \p End and within ten bytes, or exceeds 64 bits; then \p Place stays.
inline std::optional<uint64_t> readULEB128(const uint8_t *&Place,
                                           const uint8_t *End) {
  constexpr ptrdiff_t MostBytes = 10;
  unsigned Size = 0;
  const char *Problem = nullptr;
  const uint8_t *Limit = End - Place > MostBytes ? Place + MostBytes : End;
  uint64_t Number = llvm::decodeULEB128(Place, &Size, Limit, &Problem);
  if (Problem)
    return std::nullopt;
  Place += Size;
  return Number;
}

} // namespace inlay

#endif
