//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the file of a binary that was sampled, perhaps elsewhere and long ago.
//
// A profile of the wrong binary looks like a profile and optimizes the wrong
// lines, so identity is the build ID wherever there is one, and a name only
// where there is none.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_OBJECT_BINARYLOCATOR_H
#define INLAY_OBJECT_BINARYLOCATOR_H

#include "inlay/Object/ProfiledBinary.h"

namespace inlay {

/// The binary as the recording knew it.
struct RecordedBinary {
  llvm::StringRef Path;            ///< a path of the recording host
  llvm::ArrayRef<uint8_t> BuildID; ///< empty if not recorded
  /// Of a kernel the path is something like [kernel.kallsyms]_text, with the
  /// symbol that its offsets count from; of a module, [name] or a path.
  BinaryForm Form = BinaryForm::Program;
};

/// "3f2a..." in lower-case hexadecimal, "none" when empty.
std::string formatBuildID(llvm::ArrayRef<uint8_t> BuildID);

/// DIR/.build-id/xx/yyyy, where distributions and perf keep what belongs to a
/// binary of build ID xxyyyy (the binary, or with a suffix something else);
/// empty for an empty one.
std::string pathByBuildID(llvm::StringRef Directory,
                          llvm::ArrayRef<uint8_t> BuildID);

/// \p Path without the " (deleted)" that the kernel appends to the name of a
/// file that was replaced while it ran.
llvm::StringRef recordedPath(llvm::StringRef Path);

/// How well an opened binary fits what was recorded.
enum class BinaryMatch {
  BuildID,      ///< same build ID
  Name,         ///< same name, and at least one side has no build ID
  WrongBuildID, ///< same name, but another build ID
  No
};
/// Names are file names; any kernel has that of any other, and a module that of
/// its file without ".ko" and what follows, with '_' for '-'.
BinaryMatch matchBinary(const RecordedBinary &Recorded,
                        const ProfiledBinary &Binary);

/// An error if one of \p DebugDirectories (of --debug-dir) is not there: who
/// mistypes it would otherwise read that the binary was not found.
llvm::Error checkDebugDirectories(llvm::ArrayRef<std::string> DebugDirectories);

/// Looks for \p Recorded at its own path; then, for each of
/// \p DebugDirectories, at DIR/.build-id/xx/yyyy, DIR/.build-id/xx/yyyy/elf
/// (the layout of perf's cache), DIR/.build-id/xx/yyyy.debug (a binary that was
/// never stripped), DIR/path/to/binary and DIR/binary; then by its build ID in
/// the user's cache of perf (lib/Object/PerfCache.h); then asks the debuginfod
/// servers, if the environment names any. A file with another build ID is
/// passed over unless \p IgnoreBuildID. The error says where it looked and what
/// was wrong with what was there.
///
/// A kernel is looked for by its build ID alone: in \p DebugDirectories and
/// /usr/lib/debug as above, and at DIR/vmlinux*, DIR/boot/vmlinux*,
/// DIR/lib/modules/*/vmlinux; in the cache of perf; at /boot/vmlinux* and
/// /lib/modules/*/build/vmlinux.
llvm::Expected<std::unique_ptr<ProfiledBinary>>
locateBinary(const RecordedBinary &Recorded,
             llvm::ArrayRef<std::string> DebugDirectories,
             bool IgnoreBuildID = false);

/// Makes \p Binary, which \p Recorded is matched with, count offsets from where
/// the recording does. (locateBinary() has done so.)
llvm::Error takeOffsetsOf(const RecordedBinary &Recorded,
                          ProfiledBinary &Binary);

} // namespace inlay

#endif
