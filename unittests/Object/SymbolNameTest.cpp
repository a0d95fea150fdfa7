//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "inlay/Object/SymbolName.h"
#include "gtest/gtest.h"

using inlay::canonicalFunctionName;

TEST(SymbolName, StripsWhatLatePassesAppend) {
  EXPECT_EQ("foo", canonicalFunctionName("foo.cold"));
  EXPECT_EQ("foo", canonicalFunctionName("foo.cold.1"));
  EXPECT_EQ("foo", canonicalFunctionName("foo.llvm.1234567890"));
  EXPECT_EQ("foo", canonicalFunctionName("foo.part.0"));
  EXPECT_EQ("foo", canonicalFunctionName("foo.isra.0"));
  EXPECT_EQ("foo", canonicalFunctionName("foo.__part.2"));
}

TEST(SymbolName, StripsSeveralInAnyOrder) {
  EXPECT_EQ("foo", canonicalFunctionName("foo.llvm.17.cold"));
  EXPECT_EQ("foo", canonicalFunctionName("foo.isra.0.part.1.cold"));
}

TEST(SymbolName, KeepsWhatTheProfileIsMatchedBy) {
  EXPECT_EQ("foo.__uniq.123", canonicalFunctionName("foo.__uniq.123"));
  EXPECT_EQ("foo.__uniq.123", canonicalFunctionName("foo.__uniq.123.llvm.4"));
  EXPECT_EQ("foo.1", canonicalFunctionName("foo.1"));
  EXPECT_EQ("foo.resume", canonicalFunctionName("foo.resume"));
}

TEST(SymbolName, NeverLeavesAnEmptyName) {
  EXPECT_EQ(".cold", canonicalFunctionName(".cold"));
  EXPECT_EQ(".llvm.1", canonicalFunctionName(".llvm.1"));
  EXPECT_EQ(".part.", canonicalFunctionName(".part."));
  EXPECT_EQ("foo.llvm.x1", canonicalFunctionName("foo.llvm.x1"));
  EXPECT_EQ("", canonicalFunctionName(""));
}
