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

Expected<std::unique_ptr<ProfiledBinary>>
locateBinary(const RecordedBinary &Recorded,
             ArrayRef<std::string> DebugDirectories, bool IgnoreBuildID) {
  StringRef Path = recordedPath(Recorded.Path);
  std::vector<std::string> Places = {Path.str()};
  for (StringRef Directory : DebugDirectories) {
    if (Recorded.BuildID.size() >= 2) {
      std::string ByBuildID =
          (Directory + "/.build-id/" +
           toHex(Recorded.BuildID.take_front(), /*LowerCase=*/true) + "/" +
           toHex(Recorded.BuildID.drop_front(), /*LowerCase=*/true))
              .str();
      Places.push_back(ByBuildID);
      Places.push_back(ByBuildID + "/elf");
    }
    if (sys::path::is_absolute(Path))
      Places.push_back((Directory + Path).str());
    Places.push_back((Directory + "/" + sys::path::filename(Path)).str());
  }

  std::string WhatWasThere;
  for (const std::string &Place : Places) {
    if (!sys::fs::is_regular_file(Place))
      continue;
    Expected<std::unique_ptr<ProfiledBinary>> BinaryOrErr =
        ProfiledBinary::open(Place, DebugDirectories);
    if (!BinaryOrErr) {
      WhatWasThere += "; " + toString(BinaryOrErr.takeError());
      continue;
    }
    ArrayRef<uint8_t> BuildID = (*BinaryOrErr)->buildID();
    // The place already agrees in name, so no build ID is no contradiction.
    if (IgnoreBuildID || Recorded.BuildID.empty() || BuildID.empty() ||
        BuildID == Recorded.BuildID)
      return std::move(*BinaryOrErr);
    WhatWasThere += "; " + Place + " has build ID " + formatBuildID(BuildID) +
                    ", the recorded one is " + formatBuildID(Recorded.BuildID);
  }
  if (WhatWasThere.empty())
    return fileError(Path, "no such file");
  return fileError(Path, StringRef(WhatWasThere).drop_front(2));
}

} // namespace inlay
