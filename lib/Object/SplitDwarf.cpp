//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SplitDwarf.h.
//
//===----------------------------------------------------------------------===//

#include "SplitDwarf.h"
#include "ELFImage.h"
#include "inlay/Object/BinaryLocator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace inlay {

static SmallString<128> absolutePath(StringRef Path) {
  SmallString<128> Absolute(Path);
  if (!sys::fs::make_absolute(Absolute))
    sys::path::remove_dots(Absolute, /*remove_dot_dot=*/true);
  return Absolute;
}

Error checkSplitFile(StringRef Path) {
  return ELFImage::open(Path, ELFImage::Form::Relocatable).takeError();
}

Expected<std::string> findSplitPackage(const SplitDwarfSearch &Search) {
  std::vector<std::string> Places = {Search.BinaryPath + ".dwp",
                                     Search.DebugPath + ".dwp"};
  SmallString<128> Absolute = absolutePath(Search.BinaryPath);
  for (const std::string &Directory : Search.DebugDirectories) {
    if (std::string ByBuildID = pathByBuildID(Directory, Search.BuildID);
        !ByBuildID.empty())
      Places.push_back(ByBuildID + ".dwp");
    Places.push_back((Directory + Absolute + ".dwp").str());
    Places.push_back(
        (Directory + "/" + sys::path::filename(Absolute) + ".dwp").str());
  }
  for (std::string &Place : Places)
    if (sys::fs::is_regular_file(Place)) {
      if (Error E = checkSplitFile(Place))
        return E;
      return std::move(Place);
    }
  return "";
}

std::vector<std::string> splitUnitCandidates(const SplitDwarfSearch &Search,
                                             StringRef CompilationDirectory,
                                             StringRef Name) {
  std::vector<std::string> Candidates;
  auto Try = [&](const Twine &Place) {
    std::string Path = Place.str();
    if (sys::fs::is_regular_file(Path) && !is_contained(Candidates, Path))
      Candidates.push_back(std::move(Path));
  };
  SmallString<128> Original;
  if (sys::path::is_relative(Name))
    Original = CompilationDirectory;
  sys::path::append(Original, Name);
  Try(Original);

  std::vector<std::string> Directories = {
      sys::path::parent_path(absolutePath(Search.BinaryPath)).str()};
  llvm::append_range(Directories, Search.DebugDirectories);
  for (const std::string &Directory : Directories) {
    if (sys::path::is_absolute(Original))
      Try(Directory + Original);
    if (sys::path::is_relative(Name))
      Try(Directory + "/" + Name);
    Try(Directory + "/" + sys::path::filename(Name));
  }
  return Candidates;
}

} // namespace inlay
