//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A window that moves over a file.
//
// perf.data files are large and are read once from front to back. Mapping one
// would make it count as our memory, and would kill us by SIGBUS if somebody
// truncated it meanwhile; so we read it piece by piece into one buffer, and a
// file that shrinks becomes an ordinary error.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PERF_FILEWINDOW_H
#define INLAY_LIB_PERF_FILEWINDOW_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include <string>
#include <vector>

namespace inlay {

/// An open regular file and its size when it was opened.
class InputFile {
public:
  static llvm::Expected<InputFile> open(llvm::StringRef Path);
  InputFile(InputFile &&Other);
  InputFile &operator=(InputFile &&) = delete;
  ~InputFile();

  llvm::StringRef path() const { return Path; }
  uint64_t size() const { return Size; }

  /// Fills all of \p Buffer from \p Offset on, or fails.
  llvm::Error read(uint64_t Offset,
                   llvm::MutableArrayRef<uint8_t> Buffer) const;

private:
  InputFile(llvm::StringRef Path, llvm::sys::fs::file_t Handle, uint64_t Size)
      : Path(Path), Handle(Handle), Size(Size) {}

  std::string Path;
  llvm::sys::fs::file_t Handle;
  uint64_t Size;
};

class FileWindow {
public:
  static constexpr uint64_t Capacity = 1 << 20;

  explicit FileWindow(const InputFile &File) : File(File) {}

  /// [Offset, Offset + Size) of the file, which must hold them; Size is at most
  /// Capacity. Valid until the next call.
  llvm::Expected<const uint8_t *> at(uint64_t Offset, uint64_t Size) {
    if (LLVM_LIKELY(Offset >= Begin && Offset + Size <= End))
      return Buffer.data() + (Offset - Begin);
    return move(Offset, Size);
  }

private:
  llvm::Expected<const uint8_t *> move(uint64_t Offset, uint64_t Size);

  const InputFile &File;
  std::vector<uint8_t> Buffer;
  uint64_t Begin = 0; ///< file offsets of what Buffer holds
  uint64_t End = 0;
};

} // namespace inlay

#endif
