//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The convex solver behind FlowGraph.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FLOW_CONVEX_H
#define INLAY_LIB_FLOW_CONVEX_H

#include "FlowNetwork.h"
#include "NetworkNewton.h"

namespace inlay {

/// How the solve of a network went, for tests and measurements.
struct ConvexStatistics {
  NewtonResult Gamma, Student;
  bool IsFallback = false; ///< too dense a network: coveringFlow
};

/// Flows of the network's arcs; their log-deviations as well if \p Deviations
/// is not null.
std::vector<double> solveNetwork(const FlowNetwork &Network,
                                 ConvexStatistics *Statistics = nullptr,
                                 std::vector<double> *Deviations = nullptr);

/// \p Graph has positive evidence.
Flow solveConvex(const FlowGraph &Graph, bool WithDeviations);

} // namespace inlay

#endif
