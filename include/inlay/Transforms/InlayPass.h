//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass that turns a sample profile into inlining decisions and annotated
// IR, and a printer for the profile as it sees it.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TRANSFORMS_INLAYPASS_H
#define INLAY_TRANSFORMS_INLAYPASS_H

#include "inlay/Transforms/Options.h"
#include "llvm/IR/PassManager.h"
#include <utility>

namespace llvm {
class raw_ostream;
}

namespace inlay {

/// Reads the profile, inlines hot contexts, and annotates the module: branch
/// weights, entry counts, call targets, and the whole-program summary.
///
/// Does nothing to a module that it has annotated before, or without a profile.
/// An unreadable profile is an error in LLVM's diagnostics.
class InlayPass : public llvm::PassInfoMixin<InlayPass> {
public:
  explicit InlayPass(Options Opts) : Opts(std::move(Opts)) {}
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  Options Opts;
};

/// True if InlayPass has annotated \p M.
bool isAnnotatedByInlay(const llvm::Module &M);

/// `print<inlay-contexts>`: the context summary map, as far as it concerns the
/// functions that the module defines.
class InlayContextsPrinterPass
    : public llvm::PassInfoMixin<InlayContextsPrinterPass> {
public:
  InlayContextsPrinterPass(llvm::raw_ostream &OS, Options Opts)
      : OS(OS), Opts(std::move(Opts)) {}
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
  Options Opts;
};

} // namespace inlay

#endif
