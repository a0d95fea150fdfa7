//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The name under which a profile knows the callee of a call.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_ATTRIBUTION_CALLEENAME_H
#define INLAY_LIB_ATTRIBUTION_CALLEENAME_H

#include "inlay/Frequency/MachineFrequencies.h"
#include "inlay/Object/ProfiledBinary.h"

namespace inlay {

/// The name that callers of \p Call's callee know; empty if there is none.
inline llvm::StringRef calleeName(const CallFrequency &Call,
                                  ProfiledBinary &Binary) {
  const FunctionRange *Callee =
      Call.Target ? Binary.functionAt(Call.Target) : nullptr;
  if (!Callee || Callee->Begin != Call.Target)
    return Call.TargetName;
  // Of several symbols the one under which the callee has its own profile.
  InlineStack Stack = Binary.inlineStackAt(Call.Target);
  return Stack.empty() ? Callee->Name : Stack.back().Function;
}

} // namespace inlay

#endif
