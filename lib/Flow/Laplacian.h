//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Potentials on a network of conductances: the linear system of each Newton
// step. A flow c * (p_tail - p_head) along every arc, of conductance c, meets
// the demands of all vertices. The ground has potential 0.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FLOW_LAPLACIAN_H
#define INLAY_LIB_FLOW_LAPLACIAN_H

#include "Elimination.h"

namespace inlay {

class Laplacian {
public:
  /// Both must outlive the object.
  Laplacian(const Elimination &Order, llvm::ArrayRef<FlowArc> Arcs);

  /// \p Conductances of the arcs, finite and positive. Every vertex must be
  /// connected with the ground.
  void factor(llvm::ArrayRef<double> Conductances);

  /// Replaces what flows into each vertex from elsewhere by its potential.
  void solve(llvm::MutableArrayRef<double> Vertices);

  struct Resistance {
    double Value = 0;
    double Magnitude = 0; ///< of the numbers that it is the difference of
  };
  /// Of each arc, the potential between its ends when a unit flows from one to
  /// the other through the whole network.
  std::vector<Resistance> effectiveResistances() const;

  const Elimination &order() const { return Order; }

private:
  const Elimination &Order;
  llvm::ArrayRef<FlowArc> Arcs;
  /// By entry: the conductance when the column is eliminated.
  std::vector<double> Connections;
  /// By column: to the ground, and to all that is eliminated later or never.
  std::vector<double> ToGround, Sum;
  std::vector<double> Row; ///< by column; all 0 between uses
};

} // namespace inlay

#endif
