//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The places are those that gdb and the distributions agree on.
//
//===----------------------------------------------------------------------===//

#include "inlay/Object/DebugFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

std::vector<std::string>
inlay::debugFileCandidates(StringRef Path, ArrayRef<uint8_t> BuildID,
                           ArrayRef<std::string> DebugDirectories) {
  std::vector<std::string> Candidates;
  auto Try = [&](const Twine &Candidate) {
    std::string File = Candidate.str();
    if (sys::fs::is_regular_file(File) && !sys::fs::equivalent(File, Path) &&
        !is_contained(Candidates, File))
      Candidates.push_back(std::move(File));
  };

  SmallString<128> AbsolutePath(Path);
  if (!sys::fs::make_absolute(AbsolutePath))
    sys::path::remove_dots(AbsolutePath, /*remove_dot_dot=*/true);
  StringRef Name = sys::path::filename(Path);

  SmallVector<StringRef> Directories(DebugDirectories.begin(),
                                     DebugDirectories.end());
  Directories.push_back("/usr/lib/debug");
  for (StringRef Directory : Directories) {
    if (BuildID.size() >= 2)
      Try(Directory + "/.build-id/" +
          toHex(BuildID.take_front(), /*LowerCase=*/true) + "/" +
          toHex(BuildID.drop_front(), /*LowerCase=*/true) + ".debug");
    Try(Directory + AbsolutePath + ".debug");
    Try(Directory + AbsolutePath);
    Try(Directory + "/" + Name + ".debug");
  }

  StringRef Beside = sys::path::parent_path(AbsolutePath);
  Try(Beside + "/" + Name + ".debug");
  Try(Beside + "/.debug/" + Name + ".debug");
  return Candidates;
}
