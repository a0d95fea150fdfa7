//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See MergeRawProfiles.h.
//
//===----------------------------------------------------------------------===//

#include "inlay/Sampling/MergeRawProfiles.h"
#include "SampleOrder.h"
#include "StackTree.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <numeric>
#include <tuple>

using namespace llvm;

namespace inlay {

static auto identity(const PerfEventAttr &A) {
  return std::tie(A.Name, A.Type, A.Config, A.BranchSampleType,
                  A.SamplePeriodOrFrequency, A.IsFrequency, A.PreciseIP);
}

bool isSameEvent(const PerfEventAttr &A, const PerfEventAttr &B) {
  return identity(A) == identity(B);
}

static void add(uint64_t &To, uint64_t Count) { To = SaturatingAdd(To, Count); }

static void add(BinarySamples &To, const BinarySamples &From) {
  // One file may have several paths.
  To.Path = std::min(To.Path, From.Path);
  To.Counts.add(From.Counts);
  add(To.Total, From.Total);
  add(To.TotalPeriod, From.TotalPeriod);
  To.Branches.add(From.Branches);
  To.BranchesIn.add(From.BranchesIn);
  To.BranchesOut.add(From.BranchesOut);
  To.Ranges.add(From.Ranges);
}

/// Adds \p Nodes, whose binaries are \p Binaries in the tree. Returns how many
/// samples did not fit.
static uint64_t addStacks(StackTree &Tree, ArrayRef<StackNode> Nodes,
                          ArrayRef<uint32_t> Binaries) {
  uint64_t NumDropped = 0;
  SmallVector<const StackNode *, 128> Path; // innermost first
  for (const StackNode &Leaf : Nodes) {
    if (!Leaf.IsLeaf)
      continue;
    Path.assign(1, &Leaf);
    while (Path.back()->Caller != StackNode::Root)
      Path.push_back(&Nodes[Path.back()->Caller]);
    NumDropped += Tree.makeRoom(Path.size());
    uint32_t Node = StackNode::Root;
    for (const StackNode *N : reverse(Path))
      Node = Tree.child(Node, Binaries[N->Binary], N->Offset, N->IsLeaf);
    Tree.addSamples(Node, Leaf.Samples);
  }
  return NumDropped;
}

using BinaryKey = std::tuple<CodeKind, std::string, std::string>;

static BinaryKey keyOf(const BinarySamples &B) {
  StringRef ID = toStringRef(ArrayRef<uint8_t>(B.BuildID));
  return {B.Kind, ID.str(), ID.empty() ? B.Path : ""};
}

/// Adds them all at once, for which one tree of stacks is built.
static void add(EventSamples &To, ArrayRef<const EventSamples *> All) {
  std::vector<uint32_t> Moved(To.Binaries.size());
  std::iota(Moved.begin(), Moved.end(), 0);
  std::map<BinaryKey, uint32_t> Known;
  for (auto [Index, Binary] : enumerate(To.Binaries))
    Known.try_emplace(keyOf(Binary), Index);
  StackTree Tree;
  uint64_t NumDropped = addStacks(Tree, To.Stacks, Moved);

  for (const EventSamples *From : All) {
    add(To.Total, From->Total);
    add(To.KernelSamples, From->KernelSamples);
    add(To.UnmappedSamples, From->UnmappedSamples);
    add(To.SamplesWithStack, From->SamplesWithStack);
    add(To.SamplesWithBranchStack, From->SamplesWithBranchStack);
    add(To.IgnoredBranchRecords, From->IgnoredBranchRecords);
    Moved.clear();
    for (const BinarySamples &Binary : From->Binaries) {
      auto [It, IsNew] = Known.try_emplace(keyOf(Binary), To.Binaries.size());
      if (IsNew)
        To.Binaries.push_back(Binary);
      else
        add(To.Binaries[It->second], Binary);
      Moved.push_back(It->second);
    }
    NumDropped += addStacks(Tree, From->Stacks, Moved);
  }
  To.SamplesWithStack -= std::min(To.SamplesWithStack, NumDropped);
  To.Stacks = Tree.take();
  SampleOrder(To).applyTo(To);
}

void uniteBinaries(EventSamples &Samples) {
  EventSamples United;
  United.Attr = Samples.Attr;
  add(United, &Samples);
  Samples = std::move(United);
}

Error mergeRawProfiles(RawProfile &Into, const RawProfile &From) {
  if (std::tie(Into.Arch, Into.CpuID, Into.CpuDesc) !=
      std::tie(From.Arch, From.CpuID, From.CpuDesc))
    return createStringError(
        "profiles of different processors are not added: '" + Into.Arch + " " +
        Into.CpuDesc + " " + Into.CpuID + "' and '" + From.Arch + " " +
        From.CpuDesc + " " + From.CpuID + "'");
  add(Into.LostEvents, From.LostEvents);
  // Those of several CPUs may be one event.
  std::vector<SmallVector<const EventSamples *, 1>> Added(Into.Events.size());
  for (const EventSamples &Event : From.Events) {
    auto Same = find_if(Into.Events, [&](const EventSamples &Known) {
      return isSameEvent(Known.Attr, Event.Attr);
    });
    if (Same == Into.Events.end()) {
      Into.Events.push_back(Event);
      Added.emplace_back();
    } else {
      Added[Same - Into.Events.begin()].push_back(&Event);
    }
  }
  for (auto [Event, Events] : zip_equal(Into.Events, Added))
    if (!Events.empty())
      add(Event, Events);
  return Error::success();
}

} // namespace inlay
