//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds a binary's debug information where it was split off (objcopy
// --only-keep-debug, a distribution's -dbgsym packages).
//
// The places are those that gdb and the distributions agree on. Whether a file
// that is there belongs to the binary is decided by build ID; where one of the
// two has none, by the checksum in the binary's .gnu_debuglink; and where there
// is neither, by the name alone.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_OBJECT_DEBUGFILE_H
#define INLAY_LIB_OBJECT_DEBUGFILE_H

#include "ELFImage.h"

namespace inlay {

struct FoundDebugFile {
  std::unique_ptr<ELFImage> Image; ///< null if none was found
  /// "FILE: what is wrong with it", for files in the places that were not
  /// taken.
  std::vector<std::string> Rejected;
};

/// Looks in each of \p DebugDirectories and then in /usr/lib/debug for
///   DIR/.build-id/xx/yyyy.debug,
///   DIR/directory/of/binary/NAME, where NAME is what .gnu_debuglink says,
///   DIR/path/to/binary.debug, DIR/path/to/binary,
///   DIR/NAME, DIR/binary.debug;
/// then beside the binary for NAME, .debug/NAME, binary.debug and
/// .debug/binary.debug; and at last asks the debuginfod servers, if the
/// environment names any.
FoundDebugFile findDebugFile(const ELFImage &Binary,
                             llvm::ArrayRef<std::string> DebugDirectories);

} // namespace inlay

#endif
