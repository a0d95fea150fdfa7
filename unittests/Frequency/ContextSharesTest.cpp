//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ContextShares.h"
#include "FakeCode.h"
#include "gtest/gtest.h"

using namespace inlay;
using enum InstructionKind;

namespace {

using Samples = std::map<uint32_t, double>;

/// A diamond: 0 branches to 1 and 2, which meet in 3.
MachineFunction diamond() {
  return FakeFunction("f", 0x1000)
      .block({ALU, ConditionalBranch})
      .block({ALU, Jump})
      .block({ALU})
      .block({ALU, Return}, true)
      .edge(0, 1, EdgeKind::Taken)
      .edge(0, 2)
      .edge(1, 3)
      .edge(2, 3)
      .build();
}

} // namespace

TEST(ContextShares, SamplesDivideEachBlock) {
  const Samples Mine = {{0, 1000}, {1, 990}, {2, 10}},
                Theirs = {{0, 1000}, {1, 10}, {2, 990}};
  std::vector<std::vector<double>> Shares =
      contextShares(diamond(), {2000, 1000, 1000, 2000}, {&Mine, &Theirs});
  EXPECT_NEAR(Shares[0][0], 0.5, 0.01);
  EXPECT_NEAR(Shares[0][1], 0.99, 0.01);
  EXPECT_NEAR(Shares[0][2], 0.01, 0.01);
  for (size_t Block = 0; Block < 4; ++Block)
    EXPECT_NEAR(Shares[0][Block] + Shares[1][Block], 1, 1e-9);
}

TEST(ContextShares, ABlockWithoutSamplesFollowsItsNeighbours) {
  // Of 2 alone nothing is known, but who executes 0 and 3, of which all is
  // mine, executes 2.
  const Samples Mine = {{0, 500}, {3, 500}}, Theirs = {{1, 500}};
  std::vector<std::vector<double>> Shares =
      contextShares(diamond(), {1000, 1, 999, 1000}, {&Mine, &Theirs});
  EXPECT_GT(Shares[0][2], 0.95);
  EXPECT_LT(Shares[0][1], 0.05);
}

TEST(ContextShares, FewSamplesMoveABlockLittle) {
  // One sample against four borrowed ones.
  const Samples Mine = {{0, 500}, {3, 500}, {1, 1}},
                Theirs = {{0, 500}, {3, 500}};
  std::vector<std::vector<double>> Shares =
      contextShares(diamond(), {1000, 500, 500, 1000}, {&Mine, &Theirs});
  EXPECT_NEAR(Shares[0][1], 0.6, 0.01); // (1 + 4 * 0.5) / 5
}

TEST(ContextShares, WithoutSamplesAllHaveTheSame) {
  const Samples None;
  std::vector<std::vector<double>> Shares =
      contextShares(diamond(), {0, 0, 0, 0}, {&None, &None});
  for (size_t Block = 0; Block < 4; ++Block)
    EXPECT_DOUBLE_EQ(Shares[1][Block], 0.5);
}
