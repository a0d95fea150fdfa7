//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "inlay/Frequency/Estimation.h"
#include "inlay/Perf/PerfEvents.h"
#include "gtest/gtest.h"

using namespace inlay;

static ExecutionScale scaleOf(uint32_t Type, uint64_t Config, bool IsFrequency,
                              uint64_t Value,
                              std::optional<double> Nanoseconds = 0.5) {
  PerfEventAttr Attr;
  Attr.Type = Type;
  Attr.Config = Config;
  Attr.IsFrequency = IsFrequency;
  Attr.SamplePeriodOrFrequency = Value;
  RateTable Rates;
  Rates.NanosecondsPerInstruction = Nanoseconds;
  return executionScale(Attr, Rates);
}

TEST(ExecutionScale, TimeBetweenSamplesByTimeOfAnInstruction) {
  // 10 kHz: 100 us.
  ExecutionScale Frequency = scaleOf(1, 0, true, 10000);
  EXPECT_DOUBLE_EQ(200000, Frequency.ExecutionsPerSample);
  EXPECT_FALSE(Frequency.IsAssumed);
  EXPECT_DOUBLE_EQ(200000, scaleOf(1, 0, false, 100000).ExecutionsPerSample);
  EXPECT_DOUBLE_EQ(200000, scaleOf(0, 0, true, 10000).ExecutionsPerSample);
}

TEST(ExecutionScale, InstructionsAreCountedAsSuch) {
  ExecutionScale Scale = scaleOf(0, 1, false, 2000003, std::nullopt);
  EXPECT_DOUBLE_EQ(2000003, Scale.ExecutionsPerSample);
  EXPECT_FALSE(Scale.IsAssumed);
}

TEST(ExecutionScale, SaysWhenItAssumes) {
  EXPECT_TRUE(scaleOf(1, 0, true, 10000, std::nullopt).IsAssumed);
  EXPECT_TRUE(scaleOf(1, 0, true, 0).IsAssumed);
  EXPECT_TRUE(scaleOf(0, 0, false, 1000000).IsAssumed); // how long is a cycle?
}

TEST(ExecutionScale, IsWithinReason) {
  EXPECT_EQ(1, scaleOf(1, 0, false, 1, 1000).ExecutionsPerSample);
  EXPECT_EQ(1e13, scaleOf(1, 0, false, UINT64_MAX).ExecutionsPerSample);
}
