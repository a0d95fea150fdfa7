//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How much of a stale profile was matched, recovered and dropped, for people
// (an optimization remark for each function that has changed and one for the
// module) and for scripts (a line of JSON for each module).
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_STALEREPORT_H
#define INLAY_LIB_TRANSFORMS_STALEREPORT_H

#include "ModuleProfile.h"
#include "StaleMatching.h"
#include "llvm/Support/Error.h"

namespace inlay {

/// Says nothing where nothing has changed, but for the line of JSON.
llvm::Error reportStaleMatch(const StaleMatch &Match, llvm::Module &M,
                             const ModuleProfile &Profile, const Options &Opts);

} // namespace inlay

#endif
