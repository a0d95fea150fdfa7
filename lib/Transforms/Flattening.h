//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Merges the contexts that stay calls into the callee's own profile.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_FLATTENING_H
#define INLAY_LIB_TRANSFORMS_FLATTENING_H

#include "ModuleProfile.h"

namespace inlay {

/// For each context below \p Root that \p Inlined does not name: the call's
/// line in its caller gets at least the executions of the inlinee's entry, the
/// entry becomes a call target there, and the context moves into the root of
/// its function. Returns how many moved. (Where it was a call in the profiled
/// binary, the line has its own count and keeps it.)
///
/// Maximum at the call site and sum over contexts, because the call's own
/// instructions and the inlinee's entry measure the same executions, while
/// different contexts are different executions (docs/annotation.md).
uint64_t mergeContextsNotInlined(ContextNode &Root, ContextSummaryMap &Map,
                                 const InlinedContexts &Inlined);

} // namespace inlay

#endif
