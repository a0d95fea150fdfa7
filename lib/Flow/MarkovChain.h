//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The flow that follows from what enters and from how each vertex divides what
// it gets: conserved and positive by construction, with every digit, however
// often loops go around.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FLOW_MARKOVCHAIN_H
#define INLAY_LIB_FLOW_MARKOVCHAIN_H

#include "Elimination.h"

namespace inlay {

/// Makes \p Flows of \p Arcs, all positive, conserved: what arcs bring in from
/// the ground stays, and so do the proportions among the arcs that leave a
/// vertex. From every vertex arcs must lead to the ground.
void conserve(const Elimination &Order, llvm::ArrayRef<FlowArc> Arcs,
              llvm::MutableArrayRef<double> Flows);

} // namespace inlay

#endif
