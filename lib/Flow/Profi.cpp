//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The flow solver that LLVM brings along: profi (SampleProfileInference), a
// minimum-cost maximum-flow with linear costs for each execution added to or
// taken from a node's evidence.
//
// profi wants simple graphs: no parallel edges, an entry without predecessors,
// every node reachable from the entry and able to reach an exit. What is not so
// is mended here: parallel edges are merged and their flow is divided again by
// static probability, an entry with predecessors gets a new one in front, and
// nodes that no path from entry to exit crosses are left out (they keep flow 0,
// or, in an endless loop that was reached, end in an artificial exit).
//
// Its capacities end at 2^50: larger counts are scaled down by a power of two
// and back. And it would rather contradict any evidence than let flow pass
// where it is unlikely: so nothing is unlikely that was seen to run.
//
//===----------------------------------------------------------------------===//

#include "inlay/Flow/FlowGraph.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/SampleProfileInference.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace inlay;

namespace {
/// Nodes reached from \p Start over \p Next, by depth-first search.
BitVector reachable(ArrayRef<uint32_t> Start,
                    ArrayRef<SmallVector<uint32_t, 2>> Next) {
  BitVector Seen(Next.size());
  SmallVector<uint32_t> Stack;
  auto Visit = [&](uint32_t N) {
    if (!Seen.test(N)) {
      Seen.set(N);
      Stack.push_back(N);
    }
  };
  for (uint32_t N : Start)
    Visit(N);
  while (!Stack.empty()) {
    for (uint32_t N : Next[Stack.pop_back_val()])
      Visit(N);
  }
  return Seen;
}

/// Divides \p Total among \p Edges by static probability, so that the parts sum
/// up to Total exactly; equal shares when nothing is known.
void divide(uint64_t Total, ArrayRef<uint32_t> Edges, const FlowGraph &Graph,
            std::vector<uint64_t> &EdgeFlow) {
  double Sum = 0;
  for (uint32_t E : Edges)
    Sum += Graph.Edges[E].Probability;
  uint64_t Left = Total;
  for (size_t I = 0; I != Edges.size(); ++I) {
    double Share =
        Sum > 0 ? Graph.Edges[Edges[I]].Probability / Sum : 1.0 / Edges.size();
    uint64_t Part = I + 1 == Edges.size()
                        ? Left
                        : std::min<uint64_t>(Left, std::llround(Total * Share));
    EdgeFlow[Edges[I]] = Part;
    Left -= Part;
  }
}
} // namespace

/// Whether \p Start must have run: it has evidence, or a node does that only
/// \p Start leads to. A landing pad often has no line of its own.
static bool mustHaveRun(uint32_t Start, const FlowGraph &Graph,
                        ArrayRef<SmallVector<uint32_t, 2>> Successors,
                        ArrayRef<SmallVector<uint32_t, 2>> Predecessors) {
  SmallDenseSet<uint32_t, 8> Region = {Start};
  SmallVector<uint32_t, 8> Stack = {Start};
  while (!Stack.empty()) {
    uint32_t N = Stack.pop_back_val();
    if (Graph.Nodes[N].Evidence.value_or(0))
      return true;
    for (uint32_t Next : Successors[N])
      if (all_of(Predecessors[Next],
                 [&](uint32_t P) { return Region.contains(P); }) &&
          Region.insert(Next).second)
        Stack.push_back(Next);
  }
  return false;
}

/// profi joins a hot loop that nothing is seen to lead into with a flow of one
/// unit: a part of the resolution, not a part of nothing.
static constexpr unsigned UnitsPerResolution = 16;

/// Such that the evidence of all nodes together, shifted right by this, stays
/// well below profi's capacities.
static unsigned shiftFor(const FlowGraph &Graph) {
  constexpr unsigned SumBits = 48;
  uint64_t Sum = 0;
  for (const FlowNode &Node : Graph.Nodes)
    // Rounded up, so that the sum of what is left off counts too.
    if (uint64_t Count = Node.Evidence.value_or(0))
      Sum += (Count >> 16) + 1;
  unsigned Bits = Log2_64_Ceil(Sum + 1) + 16;
  return Bits > SumBits ? Bits - SumBits : 0;
}

static uint64_t shiftedBack(uint64_t Count, unsigned Shift) {
  return SaturatingMultiply<uint64_t>(Count, uint64_t(1) << Shift);
}

Flow inlay::solveFlow(const FlowGraph &Graph, FlowSolver Solver) {
  const uint32_t N = Graph.Nodes.size();
  Flow Result{std::vector<uint64_t>(N),
              std::vector<uint64_t>(Graph.Edges.size())};
  bool HasEvidence = any_of(Graph.Nodes, [](const FlowNode &Node) {
    return Node.Evidence.value_or(0) > 0;
  });
  if (N == 0 || !HasEvidence)
    return Result;
  if (N == 1) {
    // A lone block, perhaps with an edge to itself, which says nothing about
    // how often it is entered.
    Result.Nodes[0] = *Graph.Nodes[0].Evidence;
    return Result;
  }

  std::vector<SmallVector<uint32_t, 2>> Successors(N), Predecessors(N);
  for (const FlowEdge &E : Graph.Edges) {
    Successors[E.Source].push_back(E.Target);
    Predecessors[E.Target].push_back(E.Source);
  }
  BitVector FromEntry = reachable({0}, Successors);
  SmallVector<uint32_t> Exits;
  for (uint32_t I : FromEntry.set_bits())
    if (Successors[I].empty())
      Exits.push_back(I);
  BitVector ToExit = reachable(Exits, Predecessors);

  FlowFunction Func;
  constexpr uint32_t None = ~0u;
  std::vector<uint32_t> IndexOf(N, None);
  auto AddBlock = [&](bool Unknown, uint64_t Weight, bool IsUnlikely) {
    FlowBlock &Block = Func.Blocks.emplace_back();
    Block.Index = Func.Blocks.size() - 1;
    Block.HasUnknownWeight = Unknown;
    Block.Weight = Weight;
    Block.IsUnlikely = IsUnlikely;
    return static_cast<uint32_t>(Block.Index);
  };
  bool EntryHasPredecessors = !Predecessors[0].empty();
  if (EntryHasPredecessors)
    AddBlock(/*Unknown=*/true, 0, false);
  const unsigned Shift = std::max(
      shiftFor(Graph),
      Log2_64(std::max<uint64_t>(Graph.Resolution / UnitsPerResolution, 1)));
  auto Ran = [&](uint32_t I) {
    return mustHaveRun(I, Graph, Successors, Predecessors);
  };
  for (uint32_t I : FromEntry.set_bits()) {
    const FlowNode &Node = Graph.Nodes[I];
    IndexOf[I] = AddBlock(!Node.Evidence, Node.Evidence.value_or(0) >> Shift,
                          Node.IsUnlikely && !Ran(I));
  }

  // Merged edges, in order of first appearance: the order decides among equals.
  DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> JumpOf;
  std::vector<SmallVector<uint32_t, 1>> EdgesOfJump;
  auto AddJump = [&](uint32_t Source, uint32_t Target, bool IsUnlikely) {
    auto [It, IsNew] = JumpOf.try_emplace({Source, Target}, Func.Jumps.size());
    if (IsNew) {
      FlowJump &Jump = Func.Jumps.emplace_back();
      Jump.Source = Source;
      Jump.Target = Target;
      Jump.IsUnlikely = IsUnlikely;
      EdgesOfJump.emplace_back();
    } else {
      Func.Jumps[It->second].IsUnlikely &= IsUnlikely;
    }
    return It->second;
  };
  if (EntryHasPredecessors)
    AddJump(0, IndexOf[0], false);
  for (uint32_t E = 0; E != Graph.Edges.size(); ++E) {
    const FlowEdge &Edge = Graph.Edges[E];
    if (IndexOf[Edge.Source] == None)
      continue;
    uint32_t Jump = AddJump(IndexOf[Edge.Source], IndexOf[Edge.Target],
                            Edge.IsUnlikely && !Ran(Edge.Target));
    EdgesOfJump[Jump].push_back(E);
  }
  // Endless loops: give each node that reaches no exit a way out.
  uint32_t ArtificialExit = None;
  for (uint32_t I : FromEntry.set_bits()) {
    if (ToExit.test(I))
      continue;
    if (ArtificialExit == None)
      ArtificialExit = AddBlock(/*Unknown=*/true, 0, /*IsUnlikely=*/false);
    AddJump(IndexOf[I], ArtificialExit, /*IsUnlikely=*/true);
  }
  Func.Entry = 0;
  // Only now: the vectors no longer move.
  for (FlowJump &Jump : Func.Jumps) {
    Func.Blocks[Jump.Source].SuccJumps.push_back(&Jump);
    Func.Blocks[Jump.Target].PredJumps.push_back(&Jump);
  }

  applyFlowInference(Func);

  for (uint32_t I : FromEntry.set_bits())
    Result.Nodes[I] = shiftedBack(Func.Blocks[IndexOf[I]].Flow, Shift);
  for (size_t J = 0; J != Func.Jumps.size(); ++J)
    if (!EdgesOfJump[J].empty())
      divide(shiftedBack(Func.Jumps[J].Flow, Shift), EdgesOfJump[J], Graph,
             Result.Edges);
  return Result;
}
