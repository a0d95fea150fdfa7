//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inlines, top down, the callees that ran hot in their inlined context.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_CONTEXTINLINER_H
#define INLAY_LIB_TRANSFORMS_CONTEXTINLINER_H

#include "EvidenceGraph.h"
#include "ModuleProfile.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class OptimizationRemarkEmitter;
} // namespace llvm

namespace inlay {

/// Inlines into \p F. Each inlined context is added to \p Inlined.
void inlineHotContexts(llvm::Function &F, ContextLookup &Contexts,
                       ModuleProfile &Profile, const Options &Opts,
                       llvm::FunctionAnalysisManager &FAM,
                       llvm::OptimizationRemarkEmitter &ORE,
                       InlinedContexts &Inlined, PromotedCalls &Promoted,
                       ModuleStatistics &Statistics);

} // namespace inlay

#endif
