//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which blocks of a solution never ran, as far as anybody can tell.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FREQUENCY_NEGLIGIBLEFLOW_H
#define INLAY_LIB_FREQUENCY_NEGLIGIBLEFLOW_H

#include "inlay/Flow/FlowGraph.h"

namespace inlay {

/// Sets to 0 what is negligible in \p Solution, a flow of \p Graph: blocks of
/// which nothing was seen and whose flow is less than \p Share of what would
/// have been. Spared is what lies on the likeliest way from an entry, or to an
/// exit, of a block that did run.
void dropNegligible(const FlowGraph &Graph, double Share, Flow &Solution);

} // namespace inlay

#endif
