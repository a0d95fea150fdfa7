//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes that are read once, from front to back: a part of a regular file, or
// what comes out of a pipe.
//
// perf.data files are large. Mapping one would make it count as our memory, and
// would kill us by SIGBUS if somebody truncated it meanwhile; so we read it
// piece by piece, and a file that shrinks becomes an ordinary error.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PERF_BYTESTREAM_H
#define INLAY_LIB_PERF_BYTESTREAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include <string>

namespace inlay {

/// An open file: a regular one, whose bytes have places and whose size is
/// known, or a FIFO, terminal or the like, which only yields one byte after the
/// other.
class InputFile {
public:
  /// \p Path may be "-", standard input. Opening a FIFO waits for its writer.
  static llvm::Expected<InputFile> open(llvm::StringRef Path);
  InputFile(InputFile &&Other);
  InputFile &operator=(InputFile &&) = delete;
  ~InputFile();

  /// For messages; "<stdin>" for standard input.
  llvm::StringRef path() const { return Path; }
  bool isRegular() const { return IsRegular; }
  /// Of a regular file, when it was opened; else 0.
  uint64_t size() const { return Size; }

  /// Fills all of \p Buffer from \p Offset on, or fails. Regular files only.
  llvm::Error read(uint64_t Offset,
                   llvm::MutableArrayRef<uint8_t> Buffer) const;
  /// The next bytes of a file that is not regular; 0 at its end.
  llvm::Expected<size_t> readNext(llvm::MutableArrayRef<uint8_t> Buffer) const;

private:
  InputFile(llvm::StringRef Path, llvm::sys::fs::file_t Handle, bool IsOwned)
      : Path(Path), Handle(Handle), IsOwned(IsOwned) {}

  std::string Path;
  llvm::sys::fs::file_t Handle;
  bool IsOwned; ///< standard input is not ours to close
  bool IsRegular = false;
  uint64_t Size = 0;
};

class ByteStream {
public:
  virtual ~ByteStream();
  /// At least one byte and at most Buffer.size(); 0 at the end.
  virtual llvm::Expected<size_t>
  read(llvm::MutableArrayRef<uint8_t> Buffer) = 0;
  /// Passes over \p Size bytes, or as many as there are; says how many.
  virtual llvm::Expected<uint64_t> skip(uint64_t Size) = 0;
};

/// The bytes [Begin, End) of a regular file, which must hold them.
class FileSection final : public ByteStream {
public:
  FileSection(const InputFile &File, uint64_t Begin, uint64_t End)
      : File(File), Offset(Begin), End(End) {}
  llvm::Expected<size_t> read(llvm::MutableArrayRef<uint8_t> Buffer) override;
  llvm::Expected<uint64_t> skip(uint64_t Size) override;

private:
  const InputFile &File;
  uint64_t Offset, End;
};

/// All that is still to come from a file that is not regular.
class PipeStream final : public ByteStream {
public:
  explicit PipeStream(const InputFile &File) : File(File) {}
  llvm::Expected<size_t> read(llvm::MutableArrayRef<uint8_t> Buffer) override;
  llvm::Expected<uint64_t> skip(uint64_t Size) override;

private:
  const InputFile &File;
};

} // namespace inlay

#endif
