//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes in the making, in the byte order of the machine that is said to have
// recorded.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TEST_TOOLS_PERFDATA_COMPOSE_BYTEBUFFER_H
#define INLAY_TEST_TOOLS_PERFDATA_COMPOSE_BYTEBUFFER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

namespace inlay::compose {

class ByteBuffer {
public:
  explicit ByteBuffer(llvm::endianness Order) : Order(Order) {}

  void u8(uint8_t V) { Bytes.push_back(V); }
  void u16(uint16_t V) { number(V); }
  void u32(uint32_t V) { number(V); }
  void u64(uint64_t V) { number(V); }
  void u64s(llvm::ArrayRef<uint64_t> Values) {
    for (uint64_t V : Values)
      u64(V);
  }
  void bytes(llvm::ArrayRef<uint8_t> B) { Bytes.append(B.begin(), B.end()); }
  /// And zeros up to \p Size bytes.
  void bytes(llvm::ArrayRef<uint8_t> B, uint64_t Size) {
    const uint64_t Begin = Bytes.size();
    bytes(B);
    Bytes.resize(Begin + Size);
  }
  /// With NUL, and padded so that the buffer is a multiple of \p Align long.
  void string(llvm::StringRef S, unsigned Align) {
    Bytes.append(S.bytes_begin(), S.bytes_end());
    do
      Bytes.push_back(0);
    while (Bytes.size() % Align);
  }
  /// perf_header_string: its length, and the string padded to 64 bytes.
  void headerString(llvm::StringRef S) {
    u32(llvm::alignTo(S.size() + 1, 64));
    bytes(llvm::arrayRefFromStringRef(S), llvm::alignTo(S.size() + 1, 64));
  }
  /// A word of bit fields, given as pairs of position and width with the values
  /// where a little-endian machine has them.
  void bitFields(uint64_t Word,
                 std::initializer_list<std::pair<unsigned, unsigned>> Fields) {
    if (Order == llvm::endianness::little)
      return u64(Word);
    uint64_t Result = 0;
    for (auto [Position, Width] : Fields) {
      uint64_t Value = Word >> Position & ((uint64_t(1) << Width) - 1);
      Result |= Value << (64 - Position - Width);
    }
    u64(Result);
  }

  void clear() { Bytes.clear(); }
  uint64_t size() const { return Bytes.size(); }
  void resize(uint64_t Size) { Bytes.resize(Size); }
  llvm::endianness order() const { return Order; }
  operator llvm::ArrayRef<uint8_t>() const { return Bytes; }

private:
  template <typename T> void number(T V) {
    uint8_t B[sizeof(T)];
    llvm::support::endian::write<T>(B, V, Order);
    Bytes.append(B, B + sizeof(T));
  }
  llvm::endianness Order;
  llvm::SmallVector<uint8_t, 512> Bytes;
};

} // namespace inlay::compose

#endif
