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
// Whoever is killed, or runs out of disk, while it writes leaves the file as it
// was, never a part of the new one; and two that write the same file at once
// leave one of their results, not a mixture.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SUPPORT_OUTPUTFILE_H
#define INLAY_SUPPORT_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace inlay {

/// Writes \p Contents to \p Path ("-": standard output). A regular file, or
/// none, is replaced: a temporary file PATH.XXXXXXXX.tmp beside it is written,
/// brought to the disk and renamed; it keeps the old one's permissions. A
/// symbolic link is followed, not replaced. A pipe or a device is written to
/// directly, and so is what is open already (/dev/stdout, /dev/fd/N), without
/// truncating it.
///
/// On an error, and on signals that ask to end, the temporary file is removed;
/// SIGKILL leaves it there. The error says what became of the old file. A
/// closed pipe and a file too large are errors, not signals.
llvm::Error writeOutputFile(llvm::StringRef Path, llvm::StringRef Contents);

/// An error if writeOutputFile() could not write \p Path: to be asked before
/// the work whose result goes there. \p Option is what named it, for the
/// message.
llvm::Error checkOutputPath(llvm::StringRef Path, llvm::StringRef Option);

/// An error if writing to \p Output would replace \p Input.
llvm::Error checkNotOverwritten(llvm::StringRef Output, llvm::StringRef Input,
                                llvm::StringRef Option);

} // namespace inlay

#endif
