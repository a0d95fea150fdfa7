//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tree of all call stacks: stacks with the same outer frames share nodes.
//
// Programs have a few thousand stacks that matter and millions that do not, so
// the tree has a bound. When it is reached, rare stacks are folded: of those
// with one sample, then two, four, ... only the two innermost frames are kept -
// the sampled place and who called it - until half of the tree is free again. A
// folded stack is a true statement still, about the same samples; what is lost
// is who called the caller.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_SAMPLING_STACKTREE_H
#define INLAY_LIB_SAMPLING_STACKTREE_H

#include "inlay/Sampling/RawProfile.h"
#include "inlay/Support/SeededHash.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MathExtras.h"

namespace inlay {

class StackTree {
public:
  static constexpr uint32_t DefaultMaxNodes = 1 << 20; ///< 40 MiB

  explicit StackTree(uint32_t MaxNodes = DefaultMaxNodes)
      : MaxNodes(MaxNodes) {}

  /// The node of the frame (\p Binary, \p Offset) that \p Caller calls; it is
  /// made if there is none. Only after makeRoom().
  uint32_t child(uint32_t Caller, uint32_t Binary, uint64_t Offset,
                 bool IsLeaf);
  void addSample(uint32_t Leaf) { ++Nodes[Leaf].Samples; }
  void addSamples(uint32_t Leaf, uint64_t Count) {
    Nodes[Leaf].Samples = llvm::SaturatingAdd(Nodes[Leaf].Samples, Count);
  }

  /// Makes sure that \p Count more nodes fit. If rare stacks had to be folded
  /// for that, all indices that child() returned are void. Returns how many
  /// samples are in no stack any more because even folded ones were too many.
  uint64_t makeRoom(uint32_t Count);
  /// How often indices became void.
  uint64_t foldings() const { return Foldings; }

  llvm::ArrayRef<StackNode> nodes() const { return Nodes; }
  std::vector<StackNode> take();

  /// How far entries of the hash table are from where they belong, summed up:
  /// what hostile offsets would drive up.
  uint64_t displacement() const;

private:
  size_t slotOf(uint32_t Caller, uint32_t Binary, uint64_t Offset,
                bool IsLeaf) const;
  void grow();
  uint64_t fold(uint64_t Rare, unsigned Kept);

  const uint32_t MaxNodes;
  std::vector<StackNode> Nodes;
  /// Open addressing: indices of Nodes, or Empty. A power of two in size, and
  /// never more than half full.
  static constexpr uint32_t Empty = ~0u;
  SeededHash Hash; ///< nodes do not depend on it
  std::vector<uint32_t> Table;
  unsigned LogSize = 0;
  uint64_t Foldings = 0;
};

} // namespace inlay

#endif
