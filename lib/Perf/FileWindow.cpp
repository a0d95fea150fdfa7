//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See FileWindow.h.
//
//===----------------------------------------------------------------------===//

#include "FileWindow.h"
#include "inlay/Support/Diagnostics.h"
#include <tuple>

using namespace llvm;

namespace inlay {

Expected<InputFile> InputFile::open(StringRef Path) {
  // The type is looked at before opening: opening a FIFO would wait for its
  // writer.
  sys::fs::file_status Status;
  if (std::error_code EC = sys::fs::status(Path, Status))
    return fileError(Path, EC.message());
  if (sys::fs::is_directory(Status))
    return fileError(Path, "is a directory, as `perf record --threads` writes "
                           "it; record again without --threads");
  if (!sys::fs::is_regular_file(Status))
    return fileError(Path, "is not a regular file; write the recording to a "
                           "file first (perf record -o FILE)");
  Expected<sys::fs::file_t> Handle = sys::fs::openNativeFileForRead(Path);
  if (!Handle)
    return fileError(Path, toString(Handle.takeError()));
  if (std::error_code EC = sys::fs::status(*Handle, Status)) {
    std::ignore = sys::fs::closeFile(*Handle);
    return fileError(Path, EC.message());
  }
  return InputFile(Path, *Handle, Status.getSize());
}

InputFile::InputFile(InputFile &&Other)
    : Path(std::move(Other.Path)),
      Handle(std::exchange(Other.Handle, sys::fs::kInvalidFile)),
      Size(Other.Size) {}

InputFile::~InputFile() {
  if (Handle != sys::fs::kInvalidFile)
    std::ignore = sys::fs::closeFile(Handle);
}

Error InputFile::read(uint64_t Offset, MutableArrayRef<uint8_t> Buffer) const {
  while (!Buffer.empty()) {
    Expected<size_t> Read = sys::fs::readNativeFileSlice(
        Handle,
        MutableArrayRef<char>(reinterpret_cast<char *>(Buffer.data()),
                              Buffer.size()),
        Offset);
    if (!Read)
      return fileErrorAt(Path, Offset,
                         "cannot read: " + toString(Read.takeError()));
    if (*Read == 0)
      return fileErrorAt(Path, Offset,
                         "the file ends here, but it was longer when it was "
                         "opened; is it still being written?");
    Offset += *Read;
    Buffer = Buffer.drop_front(*Read);
  }
  return Error::success();
}

Expected<const uint8_t *> FileWindow::move(uint64_t Offset, uint64_t Size) {
  assert(Size <= Capacity && Size <= File.size() &&
         Offset <= File.size() - Size && "outside of the file");
  uint64_t Length = std::min(Capacity, File.size() - Offset);
  if (Buffer.size() < Length)
    Buffer.resize(Length);
  Begin = End = 0; // nothing is valid if the read fails
  if (Error E = File.read(Offset, MutableArrayRef(Buffer).take_front(Length)))
    return E;
  Begin = Offset;
  End = Offset + Length;
  return Buffer.data();
}

} // namespace inlay
