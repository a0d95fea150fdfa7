//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How far evidence pins a flow down.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FLOW_FLOWUNCERTAINTY_H
#define INLAY_LIB_FLOW_FLOWUNCERTAINTY_H

#include "FlowNetwork.h"

namespace inlay {

/// Standard deviations of the logarithms of the flows \p Flows of all arcs.
std::vector<double> logDeviations(const FlowNetwork &Network,
                                  const Elimination &Order,
                                  llvm::ArrayRef<double> Flows);

} // namespace inlay

#endif
