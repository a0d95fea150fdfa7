//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the conserved flow of least cost near another one: Newton's method
// among the flows that obey conservation, all of them positive.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FLOW_NETWORKNEWTON_H
#define INLAY_LIB_FLOW_NETWORKNEWTON_H

#include "FlowCost.h"
#include "Laplacian.h"

namespace inlay {

struct NewtonResult {
  unsigned Iterations = 0;
  unsigned Solves = 0; ///< linear systems, one or more in each iteration
  /// What the last step promised to save, in nats.
  double Decrement = 0;
  bool Converged = false;
};

/// Changes \p Flows of \p Arcs, positive and conserved up to rounding, into a
/// local minimum of \p Cost. Stops once a step promises to save less than
/// \p Tolerance.
NewtonResult minimise(llvm::ArrayRef<FlowArc> Arcs, const FlowCost &Cost,
                      CostStage Stage, Laplacian &System, double Tolerance,
                      llvm::MutableArrayRef<double> Flows);

} // namespace inlay

#endif
