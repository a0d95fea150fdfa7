//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A first guess at the flow of a network, from the evidence alone.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FLOW_STARTINGFLOW_H
#define INLAY_LIB_FLOW_STARTINGFLOW_H

#include "FlowNetwork.h"

namespace inlay {

/// Of each arc: finite and positive, but not conserved.
std::vector<double> guessFlows(const FlowNetwork &Network);

/// Conserved and positive, found in linear time and without arithmetic that
/// could fail: through each arc, the guess is sent along a shortest path from
/// ground to ground. Far more than the evidence says where many paths meet.
std::vector<double> coveringFlow(const FlowNetwork &Network);

} // namespace inlay

#endif
