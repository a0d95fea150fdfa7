//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a compressed section (SHF_COMPRESSED) claims of itself.
//
// LLVM decompresses sections, but makes room for whatever their headers say.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_OBJECT_COMPRESSEDSECTION_H
#define INLAY_LIB_OBJECT_COMPRESSEDSECTION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace inlay {

/// How many bytes section \p Name holds that is compressed to \p Contents.
/// Fails if they cannot be that many (more than 1032 for each byte, the most
/// that deflate can do), or if LLVM was built without what decompresses them.
llvm::Expected<uint64_t> decompressedSize(llvm::StringRef Name,
                                          llvm::ArrayRef<uint8_t> Contents);

} // namespace inlay

#endif
