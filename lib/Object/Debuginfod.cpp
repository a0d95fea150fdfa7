//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Debuginfod.h. The client prints the path on standard output, and what
// went wrong on standard error.
//
//===----------------------------------------------------------------------===//

#include "Debuginfod.h"
#include "inlay/Object/BinaryLocator.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace inlay {

bool isDebuginfodEnabled() {
  std::optional<std::string> URLs = sys::Process::GetEnv("DEBUGINFOD_URLS");
  return URLs && !StringRef(*URLs).trim().empty();
}

static ErrorOr<std::string> findClient() {
  constexpr StringLiteral Name = "llvm-debuginfod-find";
  for (const std::string &Each :
       {Name.str(), (Name + "-" + Twine(LLVM_VERSION_MAJOR)).str()})
    if (ErrorOr<std::string> Program = sys::findProgramByName(Each))
      return Program;
  return sys::findProgramByName(Name, {INLAY_LLVM_TOOLS_DIR});
}

/// The first line that says something.
static std::string firstLine(StringRef Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return "";
  return (*Buffer)->getBuffer().ltrim().split('\n').first.rtrim().str();
}

Expected<std::string> fetchFromDebuginfod(ArrayRef<uint8_t> BuildID,
                                          DebuginfodFile Kind) {
  constexpr StringLiteral Servers = "debuginfod";
  ErrorOr<std::string> Client = findClient();
  if (!Client)
    return fileError(Servers, "DEBUGINFOD_URLS is set, but there is no "
                              "llvm-debuginfod-find on PATH; install LLVM's "
                              "tools");
  SmallString<128> Output, Messages;
  std::error_code EC =
      sys::fs::createTemporaryFile("llvm-profconv", "out", Output);
  FileRemover RemoveOutput(Output);
  if (!EC)
    EC = sys::fs::createTemporaryFile("llvm-profconv", "err", Messages);
  FileRemover RemoveMessages(Messages);
  if (EC)
    return fileError(Servers, "no temporary file: " + EC.message());

  std::string ID = formatBuildID(BuildID);
  std::string Failure;
  int Status = sys::ExecuteAndWait(
      *Client,
      {*Client,
       Kind == DebuginfodFile::Executable ? "--executable" : "--debuginfo", ID},
      std::nullopt, {StringRef(), Output.str(), Messages.str()},
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &Failure);
  std::string Path = firstLine(Output);
  if (Status == 0 && sys::fs::is_regular_file(Path))
    return Path;
  if (Failure.empty())
    Failure = firstLine(Messages);
  return fileError(Servers,
                   "no server has " +
                       Twine(Kind == DebuginfodFile::Executable
                                 ? "the executable"
                                 : "the debug information") +
                       " of build ID " + ID +
                       (Failure.empty() ? Twine() : " (" + Failure + ")"));
}

} // namespace inlay
