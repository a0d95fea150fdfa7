//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The wording of errors.
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/Diagnostics.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace inlay;

TEST(DiagnosticsTest, ErrorNamesFile) {
  EXPECT_EQ(toString(fileError("a.data", "is empty")), "a.data: is empty");
}

TEST(DiagnosticsTest, ErrorNamesOffset) {
  EXPECT_EQ(toString(fileErrorAt("a.data", 0x1f8, "is odd")),
            "a.data: at offset 0x1f8: is odd");
}

TEST(DiagnosticsTest, EveryMessageIsPrinted) {
  testing::internal::CaptureStderr();
  Error Both = joinErrors(fileError("a", "one"), fileError("b", "two"));
  EXPECT_EQ(reportError("tool", std::move(Both)), 1);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "tool: error: a: one\ntool: error: b: two\n");
}

TEST(DiagnosticsTest, QuietDropsWarnings) {
  testing::internal::CaptureStderr();
  StderrDiagnostics("tool", /*Quiet=*/true).warning("unseen");
  StderrDiagnostics("tool").warning("seen");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "tool: warning: seen\n");
}
