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
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
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

BinaryMatch matchBinary(const RecordedBinary &Recorded,
                        const ProfiledBinary &Binary) {
  bool BothHaveBuildID = !Recorded.BuildID.empty() && !Binary.buildID().empty();
  if (BothHaveBuildID && Recorded.BuildID == Binary.buildID())
    return BinaryMatch::BuildID;
  if (sys::path::filename(recordedPath(Recorded.Path)) !=
      sys::path::filename(Binary.path()))
    return BinaryMatch::No;
  return BothHaveBuildID ? BinaryMatch::WrongBuildID : BinaryMatch::Name;
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

Expected<std::unique_ptr<ProfiledBinary>>
locateBinary(const RecordedBinary &Recorded,
             ArrayRef<std::string> DebugDirectories, bool IgnoreBuildID) {
  StringRef Path = recordedPath(Recorded.Path);
  std::vector<std::string> Places = {Path.str()};
  for (StringRef Directory : DebugDirectories) {
    if (std::string ByBuildID = pathByBuildID(Directory, Recorded.BuildID);
        !ByBuildID.empty())
      for (StringRef Suffix : {"", "/elf", ".debug"})
        Places.push_back(ByBuildID + Suffix.str());
    if (sys::path::is_absolute(Path))
      Places.push_back((Directory + Path).str());
    Places.push_back((Directory + "/" + sys::path::filename(Path)).str());
  }

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
    ArrayRef<uint8_t> BuildID = (*BinaryOrErr)->buildID();
    // The place already agrees in name, so no build ID is no contradiction.
    if (IgnoreBuildID || Recorded.BuildID.empty() || BuildID.empty() ||
        BuildID == Recorded.BuildID)
      return std::move(*BinaryOrErr);
    WhatWasThere += "; " + Place.str() + " has build ID " +
                    formatBuildID(BuildID) + ", the recorded one is " +
                    formatBuildID(Recorded.BuildID);
    return nullptr;
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
    return fileError(Path, "no such file");
  return fileError(Path, StringRef(WhatWasThere).drop_front(2));
}

} // namespace inlay
