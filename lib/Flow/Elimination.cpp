//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fill of a symmetric elimination, row by row: row k connects with column i
// if there is an arc between them or if a column that k connects with has i as
// its parent (the first row below its diagonal). Each row thus is a set of
// paths in the tree of parents, found in time proportional to its length.
//
//===----------------------------------------------------------------------===//

#include "Elimination.h"
#include "llvm/ADT/STLExtras.h"
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <numeric>

using namespace llvm;
using namespace inlay;

/// Bounds on a factor's size (entries of 8 bytes) and on the multiplications
/// that one factorization takes: some seconds for a whole solve.
static constexpr uint64_t MaxEntries = 1 << 23;
static constexpr uint64_t MaxMultiplications = 500'000'000;

namespace {
/// Neighbours of each vertex, without duplicates, itself and the ground.
struct Neighbours {
  Neighbours(uint32_t NumVertices, ArrayRef<FlowArc> Arcs);

  ArrayRef<uint32_t> of(uint32_t Vertex) const {
    return ArrayRef(List).slice(Begin[Vertex],
                                Begin[Vertex + 1] - Begin[Vertex]);
  }

  std::vector<uint32_t> Begin, List;
};
} // namespace

static bool connectsVertices(const FlowArc &Arc) {
  return Arc.Tail != Arc.Head && Arc.Tail != FlowGround &&
         Arc.Head != FlowGround;
}

Neighbours::Neighbours(uint32_t NumVertices, ArrayRef<FlowArc> Arcs)
    : Begin(NumVertices + 1) {
  std::vector<std::pair<uint32_t, uint32_t>> Pairs;
  for (const FlowArc &Arc : Arcs)
    if (connectsVertices(Arc)) {
      Pairs.emplace_back(Arc.Tail, Arc.Head);
      Pairs.emplace_back(Arc.Head, Arc.Tail);
    }
  sort(Pairs);
  Pairs.erase(llvm::unique(Pairs), Pairs.end());
  List.reserve(Pairs.size());
  for (auto [Vertex, Neighbour] : Pairs) {
    ++Begin[Vertex + 1];
    List.push_back(Neighbour);
  }
  std::partial_sum(Begin.begin(), Begin.end(), Begin.begin());
}

/// Vertices by approximate minimum degree.
static std::vector<uint32_t> minimumDegreeOrder(const Neighbours &Next) {
  const uint32_t N = Next.Begin.size() - 1;
  std::vector<uint32_t> Order(N);
  std::iota(Order.begin(), Order.end(), 0);
  if (N < 3)
    return Order;
  using Pattern = Eigen::SparseMatrix<char, Eigen::ColMajor, int>;
  Pattern Matrix(N, N);
  // The ordering counts the diagonal.
  Matrix.resizeNonZeros(Next.List.size() + N);
  int *Index = Matrix.innerIndexPtr();
  for (uint32_t I = 0; I != N; ++I) {
    Matrix.outerIndexPtr()[I] = Next.Begin[I] + I;
    ArrayRef<uint32_t> List = Next.of(I);
    const uint32_t *Above = llvm::lower_bound(List, I);
    Index = std::copy(List.begin(), Above, Index);
    *Index++ = I;
    Index = std::copy(Above, List.end(), Index);
  }
  Matrix.outerIndexPtr()[N] = Matrix.data().size();
  std::fill_n(Matrix.valuePtr(), Matrix.data().size(), 1);
  Eigen::AMDOrdering<int>::PermutationType Permutation;
  Eigen::AMDOrdering<int>()(Matrix, Permutation);
  std::copy_n(Permutation.indices().data(), N, Order.begin());
  return Order;
}

std::optional<Elimination> Elimination::create(uint32_t NumVertices,
                                               ArrayRef<FlowArc> Arcs) {
  const uint32_t N = NumVertices;
  Elimination Result;
  Neighbours Next(N, Arcs);
  Result.VertexOf = minimumDegreeOrder(Next);
  Result.ColumnOf.resize(N);
  for (uint32_t K = 0; K != N; ++K)
    Result.ColumnOf[Result.VertexOf[K]] = K;

  std::vector<uint32_t> Parent(N, None), LastRow(N);
  auto ForEachEarlier = [&](uint32_t Row, auto Visit) {
    LastRow[Row] = Row;
    for (uint32_t Vertex : Next.of(Result.VertexOf[Row]))
      for (uint32_t Column = Result.ColumnOf[Vertex];
           Column < Row && LastRow[Column] != Row; Column = Parent[Column]) {
        if (Parent[Column] == None)
          Parent[Column] = Row;
        LastRow[Column] = Row;
        Visit(Column);
      }
  };

  Result.ColumnBegin.assign(N + 1, 0);
  Result.EarlierBegin.assign(N + 1, 0);
  uint64_t Entries = 0;
  for (uint32_t Row = 0; Row != N; ++Row) {
    uint32_t Length = 0;
    ForEachEarlier(Row, [&](uint32_t Column) {
      ++Result.ColumnBegin[Column + 1];
      ++Length;
    });
    Result.EarlierBegin[Row + 1] = Length;
    Entries += Length;
    if (Entries > MaxEntries)
      return std::nullopt;
  }
  uint64_t Multiplications = 0;
  for (uint64_t Length : Result.ColumnBegin)
    Multiplications += Length * Length / 2;
  if (Multiplications > MaxMultiplications)
    return std::nullopt;
  std::partial_sum(Result.ColumnBegin.begin(), Result.ColumnBegin.end(),
                   Result.ColumnBegin.begin());
  std::partial_sum(Result.EarlierBegin.begin(), Result.EarlierBegin.end(),
                   Result.EarlierBegin.begin());

  Result.Rows.resize(Entries);
  Result.Earlier.resize(Entries);
  std::vector<uint32_t> NextEntry(Result.ColumnBegin.begin(),
                                  Result.ColumnBegin.end() - 1);
  LastRow.assign(N, 0);
  for (uint32_t Row = 0; Row != N; ++Row) {
    Connection *At = Result.Earlier.data() + Result.EarlierBegin[Row];
    ForEachEarlier(Row, [&](uint32_t Column) {
      uint32_t Entry = NextEntry[Column]++;
      Result.Rows[Entry] = Row;
      *At++ = {Column, Entry};
    });
  }

  Result.EntryOf.reserve(Arcs.size());
  for (const FlowArc &Arc : Arcs) {
    uint32_t Entry = None;
    if (connectsVertices(Arc)) {
      auto [Column, Row] =
          std::minmax(Result.ColumnOf[Arc.Tail], Result.ColumnOf[Arc.Head]);
      auto First = Result.Rows.begin() + Result.begin(Column);
      auto Last = Result.Rows.begin() + Result.end(Column);
      Entry = std::lower_bound(First, Last, Row) - Result.Rows.begin();
    }
    Result.EntryOf.push_back(Entry);
  }
  return Result;
}
