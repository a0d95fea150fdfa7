//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Eliminating a vertex replaces the star of its arcs by a mesh among its
// neighbours, the ground included: i and j become connected by c_i * c_j / sum
// c. All terms are positive. Columns are computed from left to right, each
// gathering the meshes of earlier ones.
//
//===----------------------------------------------------------------------===//

#include "Laplacian.h"
#include <algorithm>

using namespace llvm;
using namespace inlay;

Laplacian::Laplacian(const Elimination &Order, ArrayRef<FlowArc> Arcs)
    : Order(Order), Arcs(Arcs), Connections(Order.numEntries()),
      ToGround(Order.size()), Sum(Order.size()), Row(Order.size()) {}

void Laplacian::factor(ArrayRef<double> Conductances) {
  Connections.assign(Connections.size(), 0);
  ToGround.assign(ToGround.size(), 0);
  for (uint32_t I = 0; I != Arcs.size(); ++I) {
    auto [Tail, Head] = Arcs[I];
    if (uint32_t Entry = Order.entryOf(I); Entry != Elimination::None)
      Connections[Entry] += Conductances[I];
    else if (Tail != Head)
      ToGround[Order.columnOf(Tail == FlowGround ? Head : Tail)] +=
          Conductances[I];
  }
  for (uint32_t K = 0, N = Order.size(); K != N; ++K) {
    for (auto [Column, Entry] : Order.earlier(K)) {
      double Share = Connections[Entry] / Sum[Column];
      ToGround[K] += Share * ToGround[Column];
      for (uint32_t E = Entry + 1, End = Order.end(Column); E != End; ++E)
        Row[Order.row(E)] += Share * Connections[E];
    }
    double Total = ToGround[K];
    for (uint32_t E = Order.begin(K), End = Order.end(K); E != End; ++E) {
      double &Gathered = Row[Order.row(E)];
      Total += Connections[E] += Gathered;
      Gathered = 0;
    }
    Sum[K] = Total;
  }
}

void Laplacian::solve(MutableArrayRef<double> Vertices) {
  const uint32_t N = Order.size();
  for (uint32_t K = 0; K != N; ++K)
    Row[K] = Vertices[Order.vertexOf(K)];
  for (uint32_t K = 0; K != N; ++K) {
    double Share = Row[K] / Sum[K];
    for (uint32_t E = Order.begin(K), End = Order.end(K); E != End; ++E)
      Row[Order.row(E)] += Share * Connections[E];
  }
  for (uint32_t K = N; K-- != 0;) {
    double Potential = Row[K];
    for (uint32_t E = Order.begin(K), End = Order.end(K); E != End; ++E)
      Potential += Connections[E] * Row[Order.row(E)];
    Row[K] = Potential / Sum[K];
  }
  for (uint32_t K = 0; K != N; ++K)
    Vertices[Order.vertexOf(K)] = Row[K];
  Row.assign(N, 0);
}

/// Takahashi's recurrence: the entries of the inverse where the factor has
/// some, from the last column to the first.
std::vector<Laplacian::Resistance> Laplacian::effectiveResistances() const {
  const uint32_t N = Order.size();
  std::vector<double> Diagonal(N), Inverse(Order.numEntries()), Column(N);
  for (uint32_t K = N; K-- != 0;) {
    const uint32_t Begin = Order.begin(K), End = Order.end(K);
    // Inverse[i, k] = sum over j of Share_j * Inverse[i, j].
    for (uint32_t I = Begin; I != End; ++I) {
      const uint32_t R = Order.row(I);
      const double Share = Connections[I] / Sum[K];
      Inverse[I] += Share * Diagonal[R];
      for (uint32_t E = Order.begin(R); E != Order.end(R); ++E)
        Column[Order.row(E)] = Inverse[E];
      for (uint32_t J = I + 1; J != End; ++J) {
        double Between = Column[Order.row(J)];
        Inverse[I] += Connections[J] / Sum[K] * Between;
        Inverse[J] += Share * Between;
      }
    }
    double OnDiagonal = 1;
    for (uint32_t E = Begin; E != End; ++E)
      OnDiagonal += Connections[E] * Inverse[E];
    Diagonal[K] = OnDiagonal / Sum[K];
  }
  std::vector<Resistance> Result(Arcs.size());
  for (uint32_t I = 0; I != Arcs.size(); ++I) {
    if (Arcs[I].Tail == Arcs[I].Head)
      continue;
    Resistance &R = Result[I];
    for (uint32_t Vertex : {Arcs[I].Tail, Arcs[I].Head})
      if (Vertex != FlowGround)
        R.Magnitude += Diagonal[Order.columnOf(Vertex)];
    R.Value = R.Magnitude;
    if (uint32_t Entry = Order.entryOf(I); Entry != Elimination::None)
      R.Value = std::max(R.Magnitude - 2 * Inverse[Entry], 0.0);
  }
  return Result;
}
