//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the writer and the reader of raw profiles share.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_SAMPLING_RAWPROFILEFORMAT_H
#define INLAY_LIB_SAMPLING_RAWPROFILEFORMAT_H

#include <cstdint>

namespace inlay {

inline constexpr uint32_t RawProfileVersion = 1;
inline constexpr uint64_t RawProfileHeaderSize = 32;

/// Two's complement, so that small numbers of either sign become small ones.
inline uint64_t zigzag(uint64_t N) { return N << 1 ^ -(N >> 63); }
inline uint64_t unzigzag(uint64_t N) { return N >> 1 ^ -(N & 1); }

} // namespace inlay

#endif
