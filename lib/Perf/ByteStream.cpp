//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ByteStream.h.
//
//===----------------------------------------------------------------------===//

#include "ByteStream.h"
#include "inlay/Support/Diagnostics.h"
#include <array>
#include <tuple>

using namespace llvm;

namespace inlay {

Expected<InputFile> InputFile::open(StringRef Path) {
  const bool IsStdin = Path == "-";
  InputFile File(IsStdin ? "<stdin>" : Path, sys::fs::getStdinHandle(),
                 /*IsOwned=*/false);
  if (!IsStdin) {
    Expected<sys::fs::file_t> Handle = sys::fs::openNativeFileForRead(Path);
    if (!Handle)
      return fileError(Path, toString(Handle.takeError()));
    File.Handle = *Handle;
    File.IsOwned = true;
  }
  sys::fs::file_status Status;
  if (std::error_code EC = sys::fs::status(File.Handle, Status))
    return fileError(File.path(), EC.message());
  File.IsRegular = sys::fs::is_regular_file(Status);
  if (File.IsRegular)
    File.Size = Status.getSize();
  return File;
}

InputFile::InputFile(InputFile &&Other)
    : Path(std::move(Other.Path)), Handle(Other.Handle),
      IsOwned(std::exchange(Other.IsOwned, false)), IsRegular(Other.IsRegular),
      Size(Other.Size) {}

InputFile::~InputFile() {
  if (IsOwned)
    std::ignore = sys::fs::closeFile(Handle);
}

static MutableArrayRef<char> chars(MutableArrayRef<uint8_t> Bytes) {
  return {reinterpret_cast<char *>(Bytes.data()), Bytes.size()};
}

Error InputFile::read(uint64_t Offset, MutableArrayRef<uint8_t> Buffer) const {
  assert(IsRegular && "only regular files have offsets");
  while (!Buffer.empty()) {
    Expected<size_t> Read =
        sys::fs::readNativeFileSlice(Handle, chars(Buffer), Offset);
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

Expected<size_t> InputFile::readNext(MutableArrayRef<uint8_t> Buffer) const {
  Expected<size_t> Read = sys::fs::readNativeFile(Handle, chars(Buffer));
  if (!Read)
    return fileError(Path, "cannot read: " + toString(Read.takeError()));
  return Read;
}

ByteStream::~ByteStream() = default;

Expected<size_t> FileSection::read(MutableArrayRef<uint8_t> Buffer) {
  Buffer = Buffer.take_front(End - Offset);
  if (Error E = File.read(Offset, Buffer))
    return E;
  Offset += Buffer.size();
  return Buffer.size();
}

Expected<uint64_t> FileSection::skip(uint64_t Size) {
  Size = std::min(Size, End - Offset);
  Offset += Size;
  return Size;
}

Expected<size_t> PipeStream::read(MutableArrayRef<uint8_t> Buffer) {
  return File.readNext(Buffer);
}

Expected<uint64_t> PipeStream::skip(uint64_t Size) {
  std::array<uint8_t, 1 << 16> Ignored;
  uint64_t Skipped = 0;
  while (Skipped != Size) {
    Expected<size_t> Read =
        File.readNext(MutableArrayRef(Ignored).take_front(Size - Skipped));
    if (!Read)
      return Read.takeError();
    if (*Read == 0)
      break;
    Skipped += *Read;
  }
  return Skipped;
}

} // namespace inlay
