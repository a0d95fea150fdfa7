//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See StackTree.h.
//
//===----------------------------------------------------------------------===//

#include "StackTree.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inlay {

/// How much of a rare stack is kept.
static constexpr unsigned FramesOfRare = 2;

size_t StackTree::slotOf(uint32_t Caller, uint32_t Binary, uint64_t Offset,
                         bool IsLeaf) const {
  return Hash({uint64_t(Caller) << 32 | Binary, Offset << 1 | IsLeaf}) >>
         (64 - LogSize);
}

void StackTree::grow() {
  constexpr unsigned SmallestLogSize = 6;
  LogSize = Table.empty() ? SmallestLogSize : LogSize + 1;
  Table.assign(size_t(1) << LogSize, Empty);
  const size_t Mask = Table.size() - 1;
  for (auto [Index, N] : enumerate(Nodes)) {
    size_t Slot = slotOf(N.Caller, N.Binary, N.Offset, N.IsLeaf);
    while (Table[Slot] != Empty)
      Slot = (Slot + 1) & Mask;
    Table[Slot] = Index;
  }
}

uint32_t StackTree::child(uint32_t Caller, uint32_t Binary, uint64_t Offset,
                          bool IsLeaf) {
  if (Nodes.size() * 2 >= Table.size())
    grow();
  const size_t Mask = Table.size() - 1;
  size_t Slot = slotOf(Caller, Binary, Offset, IsLeaf);
  for (; Table[Slot] != Empty; Slot = (Slot + 1) & Mask) {
    const StackNode &N = Nodes[Table[Slot]];
    if (N.Caller == Caller && N.Offset == Offset && N.Binary == Binary &&
        N.IsLeaf == IsLeaf)
      return Table[Slot];
  }
  Table[Slot] = Nodes.size();
  StackNode &N = Nodes.emplace_back();
  N.Caller = Caller;
  N.Binary = Binary;
  N.Offset = Offset;
  N.IsLeaf = IsLeaf;
  return Table[Slot];
}

/// Of stacks with no more than \p Rare samples, only the \p Kept innermost
/// frames stay. Returns the samples of those of which none did.
uint64_t StackTree::fold(uint64_t Rare, unsigned Kept) {
  ++Foldings;
  std::vector<StackNode> Old = std::move(Nodes);
  Nodes.clear();
  Table.clear();
  uint64_t NumDropped = 0;
  SmallVector<uint32_t, 128> Path; // innermost first
  for (uint32_t Leaf = 0; Leaf != Old.size(); ++Leaf) {
    const uint64_t Count = Old[Leaf].Samples;
    if (!Count)
      continue;
    const unsigned Most = Count <= Rare ? Kept : ~0u;
    Path.clear();
    for (uint32_t N = Leaf; N != StackNode::Root && Path.size() < Most;
         N = Old[N].Caller)
      Path.push_back(N);
    if (Path.empty()) {
      NumDropped += Count;
      continue;
    }
    uint32_t Node = StackNode::Root;
    for (uint32_t N : reverse(Path))
      Node = child(Node, Old[N].Binary, Old[N].Offset, Old[N].IsLeaf);
    addSamples(Node, Count);
  }
  return NumDropped;
}

uint64_t StackTree::makeRoom(uint32_t Count) {
  if (Nodes.size() + Count <= MaxNodes)
    return 0;
  uint64_t NumDropped = 0, MostSamples = 0;
  for (const StackNode &N : Nodes)
    MostSamples = std::max(MostSamples, N.Samples);
  for (unsigned Kept : {FramesOfRare, 0u})
    for (uint64_t Rare = 1; Nodes.size() > MaxNodes / 2; Rare *= 2) {
      NumDropped += fold(Rare, Kept);
      if (Rare >= MostSamples)
        break;
    }
  return NumDropped;
}

uint64_t StackTree::displacement() const {
  uint64_t Sum = 0;
  for (auto [Slot, Index] : enumerate(Table))
    if (Index != Empty) {
      const StackNode &N = Nodes[Index];
      Sum += (Slot - slotOf(N.Caller, N.Binary, N.Offset, N.IsLeaf)) &
             (Table.size() - 1);
    }
  return Sum;
}

std::vector<StackNode> StackTree::take() {
  Table.clear();
  return std::move(Nodes);
}

} // namespace inlay
