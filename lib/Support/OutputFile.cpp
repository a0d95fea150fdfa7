//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's writeToOutput() and TempFile are not used: they rename before they
// know whether all was written, replace symbolic links, and for root even
// /dev/full; and where they cannot rename, they copy.
//
// The data is brought to the disk before the rename. Without that a machine
// that loses its power could be left with the new name and no contents, which
// is worse than the old contents; the cost is some milliseconds for each run.
// The directory is not: both the old and the new name are good.
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/OutputFile.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <csignal>
#include <unistd.h>

using namespace llvm;

namespace inlay {

namespace {

/// While it lives, write() reports a closed pipe and a limit on file sizes,
/// where the process would otherwise be killed.
class SignalsAsErrors {
public:
  SignalsAsErrors() {
    struct sigaction Ignore = {};
    Ignore.sa_handler = SIG_IGN;
    for (auto [Signal, Action] : zip_equal(Signals, Old))
      sigaction(Signal, &Ignore, &Action);
  }
  ~SignalsAsErrors() {
    for (auto [Signal, Action] : zip_equal(Signals, Old))
      sigaction(Signal, &Action, nullptr);
  }
  SignalsAsErrors(const SignalsAsErrors &) = delete;
  SignalsAsErrors &operator=(const SignalsAsErrors &) = delete;

private:
  static constexpr std::array<int, 2> Signals = {SIGPIPE, SIGXFSZ};
  std::array<struct sigaction, 2> Old;
};

/// How a path is written to.
enum class OutputKind {
  Standard, ///< standard output
  Open,     ///< what is open already, a pipe, a device
  File      ///< a regular file, or none yet
};

} // namespace

static OutputKind kindOf(StringRef Path) {
  if (Path == "-" || Path == "/dev/stdout")
    return OutputKind::Standard;
  if (Path == "/dev/stderr" || Path.starts_with("/dev/fd/") ||
      Path.starts_with("/proc/self/fd/"))
    return OutputKind::Open;
  sys::fs::file_status Status;
  if (!sys::fs::status(Path, Status) && !sys::fs::is_regular_file(Status))
    return OutputKind::Open;
  return OutputKind::File;
}

/// The file that \p Path names, through symbolic links; also through one that
/// leads to a file which does not exist.
static SmallString<256> followLinks(StringRef Path) {
  SmallString<256> Target(Path), Real;
  if (!sys::fs::real_path(Target, Real))
    return Real;
  constexpr unsigned MaxLinks = 40; // as the kernel
  for (unsigned Links = 0; Links != MaxLinks; ++Links) {
    char Buffer[4096];
    ssize_t Size = ::readlink(Target.c_str(), Buffer, sizeof(Buffer));
    if (Size <= 0 || size_t(Size) == sizeof(Buffer))
      break;
    StringRef Next(Buffer, Size);
    if (sys::path::is_relative(Next)) {
      sys::path::remove_filename(Target);
      sys::path::append(Target, Next);
    } else {
      Target = Next;
    }
  }
  return Target;
}

static std::error_code writeAll(int FD, StringRef Contents) {
  raw_fd_ostream OS(FD, /*shouldClose=*/false, /*unbuffered=*/true);
  OS << Contents;
  std::error_code EC = OS.error();
  // An error that is left unasked for ends the program in the destructor.
  OS.clear_error();
  return EC;
}

static Error writeDirectly(StringRef Path, StringRef Contents) {
  int FD = STDOUT_FILENO;
  bool IsStandard = kindOf(Path) == OutputKind::Standard;
  if (!IsStandard)
    if (std::error_code EC = sys::fs::openFileForWrite(
            Path, FD, sys::fs::CD_OpenExisting, sys::fs::OF_None))
      return fileError(Path, "cannot write: " + EC.message());
  std::error_code EC = writeAll(FD, Contents);
  if (!IsStandard && ::close(FD) != 0 && !EC)
    EC = errnoAsErrorCode();
  if (EC)
    return fileError(IsStandard ? "standard output" : Path,
                     "cannot write: " + EC.message() +
                         "; the output is incomplete");
  return Error::success();
}

/// Makes a file beside \p Target that a signal which ends us will remove.
static std::error_code makeTemporary(StringRef Target, int &FD,
                                     SmallVectorImpl<char> &Temporary) {
  // None may come in between.
  sigset_t All, Old;
  sigfillset(&All);
  pthread_sigmask(SIG_BLOCK, &All, &Old);
  std::error_code EC = sys::fs::createUniqueFile(Target + ".%%%%%%%%.tmp", FD,
                                                 Temporary, sys::fs::OF_None);
  if (!EC)
    sys::RemoveFileOnSignal(StringRef(Temporary.data(), Temporary.size()));
  pthread_sigmask(SIG_SETMASK, &Old, nullptr);
  return EC;
}

/// All steps but the last, which is to rename \p Temporary.
static std::error_code writeTemporary(int FD, StringRef Contents,
                                      std::optional<sys::fs::perms> Mode) {
  std::error_code EC = writeAll(FD, Contents);
  if (!EC && Mode)
    EC = sys::fs::setPermissions(FD, *Mode);
  // Some file systems cannot, and say so by EINVAL.
  if (!EC && ::fsync(FD) != 0 && errno != EINVAL)
    EC = errnoAsErrorCode();
  if (::close(FD) != 0 && !EC)
    EC = errnoAsErrorCode();
  return EC;
}

static Error replaceFile(StringRef Path, StringRef Contents) {
  SmallString<256> Target = followLinks(Path);
  std::optional<sys::fs::perms> Mode;
  sys::fs::file_status Status;
  if (!sys::fs::status(Target, Status) && sys::fs::exists(Status))
    Mode = Status.permissions();
  auto Failure = [&](std::error_code EC, StringRef Left = "") {
    return fileError(Path,
                     "cannot write: " + EC.message() +
                         (Mode ? "; the file that was there is unchanged"
                          : Left.empty() ? "; nothing was left behind"
                                         : "") +
                         (Left.empty() ? Twine() : "; " + Left + " is left"));
  };

  SmallString<256> Temporary;
  int FD;
  if (std::error_code EC = makeTemporary(Target, FD, Temporary))
    return Failure(EC);
  std::error_code EC = writeTemporary(FD, Contents, Mode);
  if (!EC)
    EC = sys::fs::rename(Temporary, Target);
  const bool IsLeft = EC && sys::fs::remove(Temporary);
  sys::DontRemoveFileOnSignal(Temporary);
  return EC ? Failure(EC, IsLeft ? Temporary.str() : "") : Error::success();
}

Error writeOutputFile(StringRef Path, StringRef Contents) {
  SignalsAsErrors Scope;
  return kindOf(Path) == OutputKind::File ? replaceFile(Path, Contents)
                                          : writeDirectly(Path, Contents);
}

Error checkOutputPath(StringRef Path, StringRef Option) {
  if (kindOf(Path) == OutputKind::Standard)
    return Error::success();
  if (sys::fs::is_directory(Path))
    return fileError(Path, "is a directory; " + Option + " needs a file name");
  auto CheckWritable = [&](const Twine &What, const Twine &Prefix) -> Error {
    if (std::error_code EC = sys::fs::access(What, sys::fs::AccessMode::Write))
      return fileError(Path, Prefix + EC.message());
    return Error::success();
  };
  bool Exists = sys::fs::exists(Path);
  if (Exists)
    if (Error E = CheckWritable(Path, "cannot be written: "))
      return E;
  if (kindOf(Path) != OutputKind::File)
    return Error::success();

  SmallString<256> Target = followLinks(Path);
  StringRef Parent = sys::path::parent_path(Target);
  if (Parent.empty())
    Parent = ".";
  if (!sys::fs::is_directory(Parent))
    return fileError(Path, "the directory " + Parent +
                               " does not exist; make it first");
  // Even for a file that exists: it is replaced, not overwritten.
  return CheckWritable(Parent, "cannot be made in " + Parent + ": ");
}

Error checkNotOverwritten(StringRef Output, StringRef Input, StringRef Option) {
  if (Output == "-" || !sys::fs::equivalent(Output, Input))
    return Error::success();
  return fileError(Output, "is an input (" + Input + "); " + Option +
                               " needs another file");
}

} // namespace inlay
