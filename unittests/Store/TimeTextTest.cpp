//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times and durations as text.
//
//===----------------------------------------------------------------------===//

#include "inlay/Store/TimeText.h"
#include "StoreTest.h"

using namespace inlay;
using namespace llvm;

TEST(TimeTextTest, Durations) {
  EXPECT_TRUE(hasValue(parseDuration("250ms", "-d"), 250));
  EXPECT_TRUE(hasValue(parseDuration("10s", "-d"), 10000));
  EXPECT_TRUE(hasValue(parseDuration("1.5h", "-d"), 5400000));
  EXPECT_TRUE(hasValue(parseDuration("7d", "-d"), 604800000));
  EXPECT_TRUE(hasValue(parseDuration("2w", "-d"), 1209600000));
  for (StringRef Text :
       {"", "s", "7", "-1s", "0s", "nans", "infd", "1e99d", "1x", "5 m m"})
    EXPECT_TRUE(failed(parseDuration(Text, "-d"))) << Text.str();
}

TEST(TimeTextTest, Times) {
  constexpr int64_t Now = 1000000;
  EXPECT_TRUE(hasValue(parseTime("1h", Now, "-t"), Now - 3600));
  EXPECT_TRUE(hasValue(parseTime("12345", Now, "-t"), 12345));
  EXPECT_TRUE(hasValue(parseTime("1970-01-02", Now, "-t"), 86400));
  EXPECT_TRUE(
      hasValue(parseTime("2026-01-31T12:34:56Z", Now, "-t"), 1769862896));
  EXPECT_TRUE(
      hasValue(parseTime("2024-02-29 00:00:00", Now, "-t"), 1709164800));
  for (StringRef Text :
       {"", "-5", "2026-02-29", "2026-13-01", "2026-01-31T25:00:00Z",
        "2026-01-31T12:34", "2026/01/31", "2026-01-31T12:34:56+01:00",
        "99999999999999"})
    EXPECT_TRUE(failed(parseTime(Text, Now, "-t"))) << Text.str();
}

TEST(TimeTextTest, Formatting) {
  EXPECT_EQ(formatDay(0), "1970-01-01");
  EXPECT_EQ(formatDay(20484), "2026-01-31");
  EXPECT_EQ(formatTime(1769862896), "2026-01-31 12:34:56");
  EXPECT_EQ(formatTime(-1), "day -1 23:59:59");
  EXPECT_EQ(formatDay(INT64_MAX), "day 9223372036854775807");
}
