//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From line counts to consistent edge frequencies of one function, written as
// branch weights and the entry count.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_FLOWANNOTATION_H
#define INLAY_LIB_TRANSFORMS_FLOWANNOTATION_H

#include "EvidenceGraph.h"
#include "ModuleProfile.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/PassManager.h"

namespace inlay {

/// How often the functions annotated so far call each other (scaled
/// executions).
using KnownCalls = llvm::DenseMap<const llvm::Function *, uint64_t>;

/// What one function's annotation came to, for its remark.
struct AnnotationResult {
  uint64_t EntryCount = 0; ///< scaled executions
  unsigned Blocks = 0;
  unsigned BlocksWithEvidence = 0;
  bool Annotated = false; ///< false: no instruction has any count
};

/// Solves the flow of \p F, its inlined contexts included, and writes
/// branch_weights (frequencies, in the module's scale, shifted to 32 bits) and
/// the entry count. Adds its direct calls to \p Calls.
AnnotationResult annotateFlow(llvm::Function &F, ContextLookup &Contexts,
                              const ModuleProfile &Profile, const Options &Opts,
                              llvm::FunctionAnalysisManager &FAM,
                              const PromotedCalls &Promoted, UsedLines &Used,
                              KnownCalls &Calls);

/// Writes the value profile of \p F's indirect calls, hottest targets first,
/// for LLVM's indirect-call promotion. Those \p Promoted already are left out.
void annotateCallTargets(llvm::Function &F, ContextLookup &Contexts,
                         const ModuleProfile &Profile,
                         const PromotedCalls &Promoted);

} // namespace inlay

#endif
