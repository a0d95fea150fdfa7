//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// perf's configuration is written as git's is: [section], name = value, and
// comments behind # and ;. Whatever else there is, is passed over.
//
//===----------------------------------------------------------------------===//

#include "PerfCache.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace inlay {

static std::string configuredDirectory(StringRef Path) {
  // A pipe would not end.
  if (!sys::fs::is_regular_file(Path))
    return "";
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return "";
  std::string Directory;
  bool IsInSection = false;
  for (StringRef Line : split((*Buffer)->getBuffer(), '\n')) {
    Line = Line.take_until([](char C) { return C == '#' || C == ';'; }).trim();
    if (Line.consume_front("[")) {
      IsInSection = Line.take_until([](char C) { return C == ']'; })
                        .trim()
                        .equals_insensitive("buildid");
      continue;
    }
    auto [Name, Value] = Line.split('=');
    if (IsInSection && Name.trim().equals_insensitive("dir"))
      Directory = Value.trim().trim('"').str();
  }
  return Directory;
}

std::string perfCacheDirectory() {
  const std::optional<std::string> Home = sys::Process::GetEnv("HOME");
  std::string Config;
  if (std::optional<std::string> Named = sys::Process::GetEnv("PERF_CONFIG"))
    Config = *Named;
  else if (Home)
    Config = *Home + "/.perfconfig";
  std::string Directory = configuredDirectory(Config);
  if (Directory.empty())
    return Home && !Home->empty() ? *Home + "/.debug" : "";
  if (StringRef(Directory).starts_with("~/") && Home)
    return *Home + Directory.substr(1);
  return Directory;
}

} // namespace inlay
