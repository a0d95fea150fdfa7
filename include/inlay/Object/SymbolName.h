//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Symbol names as the next compilation will know them.
//
// Late passes and linkers split, clone and rename functions: foo.cold holds the
// cold blocks of foo, foo.llvm.123 is the static foo that ThinLTO promoted. The
// profile is matched early in the pipeline, where there is only foo.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_OBJECT_SYMBOLNAME_H
#define INLAY_OBJECT_SYMBOLNAME_H

#include "llvm/ADT/StringRef.h"

namespace inlay {

/// \p Symbol without the suffixes that passes after profile matching append:
/// .cold, .llvm.N, .part.N, .isra.N, .constprop.N, .lto_priv.N, .__part.N, in
/// any order and number. `.__uniq.N' stays: it is part of the name when the
/// profile is matched.
llvm::StringRef canonicalFunctionName(llvm::StringRef Symbol);

} // namespace inlay

#endif
