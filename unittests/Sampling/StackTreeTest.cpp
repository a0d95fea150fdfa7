//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// That stacks share nodes, and what a tree keeps that has become too large.
//
//===----------------------------------------------------------------------===//

#include "StackTree.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <map>

using namespace inlay;

/// One sample of a stack of offsets in binary 0, outermost first. Returns how
/// many others were lost for it.
static uint64_t sample(StackTree &Tree, llvm::ArrayRef<uint64_t> Stack) {
  uint64_t NumDropped = Tree.makeRoom(Stack.size());
  uint32_t Node = StackNode::Root;
  for (uint64_t Offset : Stack.drop_back())
    Node = Tree.child(Node, 0, Offset, false);
  Tree.addSample(Tree.child(Node, 0, Stack.back(), true));
  return NumDropped;
}

/// All stacks of \p Tree, outermost first, and their samples.
static std::map<std::vector<uint64_t>, uint64_t> stacks(const StackTree &Tree) {
  std::map<std::vector<uint64_t>, uint64_t> Found;
  for (const StackNode &Leaf : Tree.nodes()) {
    if (!Leaf.Samples)
      continue;
    std::vector<uint64_t> Stack{Leaf.Offset};
    for (uint32_t N = Leaf.Caller; N != StackNode::Root;
         N = Tree.nodes()[N].Caller)
      Stack.insert(Stack.begin(), Tree.nodes()[N].Offset);
    Found[Stack] += Leaf.Samples;
  }
  return Found;
}

TEST(StackTreeTest, SharesOuterFrames) {
  StackTree Tree;
  sample(Tree, {1, 2, 3});
  sample(Tree, {1, 2, 3});
  sample(Tree, {1, 2});
  sample(Tree, {1, 2, 3, 3});
  // 1, 1-2, and as leaves 1-2, 1-2-3, 1-2-3-3; 1-2-3 as a caller.
  EXPECT_EQ(Tree.nodes().size(), 6u);
  EXPECT_EQ(stacks(Tree), (std::map<std::vector<uint64_t>, uint64_t>{
                              {{1, 2}, 1}, {{1, 2, 3}, 2}, {{1, 2, 3, 3}, 1}}));
}

TEST(StackTreeTest, FoldsRareStacks) {
  StackTree Tree(/*MaxNodes=*/100);
  for (unsigned I = 0; I != 10; ++I)
    sample(Tree, {1, 2, 3, 4});
  // Stacks of one sample: many contexts of few pairs of caller and callee.
  uint64_t NumDropped = 0;
  for (uint64_t I = 0; I != 1000; ++I)
    NumDropped += sample(Tree, {1, 1000 + I, 50, 60 + I % 7});
  EXPECT_EQ(NumDropped, 0u);
  EXPECT_LE(Tree.nodes().size(), 100u);
  EXPECT_GT(Tree.foldings(), 0u);
  auto Stacks = stacks(Tree);
  EXPECT_EQ((Stacks[{1, 2, 3, 4}]), 10u);
  // Whether folded or not, each is known by its two innermost frames.
  std::map<uint64_t, uint64_t> ByLeaf;
  for (const auto &[Stack, Samples] : Stacks) {
    if (Stack.back() < 60)
      continue;
    EXPECT_EQ(Stack[Stack.size() - 2], 50u);
    ByLeaf[Stack.back()] += Samples;
  }
  for (uint64_t I = 0; I != 7; ++I)
    EXPECT_EQ(ByLeaf[60 + I], 1000 / 7 + (I < 1000 % 7));
}

TEST(StackTreeTest, DropsRareStacksThatFoldingDoesNotBound) {
  StackTree Tree(/*MaxNodes=*/100);
  uint64_t NumDropped = 0, Sum = 0;
  for (uint64_t I = 0; I != 1000; ++I) {
    NumDropped += sample(Tree, {1, 2, 3});
    NumDropped += sample(Tree, {1, 1000 + I, 2000 + I});
    EXPECT_LE(Tree.nodes().size(), 100u);
  }
  uint64_t Frequent = 0; // perhaps folded, but not dropped
  for (const auto &[Stack, Samples] : stacks(Tree)) {
    Sum += Samples;
    if (Stack[Stack.size() - 2] == 2 && Stack.back() == 3)
      Frequent += Samples;
  }
  EXPECT_EQ(Sum + NumDropped, 2000u);
  EXPECT_EQ(Frequent, 1000u);
}
