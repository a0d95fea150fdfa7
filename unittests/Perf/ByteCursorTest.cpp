//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ByteCursor never leaves its bytes, whatever sizes it is asked for.
//
//===----------------------------------------------------------------------===//

#include "ByteCursor.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace inlay;

static const uint8_t Bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 'a', 'b', 0, 'c'};

TEST(ByteCursorTest, ReadsUnaligned) {
  ByteCursor C(Bytes);
  C.skip(1);
  EXPECT_EQ(C.u32(), 0x05040302u);
  EXPECT_EQ(C.u16(), 0x0706u);
  EXPECT_FALSE(C.failed());
}

TEST(ByteCursorTest, ReadsBothByteOrders) {
  EXPECT_EQ(ByteCursor(Bytes, endianness::little).u64(), 0x0807060504030201u);
  EXPECT_EQ(ByteCursor(Bytes, endianness::big).u64(), 0x0102030405060708u);
}

TEST(ByteCursorTest, EndYieldsZeroAndStaysFailed) {
  ByteCursor C(Bytes);
  C.skip(10);
  EXPECT_EQ(C.u64(), 0u);
  EXPECT_TRUE(C.failed());
  EXPECT_EQ(C.u16(), 0u); // would fit, but nothing is known of the position
}

TEST(ByteCursorTest, HugeSizesDoNotWrap) {
  ByteCursor C(Bytes);
  C.u64();
  C.skip(~uint64_t(0) - 4);
  EXPECT_TRUE(C.failed());

  ByteCursor W(Bytes);
  W.skipWords((uint64_t(1) << 61) + 1); // times eight is 8
  EXPECT_TRUE(W.failed());

  ByteCursor B(Bytes);
  EXPECT_TRUE(B.bytes(14).empty());
  EXPECT_TRUE(B.failed());
}

TEST(ByteCursorTest, StringEndsAtNulOrEnd) {
  EXPECT_EQ(untilNul(ArrayRef(Bytes).drop_front(9)), "ab");
  EXPECT_EQ(untilNul(ArrayRef(Bytes).take_back(1)), "c");
  EXPECT_EQ(untilNul({}), "");
}
