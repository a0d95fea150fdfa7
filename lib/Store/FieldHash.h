//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hash of fields, in which ("ab", "c") is not ("a", "bc"). What is in stores
// depends on it: it never changes.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_STORE_FIELDHASH_H
#define INLAY_LIB_STORE_FIELDHASH_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/SHA256.h"

namespace inlay {

class FieldHash {
public:
  explicit FieldHash(llvm::StringRef Kind) { add(Kind); }

  FieldHash &add(llvm::StringRef Field) {
    add(static_cast<uint64_t>(Field.size()));
    Hash.update(Field);
    return *this;
  }
  FieldHash &add(uint64_t Number) {
    uint8_t Bytes[8];
    llvm::support::endian::write64le(Bytes, Number);
    Hash.update(llvm::ArrayRef(Bytes));
    return *this;
  }

  /// 64 digits.
  std::string hex() { return llvm::toHex(Hash.final(), /*LowerCase=*/true); }
  /// 63 bits.
  int64_t id() {
    std::array<uint8_t, 32> Bytes = Hash.final();
    return static_cast<int64_t>(llvm::support::endian::read64le(Bytes.data()) >>
                                1);
  }

private:
  llvm::SHA256 Hash;
};

} // namespace inlay

#endif
