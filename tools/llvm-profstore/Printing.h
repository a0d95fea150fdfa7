//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers on their way to a terminal.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TOOLS_LLVM_PROFSTORE_PRINTING_H
#define INLAY_TOOLS_LLVM_PROFSTORE_PRINTING_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace inlay {

/// "12.3 %"; "0.0 %" of nothing.
std::string percentage(uint64_t Part, uint64_t Whole);

/// "1 sample", "2 samples".
std::string counted(uint64_t Number, llvm::StringRef What);

} // namespace inlay

#endif
