//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks over bytes of a file without ever leaving them.
//
// A read beyond the end yields zeros and marks the cursor as failed, so that a
// parser reads a whole structure and asks once. Loads may be unaligned, and the
// byte order is a property of the cursor.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PERF_BYTECURSOR_H
#define INLAY_LIB_PERF_BYTECURSOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"

namespace inlay {

class ByteCursor {
public:
  explicit ByteCursor(llvm::ArrayRef<uint8_t> Bytes,
                      llvm::endianness Order = llvm::endianness::little)
      : Bytes(Bytes), Order(Order) {}

  bool failed() const { return Failed; }
  llvm::endianness order() const { return Order; }
  uint64_t position() const { return Position; }
  uint64_t remaining() const { return Bytes.size() - Position; }

  uint16_t u16() { return read<uint16_t>(); }
  uint32_t u32() { return read<uint32_t>(); }
  int32_t s32() { return int32_t(read<uint32_t>()); }
  uint64_t u64() { return read<uint64_t>(); }

  llvm::ArrayRef<uint8_t> bytes(uint64_t Size) {
    if (!take(Size))
      return {};
    return Bytes.slice(Position - Size, Size);
  }

  void skip(uint64_t Size) { take(Size); }

  /// \p Count words of eight bytes; the product may be anything.
  void skipWords(uint64_t Count) {
    if (Count > remaining() / 8)
      Failed = true;
    else
      Position += Count * 8;
  }

private:
  bool take(uint64_t Size) {
    if (LLVM_UNLIKELY(Failed || Size > remaining())) {
      Failed = true;
      return false;
    }
    Position += Size;
    return true;
  }

  template <typename T> T read() {
    if (!take(sizeof(T)))
      return 0;
    return llvm::support::endian::read<T>(Bytes.data() + Position - sizeof(T),
                                          Order);
  }

  llvm::ArrayRef<uint8_t> Bytes;
  llvm::endianness Order;
  uint64_t Position = 0;
  bool Failed = false;
};

/// The characters before the first NUL.
inline llvm::StringRef untilNul(llvm::ArrayRef<uint8_t> Bytes) {
  return llvm::StringRef(reinterpret_cast<const char *>(Bytes.data()),
                         Bytes.size())
      .take_until([](char C) { return C == '\0'; });
}

} // namespace inlay

#endif
