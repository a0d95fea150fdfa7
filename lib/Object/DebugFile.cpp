//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See DebugFile.h.
//
//===----------------------------------------------------------------------===//

#include "DebugFile.h"
#include "Debuginfod.h"
#include "PerfCache.h"
#include "inlay/Object/BinaryLocator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace inlay {

/// The directories that the binary can be said to be in: as it was named, and
/// as links lead there.
static SmallVector<std::string, 2> directoriesOf(StringRef Path) {
  SmallVector<std::string, 2> Directories;
  SmallString<128> Absolute(Path), Real;
  if (!sys::fs::make_absolute(Absolute))
    sys::path::remove_dots(Absolute, /*remove_dot_dot=*/true);
  Directories.push_back(sys::path::parent_path(Absolute).str());
  if (!sys::fs::real_path(Path, Real)) {
    std::string Directory = sys::path::parent_path(Real).str();
    if (Directory != Directories.front())
      Directories.push_back(std::move(Directory));
  }
  return Directories;
}

/// Existing files, best first.
static std::vector<std::string>
candidates(const ELFImage &Binary, ArrayRef<std::string> DebugDirectories) {
  std::vector<std::string> Candidates;
  auto Try = [&](const Twine &Candidate) {
    std::string File = Candidate.str();
    if (sys::fs::is_regular_file(File) &&
        !sys::fs::equivalent(File, Binary.path()) &&
        !is_contained(Candidates, File))
      Candidates.push_back(std::move(File));
  };

  SmallVector<std::string, 2> BinaryDirectories = directoriesOf(Binary.path());
  StringRef Name = sys::path::filename(Binary.path());
  // A link names a file, not a path: nobody is to send us elsewhere.
  StringRef Linked;
  if (Binary.debugLink())
    Linked = sys::path::filename(Binary.debugLink()->FileName);

  std::vector<std::string> Directories(DebugDirectories);
  Directories.push_back("/usr/lib/debug");
  for (StringRef Directory : Directories) {
    if (std::string File = pathByBuildID(Directory, Binary.buildID());
        !File.empty())
      Try(File + ".debug");
    for (const std::string &BinaryDirectory : BinaryDirectories) {
      const std::string Path = (Directory + BinaryDirectory).str();
      const StringRef Below = Path;
      if (!Linked.empty())
        Try(Below + "/" + Linked);
      Try(Below + "/" + Name + ".debug");
      Try(Below + "/" + Name);
    }
    if (!Linked.empty())
      Try(Directory + "/" + Linked);
    Try(Directory + "/" + Name + ".debug");
  }
  if (const std::string Cache = perfCacheDirectory();
      !Cache.empty() && !Binary.buildID().empty())
    Try(pathByBuildID(Cache, Binary.buildID()) + "/debug");
  for (StringRef Beside : BinaryDirectories) {
    if (!Linked.empty()) {
      Try(Beside + "/" + Linked);
      Try(Beside + "/.debug/" + Linked);
    }
    Try(Beside + "/" + Name + ".debug");
    Try(Beside + "/.debug/" + Name + ".debug");
  }
  return Candidates;
}

/// Why \p File is not the debug file of \p Binary; empty if it is.
static std::string contradiction(const ELFImage &Binary, const ELFImage &File) {
  ArrayRef<uint8_t> Own = Binary.buildID(), Other = File.buildID();
  if (!Own.empty() && !Other.empty()) {
    if (Own != Other)
      return "has build ID " + formatBuildID(Other) + ", the binary's is " +
             formatBuildID(Own);
  } else if (Binary.debugLink()) {
    if (crc32(arrayRefFromStringRef(File.bytes())) != Binary.debugLink()->CRC)
      return "its checksum is not the one in the binary's .gnu_debuglink";
  } else if (!Own.empty()) {
    return "has no build ID, the binary's is " + formatBuildID(Own);
  } else if (!Other.empty()) {
    return "has build ID " + formatBuildID(Other) + ", the binary has none";
  }
  return File.hasDebugSections() ? "" : "has no debug information";
}

FoundDebugFile findDebugFile(const ELFImage &Binary,
                             ArrayRef<std::string> DebugDirectories) {
  FoundDebugFile Found;
  auto Try = [&](const std::string &Path) {
    Expected<std::unique_ptr<ELFImage>> ImageOrErr = ELFImage::open(Path);
    if (!ImageOrErr) {
      Found.Rejected.push_back(toString(ImageOrErr.takeError()));
      return false;
    }
    std::string Reason = contradiction(Binary, **ImageOrErr);
    if (!Reason.empty()) {
      Found.Rejected.push_back(Path + ": " + Reason);
      return false;
    }
    Found.Image = std::move(*ImageOrErr);
    return true;
  };
  for (const std::string &Path : candidates(Binary, DebugDirectories))
    if (Try(Path))
      return Found;
  if (isDebuginfodEnabled() && !Binary.buildID().empty()) {
    Expected<std::string> PathOrErr =
        fetchFromDebuginfod(Binary.buildID(), DebuginfodFile::DebugInfo);
    if (!PathOrErr)
      Found.Rejected.push_back(toString(PathOrErr.takeError()));
    else
      Try(*PathOrErr);
  }
  return Found;
}

} // namespace inlay
