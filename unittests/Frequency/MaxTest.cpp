//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeBinary.h"
#include "inlay/Frequency/Estimation.h"
#include "inlay/Sampling/RawProfile.h"
#include "gtest/gtest.h"

using namespace inlay;

static MachineFrequencies estimateMax(const BinarySamples &Samples,
                                      ProfiledBinary &Binary) {
  EstimationOptions Options;
  Options.Kind = EstimatorKind::Max;
  return llvm::cantFail(estimateFrequencies(Samples, Binary, Options));
}

static BinarySamples
makeSamples(std::vector<std::pair<uint64_t, uint64_t>> Counts) {
  BinarySamples Samples;
  for (auto [Offset, Count] : Counts) {
    Samples.Counts[Offset] = Count;
    Samples.Total += Count;
  }
  return Samples;
}

TEST(Max, DealsSamplesOutToFunctions) {
  FakeBinary Binary;
  Binary.Functions = {{0x401000, 0x401010, "f"},
                      {0x401010, 0x401020, "cold"},
                      {0x401030, 0x401040, "g"}};
  MachineFrequencies Result = estimateMax(
      makeSamples({{0x1034, 5}, {0x1008, 2}, {0x1000, 1}, {0x100f, 7}}),
      Binary);

  ASSERT_EQ(2u, Result.Functions.size());
  const FunctionFrequencies &F = Result.Functions[0];
  EXPECT_EQ(0x401000u, F.Begin);
  EXPECT_EQ(0x401010u, F.End);
  EXPECT_EQ(10u, F.Samples);
  EXPECT_EQ(std::nullopt, F.EntryCount);
  std::vector<std::pair<uint64_t, uint64_t>> Expected = {
      {0x401000, 1}, {0x401008, 2}, {0x40100f, 7}};
  EXPECT_EQ(Expected, F.Instructions);
  EXPECT_EQ(0x401030u, Result.Functions[1].Begin);
  EXPECT_EQ(5u, Result.Functions[1].Samples);
  EXPECT_EQ(15u, Result.SamplesInFunctions);
}

TEST(Max, TellsWhereTheOtherSamplesAre) {
  FakeBinary Binary;
  Binary.Functions = {{0x401000, 0x401010, "f"}};
  MachineFrequencies Result = estimateMax(
      makeSamples({{0x1000, 1}, {0x1010, 20}, {0x5000, 300}, {0xfff, 4000}}),
      Binary);
  EXPECT_EQ(1u, Result.SamplesInFunctions);
  EXPECT_EQ(20u, Result.SamplesOutsideFunctions);
  EXPECT_EQ(4300u, Result.SamplesOutsideText);
}

TEST(Max, NoSamplesNoFunctions) {
  FakeBinary Binary;
  Binary.Functions = {{0x401000, 0x401010, "f"}};
  EXPECT_TRUE(estimateMax(makeSamples({}), Binary).Functions.empty());
}
