//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's writeToOutput() renames its temporary file over whatever is there:
// over a symbolic link, and, for root, over /dev/full. Only a regular file may
// be replaced.
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/OutputFile.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace inlay;

/// Into what is open already, or cannot be replaced.
static Error writeDirectly(StringRef Path, StringRef Contents) {
  std::error_code EC;
  raw_fd_ostream OS(Path, EC, sys::fs::OF_None);
  if (EC)
    return fileError(Path, "cannot write: " + EC.message());
  OS << Contents;
  OS.flush();
  // An error that is left unasked for ends the program in the destructor.
  EC = OS.error();
  OS.clear_error();
  if (EC)
    return fileError(Path, "cannot write: " + EC.message());
  return Error::success();
}

Error inlay::writeOutputFile(StringRef Path, StringRef Contents) {
  sys::fs::file_status Status;
  bool Exists = !sys::fs::status(Path, Status);
  if (Path == "-" || (Exists && !sys::fs::is_regular_file(Status)))
    return writeDirectly(Path, Contents);

  SmallString<256> Target(Path);
  if (Exists)
    if (std::error_code EC = sys::fs::real_path(Path, Target))
      return fileError(Path, "cannot write: " + EC.message());
  if (Error E = writeToOutput(Target, [&](raw_ostream &OS) {
        OS << Contents;
        return Error::success();
      }))
    return fileError(Path, "cannot write: " + toString(std::move(E)));
  return Error::success();
}

Error inlay::checkOutputPath(StringRef Path, StringRef Option) {
  if (Path == "-")
    return Error::success();
  if (sys::fs::is_directory(Path))
    return fileError(Path, "is a directory; " + Option + " needs a file name");
  StringRef Parent = sys::path::parent_path(Path);
  if (Parent.empty())
    Parent = ".";
  if (!sys::fs::is_directory(Parent))
    return fileError(Path, "the directory " + Parent +
                               " does not exist; make it first");
  if (std::error_code EC = sys::fs::access(
          sys::fs::exists(Path) ? Path : Parent, sys::fs::AccessMode::Write))
    return fileError(Path, "cannot be written: " + EC.message());
  return Error::success();
}

Error inlay::checkNotOverwritten(StringRef Output, StringRef Input,
                                 StringRef Option) {
  if (Output == "-" || !sys::fs::equivalent(Output, Input))
    return Error::success();
  return fileError(Output, "is an input (" + Input + "); " + Option +
                               " needs another file");
}
