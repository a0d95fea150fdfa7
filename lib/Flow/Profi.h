//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's solver behind FlowGraph.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FLOW_PROFI_H
#define INLAY_LIB_FLOW_PROFI_H

#include "inlay/Flow/FlowGraph.h"

namespace inlay {

/// \p Graph has positive evidence. Counts are whole multiples of a power of
/// two: of 1, if \p Resolution is 1, of about 1/16 of greater resolutions.
Flow solveProfi(const FlowGraph &Graph, double Resolution);

} // namespace inlay

#endif
