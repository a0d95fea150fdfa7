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
// or, in an endless loop that was reached, end in an artificial exit). So does
// a graph that is entered in several places, and what leaves amidst the others
// goes to an exit of its own.
//
// Its counts are whole, and its capacities end at 2^50: others are scaled by a
// power of two and back. And it would rather contradict any evidence than let
// flow pass where it is unlikely: so nothing is unlikely that was seen to run.
//
//===----------------------------------------------------------------------===//

#include "Profi.h"
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

/// Nodes reached from \p Start over \p Next, by depth-first search.
static BitVector reachable(ArrayRef<uint32_t> Start,
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

/// Divides \p Total, a whole number, among \p Edges by static probability, so
/// that the parts are whole and sum up to Total; equal shares when nothing is
/// known.
static void divide(double Total, ArrayRef<uint32_t> Edges,
                   const FlowGraph &Graph, MutableArrayRef<double> EdgeFlow) {
  double Sum = 0;
  for (uint32_t E : Edges)
    Sum += Graph.Edges[E].Probability;
  double Left = Total;
  for (size_t I = 0; I != Edges.size(); ++I) {
    double Share =
        Sum > 0 ? Graph.Edges[Edges[I]].Probability / Sum : 1.0 / Edges.size();
    double Part = I + 1 == Edges.size()
                      ? Left
                      : std::min(Left, std::round(Total * Share));
    EdgeFlow[Edges[I]] = Part;
    Left -= Part;
  }
}

/// Whether \p Start must have run: it has evidence, or a node does that only
/// \p Start leads to. A landing pad often has no line of its own.
static bool mustHaveRun(uint32_t Start, const FlowGraph &Graph,
                        ArrayRef<SmallVector<uint32_t, 2>> Successors,
                        ArrayRef<SmallVector<uint32_t, 2>> Predecessors) {
  SmallDenseSet<uint32_t, 8> Region = {Start};
  SmallVector<uint32_t, 8> Stack = {Start};
  while (!Stack.empty()) {
    uint32_t N = Stack.pop_back_val();
    if (Graph.Nodes[N].Evidence.isPositive())
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

/// The power of two that is profi's unit: the evidence of all nodes together
/// stays well below profi's capacities, and the resolution is not lost.
static int unitFor(const FlowGraph &Graph, double Resolution) {
  constexpr int SumBits = 48;
  double Sum = 0;
  for (const FlowNode &Node : Graph.Nodes)
    if (Node.Evidence.isPositive())
      Sum += Node.Evidence.Count;
  if (Graph.Entry.isPositive())
    Sum += Graph.Entry.Count;
  // Where one execution can be told from none, it is the unit.
  int Unit = std::ilogb(Resolution);
  if (Unit >= 0)
    Unit = std::max(std::ilogb(Resolution / UnitsPerResolution), 0);
  return std::max(Unit, std::ilogb(Sum) + 1 - SumBits);
}

Flow inlay::solveProfi(const FlowGraph &Graph, double Resolution) {
  const uint32_t N = Graph.Nodes.size();
  Flow Result = zeroFlow(Graph);
  Result.Resolution = Resolution;
  if (N == 1) {
    // A lone block, perhaps with an edge to itself, which says nothing about
    // how often it is entered.
    const FlowEvidence &Own = Graph.Nodes[0].Evidence;
    Result.Entry = Result.Nodes[0] =
        Own.isPositive() ? Own.Count : Graph.Entry.Count;
    return Result;
  }

  std::vector<SmallVector<uint32_t, 2>> Successors(N), Predecessors(N);
  for (const FlowEdge &E : Graph.Edges) {
    Successors[E.Source].push_back(E.Target);
    Predecessors[E.Target].push_back(E.Source);
  }
  SmallVector<uint32_t> Entries = {0}, Exits;
  for (uint32_t I = 1; I != N; ++I)
    if (Graph.Nodes[I].IsEntry)
      Entries.push_back(I);
  BitVector FromEntry = reachable(Entries, Successors);
  for (uint32_t I : FromEntry.set_bits())
    if (Successors[I].empty() || Graph.Nodes[I].IsExit)
      Exits.push_back(I);
  BitVector ToExit = reachable(Exits, Predecessors);

  FlowFunction Func;
  constexpr uint32_t None = ~0u;
  std::vector<uint32_t> IndexOf(N, None);
  const int Unit = unitFor(Graph, Resolution);
  auto AddBlock = [&](const FlowEvidence &Evidence, bool IsUnlikely) {
    FlowBlock &Block = Func.Blocks.emplace_back();
    Block.Index = Func.Blocks.size() - 1;
    Block.HasUnknownWeight = Evidence.Is == FlowEvidence::Kind::None;
    if (Evidence.isPositive())
      Block.Weight = std::ldexp(Evidence.Count, -Unit);
    Block.IsUnlikely = IsUnlikely;
    return static_cast<uint32_t>(Block.Index);
  };
  // In front of node 0: what is known of how often it is entered. In front of
  // that and of all other entries: nothing is known.
  constexpr bool Likely = false;
  const bool HasEvidenceOfEntry = Graph.Entry.Is != FlowEvidence::Kind::None;
  const bool HasFront = HasEvidenceOfEntry || !Predecessors[0].empty();
  const bool HasRoot = Entries.size() > 1;
  if (HasRoot)
    AddBlock(FlowEvidence::none(), Likely);
  const uint32_t Front = Func.Blocks.size();
  if (HasFront)
    AddBlock(Graph.Entry, Likely);
  auto Ran = [&](uint32_t I) {
    return mustHaveRun(I, Graph, Successors, Predecessors);
  };
  for (uint32_t I : FromEntry.set_bits())
    IndexOf[I] =
        AddBlock(Graph.Nodes[I].Evidence, Graph.Nodes[I].IsUnlikely && !Ran(I));

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
  uint32_t EntryJump = 0;
  if (HasRoot)
    EntryJump = AddJump(0, HasFront ? Front : IndexOf[0], Likely);
  if (HasFront)
    EntryJump = AddJump(Front, IndexOf[0], Likely);
  for (uint32_t I : drop_begin(Entries))
    AddJump(0, IndexOf[I], !Ran(I));
  for (uint32_t E = 0; E != Graph.Edges.size(); ++E) {
    const FlowEdge &Edge = Graph.Edges[E];
    if (IndexOf[Edge.Source] == None)
      continue;
    uint32_t Jump = AddJump(IndexOf[Edge.Source], IndexOf[Edge.Target],
                            Edge.IsUnlikely && !Ran(Edge.Target));
    EdgesOfJump[Jump].push_back(E);
  }
  // Ways out amidst the graph, and for each node of an endless loop one.
  uint32_t ArtificialExit = None;
  for (uint32_t I : FromEntry.set_bits()) {
    if (ToExit.test(I) && !(Graph.Nodes[I].IsExit && !Successors[I].empty()))
      continue;
    if (ArtificialExit == None)
      ArtificialExit = AddBlock(FlowEvidence::none(), Likely);
    AddJump(IndexOf[I], ArtificialExit, /*IsUnlikely=*/!ToExit.test(I));
  }
  Func.Entry = 0;
  // Only now: the vectors no longer move.
  for (FlowJump &Jump : Func.Jumps) {
    Func.Blocks[Jump.Source].SuccJumps.push_back(&Jump);
    Func.Blocks[Jump.Target].PredJumps.push_back(&Jump);
  }

  applyFlowInference(Func);

  auto InUnits = [Unit](uint64_t Count) {
    return std::ldexp(double(Count), Unit);
  };
  for (uint32_t I : FromEntry.set_bits())
    Result.Nodes[I] = InUnits(Func.Blocks[IndexOf[I]].Flow);
  // Parallel edges get whole parts: of one execution, or of a smaller unit.
  const int PartUnit = std::min(Unit, 0);
  for (size_t J = 0; J != Func.Jumps.size(); ++J)
    if (!EdgesOfJump[J].empty())
      divide(std::ldexp(double(Func.Jumps[J].Flow), Unit - PartUnit),
             EdgesOfJump[J], Graph, Result.Edges);
  for (double &Count : Result.Edges)
    Count = std::ldexp(Count, PartUnit);
  Result.Entry = HasFront || HasRoot ? InUnits(Func.Jumps[EntryJump].Flow)
                                     : Result.Nodes[0];
  return Result;
}
