//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expected visits of a Markov chain by elimination of its states, after
// Grassmann, Taksar and Heyman. Eliminating a vertex joins each arc into it
// with each arc out of it, in proportion to the others. That which leads from
// the vertex to itself does not matter: the rest leaves in the same
// proportions.
//
//===----------------------------------------------------------------------===//

#include "MarkovChain.h"

using namespace llvm;
using namespace inlay;

void inlay::conserve(const Elimination &Order, ArrayRef<FlowArc> Arcs,
                     MutableArrayRef<double> Flows) {
  const uint32_t N = Order.size();
  // By entry: from the row to the column, and from the column to the row.
  std::vector<double> In(Order.numEntries()), Out(Order.numEntries());
  // By column.
  std::vector<double> Enters(N), Leaves(N), Sum(N), RowIn(N), RowOut(N);
  for (uint32_t I = 0; I != Arcs.size(); ++I) {
    auto [Tail, Head] = Arcs[I];
    if (uint32_t Entry = Order.entryOf(I); Entry != Elimination::None)
      (Order.columnOf(Tail) < Order.columnOf(Head) ? Out : In)[Entry] +=
          Flows[I];
    else if (Tail == Head)
      continue;
    else if (Tail == FlowGround)
      Enters[Order.columnOf(Head)] += Flows[I];
    else
      Leaves[Order.columnOf(Tail)] += Flows[I];
  }
  for (uint32_t K = 0; K != N; ++K) {
    for (auto [Column, Entry] : Order.earlier(K)) {
      double FromK = In[Entry] / Sum[Column], ToK = Out[Entry] / Sum[Column];
      Leaves[K] += FromK * Leaves[Column];
      Enters[K] += ToK * Enters[Column];
      for (uint32_t E = Entry + 1, End = Order.end(Column); E != End; ++E) {
        RowOut[Order.row(E)] += FromK * Out[E];
        RowIn[Order.row(E)] += ToK * In[E];
      }
    }
    double Total = Leaves[K];
    for (uint32_t E = Order.begin(K), End = Order.end(K); E != End; ++E) {
      const uint32_t R = Order.row(E);
      Total += Out[E] += RowOut[R];
      In[E] += RowIn[R];
      RowOut[R] = RowIn[R] = 0;
    }
    Sum[K] = Total;
  }
  // By which factor the arcs out of each vertex change.
  std::vector<double> &Factor = Enters;
  for (uint32_t K = N; K-- != 0;) {
    double Visits = Enters[K];
    for (uint32_t E = Order.begin(K), End = Order.end(K); E != End; ++E)
      Visits += Factor[Order.row(E)] * In[E];
    Factor[K] = Visits / Sum[K];
  }
  for (uint32_t I = 0; I != Arcs.size(); ++I)
    if (Arcs[I].Tail != FlowGround)
      Flows[I] *= Factor[Order.columnOf(Arcs[I].Tail)];
}
