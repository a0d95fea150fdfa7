//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a binary's debug information lies when it was split off
// (objcopy --only-keep-debug, a distribution's -dbgsym packages).
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_OBJECT_DEBUGFILE_H
#define INLAY_OBJECT_DEBUGFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace inlay {

/// Existing files that may hold the debug information of the binary \p Path,
/// best first. For each of \p DebugDirectories and then /usr/lib/debug:
///   DIR/.build-id/xx/yyyy.debug, DIR/path/to/binary.debug,
///   DIR/path/to/binary, DIR/binary.debug;
/// and beside the binary: binary.debug, .debug/binary.debug.
/// They are candidates: the caller compares build IDs.
std::vector<std::string>
debugFileCandidates(llvm::StringRef Path, llvm::ArrayRef<uint8_t> BuildID,
                    llvm::ArrayRef<std::string> DebugDirectories);

} // namespace inlay

#endif
