//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A flow has no zeros: the solver gives each edge a little. To whom it means
// something whether code ran at all, a zero says more; but the way into a hot
// loop, of which nothing was seen because it ran once, is not code that never
// ran. The likeliest way is the one whose branches have the greatest product of
// probabilities.
//
//===----------------------------------------------------------------------===//

#include "NegligibleFlow.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cmath>
#include <functional>
#include <queue>
#include <tuple>

using namespace llvm;

namespace inlay {

namespace {

constexpr uint32_t None = UINT32_MAX;

/// A way on: to \p Node, over an edge that is taken with a probability of
/// exp(-Cost).
struct Step {
  uint32_t Node;
  double Cost;
};
using Steps = std::vector<SmallVector<Step, 2>>;

} // namespace

/// Marks in \p Kept the nodes on the ways from \p Roots to nodes marked there.
static void keepWays(ArrayRef<uint32_t> Roots, const Steps &Next,
                     BitVector &Kept) {
  // (cost so far, node, where from); numbers decide ties.
  using Reached = std::tuple<double, uint32_t, uint32_t>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> Queue;
  for (uint32_t Root : Roots)
    Queue.emplace(0, Root, None);
  std::vector<uint32_t> From(Next.size(), None);
  BitVector Seen(Next.size());
  SmallVector<uint32_t, 32> Order;
  while (!Queue.empty()) {
    auto [Cost, Node, Source] = Queue.top();
    Queue.pop();
    if (Seen.test(Node))
      continue;
    Seen.set(Node);
    From[Node] = Source;
    Order.push_back(Node);
    for (const Step &S : Next[Node])
      if (!Seen.test(S.Node))
        Queue.emplace(Cost + S.Cost, S.Node, Node);
  }
  // Leaves first.
  for (uint32_t Node : reverse(Order))
    if (Kept.test(Node) && From[Node] != None)
      Kept.set(From[Node]);
}

void dropNegligible(const FlowGraph &Graph, double Share, Flow &Solution) {
  size_t NumNodes = Graph.Nodes.size();
  BitVector Kept(NumNodes);
  SmallVector<uint32_t, 4> Entries = {0}, Exits;
  std::vector<bool> HasSuccessor(NumNodes);
  Steps Forward(NumNodes), Backward(NumNodes);
  for (auto [Edge, Count] : zip_equal(Graph.Edges, Solution.Edges)) {
    // A flow may be 0 by underflow; such an edge is the last resort.
    double Probability = Count / Solution.Nodes[Edge.Source];
    double Cost = Probability > 0 ? std::max(-std::log(Probability), 0.0) : 1e3;
    Forward[Edge.Source].push_back({Edge.Target, Cost});
    Backward[Edge.Target].push_back({Edge.Source, Cost});
    HasSuccessor[Edge.Source] = true;
  }
  for (uint32_t N = 0; N < NumNodes; ++N) {
    const FlowNode &Node = Graph.Nodes[N];
    if (Node.Evidence.Is != FlowEvidence::Kind::Rare ||
        Solution.Nodes[N] >= Share * Node.Evidence.Count)
      Kept.set(N);
    if (Node.IsEntry && N != 0)
      Entries.push_back(N);
    if (Node.IsExit || !HasSuccessor[N])
      Exits.push_back(N);
  }
  BitVector WayIn = Kept, WayOut = Kept;
  keepWays(Entries, Forward, WayIn);
  keepWays(Exits, Backward, WayOut);
  Kept |= WayIn;
  Kept |= WayOut;

  for (uint32_t N = 0; N < NumNodes; ++N)
    if (!Kept.test(N))
      Solution.Nodes[N] = 0;
  for (auto [Edge, Count] : zip_equal(Graph.Edges, Solution.Edges))
    if (!Kept.test(Edge.Source) || !Kept.test(Edge.Target))
      Count = 0;
  if (!NumNodes || !Kept.test(0))
    Solution.Entry = 0;
}

} // namespace inlay
