//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What groups of captures weigh.
//
//===----------------------------------------------------------------------===//

#include "inlay/Store/Aggregation.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace inlay;

static CaptureGroup group(Day On, int64_t Version, int64_t Host,
                          uint64_t Samples) {
  CaptureGroup Group;
  Group.On = On;
  Group.VersionID = Version;
  Group.HostID = Host;
  Group.Samples = Samples;
  return Group;
}

TEST(WeightsTest, HalfLife) {
  std::vector<CaptureGroup> Groups = {group(0, 1, 1, 5), group(10, 1, 1, 5),
                                      group(20, 1, 1, 5)};
  CaptureWeighting Weighting;
  Weighting.HalfLifeDays = 10;
  weigh(Groups, Weighting);
  EXPECT_DOUBLE_EQ(Groups[0].Weight, 0.25);
  EXPECT_DOUBLE_EQ(Groups[1].Weight, 0.5);
  EXPECT_DOUBLE_EQ(Groups[2].Weight, 1);
}

/// The largest share of the weighted samples that one key has.
static double largestShare(llvm::ArrayRef<CaptureGroup> Groups,
                           int64_t CaptureGroup::*Key) {
  std::map<int64_t, double> Totals;
  double Sum = 0, Largest = 0;
  for (const CaptureGroup &Group : Groups) {
    double Weighted = static_cast<double>(Group.Samples) * Group.Weight;
    Totals[Group.*Key] += Weighted;
    Sum += Weighted;
  }
  for (auto [ID, Total] : Totals)
    Largest = std::max(Largest, Total / Sum);
  return Largest;
}

TEST(WeightsTest, NobodyDominates) {
  std::mt19937 Random(7);
  for (unsigned Round = 0; Round < 200; ++Round) {
    std::vector<CaptureGroup> Groups;
    unsigned NumHosts = 2 + Random() % 20;
    for (unsigned Host = 0; Host < NumHosts; ++Host)
      for (unsigned Version = 0; Version < 1 + Random() % 3; ++Version)
        Groups.push_back(group(Random() % 5, Version, Host,
                               1 + (uint64_t(1) << (Random() % 20))));
    CaptureWeighting Weighting;
    Weighting.MaxHostShare = 0.05 + 0.9 * (Random() % 100) / 100.0;
    auto Limited = Groups;
    weigh(Limited, Weighting);
    // With n hosts, one has 1/n at least.
    double Bound = std::max(*Weighting.MaxHostShare, 1.0 / NumHosts);
    EXPECT_LE(largestShare(Limited, &CaptureGroup::HostID), Bound + 1e-9);
    // No more is taken away than needed: if it is, the bound is met.
    double Before = largestShare(Groups, &CaptureGroup::HostID);
    if (Before > Bound)
      EXPECT_NEAR(largestShare(Limited, &CaptureGroup::HostID), Bound, 1e-9);
    double Greatest = 0;
    for (const CaptureGroup &Group : Limited) {
      EXPECT_GT(Group.Weight, 0);
      Greatest = std::max(Greatest, Group.Weight);
    }
    EXPECT_DOUBLE_EQ(Greatest, 1);
  }
}

TEST(WeightsTest, ZeroShareMakesAllAlike) {
  std::vector<CaptureGroup> Groups = {group(0, 1, 1, 100), group(0, 1, 2, 7),
                                      group(0, 1, 3, 3000)};
  CaptureWeighting Weighting;
  Weighting.MaxHostShare = 0;
  weigh(Groups, Weighting);
  for (const CaptureGroup &Group : Groups)
    EXPECT_NEAR(static_cast<double>(Group.Samples) * Group.Weight, 7, 1e-9);
}

TEST(WeightsTest, HostsAndVersionsAtOnce) {
  std::vector<CaptureGroup> Groups = {group(0, 1, 1, 10000), group(0, 1, 2, 10),
                                      group(0, 2, 3, 500), group(0, 3, 2, 70),
                                      group(0, 3, 4, 900)};
  CaptureWeighting Weighting;
  Weighting.MaxHostShare = 0.4;
  Weighting.MaxVersionShare = 0.5;
  weigh(Groups, Weighting);
  EXPECT_LE(largestShare(Groups, &CaptureGroup::HostID), 0.401);
  EXPECT_LE(largestShare(Groups, &CaptureGroup::VersionID), 0.501);
}
