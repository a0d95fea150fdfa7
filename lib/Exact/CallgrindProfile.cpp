//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files in blocks, blocks into lines; the parser knows what they mean.
//
//===----------------------------------------------------------------------===//

#include "inlay/Exact/CallgrindProfile.h"
#include "CallgrindParser.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <tuple>

using namespace llvm;

namespace inlay {

static constexpr size_t BlockSize = 1 << 18;
/// Demangled C++ names are long, but not as long as this.
static constexpr size_t MaxLineSize = 1 << 20;

void CallgrindObject::sort() {
  llvm::sort(Instructions);
  llvm::sort(Jumps, [](const CallgrindJump &L, const CallgrindJump &R) {
    return std::tie(L.From, L.To) < std::tie(R.From, R.To);
  });
  llvm::sort(Calls, [](const CallgrindCall &L, const CallgrindCall &R) {
    return std::tie(L.Site, L.CalleeObject, L.Callee, L.CalleeName) <
           std::tie(R.Site, R.CalleeObject, R.Callee, R.CalleeName);
  });
}

CallgrindObject *CallgrindProfile::mainObject() {
  StringRef Program = StringRef(Command).ltrim().split(' ').first;
  Program = sys::path::filename(Program);
  if (Program.empty())
    return nullptr;
  auto It = llvm::find_if(Objects, [&](const CallgrindObject &Object) {
    return sys::path::filename(Object.Path) == Program;
  });
  return It == Objects.end() ? nullptr : &*It;
}

namespace {

class InputFile {
public:
  static Expected<InputFile> open(StringRef Path);
  InputFile(InputFile &&Other)
      : Handle(std::exchange(Other.Handle, sys::fs::kInvalidFile)) {}
  ~InputFile() {
    if (Handle != sys::fs::kInvalidFile)
      std::ignore = sys::fs::closeFile(Handle);
  }

  /// Fills \p Block, or what is left of the file. Returns the bytes read.
  Expected<size_t> read(MutableArrayRef<char> Block);

private:
  explicit InputFile(sys::fs::file_t Handle) : Handle(Handle) {}
  sys::fs::file_t Handle;
};

} // namespace

Expected<InputFile> InputFile::open(StringRef Path) {
  // The type is looked at before opening: opening a FIFO would wait for its
  // writer.
  sys::fs::file_status Status;
  if (std::error_code EC = sys::fs::status(Path, Status))
    return fileError(Path, EC.message());
  if (!sys::fs::is_regular_file(Status))
    return fileError(Path, "is not a regular file");
  Expected<sys::fs::file_t> Handle = sys::fs::openNativeFileForRead(Path);
  if (!Handle)
    return fileError(Path, toString(Handle.takeError()));
  return InputFile(*Handle);
}

Expected<size_t> InputFile::read(MutableArrayRef<char> Block) {
  size_t Size = 0;
  while (Size < Block.size()) {
    Expected<size_t> Read =
        sys::fs::readNativeFile(Handle, Block.drop_front(Size));
    if (!Read)
      return Read.takeError();
    if (*Read == 0)
      break;
    Size += *Read;
  }
  return Size;
}

bool isCallgrindFile(StringRef Path) {
  Expected<InputFile> File = InputFile::open(Path);
  if (!File) {
    consumeError(File.takeError());
    return false;
  }
  char Block[256];
  Expected<size_t> SizeOrErr = File->read(Block);
  if (!SizeOrErr) {
    consumeError(SizeOrErr.takeError());
    return false;
  }
  StringRef Start(Block, *SizeOrErr);
  // Before 3.13 the file began with the version.
  return Start.starts_with("# callgrind format") ||
         (Start.starts_with("version: 1") &&
          Start.contains("\ncreator: callgrind"));
}

/// Feeds \p File to \p Parser, line by line. Returns its size.
static Expected<uint64_t> parseFile(StringRef Path, CallgrindParser &Parser,
                                    uint64_t BytesBefore,
                                    function_ref<void(uint64_t)> OnProgress) {
  Expected<InputFile> File = InputFile::open(Path);
  if (!File)
    return File.takeError();

  Parser.beginFile(Path);
  std::vector<char> Block(BlockSize);
  std::string Begun; // of a line that the last block did not end
  uint64_t FileSize = 0;
  while (true) {
    Expected<size_t> SizeOrErr = File->read(Block);
    if (!SizeOrErr)
      return fileError(Path, "cannot read: " + toString(SizeOrErr.takeError()));
    if (*SizeOrErr == 0)
      break;
    FileSize += *SizeOrErr;
    StringRef Rest(Block.data(), *SizeOrErr);
    for (size_t End = Rest.find('\n'); End != StringRef::npos;
         End = Rest.find('\n')) {
      StringRef Line = Rest.take_front(End);
      if (!Begun.empty())
        Line = Begun.append(Line.data(), Line.size());
      if (Error E = Parser.parseLine(Line))
        return E;
      Begun.clear();
      Rest = Rest.drop_front(End + 1);
    }
    if (Begun.size() + Rest.size() > MaxLineSize)
      return Parser.errorHere("the line after this one is longer than 1 MiB; "
                              "is this an output file of callgrind?");
    Begun.append(Rest.data(), Rest.size());
    if (OnProgress)
      OnProgress(BytesBefore + FileSize);
  }
  if (!Begun.empty())
    if (Error E = Parser.parseUnendedLine(Begun))
      return E;
  return FileSize;
}

Expected<CallgrindProfile>
readCallgrind(ArrayRef<std::string> Paths, DiagnosticSink &Diagnostics,
              function_ref<void(uint64_t BytesRead)> OnProgress) {
  CallgrindParser Parser;
  uint64_t Bytes = 0;
  for (const std::string &Path : Paths) {
    Expected<uint64_t> SizeOrErr = parseFile(Path, Parser, Bytes, OnProgress);
    if (!SizeOrErr)
      return SizeOrErr.takeError();
    Bytes += *SizeOrErr;
    if (*SizeOrErr == 0) {
      // --separate-threads leaves a file without -01 that nothing is written
      // to.
      if (Paths.size() > 1) {
        Diagnostics.note(Path + ": is empty");
        continue;
      }
      return fileError(Path, "is empty; callgrind writes its counts when the "
                             "program ends, and with --separate-threads to " +
                                 Path + "-01 and so on");
    }
    if (Error E = Parser.endFile())
      return E;
  }
  CallgrindProfile Profile = Parser.finish(Diagnostics);
  if (Profile.Total == 0)
    return fileError(Paths.front(), "counts no instructions; did the part of "
                                    "the program run that --toggle-collect "
                                    "names?");
  return Profile;
}

} // namespace inlay
