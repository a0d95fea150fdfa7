//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What captures weigh: by age, and so that nobody dominates.
//
//===----------------------------------------------------------------------===//

#include "inlay/Store/Aggregation.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>

using namespace llvm;

namespace inlay {

/// The cap c on each of \p Totals for which the largest share of their sum is
/// \p Share: the greatest c with c <= Share * sum of min(total, c). Where there
/// are too few for that, the smallest total, which makes all alike.
static double capFor(std::vector<double> Totals, double Share) {
  llvm::sort(Totals, std::greater<>());
  double Rest = 0;
  for (double Total : Totals)
    Rest += Total;
  // With the k largest cut to c: c = Share * (k * c + Rest of the others).
  for (auto [Index, Total] : enumerate(Totals)) {
    double NumCut = static_cast<double>(Index);
    if (NumCut * Share >= 1)
      break;
    double Cap = Share * Rest / (1 - NumCut * Share);
    if (Total <= Cap)
      return Index == 0 ? Total : Cap;
    Rest -= Total;
  }
  return Totals.back();
}

/// Lowers weights until no group of one \p Key has more than \p Share.
static void limitShare(MutableArrayRef<CaptureGroup> Groups, double Share,
                       int64_t CaptureGroup::*Key) {
  std::map<int64_t, double> Totals;
  for (const CaptureGroup &Group : Groups)
    Totals[Group.*Key] += static_cast<double>(Group.Samples) * Group.Weight;
  std::vector<double> Values;
  for (auto [ID, Total] : Totals)
    if (Total > 0)
      Values.push_back(Total);
  if (Values.empty())
    return;
  double Cap = capFor(std::move(Values), Share);
  for (CaptureGroup &Group : Groups)
    if (double Total = Totals[Group.*Key]; Total > Cap)
      Group.Weight *= Cap / Total;
}

void weigh(MutableArrayRef<CaptureGroup> Groups,
           const CaptureWeighting &Weighting) {
  if (Groups.empty())
    return;
  Day Newest = Groups.front().On;
  for (CaptureGroup &Group : Groups) {
    Group.Weight = 1;
    Newest = std::max(Newest, Group.On);
  }
  if (Weighting.HalfLifeDays)
    for (CaptureGroup &Group : Groups)
      Group.Weight = std::exp2(-static_cast<double>(Newest - Group.On) /
                               *Weighting.HalfLifeDays);
  // Each undoes a little of the other; a few rounds settle that.
  constexpr unsigned MaxRounds = 20;
  unsigned Rounds =
      Weighting.MaxHostShare && Weighting.MaxVersionShare ? MaxRounds : 1;
  for (unsigned Round = 0; Round < Rounds; ++Round) {
    if (Weighting.MaxVersionShare)
      limitShare(Groups, *Weighting.MaxVersionShare, &CaptureGroup::VersionID);
    if (Weighting.MaxHostShare)
      limitShare(Groups, *Weighting.MaxHostShare, &CaptureGroup::HostID);
  }
  double Greatest = 0;
  for (const CaptureGroup &Group : Groups)
    Greatest = std::max(Greatest, Group.Weight);
  if (Greatest > 0)
    for (CaptureGroup &Group : Groups)
      Group.Weight /= Greatest;
}

} // namespace inlay
