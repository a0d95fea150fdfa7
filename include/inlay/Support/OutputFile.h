//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Output that is there whole or not at all.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SUPPORT_OUTPUTFILE_H
#define INLAY_SUPPORT_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace inlay {

/// Writes \p Contents to \p Path ("-": standard output): to a temporary file in
/// the same directory that is then renamed. A symbolic link is followed, not
/// replaced; a pipe or device is written to directly.
llvm::Error writeOutputFile(llvm::StringRef Path, llvm::StringRef Contents);

/// An error if a file cannot be made at \p Path: to be asked before the work
/// whose result goes there. \p Option is what named it, for the message.
llvm::Error checkOutputPath(llvm::StringRef Path, llvm::StringRef Option);

/// An error if writing to \p Output would replace \p Input.
llvm::Error checkNotOverwritten(llvm::StringRef Output, llvm::StringRef Input,
                                llvm::StringRef Option);

} // namespace inlay

#endif
