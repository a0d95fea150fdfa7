//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a binary cannot be used, the reason is remembered: several events ask
// for the same one.
//
//===----------------------------------------------------------------------===//

#include "BinarySet.h"
#include "inlay/Object/BinaryLocator.h"
#include "inlay/Support/Diagnostics.h"

using namespace llvm;

namespace inlay {

static Error checkUsable(const ProfiledBinary &Binary) {
  StringRef Lacks = !Binary.hasSymbols()     ? "function symbols"
                    : !Binary.hasDebugInfo() ? "debug information"
                                             : "";
  if (Lacks.empty())
    return Error::success();
  return fileError(Binary.path(),
                   "has no " + Lacks +
                       "; give the unstripped one as --binary, or the "
                       "directory of its debug file as --debug-dir (build ID " +
                       formatBuildID(Binary.buildID()) + ")");
}

Error BinarySet::add(StringRef Path) {
  auto Binary = ProfiledBinary::open(Path, DebugDirectories);
  if (!Binary)
    return Binary.takeError();
  if (Error E = checkUsable(**Binary))
    return E;
  Named.push_back({std::move(*Binary)});
  return Error::success();
}

Expected<ProfiledBinary *> BinarySet::find(const BinarySamples &Samples) {
  RecordedBinary Recorded = {Samples.Path, Samples.BuildID};
  for (Entry &Entry : Named) {
    BinaryMatch Match = matchBinary(Recorded, *Entry.Binary);
    if (Match == BinaryMatch::BuildID || Match == BinaryMatch::Name) {
      Entry.IsUsed = true;
      return Entry.Binary.get();
    }
  }
  std::string Name =
      Samples.Path + " (build ID " + formatBuildID(Samples.BuildID) + ")";
  if (Samples.Kind != CodeKind::User)
    return fileError(Name, "is of the kernel");
  if (hasNamed())
    return fileError(Name, "is none of the binaries that were named");
  if (Samples.BuildID.empty())
    return fileError(Name, "has no build ID; link it with -Wl,--build-id, or "
                           "give it as --binary");
  std::string Key = formatBuildID(Samples.BuildID);
  if (auto It = Found.find(Key); It != Found.end())
    return It->second.get();
  if (auto It = Missing.find(Key); It != Missing.end())
    return createStringError(inconvertibleErrorCode(), It->second);
  auto Binary = locateBinary(Recorded, DebugDirectories);
  Error E = Binary ? checkUsable(**Binary) : Binary.takeError();
  if (E) {
    std::string Why = toString(std::move(E));
    Missing[Key] = Why;
    return createStringError(inconvertibleErrorCode(), Why);
  }
  return (Found[Key] = std::move(*Binary)).get();
}

const ProfiledBinary *BinarySet::unusedNamed() const {
  for (const Entry &Entry : Named)
    if (!Entry.IsUsed)
      return Entry.Binary.get();
  return nullptr;
}

} // namespace inlay
