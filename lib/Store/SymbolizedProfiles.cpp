//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes are compressed and kept as base 64, for both engines know text.
//
//===----------------------------------------------------------------------===//

#include "inlay/Store/SymbolizedProfiles.h"
#include "FieldHash.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Compression.h"

using namespace llvm;

namespace inlay {

static void addCounts(FieldHash &Hash, const OffsetCounts<OffsetPair> &Counts) {
  Hash.add(Counts.size());
  for (auto [Place, Count] : Counts)
    Hash.add(Place.first).add(Place.second).add(Count);
}

static void addCounts(FieldHash &Hash, const OffsetCounts<uint64_t> &Counts) {
  Hash.add(Counts.size());
  for (auto [Place, Count] : Counts)
    Hash.add(Place).add(Count);
}

std::string symbolizedKey(const SummedSamples &Sum, StringRef Making) {
  FieldHash Hash("symbolized");
  const PerfEventAttr &Event = Sum.Event;
  Hash.add(Making)
      .add(Event.Name)
      .add(Event.Type)
      .add(Event.Config)
      .add(Event.BranchSampleType)
      .add(Event.PreciseIP)
      .add(Event.SamplePeriodOrFrequency)
      .add(Event.IsFrequency)
      .add(Sum.Arch)
      .add(Sum.CpuDesc)
      .add(Sum.CpuID);
  const BinarySamples &Samples = Sum.Samples;
  Hash.add(toStringRef(ArrayRef<uint8_t>(Samples.BuildID)))
      .add(static_cast<uint64_t>(Samples.Kind))
      .add(Samples.Total)
      .add(Samples.TotalPeriod);
  addCounts(Hash, Samples.Counts);
  addCounts(Hash, Samples.Branches);
  addCounts(Hash, Samples.BranchesIn);
  addCounts(Hash, Samples.BranchesOut);
  addCounts(Hash, Samples.Ranges);
  addCounts(Hash, Sum.VirtualCounts);
  Hash.add(Sum.Calls.size());
  for (const CallSamples &Call : Sum.Calls)
    Hash.add(Call.Return.has_value())
        .add(Call.Return.value_or(0))
        .add(Call.Callee)
        .add(Call.IsLeaf)
        .add(Call.Samples);
  return Hash.hex();
}

/// Whether the user of \p DB has that right on the table: in PostgreSQL, asking
/// for too much would end the transaction.
static Expected<bool> may(Database &DB, StringRef Right) {
  if (DB.dialect() == SQLDialect::SQLite)
    return true;
  Expected<SQLValue> May = DB.queryValue(
      "SELECT CAST(has_table_privilege('symbolized', $1) AS INTEGER)", {Right});
  if (!May)
    return May.takeError();
  return May->isInteger() && May->integer() != 0;
}

/// The columns samples, functions, size and profile of \p Row. No error of it
/// is a DatabaseError.
static Expected<SymbolizedProfile> unpack(const SQLRow &Row) {
  int64_t Numbers[3];
  for (auto [Column, Number] : enumerate(Numbers)) {
    Expected<int64_t> Read = Row.integer(Column);
    if (!Read) {
      consumeError(Read.takeError());
      return createStringError("no number where one should be");
    }
    Number = *Read;
    if (Number < 0)
      return createStringError("a negative number");
  }
  auto [Samples, Functions, Size] = Numbers;
  if (static_cast<uint64_t>(Size) > MaxSymbolizedBytes)
    return createStringError("too large");
  std::vector<char> Packed;
  if (Error E = decodeBase64(Row.text(3), Packed))
    return E;
  SmallVector<uint8_t, 0> Bytes;
  if (Error E = compression::zlib::decompress(
          arrayRefFromStringRef(StringRef(Packed.data(), Packed.size())), Bytes,
          Size))
    return E;
  if (Bytes.size() != static_cast<uint64_t>(Size))
    return createStringError("of another size");
  return SymbolizedProfile{toStringRef(ArrayRef<uint8_t>(Bytes)).str(),
                           static_cast<uint64_t>(Samples),
                           static_cast<uint64_t>(Functions)};
}

Expected<std::optional<SymbolizedProfile>> findSymbolized(Database &DB,
                                                          StringRef Key) {
  if (!compression::zlib::isAvailable())
    return std::nullopt;
  Expected<bool> May = may(DB, "SELECT");
  if (!May)
    return May.takeError();
  if (!*May)
    return std::nullopt;
  std::optional<SymbolizedProfile> Found;
  Error E = DB.query("SELECT samples, functions, size, profile FROM symbolized"
                     " WHERE content = $1",
                     {Key}, [&](const SQLRow &Row) -> Error {
                       Expected<SymbolizedProfile> Profile = unpack(Row);
                       if (!Profile)
                         return Profile.takeError();
                       Found = std::move(*Profile);
                       return Error::success();
                     });
  if (E)
    return E;
  return Found;
}

Expected<bool> keepSymbolized(Database &DB, StringRef Key,
                              ArrayRef<uint8_t> BuildID,
                              const SymbolizedProfile &Profile) {
  if (!compression::zlib::isAvailable() ||
      Profile.Profile.size() > MaxSymbolizedBytes)
    return false;
  Expected<bool> May = may(DB, "INSERT");
  if (!May)
    return May.takeError();
  if (!*May)
    return false;
  SmallVector<uint8_t, 0> Packed;
  compression::zlib::compress(arrayRefFromStringRef(Profile.Profile), Packed);
  if (Error E = DB.execute("INSERT INTO symbolized (content, build_id, samples,"
                           " functions, size, profile) VALUES ($1, $2, $3, $4,"
                           " $5, $6) ON CONFLICT DO NOTHING",
                           {Key, toHex(BuildID, /*LowerCase=*/true),
                            static_cast<int64_t>(
                                std::min<uint64_t>(Profile.Samples, INT64_MAX)),
                            static_cast<int64_t>(Profile.Functions),
                            static_cast<int64_t>(Profile.Profile.size()),
                            encodeBase64(Packed)})
                    .takeError())
    return E;
  return true;
}

Expected<uint64_t> deleteOldSymbolized(Database &DB,
                                       std::optional<Day> Oldest) {
  // Of several events, and of exports with several weights.
  constexpr int64_t MostOfABinary = 8;
  return DB.execute(
      "DELETE FROM symbolized WHERE made < $1 OR NOT EXISTS (SELECT 1 FROM"
      " binary_file AS b WHERE b.build_id = symbolized.build_id) OR content IN"
      " (SELECT content FROM (SELECT content, ROW_NUMBER() OVER (PARTITION BY"
      " build_id ORDER BY made DESC, content) AS place FROM symbolized) AS"
      " ordered WHERE place > $2)",
      {Oldest.value_or(0) * SecondsPerDay, MostOfABinary});
}

Expected<uint64_t> countDamagedSymbolized(Database &DB) {
  if (!compression::zlib::isAvailable())
    return 0;
  Expected<bool> May = may(DB, "SELECT");
  if (!May)
    return May.takeError();
  if (!*May)
    return 0;
  uint64_t Damaged = 0;
  Error E = DB.query("SELECT samples, functions, size, profile FROM symbolized",
                     {}, [&](const SQLRow &Row) {
                       if (Error E = unpack(Row).takeError()) {
                         consumeError(std::move(E));
                         ++Damaged;
                       }
                       return Error::success();
                     });
  if (E)
    return E;
  return Damaged;
}

} // namespace inlay
