//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the build that will be profiled: keep what a profile needs to find its
// way back to the source.
//
// Equal code of different blocks is merged into one, by SimplifyCFG in the IR
// and by branch folding in the machine code. Calls through a pointer are equal
// more often than others: the callee is not part of the code. The merged call
// has one line at most, mostly none, and what it called can be told to no call
// site. Calls marked `nomerge' stay apart.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TRANSFORMS_PROFILINGBUILDPASS_H
#define INLAY_TRANSFORMS_PROFILINGBUILDPASS_H

#include "llvm/IR/PassManager.h"

namespace inlay {

/// Marks every indirect call `nomerge'. Must run before the first pass that
/// merges code; inlining keeps the mark.
class ProfilingBuildPass : public llvm::PassInfoMixin<ProfilingBuildPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace inlay

#endif
