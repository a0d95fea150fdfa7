//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file is a line of JSON, which says whose capture it is, and a raw profile.
// It is written under another name, flushed, and renamed: there are no half
// ones.
//
//===----------------------------------------------------------------------===//

#include "inlay/Store/Spool.h"
#include "inlay/Sampling/RawProfileFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace llvm;

namespace inlay {

static constexpr StringLiteral Suffix = ".capture", NewSuffix = ".new",
                               DamagedSuffix = ".damaged";

static std::string pathIn(StringRef Directory, const Twine &Name) {
  SmallString<128> Path(Directory);
  sys::path::append(Path, Name);
  return std::string(Path);
}

static Error systemError(StringRef Path) {
  return fileError(Path,
                   std::error_code(errno, std::generic_category()).message());
}

/// The directory's entries are on the disk when this returns.
static Error flushDirectory(StringRef Directory) {
  int Descriptor =
      ::open(Directory.str().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (Descriptor < 0 || fsync(Descriptor) != 0) {
    Error E = systemError(Directory);
    if (Descriptor >= 0)
      close(Descriptor);
    return E;
  }
  close(Descriptor);
  return Error::success();
}

Expected<Spool> Spool::open(StringRef Directory, uint64_t MaxBytes) {
  if (std::error_code EC =
          sys::fs::create_directories(Directory, true, sys::fs::owner_all))
    return fileError(Directory, "cannot be made: " + EC.message());
  std::string LockPath = pathIn(Directory, "lock");
  int Lock = ::open(LockPath.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (Lock < 0)
    return systemError(LockPath);
  if (flock(Lock, LOCK_EX | LOCK_NB) != 0) {
    Error E = errno == EWOULDBLOCK
                  ? fileError(Directory,
                              "another collector uses this spool; give each "
                              "one of its own (--spool)")
                  : systemError(LockPath);
    close(Lock);
    return E;
  }
  return Spool(Directory, MaxBytes, Lock);
}

Spool::Spool(Spool &&Other)
    : Directory(std::move(Other.Directory)), MaxBytes(Other.MaxBytes),
      Lock(Other.Lock) {
  Other.Lock = -1;
}

Spool::~Spool() {
  if (Lock >= 0)
    close(Lock);
}

Expected<std::vector<std::string>> Spool::files() const {
  std::vector<std::string> Files;
  std::error_code EC;
  for (sys::fs::directory_iterator It(Directory, EC), End; It != End && !EC;
       It.increment(EC))
    if (StringRef(It->path()).ends_with(Suffix))
      Files.push_back(It->path());
  if (EC)
    return fileError(Directory, EC.message());
  // Names begin with the time.
  llvm::sort(Files);
  return Files;
}

Expected<unsigned> Spool::size() const {
  auto Files = files();
  if (!Files)
    return Files.takeError();
  return Files->size();
}

static std::string contentsOf(const Capture &C) {
  std::string Contents;
  raw_string_ostream OS(Contents);
  OS << json::Value(json::Object{{"application", C.Application},
                                 {"version", C.Version},
                                 {"host", C.Host},
                                 {"started", C.Started},
                                 {"duration", C.Duration},
                                 {"content", C.Content}})
     << '\n';
  writeRawProfile(C.Profile, OS);
  return Contents;
}

static Expected<Capture> parseCapture(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return fileError(Path, Buffer.getError().message());
  auto [Line, Profile] = (*Buffer)->getBuffer().split('\n');
  Expected<json::Value> Header = json::parse(Line);
  if (!Header)
    return fileError(Path, "its first line is no JSON: " +
                               toString(Header.takeError()));
  Capture C;
  json::Path::Root Root;
  json::ObjectMapper Fields(*Header, Root);
  if (!Fields || !Fields.map("application", C.Application) ||
      !Fields.map("version", C.Version) || !Fields.map("host", C.Host) ||
      !Fields.map("started", C.Started) ||
      !Fields.map("duration", C.Duration) || !Fields.map("content", C.Content))
    return fileError(Path, "its first line is not that of a capture");
  if (Error E =
          readRawProfile(MemoryBufferRef(Profile, Path)).moveInto(C.Profile))
    return E;
  return C;
}

Error Spool::put(const Capture &C, DiagnosticSink &Diagnostics) {
  std::string Contents = contentsOf(C);
  if (Contents.size() > MaxBytes)
    return fileError(Directory, "the capture is larger than the spool may be");
  auto Files = files();
  if (!Files)
    return Files.takeError();
  std::vector<uint64_t> Sizes;
  uint64_t Total = Contents.size();
  for (const std::string &File : *Files) {
    uint64_t Size = 0;
    if (sys::fs::file_size(File, Size))
      Size = 0;
    Sizes.push_back(Size);
    Total += Size;
  }
  unsigned Dropped = 0;
  for (; Total > MaxBytes && Dropped < Files->size(); ++Dropped) {
    sys::fs::remove((*Files)[Dropped]);
    Total -= Sizes[Dropped];
  }
  if (Dropped)
    Diagnostics.warning(Directory + ": the spool is full; dropped the oldest " +
                        Twine(Dropped) +
                        (Dropped == 1 ? " capture" : " captures"));

  // 10 digits of seconds: as text, names are in the order of time.
  std::string Time = std::to_string(std::max<int64_t>(C.Started, 0));
  Time.insert(0, Time.size() < 10 ? 10 - Time.size() : 0, '0');
  std::string Path = pathIn(
      Directory, Time + "-" + StringRef(C.Content).take_front(16) + Suffix);
  std::string NewPath = pathIn(Directory, "capture" + NewSuffix);
  int Descriptor =
      ::open(NewPath.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (Descriptor < 0)
    return systemError(NewPath);
  StringRef Rest = Contents;
  while (!Rest.empty()) {
    ssize_t Size = ::write(Descriptor, Rest.data(), Rest.size());
    if (Size < 0 && errno == EINTR)
      continue;
    if (Size <= 0)
      break;
    Rest = Rest.drop_front(Size);
  }
  bool IsWritten = Rest.empty() && fsync(Descriptor) == 0;
  Error E = IsWritten ? Error::success() : systemError(NewPath);
  close(Descriptor);
  if (IsWritten && ::rename(NewPath.c_str(), Path.c_str()) != 0)
    E = joinErrors(std::move(E), systemError(Path));
  if (E) {
    sys::fs::remove(NewPath);
    return E;
  }
  return flushDirectory(Directory);
}

Expected<unsigned> Spool::deliverTo(Database &DB, DiagnosticSink &Diagnostics) {
  auto Files = files();
  if (!Files)
    return Files.takeError();
  CaptureWriter Writer(DB);
  unsigned Delivered = 0;
  for (const std::string &File : *Files) {
    Expected<Capture> C = parseCapture(File);
    if (!C) {
      Diagnostics.warning(toString(C.takeError()) + "; set aside as " +
                          sys::path::filename(File) + DamagedSuffix);
      sys::fs::rename(File, File + DamagedSuffix);
      continue;
    }
    Expected<bool> IsNew = Writer.deliver(*C);
    if (!IsNew)
      return IsNew.takeError();
    if (std::error_code EC = sys::fs::remove(File))
      return fileError(File, EC.message());
    ++Delivered;
  }
  return Delivered;
}

} // namespace inlay
