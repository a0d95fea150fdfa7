//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SeededHash.h.
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/SeededHash.h"
#include <array>
#include <random>

namespace inlay {

SeededHash::SeededHash() {
  static const std::array<uint64_t, 3> Seed = [] {
    std::random_device Device;
    std::array<uint64_t, 3> Result;
    for (uint64_t &Part : Result)
      Part = uint64_t(Device()) << 32 | Device();
    return Result;
  }();
  Mask = Seed[0];
  First = Seed[1] | 1;
  Second = Seed[2] | 1;
}

} // namespace inlay
