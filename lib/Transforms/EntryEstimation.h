//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How often each inlined copy was entered.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_ENTRYESTIMATION_H
#define INLAY_LIB_TRANSFORMS_ENTRYESTIMATION_H

#include "ModuleProfile.h"
#include "llvm/IR/PassManager.h"

namespace inlay {

/// Sets HeadSamples of every inlined context whose function \p M defines and
/// whose entry the profile does not know, and raises the count of each call
/// site to what was entered through it.
void estimateContextEntries(llvm::Module &M, ModuleProfile &Profile,
                            const Options &Opts,
                            llvm::FunctionAnalysisManager &FAM);

} // namespace inlay

#endif
