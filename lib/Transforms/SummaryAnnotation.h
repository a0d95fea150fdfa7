//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The module's profile summary and the mark that it has been annotated.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_SUMMARYANNOTATION_H
#define INLAY_LIB_TRANSFORMS_SUMMARYANNOTATION_H

#include "ModuleProfile.h"

namespace llvm {
class Module;
}

namespace inlay {

/// Attaches the whole program's summary, in the module's scale, as one of the
/// InstrProf kind, and marks the module as annotated.
///
/// Under a *sample* summary LLVM takes a call without a weight of its own for
/// cold; our edge frequencies are consistent, so block frequencies can decide,
/// as they do under an instrumentation summary (about a point faster,
/// docs/annotation.md).
void attachSummary(llvm::Module &M, const ModuleProfile &Profile);

/// The greatest count that LLVM will take for cold under that summary.
uint64_t coldCount(const ModuleProfile &Profile);

} // namespace inlay

#endif
