//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hashes of numbers that a file chose.
//
// Who knows a hash function can make a file whose numbers all have one hash,
// and a table of them takes time in proportion to their square. This one
// differs from process to process. Nothing that is written may depend on it.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SUPPORT_SEEDEDHASH_H
#define INLAY_SUPPORT_SEEDEDHASH_H

#include <cstddef>
#include <cstdint>
#include <utility>

namespace inlay {

/// Also a hash for the standard library's tables.
class SeededHash {
public:
  /// The function of this process.
  SeededHash();

  /// Of the result, the high bits are the best ones.
  size_t operator()(uint64_t Key) const {
    uint64_t Hash = (Key ^ Mask) * First;
    Hash ^= Hash >> 32;
    return Hash * Second;
  }
  size_t operator()(std::pair<uint64_t, uint64_t> Key) const {
    return (*this)((*this)(Key.first) ^ Key.second);
  }

private:
  uint64_t Mask;
  uint64_t First, Second; ///< odd
};

} // namespace inlay

#endif
