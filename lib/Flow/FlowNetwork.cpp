//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A node becomes two vertices, where flow arrives and where it leaves, joined
// by an arc that carries the node's count. A vertex with one arc in and one out
// then is no vertex at all: whatever flows along the one arc flows along the
// other, and the two become one that costs as much as both. So only joins and
// branches remain, about half of a program's blocks, and straight code of any
// length costs nothing.
//
// Computed gotos are where networks grow dense: N dispatches that can reach
// each of M targets have N * M edges, of which evidence, which is about nodes,
// tells nothing but the sums. Beyond some size they meet at a hub: all
// dispatches then share one distribution over the targets, and N + M arcs
// remain.
//
// Flow must be able to enter and to leave. Nodes that reach no exit (a server's
// endless loop) become exits, and nodes that nothing leads to but that ran
// become entries; both at a cost.
//
//===----------------------------------------------------------------------===//

#include "FlowNetwork.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace llvm;
using namespace inlay;

/// Evidence is taken to be at least this part of the greatest: rounding errors
/// stay small against all flows.
static constexpr double LeastPart = 1e-12;

/// More edges than this between the same dispatches and targets meet at a hub.
static constexpr size_t MaxDispatchEdges = 4096;

/// What is rare is rare compared with this part of the greatest.
static constexpr double LeastRarePart = 1e-10;

namespace {
/// Indices of edges by node, and within it by the node at the other end.
class EdgeLists {
public:
  EdgeLists(const FlowGraph &Graph, uint32_t FlowEdge::*Node,
            uint32_t FlowEdge::*Other);

  ArrayRef<uint32_t> of(uint32_t Node) const {
    return ArrayRef(List).slice(Begin[Node], Begin[Node + 1] - Begin[Node]);
  }

private:
  std::vector<uint32_t> Begin, List;
};

class Builder {
public:
  explicit Builder(const FlowGraph &Graph);
  FlowNetworks build();

private:
  void mark(BitVector &Seen, uint32_t Start, const EdgeLists &Next,
            uint32_t FlowEdge::*To) const;
  void findEntriesAndExits();
  FlowNetwork buildPart(ArrayRef<uint32_t> Nodes);

  const FlowGraph &Graph;
  const uint32_t N;
  const EdgeLists Out, In;
  double Unit = 1;
  double Greatest = 0;
  double Least = 0, LeastRare = 0; ///< counts, as the graph has them
  BitVector IsActive;
  BitVector IsEntry, IsExit;
  BitVector IsEndless;           ///< an exit although the graph does not say so
  std::vector<uint32_t> IndexOf; ///< by node: in its part

  friend class PartBuilder;
};

/// One network: first with every arc, then without those that continue others.
class PartBuilder {
public:
  PartBuilder(const Builder &Whole, ArrayRef<uint32_t> Nodes)
      : Whole(Whole), Graph(Whole.Graph), Nodes(Nodes) {}
  FlowNetwork build();

private:
  struct RawArc {
    uint32_t Tail, Head;
    double Probability = 1;
    // Weights of its costs.
    double Pull = 0, Push = 0, Unlikely = 0, Entry = 0;
  };
  struct Dispatch {
    SmallVector<uint32_t> Nodes;
    size_t NumTargets = 0;
    uint32_t Arrival = 0;
    uint32_t FirstArc = 0; ///< from the hub, one for each target
  };

  /// Nodes become vertices 2 * i and 2 * i + 1, and arcs i, if i is their index
  /// in the part.
  uint32_t arrival(uint32_t Node) const { return 2 * Whole.IndexOf[Node]; }
  uint32_t departure(uint32_t Node) const { return arrival(Node) + 1; }
  uint32_t addArc(RawArc Arc) {
    Raw.push_back(Arc);
    return Raw.size() - 1;
  }
  /// Calls \p Visit with each target of \p Node, the edges that lead there,
  /// their probability (all sum up to 1), and whether all are unlikely.
  template <typename VisitT> void forEachTarget(uint32_t Node, VisitT Visit);

  void addNodes();
  void findDispatches();
  void addDispatch(Dispatch &D);
  void addEdges(uint32_t Node);
  void pullAtEntries();
  void joinStraightPieces();
  FlowNetwork makeNetwork();

  const Builder &Whole;
  const FlowGraph &Graph;
  ArrayRef<uint32_t> Nodes;
  uint32_t NumRawVertices = 0;
  std::vector<RawArc> Raw;
  uint32_t RawEntryArc = FlowNetwork::None;
  std::vector<FlowNetwork::EdgePart> Edges; ///< arcs are raw
  std::vector<Dispatch> Dispatches;
  DenseMap<uint32_t, uint32_t> DispatchOf;
  DenseMap<uint32_t, uint32_t> ExitArcOf; ///< raw
  std::vector<uint32_t> ArcOf;            ///< by raw arc
  std::vector<FlowArc> Arcs;
  std::vector<double> Probabilities;
  uint32_t NumVertices = 0;
};
} // namespace

EdgeLists::EdgeLists(const FlowGraph &Graph, uint32_t FlowEdge::*Node,
                     uint32_t FlowEdge::*Other)
    : Begin(Graph.Nodes.size() + 1), List(Graph.Edges.size()) {
  for (const FlowEdge &E : Graph.Edges)
    ++Begin[E.*Node + 1];
  std::partial_sum(Begin.begin(), Begin.end(), Begin.begin());
  std::vector<uint32_t> Next(Begin.begin(), Begin.end() - 1);
  for (uint32_t I = 0; I != Graph.Edges.size(); ++I)
    List[Next[Graph.Edges[I].*Node]++] = I;
  for (size_t I = 0; I != Graph.Nodes.size(); ++I)
    std::sort(List.begin() + Begin[I], List.begin() + Begin[I + 1],
              [&](uint32_t A, uint32_t B) {
                return std::pair(Graph.Edges[A].*Other, A) <
                       std::pair(Graph.Edges[B].*Other, B);
              });
}

Builder::Builder(const FlowGraph &Graph)
    : Graph(Graph), N(Graph.Nodes.size()),
      Out(Graph, &FlowEdge::Source, &FlowEdge::Target),
      In(Graph, &FlowEdge::Target, &FlowEdge::Source), IsEntry(N), IsExit(N),
      IsEndless(N), IndexOf(N) {}

void Builder::mark(BitVector &Seen, uint32_t Start, const EdgeLists &Next,
                   uint32_t FlowEdge::*To) const {
  if (Seen.test(Start))
    return;
  Seen.set(Start);
  SmallVector<uint32_t> Stack = {Start};
  while (!Stack.empty())
    for (uint32_t E : Next.of(Stack.pop_back_val()))
      if (uint32_t Other = Graph.Edges[E].*To; !Seen.test(Other)) {
        Seen.set(Other);
        Stack.push_back(Other);
      }
}

void Builder::findEntriesAndExits() {
  BitVector Reached(N), ReachesExit(N);
  auto Enter = [&](uint32_t Node) {
    IsEntry.set(Node);
    mark(Reached, Node, Out, &FlowEdge::Target);
  };
  for (uint32_t I = 0; I != N; ++I)
    if (I == 0 || Graph.Nodes[I].IsEntry)
      Enter(I);
  // What ran was reached: rather where nothing else leads to.
  BitVector LeadsToEvidence(N);
  for (uint32_t I = 0; I != N; ++I)
    if (!Reached.test(I) && Graph.Nodes[I].Evidence.isPositive())
      mark(LeadsToEvidence, I, In, &FlowEdge::Source);
  LeadsToEvidence.reset(Reached);
  for (uint32_t I : LeadsToEvidence.set_bits())
    if (In.of(I).empty())
      Enter(I);
  for (uint32_t I : LeadsToEvidence.set_bits())
    if (!Reached.test(I) && Graph.Nodes[I].Evidence.isPositive())
      Enter(I);
  IsActive = Reached;

  for (uint32_t I : IsActive.set_bits())
    if (Out.of(I).empty() || Graph.Nodes[I].IsExit) {
      IsExit.set(I);
      mark(ReachesExit, I, In, &FlowEdge::Source);
    }
  for (uint32_t I : IsActive.set_bits())
    if (!ReachesExit.test(I)) {
      IsExit.set(I);
      IsEndless.set(I);
    }
}

FlowNetworks Builder::build() {
  findEntriesAndExits();
  FlowNetworks Result;
  Greatest = Graph.greatestCount();
  Unit = Result.Unit = std::ldexp(1.0, std::ilogb(Greatest));
  Least = Greatest * LeastPart;
  LeastRare = Greatest * LeastRarePart;

  IntEqClasses Classes(N);
  for (const FlowEdge &E : Graph.Edges)
    if (IsActive.test(E.Source))
      Classes.join(E.Source, E.Target);
  Classes.compress();
  std::vector<std::vector<uint32_t>> Parts(Classes.getNumClasses());
  BitVector HasEvidence(Parts.size());
  for (uint32_t I : IsActive.set_bits()) {
    IndexOf[I] = Parts[Classes[I]].size();
    Parts[Classes[I]].push_back(I);
    if (Graph.Nodes[I].Evidence.isPositive() ||
        (I == 0 && Graph.Entry.isPositive()))
      HasEvidence.set(Classes[I]);
  }
  for (uint32_t I : HasEvidence.set_bits())
    Result.Parts.push_back(buildPart(Parts[I]));
  return Result;
}

FlowNetwork Builder::buildPart(ArrayRef<uint32_t> Nodes) {
  return PartBuilder(*this, Nodes).build();
}

template <typename VisitT>
void PartBuilder::forEachTarget(uint32_t Node, VisitT Visit) {
  ArrayRef<uint32_t> Edges = Whole.Out.of(Node);
  const double NumEdges = Edges.size();
  double Sum = 0;
  for (uint32_t E : Edges)
    Sum += Graph.Edges[E].Probability;
  while (!Edges.empty()) {
    const uint32_t Target = Graph.Edges[Edges.front()].Target;
    ArrayRef<uint32_t> Parallel = Edges.take_while(
        [&](uint32_t E) { return Graph.Edges[E].Target == Target; });
    Edges = Edges.drop_front(Parallel.size());
    double Probability = 0;
    bool IsUnlikely = true;
    for (uint32_t E : Parallel) {
      Probability += Sum > 0 ? Graph.Edges[E].Probability / Sum : 1 / NumEdges;
      IsUnlikely &= Graph.Edges[E].IsUnlikely;
    }
    Visit(Target, Parallel, Probability, IsUnlikely);
  }
}

void PartBuilder::addNodes() {
  for (uint32_t Node : Nodes) {
    RawArc Arc{arrival(Node), departure(Node)};
    if (Graph.Nodes[Node].IsUnlikely)
      Arc.Unlikely = cost::UnlikelyWeight;
    addArc(Arc);
  }
  NumRawVertices = 2 * Nodes.size();
  for (uint32_t Node : Nodes) {
    if (Whole.IsEntry.test(Node)) {
      const bool IsOnlyWay = Whole.In.of(Node).empty();
      RawArc Arc{FlowGround, arrival(Node)};
      if (Node == 0)
        RawEntryArc = Raw.size();
      else
        Arc.Unlikely =
            IsOnlyWay ? cost::OtherEntryWeight : cost::UnlikelyWeight;
      if (IsOnlyWay)
        Arc.Entry = cost::EntryWeight;
      addArc(Arc);
    }
    if (Whole.IsExit.test(Node)) {
      RawArc Arc{departure(Node), FlowGround};
      // Where it goes on, too, that is what the probabilities are about.
      Arc.Probability = Whole.Out.of(Node).empty() ? 1 : 0;
      if (Whole.IsEndless.test(Node))
        Arc.Unlikely = cost::LostWeight;
      ExitArcOf[Node] = addArc(Arc);
    }
  }
}

/// Groups nodes with the same many targets.
void PartBuilder::findDispatches() {
  constexpr size_t FewTargets = 8;
  std::map<SmallVector<uint32_t>, uint32_t> DispatchTo;
  for (uint32_t Node : Nodes) {
    if (Whole.Out.of(Node).size() < FewTargets)
      continue;
    SmallVector<uint32_t> Targets;
    forEachTarget(Node, [&](uint32_t Target, ArrayRef<uint32_t>, double, bool) {
      Targets.push_back(Target);
    });
    const size_t NumTargets = Targets.size();
    auto [It, IsNew] =
        DispatchTo.try_emplace(std::move(Targets), Dispatches.size());
    if (IsNew)
      Dispatches.emplace_back().NumTargets = NumTargets;
    Dispatches[It->second].Nodes.push_back(Node);
  }
  size_t Kept = 0;
  for (size_t I = 0; I != Dispatches.size(); ++I) {
    const size_t NumNodes = Dispatches[I].Nodes.size();
    if (NumNodes < 2 || NumNodes * Dispatches[I].NumTargets <= MaxDispatchEdges)
      continue;
    for (uint32_t Node : Dispatches[I].Nodes)
      DispatchOf[Node] = Kept;
    Dispatches[Kept++] = std::move(Dispatches[I]);
  }
  Dispatches.resize(Kept);
}

void PartBuilder::addDispatch(Dispatch &D) {
  D.Arrival = NumRawVertices;
  NumRawVertices += 2;
  const double NumNodes = D.Nodes.size();
  const uint32_t HubArc = addArc({D.Arrival, D.Arrival + 1});
  D.FirstArc = Raw.size();
  for (uint32_t Node : D.Nodes) {
    size_t Next = D.FirstArc;
    forEachTarget(Node, [&](uint32_t Target, ArrayRef<uint32_t>,
                            double Probability, bool IsUnlikely) {
      if (Next == Raw.size()) {
        RawArc Arc{D.Arrival + 1, arrival(Target)};
        Arc.Probability = 0;
        Arc.Unlikely = cost::UnlikelyWeight;
        addArc(Arc);
      }
      RawArc &Arc = Raw[Next++];
      Arc.Probability += Probability / NumNodes;
      // As many branches as there are dispatches, all the same.
      const double Pull = cost::PullWeight * Probability + cost::LeastPull;
      Arc.Pull += Pull;
      Raw[HubArc].Push += Pull;
      if (!IsUnlikely)
        Arc.Unlikely = 0;
    });
  }
}

void PartBuilder::addEdges(uint32_t Node) {
  auto ShareOf = [&](uint32_t E, ArrayRef<uint32_t> Parallel) {
    double Sum = 0;
    for (uint32_t Other : Parallel)
      Sum += Graph.Edges[Other].Probability;
    return Sum > 0 ? Graph.Edges[E].Probability / Sum : 1.0 / Parallel.size();
  };
  const size_t First = Raw.size();
  if (auto D = DispatchOf.find(Node); D != DispatchOf.end()) {
    const Dispatch &To = Dispatches[D->second];
    uint32_t Arc = addArc({departure(Node), To.Arrival});
    uint32_t ArcFromHub = To.FirstArc;
    forEachTarget(
        Node, [&](uint32_t, ArrayRef<uint32_t> Parallel, double, bool) {
          for (uint32_t E : Parallel)
            Edges.push_back({E, Arc, ArcFromHub, ShareOf(E, Parallel)});
          ++ArcFromHub;
        });
  } else {
    forEachTarget(Node, [&](uint32_t Target, ArrayRef<uint32_t> Parallel,
                            double Probability, bool IsUnlikely) {
      RawArc Arc{departure(Node), arrival(Target), Probability};
      if (IsUnlikely)
        Arc.Unlikely = cost::UnlikelyWeight;
      uint32_t Index = addArc(Arc);
      for (uint32_t E : Parallel)
        Edges.push_back({E, Index, FlowNetwork::None, ShareOf(E, Parallel)});
    });
  }
  SmallVector<RawArc *> Ways;
  for (size_t I = First; I != Raw.size(); ++I)
    Ways.push_back(&Raw[I]);
  if (Whole.IsExit.test(Node))
    Ways.push_back(&Raw[ExitArcOf.at(Node)]);
  if (Ways.size() < 2)
    return;
  for (RawArc *Arc : Ways) {
    const double Pull = cost::PullWeight * Arc->Probability + cost::LeastPull;
    Arc->Pull += Pull;
    Raw[Whole.IndexOf[Node]].Push += Pull;
  }
}

/// Where flow enters from outside and along edges, neither is all of it.
void PartBuilder::pullAtEntries() {
  std::vector<uint32_t> NumWays(NumRawVertices);
  for (const RawArc &Arc : Raw)
    if (Arc.Head != FlowGround && Arc.Tail != FlowGround)
      ++NumWays[Arc.Head];
  for (RawArc &Arc : Raw) {
    // Arrivals have even numbers below those of hubs.
    if (Arc.Head >= 2 * Nodes.size() || Arc.Head % 2)
      continue;
    const uint32_t Index = Arc.Head / 2;
    if (!Whole.IsEntry.test(Nodes[Index]) || NumWays[Arc.Head] == 0)
      continue;
    const double Pull = Arc.Tail == FlowGround
                            ? cost::LeastPull
                            : cost::LeastPull / NumWays[Arc.Head];
    Arc.Pull += Pull;
    Raw[Index].Push += Pull;
  }
}

void PartBuilder::joinStraightPieces() {
  constexpr uint32_t None = FlowNetwork::None;
  struct Ends {
    uint32_t NumIn = 0, NumOut = 0;
    uint32_t Out = None;
    bool isStraight() const { return NumIn == 1 && NumOut == 1; }
  };
  std::vector<Ends> EndsOf(NumRawVertices);
  for (uint32_t I = 0; I != Raw.size(); ++I) {
    if (Raw[I].Head != FlowGround)
      ++EndsOf[Raw[I].Head].NumIn;
    if (Raw[I].Tail != FlowGround) {
      ++EndsOf[Raw[I].Tail].NumOut;
      EndsOf[Raw[I].Tail].Out = I;
    }
  }
  std::vector<uint32_t> VertexOf(NumRawVertices, None);
  for (uint32_t I = 0; I != NumRawVertices; ++I)
    if (!EndsOf[I].isStraight())
      VertexOf[I] = NumVertices++;
  auto Vertex = [&](uint32_t Raw) {
    return Raw == FlowGround ? FlowGround : VertexOf[Raw];
  };
  ArcOf.assign(Raw.size(), None);
  for (uint32_t I = 0; I != Raw.size(); ++I) {
    const uint32_t Tail = Raw[I].Tail;
    if (Tail != FlowGround && EndsOf[Tail].isStraight())
      continue;
    uint32_t Last = I;
    for (;; Last = EndsOf[Raw[Last].Head].Out) {
      ArcOf[Last] = Arcs.size();
      if (Raw[Last].Head == FlowGround || !EndsOf[Raw[Last].Head].isStraight())
        break;
    }
    Arcs.push_back({Vertex(Tail), Vertex(Raw[Last].Head)});
    Probabilities.push_back(Raw[I].Probability);
  }
}

FlowNetwork PartBuilder::makeNetwork() {
  FlowNetwork Result(Arcs.size(),
                     std::max(Graph.Resolution, Whole.LeastRare) / Whole.Unit);
  Result.NumVertices = NumVertices;
  Result.Arcs = std::move(Arcs);
  Result.Probabilities = std::move(Probabilities);
  for (uint32_t I = 0; I != Raw.size(); ++I) {
    const RawArc &Arc = Raw[I];
    Result.Cost.addPull(ArcOf[I], Arc.Pull + Arc.Entry);
    Result.Cost.addPush(ArcOf[I], Arc.Push);
    Result.Cost.addUnlikely(ArcOf[I], Arc.Unlikely);
    if (Arc.Entry)
      Result.Cost.addSlope(ArcOf[I], Arc.Entry * Whole.Unit / Whole.Greatest);
  }
  auto AddEvidence = [&](uint32_t Arc, const FlowEvidence &Evidence) {
    switch (Evidence.Is) {
    case FlowEvidence::Kind::None:
      break;
    case FlowEvidence::Kind::Near:
      Result.Cost.addNear(Arc,
                          std::max(Evidence.Count, Whole.Least) / Whole.Unit,
                          Evidence.Deviation);
      break;
    case FlowEvidence::Kind::Rare:
      Result.Cost.addRare(
          Arc, std::max(Evidence.Count, Whole.LeastRare) / Whole.Unit,
          Evidence.Saturation);
      break;
    }
  };
  for (uint32_t I = 0; I != Nodes.size(); ++I) {
    Result.Nodes.push_back({Nodes[I], ArcOf[I]});
    AddEvidence(ArcOf[I], Graph.Nodes[Nodes[I]].Evidence);
  }
  if (RawEntryArc != FlowNetwork::None) {
    Result.EntryArc = ArcOf[RawEntryArc];
    AddEvidence(Result.EntryArc, Graph.Entry);
  }
  for (FlowNetwork::EdgePart &Part : Edges) {
    Part.Arc = ArcOf[Part.Arc];
    if (Part.ArcFromHub != FlowNetwork::None)
      Part.ArcFromHub = ArcOf[Part.ArcFromHub];
  }
  Result.Edges = std::move(Edges);
  return Result;
}

FlowNetwork PartBuilder::build() {
  addNodes();
  findDispatches();
  for (Dispatch &D : Dispatches)
    addDispatch(D);
  for (uint32_t Node : Nodes)
    addEdges(Node);
  pullAtEntries();
  joinStraightPieces();
  return makeNetwork();
}

void FlowNetwork::addTo(Flow &Result, ArrayRef<double> Flows,
                        double Unit) const {
  for (const Part &Node : Nodes)
    Result.Nodes[Node.Index] = Flows[Node.Arc] * Unit;
  std::vector<double> Leaves(NumVertices);
  for (uint32_t I = 0; I != Arcs.size(); ++I)
    if (Arcs[I].Tail != FlowGround)
      Leaves[Arcs[I].Tail] += Flows[I];
  for (const EdgePart &Edge : Edges) {
    double Count = Flows[Edge.Arc] * Edge.Share;
    if (Edge.ArcFromHub != None)
      Count *= Flows[Edge.ArcFromHub] / Leaves[Arcs[Edge.ArcFromHub].Tail];
    Result.Edges[Edge.Index] = Count * Unit;
  }
  if (EntryArc != None)
    Result.Entry = Flows[EntryArc] * Unit;
}

FlowNetworks inlay::buildNetworks(const FlowGraph &Graph) {
  return Builder(Graph).build();
}
