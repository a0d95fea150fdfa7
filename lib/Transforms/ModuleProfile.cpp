//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Thresholds and the scale, from the whole program's summary.
//
//===----------------------------------------------------------------------===//

#include "ModuleProfile.h"
#include "llvm/ProfileData/ProfileCommon.h"

using namespace llvm;
using namespace inlay;

/// The hottest line is scaled to about 2^32: enough to tell apart what ran
/// 10^-9 as often, and far from where the flow solver's 64-bit sums overflow.
static constexpr unsigned ScaledMaxBits = 32;

static void multiply(ContextNode &Node, const ModuleProfile &Profile) {
  Node.TotalSamples = Profile.scaled(Node.TotalSamples);
  Node.HeadSamples = Profile.scaled(Node.HeadSamples);
  for (auto &[Location, Counts] : Node.Lines) {
    Counts.Count = Profile.scaled(Counts.Count);
    Counts.Recorded = Profile.scaled(Counts.Recorded);
    for (auto &[Target, Count] : Counts.CallTargets)
      Count = Profile.scaled(Count);
  }
  for (auto &[CallSite, Children] : Node.Callees)
    for (auto &[Callee, Child] : Children)
      multiply(*Child, Profile);
}

ModuleProfile::ModuleProfile(ProfileFile ReadFile, const Options &Opts)
    : File(std::move(ReadFile)) {
  uint64_t Max = File.Summary->getMaxCount();
  if (Max && Log2_64(Max) < ScaledMaxBits)
    Scale = uint64_t(1) << (ScaledMaxBits - Log2_64(Max));

  for (auto &[Id, Root] : File.Map.roots())
    multiply(*Root, *this);

  if (std::optional<uint64_t> Stated =
          Opts.Resolution ? Opts.Resolution : File.Map.Resolution) {
    Resolution = scaled(std::max<uint64_t>(*Stated, 1));
    LeastHotCount = SaturatingMultiply<uint64_t>(Resolution, Opts.HotSamples);
  } else if (!File.Summary->getDetailedSummary().empty()) {
    Resolution = std::max<uint64_t>(
        scaled(ProfileSummaryBuilder::getEntryForPercentile(
                   File.Summary->getDetailedSummary(), ColdPercentile)
                   .MinCount),
        1);
  }

  if (Opts.HotCount) {
    HotCount = scaled(*Opts.HotCount);
    return;
  }
  // A total by lines is the sum over all instructions, by probes that over a
  // block's few.
  const uint64_t Percentile =
      Opts.HotPercentile.value_or(File.Map.IsProbeBased ? 990000 : 950000);
  // The least count among the hottest lines that make up the given share.
  HotCount = ~uint64_t(0);
  for (const ProfileSummaryEntry &Entry : File.Summary->getDetailedSummary())
    if (Entry.Cutoff <= Percentile)
      HotCount = Entry.MinCount;
  HotCount = std::max(scaled(std::max<uint64_t>(HotCount, 1)), LeastHotCount);
}
