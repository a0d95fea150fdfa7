//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files are opened in the order of the header; the first that fits is taken.
//
//===----------------------------------------------------------------------===//

#include "inlay/Object/BinaryLocator.h"
#include "Debuginfod.h"
#include "PerfCache.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace inlay {

std::string formatBuildID(ArrayRef<uint8_t> BuildID) {
  return BuildID.empty() ? "none" : toHex(BuildID, /*LowerCase=*/true);
}

std::string pathByBuildID(StringRef Directory, ArrayRef<uint8_t> BuildID) {
  if (BuildID.size() < 2)
    return "";
  return (Directory + "/.build-id/" +
          toHex(BuildID.take_front(), /*LowerCase=*/true) + "/" +
          toHex(BuildID.drop_front(), /*LowerCase=*/true))
      .str();
}

StringRef recordedPath(StringRef Path) {
  Path.consume_back(" (deleted)");
  return Path;
}

/// "[snd_pcm]" and "/lib/modules/6.1/kernel/snd-pcm.ko.xz" -> "snd_pcm".
static std::string moduleName(StringRef Path) {
  StringRef Name = sys::path::filename(Path);
  Name.consume_front("[");
  Name = Name.take_front(Name.find_first_of("]."));
  std::string Result = Name.str();
  for (char &C : Result)
    C = C == '-' ? '_' : C;
  return Result;
}

static bool haveSameName(const RecordedBinary &Recorded,
                         const ProfiledBinary &Binary) {
  if (Recorded.Form != Binary.form())
    return false;
  switch (Recorded.Form) {
  case BinaryForm::Kernel:
    return true;
  case BinaryForm::KernelModule:
    return moduleName(Recorded.Path) == moduleName(Binary.path());
  case BinaryForm::Program:
    break;
  }
  return sys::path::filename(recordedPath(Recorded.Path)) ==
         sys::path::filename(Binary.path());
}

BinaryMatch matchBinary(const RecordedBinary &Recorded,
                        const ProfiledBinary &Binary) {
  bool BothHaveBuildID = !Recorded.BuildID.empty() && !Binary.buildID().empty();
  if (BothHaveBuildID && Recorded.BuildID == Binary.buildID())
    return BinaryMatch::BuildID;
  if (!haveSameName(Recorded, Binary))
    return BinaryMatch::No;
  return BothHaveBuildID ? BinaryMatch::WrongBuildID : BinaryMatch::Name;
}

Error takeOffsetsOf(const RecordedBinary &Recorded, ProfiledBinary &Binary) {
  if (Binary.form() != BinaryForm::Kernel)
    return Error::success();
  auto [Name, Symbol] = Recorded.Path.rsplit(']');
  return Symbol.empty() ? Error::success() : Binary.countOffsetsFrom(Symbol);
}

Error checkDebugDirectories(ArrayRef<std::string> DebugDirectories) {
  for (const std::string &Directory : DebugDirectories)
    if (!sys::fs::is_directory(Directory))
      return fileError(Directory, sys::fs::exists(Directory)
                                      ? "is not a directory; --debug-dir takes "
                                        "one"
                                      : "no such directory; see --debug-dir");
  return Error::success();
}

/// The files and directories in \p Directory whose names begin with \p Prefix.
static void addFiles(const Twine &Directory, StringRef Prefix,
                     std::vector<std::string> &Result) {
  size_t First = Result.size();
  std::error_code EC;
  for (sys::fs::directory_iterator I(Directory, EC), E; !EC && I != E;
       I.increment(EC))
    if (sys::path::filename(I->path()).starts_with(Prefix))
      Result.push_back(I->path());
  std::sort(Result.begin() + First, Result.end());
}

static std::vector<std::string> placesByBuildID(StringRef Directory,
                                                ArrayRef<uint8_t> BuildID) {
  std::string Path = pathByBuildID(Directory, BuildID);
  if (Path.empty() || Directory.empty())
    return {};
  return {Path, Path + "/elf", Path + ".debug"};
}

static std::vector<std::string>
placesOfKernel(ArrayRef<uint8_t> BuildID, ArrayRef<std::string> Directories) {
  std::vector<std::string> Places, Modules;
  for (StringRef Directory : Directories) {
    llvm::append_range(Places, placesByBuildID(Directory, BuildID));
    addFiles(Directory, "vmlinux", Places);
    addFiles(Directory + "/boot", "vmlinux", Places);
    Modules.clear();
    addFiles(Directory + "/lib/modules", "", Modules);
    for (const std::string &Release : Modules)
      Places.push_back(Release + "/vmlinux");
  }
  llvm::append_range(Places, placesByBuildID(perfCacheDirectory(), BuildID));
  addFiles("/boot", "vmlinux", Places);
  Modules.clear();
  addFiles("/lib/modules", "", Modules);
  for (const std::string &Release : Modules)
    Places.push_back(Release + "/build/vmlinux");
  return Places;
}

static std::vector<std::string>
placesOfFile(const RecordedBinary &Recorded,
             ArrayRef<std::string> Directories) {
  StringRef Path = recordedPath(Recorded.Path);
  std::string Name = sys::path::filename(Path).str();
  // A module may be known by nothing but its name.
  if (Recorded.Form == BinaryForm::KernelModule && Path.starts_with("["))
    Name = moduleName(Path) + ".ko";
  std::vector<std::string> Places = {Path.str()};
  for (StringRef Directory : Directories) {
    llvm::append_range(Places, placesByBuildID(Directory, Recorded.BuildID));
    if (sys::path::is_absolute(Path))
      Places.push_back((Directory + Path).str());
    Places.push_back((Directory + "/" + Name).str());
  }
  llvm::append_range(Places,
                     placesByBuildID(perfCacheDirectory(), Recorded.BuildID));
  return Places;
}

Expected<std::unique_ptr<ProfiledBinary>>
locateBinary(const RecordedBinary &Recorded,
             ArrayRef<std::string> DebugDirectories, bool IgnoreBuildID) {
  StringRef Path = recordedPath(Recorded.Path);
  bool IsKernel = Recorded.Form == BinaryForm::Kernel;
  // Which of the kernels here it was, nothing else tells.
  if (IsKernel && Recorded.BuildID.empty())
    return fileError(Path, "its build ID was not recorded; give its vmlinux as "
                           "--binary");
  std::vector<std::string> Directories = DebugDirectories.vec();
  if (Recorded.Form != BinaryForm::Program)
    Directories.push_back("/usr/lib/debug");
  std::vector<std::string> Places =
      IsKernel ? placesOfKernel(Recorded.BuildID, Directories)
               : placesOfFile(Recorded, Directories);

  std::string WhatWasThere;
  auto Try = [&](StringRef Place) -> std::unique_ptr<ProfiledBinary> {
    if (!sys::fs::is_regular_file(Place))
      return nullptr;
    Expected<std::unique_ptr<ProfiledBinary>> BinaryOrErr =
        ProfiledBinary::open(Place, DebugDirectories);
    if (!BinaryOrErr) {
      WhatWasThere += "; " + toString(BinaryOrErr.takeError());
      return nullptr;
    }
    ProfiledBinary &Binary = **BinaryOrErr;
    ArrayRef<uint8_t> BuildID = Binary.buildID();
    if (Binary.form() != Recorded.Form) {
      WhatWasThere += "; " + Place.str() + " is something else";
      return nullptr;
    }
    // The place of a file already agrees in name, so no build ID is no
    // contradiction.
    if (!IgnoreBuildID && !Recorded.BuildID.empty() &&
        (IsKernel || !BuildID.empty()) && BuildID != Recorded.BuildID) {
      WhatWasThere += "; " + Place.str() + " has build ID " +
                      formatBuildID(BuildID) + ", the recorded one is " +
                      formatBuildID(Recorded.BuildID);
      return nullptr;
    }
    if (Error E = takeOffsetsOf(Recorded, Binary)) {
      WhatWasThere += "; " + toString(std::move(E));
      return nullptr;
    }
    return std::move(*BinaryOrErr);
  };
  for (const std::string &Place : Places)
    if (std::unique_ptr<ProfiledBinary> Binary = Try(Place))
      return Binary;
  if (isDebuginfodEnabled() && !Recorded.BuildID.empty()) {
    Expected<std::string> FetchedOrErr =
        fetchFromDebuginfod(Recorded.BuildID, DebuginfodFile::Executable);
    if (!FetchedOrErr)
      WhatWasThere += "; " + toString(FetchedOrErr.takeError());
    else if (std::unique_ptr<ProfiledBinary> Binary = Try(*FetchedOrErr))
      return Binary;
  }
  if (WhatWasThere.empty())
    return fileError(Path, IsKernel ? "no vmlinux with its build ID (" +
                                          formatBuildID(Recorded.BuildID) +
                                          ") was found"
                                    : "no such file");
  return fileError(Path, StringRef(WhatWasThere).drop_front(2));
}

} // namespace inlay
