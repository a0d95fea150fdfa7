//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the .dwo files, or the package of them (.dwp), of a binary that was
// compiled with -gsplit-dwarf.
//
// The binary says where its .dwo files were when it was built. Where they were
// moved, or the build ran elsewhere, they keep their names; so they are also
// looked for beside the binary and in the debug directories. LLVM opens them;
// they are looked at here first, because LLVM believes what they say of their
// size.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_OBJECT_SPLITDWARF_H
#define INLAY_LIB_OBJECT_SPLITDWARF_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace inlay {

/// What the search goes by.
struct SplitDwarfSearch {
  std::string BinaryPath;
  std::string DebugPath; ///< of the file with the skeleton units
  llvm::SmallVector<uint8_t, 20> BuildID;
  std::vector<std::string> DebugDirectories;
};

/// The package: beside the binary or its debug file, and in each debug
/// directory DIR/.build-id/xx/yyyy.dwp, DIR/path/to/binary.dwp and
/// DIR/binary.dwp. Empty if there is none; an error if there is one that cannot
/// be read.
llvm::Expected<std::string> findSplitPackage(const SplitDwarfSearch &Search);

/// Existing files that may be the .dwo called \p Name by a unit that was
/// compiled in \p CompilationDirectory, best first: where it was made, below
/// and in the directory of the binary, below and in each debug directory.
std::vector<std::string>
splitUnitCandidates(const SplitDwarfSearch &Search,
                    llvm::StringRef CompilationDirectory, llvm::StringRef Name);

/// An error if \p Path is not what LLVM should be let to open.
llvm::Error checkSplitFile(llvm::StringRef Path);

} // namespace inlay

#endif
