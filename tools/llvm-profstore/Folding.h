//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who delivers tidies up behind itself, where it may.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TOOLS_LLVM_PROFSTORE_FOLDING_H
#define INLAY_TOOLS_LLVM_PROFSTORE_FOLDING_H

#include "inlay/Store/Housekeeping.h"
#include "inlay/Support/Diagnostics.h"

namespace inlay {

/// To be called after captures were delivered. They are in the store: if they
/// cannot be folded, that is a warning, and for the next one to try.
inline void foldDelivered(Database &DB, DiagnosticSink &Diagnostics) {
  if (llvm::Error E = foldIfManyWait(DB).takeError())
    Diagnostics.warning("captures are stored, but cannot be folded: " +
                        llvm::toString(std::move(E)));
}

} // namespace inlay

#endif
