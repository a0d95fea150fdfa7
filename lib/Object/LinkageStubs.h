//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stubs of the procedure linkage table: which function of another binary a call
// to one means.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_OBJECT_LINKAGESTUBS_H
#define INLAY_LIB_OBJECT_LINKAGESTUBS_H

#include "InstructionSet.h"
#include "LoadedImage.h"

namespace inlay {

struct LinkageStub {
  llvm::StringRef Symbol; ///< empty if there is no stub, or it has no name
  /// The function's entry, if this binary defines it.
  std::optional<uint64_t> Definition;
};

LinkageStub readLinkageStub(const InstructionSet &Set, const LoadedImage &Image,
                            uint64_t Address);

} // namespace inlay

#endif
