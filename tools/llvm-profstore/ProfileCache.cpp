//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The estimator's version is a hash of this very program. A number that
// somebody must remember to raise would be wrong some day; this is not, at the
// price of making some profiles once more after each update.
//
// What is kept: the names of the binary's functions, each ended by a NUL, an
// empty one at the end; then a profile in LLVM's extended binary format, as it
// is on disk.
//
//===----------------------------------------------------------------------===//

#include "ProfileCache.h"
#include "inlay/Profile/ProfileFile.h"
#include "inlay/Store/Schema.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace inlay {

/// Which program this is; empty if that cannot be told.
static std::string ownVersion() {
  static int Here;
  auto Program = MemoryBuffer::getFile(
      sys::fs::getMainExecutable("llvm-profstore", &Here), /*IsText=*/false,
      /*RequiresNullTerminator=*/false);
  if (!Program)
    return "";
  XXH128_hash_t Hash =
      xxh3_128bits(arrayRefFromStringRef((*Program)->getBuffer()));
  return utohexstr(Hash.high64) + "-" + utohexstr(Hash.low64) +
         "-LLVM-" LLVM_VERSION_STRING;
}

static std::string serialize(const SumProfile &Profile) {
  std::string Bytes;
  for (const std::string &Symbol : Profile.Map.Symbols)
    if (!Symbol.empty())
      Bytes += Symbol + '\0';
  Bytes += '\0';
  ContextSummaryMap Map;
  Map.merge(Profile.Map);
  Map.Symbols.clear();
  Expected<SmallVector<char, 0>> Written =
      profileBytes(Map, ProfileFormat::ExtBinary);
  if (!Written) {
    consumeError(Written.takeError());
    return "";
  }
  Bytes.append(Written->begin(), Written->end());
  return Bytes;
}

static Expected<SumProfile> parse(const SymbolizedProfile &Kept) {
  StringRef Rest = Kept.Profile;
  std::set<std::string, std::less<>> Symbols;
  while (true) {
    size_t End = Rest.find('\0');
    if (End == StringRef::npos)
      return createStringError("its list of names has no end");
    StringRef Name = Rest.take_front(End);
    Rest = Rest.drop_front(End + 1);
    if (Name.empty())
      break;
    Symbols.insert(Name.str());
  }
  Expected<ProfileFile> File =
      readProfile(MemoryBuffer::getMemBufferCopy(Rest, "kept profile"));
  if (!File)
    return File.takeError();
  if (File->Map.empty())
    return createStringError("it is empty");
  SumProfile Profile = {std::move(File->Map), Kept.Samples, Kept.Functions};
  Profile.Map.Symbols = std::move(Symbols);
  return Profile;
}

Error ProfileCache::load(Database &DB, ArrayRef<SummedSamples> Sums,
                         const EstimatorRequest &Request,
                         DiagnosticSink &Diagnostics) {
  Entries = std::vector<Entry>(Sums.size());
  std::string Version = ownVersion();
  if (Version.empty())
    return Error::success();
  // Of all that are held at a time.
  constexpr uint64_t MostBytes = uint64_t(1) << 28;
  uint64_t Bytes = 0;
  for (auto [Sum, Entry] : zip_equal(Sums, Entries)) {
    if (Sum.Samples.BuildID.empty() || Sum.Samples.Kind != CodeKind::User)
      continue;
    Expected<std::string> Making = describeEstimation(Sum, Request);
    if (!Making) {
      // It will be told when it is made.
      consumeError(Making.takeError());
      continue;
    }
    Entry.Key = symbolizedKey(Sum, Version + " " + *Making);
    Entry.BuildID = Sum.Samples.BuildID;
    if (Bytes > MostBytes)
      continue;
    auto Kept = findSymbolized(DB, Entry.Key);
    Error E = Kept.takeError();
    if (!E && *Kept) {
      Bytes = SaturatingAdd<uint64_t>(Bytes, (*Kept)->Profile.size());
      Expected<SumProfile> Profile = parse(**Kept);
      E = Profile.takeError();
      if (!E)
        Entry.Found = std::move(*Profile);
    }
    if (!E)
      continue;
    // What the database itself says is to be told; damage is not used.
    if (E.isA<DatabaseError>())
      return E;
    Diagnostics.warning(DB.name() +
                        ": a kept profile is damaged and is made anew: " +
                        toString(std::move(E)));
  }
  return Error::success();
}

const SumProfile *ProfileCache::find(size_t Index) const {
  const Entry &Entry = Entries[Index];
  return Entry.Found ? &*Entry.Found : nullptr;
}

void ProfileCache::add(size_t Index, const SumProfile &Profile) {
  Entry &Entry = Entries[Index];
  if (Entry.Key.empty())
    return;
  std::string Bytes = serialize(Profile);
  if (!Bytes.empty())
    Entry.Added = {std::move(Bytes), Profile.Samples, Profile.Functions};
}

void ProfileCache::save(StringRef URL, DiagnosticSink &Diagnostics) {
  std::unique_ptr<Database> DB;
  for (const Entry &Entry : Entries) {
    if (!Entry.Added)
      continue;
    if (!DB) {
      Expected<std::unique_ptr<Database>> Connected =
          openStore(URL, DatabaseAccess::Write);
      if (!Connected) {
        consumeError(Connected.takeError());
        return;
      }
      DB = std::move(*Connected);
    }
    Expected<bool> IsKept =
        keepSymbolized(*DB, Entry.Key, Entry.BuildID, *Entry.Added);
    if (IsKept)
      continue;
    Diagnostics.note("the profile is written, but cannot be kept for the next "
                     "export: " +
                     toString(IsKept.takeError()));
    return;
  }
}

} // namespace inlay
