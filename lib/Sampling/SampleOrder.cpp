//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SampleOrder.h.
//
//===----------------------------------------------------------------------===//

#include "SampleOrder.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>
#include <tuple>

using namespace llvm;

namespace inlay {

/// Each of \p Nodes is followed by its callees.
static std::vector<StackNode> calleesBehindCallers(ArrayRef<StackNode> Nodes) {
  // The callees of a node stand together here, in their order.
  std::vector<uint32_t> Sorted(Nodes.size());
  std::iota(Sorted.begin(), Sorted.end(), 0);
  // A file may hold two of a kind; they keep their order.
  llvm::sort(Sorted, [&](uint32_t L, uint32_t R) {
    const StackNode &A = Nodes[L], &B = Nodes[R];
    return std::tie(A.Caller, A.Binary, A.Offset, A.IsLeaf, L) <
           std::tie(B.Caller, B.Binary, B.Offset, B.IsLeaf, R);
  });
  auto CalleesOf = [&](uint32_t Caller) {
    return make_range(
        partition_point(Sorted,
                        [&](uint32_t N) { return Nodes[N].Caller < Caller; }),
        partition_point(Sorted,
                        [&](uint32_t N) { return Nodes[N].Caller <= Caller; }));
  };

  std::vector<StackNode> Ordered;
  Ordered.reserve(Nodes.size());
  // Nodes to be placed, the next one last, and where their callers went.
  std::vector<std::pair<uint32_t, uint32_t>> Todo;
  auto PushCallees = [&](uint32_t Node, uint32_t Place) {
    for (uint32_t Callee : reverse(CalleesOf(Node)))
      Todo.emplace_back(Callee, Place);
  };
  PushCallees(StackNode::Root, StackNode::Root);
  while (!Todo.empty()) {
    auto [Node, Caller] = Todo.back();
    Todo.pop_back();
    Ordered.push_back(Nodes[Node]);
    Ordered.back().Caller = Caller;
    PushCallees(Node, Ordered.size() - 1);
  }
  return Ordered;
}

SampleOrder::SampleOrder(const EventSamples &Samples)
    : Binaries(Samples.Binaries.size()) {
  std::iota(Binaries.begin(), Binaries.end(), 0);
  llvm::sort(Binaries, [&](uint32_t L, uint32_t R) {
    const BinarySamples &A = Samples.Binaries[L], &B = Samples.Binaries[R];
    return std::tie(B.Total, A.Path, A.BuildID, A.Kind, L) <
           std::tie(A.Total, B.Path, B.BuildID, B.Kind, R);
  });
  std::vector<uint32_t> Place(Binaries.size());
  for (auto [Index, Binary] : enumerate(Binaries))
    Place[Binary] = Index;
  std::vector<StackNode> Nodes = Samples.Stacks;
  for (StackNode &Node : Nodes)
    Node.Binary = Place[Node.Binary];
  Stacks = calleesBehindCallers(Nodes);
}

void SampleOrder::applyTo(EventSamples &Samples) && {
  std::vector<BinarySamples> Sorted;
  Sorted.reserve(Binaries.size());
  for (uint32_t Binary : Binaries)
    Sorted.push_back(std::move(Samples.Binaries[Binary]));
  Samples.Binaries = std::move(Sorted);
  Samples.Stacks = std::move(Stacks);
}

} // namespace inlay
