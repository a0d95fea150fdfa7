//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Folded rows and captures that were not folded yet are summed by one
// statement: what a store answers does not depend on when it was tidied up.
//
// A product of a count and a weight has two halves, which are summed apart.
// Neither overflows 64 bits for any number of captures that fits on a disk.
//
//===----------------------------------------------------------------------===//

#include "inlay/Store/Aggregation.h"
#include "Rows.h"
#include "inlay/Store/Capture.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <map>

using namespace llvm;

namespace inlay {

/// Weights are multiples of 2^-20.
static constexpr unsigned WeightBits = 20;
static constexpr int64_t WeightUnit = int64_t(1) << WeightBits;

/// Reads the integers of columns [First, First + N) of \p Row.
template <size_t N>
static Expected<std::array<int64_t, N>> integers(const SQLRow &Row,
                                                 unsigned First = 0) {
  std::array<int64_t, N> Values;
  for (auto [Index, Value] : enumerate(Values)) {
    Expected<int64_t> Read = Row.integer(First + Index);
    if (!Read)
      return Read.takeError();
    Value = *Read;
  }
  return Values;
}

static Expected<std::map<int64_t, std::string>>
readNames(Database &DB, StringRef SQL, ArrayRef<SQLValue> Parameters = {}) {
  std::map<int64_t, std::string> Names;
  Error E = DB.query(SQL, Parameters, [&](const SQLRow &Row) -> Error {
    Expected<int64_t> ID = Row.integer(0);
    if (!ID)
      return ID.takeError();
    Names[*ID] = Row.name(1);
    return Error::success();
  });
  if (E)
    return E;
  return Names;
}

static Expected<std::vector<GlobPattern>>
patterns(ArrayRef<std::string> Texts) {
  std::vector<GlobPattern> Patterns;
  for (const std::string &Text : Texts) {
    Expected<GlobPattern> Pattern = GlobPattern::create(Text);
    if (!Pattern)
      return createStringError(inconvertibleErrorCode(),
                               "'" + Text +
                                   "': " + toString(Pattern.takeError()));
    Patterns.push_back(std::move(*Pattern));
  }
  return Patterns;
}

static bool matches(ArrayRef<GlobPattern> Patterns, StringRef Name) {
  return Patterns.empty() || any_of(Patterns, [&](const GlobPattern &Pattern) {
           return Pattern.match(Name);
         });
}

static Error explainUnknown(Database &DB, StringRef Application) {
  std::vector<std::string> Names;
  Error E = DB.query("SELECT name FROM application ORDER BY name LIMIT 6", {},
                     [&](const SQLRow &Row) {
                       Names.push_back(Row.name(0));
                       return Error::success();
                     });
  if (E)
    return E;
  std::string Known =
      Names.empty() ? "it has none" : "it has " + join(Names, ", ");
  return createStringError(inconvertibleErrorCode(),
                           DB.name() + ": holds no application '" +
                               printableName(Application) + "'; " + Known);
}

/// Groups of all captures of an application.
static Expected<std::vector<CaptureGroup>> readGroups(Database &DB,
                                                      StringRef Application) {
  int64_t ID = applicationID(Application);
  auto Versions = readNames(
      DB, "SELECT id, label FROM version WHERE application = $1", {ID});
  if (!Versions)
    return Versions.takeError();
  auto Hosts = readNames(DB, "SELECT id, name FROM host");
  if (!Hosts)
    return Hosts.takeError();
  std::vector<CaptureGroup> Groups;
  Error E = DB.query(
      "SELECT day, version, host, CAST(SUM(samples) AS BIGINT) FROM ("
      "SELECT day, version, host, samples FROM series"
      " WHERE application = $1 AND kind IN (0, 5) "
      "UNION ALL "
      "SELECT c.day, c.version, c.host, s.samples FROM capture AS c"
      " JOIN capture_samples AS s ON s.capture = c.id"
      " WHERE c.application = $1 AND s.kind IN (0, 5) AND s.samples <= " +
          std::to_string(MaxCaptureCount) +
          ") AS counted WHERE samples BETWEEN 0 AND " +
          std::to_string(MaxSummedCount) +
          " GROUP BY day, version, host ORDER BY day, version, host",
      {ID}, [&](const SQLRow &Row) -> Error {
        Expected<std::array<int64_t, 4>> Values = integers<4>(Row);
        if (!Values)
          return Values.takeError();
        auto [On, Version, Host, Samples] = *Values;
        Groups.push_back({On, Version, Host, (*Versions)[Version],
                          (*Hosts)[Host], static_cast<uint64_t>(Samples)});
        return Error::success();
      });
  if (E)
    return E;
  if (Groups.empty())
    return explainUnknown(DB, Application);
  return Groups;
}

Expected<std::vector<CaptureGroup>>
selectCaptures(Database &DB, const CaptureSelection &Selection,
               const CaptureWeighting &Weighting) {
  auto Versions = patterns(Selection.Versions);
  if (!Versions)
    return Versions.takeError();
  auto Hosts = patterns(Selection.Hosts);
  if (!Hosts)
    return Hosts.takeError();
  auto Groups = readGroups(DB, Selection.Application);
  if (!Groups)
    return Groups.takeError();
  Day Newest = Groups->back().On;
  erase_if(*Groups, [&](const CaptureGroup &Group) {
    auto Age = static_cast<double>(Newest - Group.On);
    return (Selection.SinceDays && Age >= *Selection.SinceDays) ||
           (Selection.BeforeDays && Age < *Selection.BeforeDays) ||
           !matches(*Versions, Group.Version) || !matches(*Hosts, Group.Host);
  });
  if (Groups->empty())
    return createStringError(
        inconvertibleErrorCode(),
        DB.name() + ": holds captures of '" +
            printableName(Selection.Application) +
            "', but none of these versions, hosts and days; llvm-profstore "
            "list --app shows what there is");
  weigh(*Groups, Weighting);
  return Groups;
}

namespace {

/// Makes whole samples of weighted ones.
class Rounding {
public:
  /// \p High * 2^20 + \p Low multiples of the weights' unit.
  uint64_t round(uint64_t High, uint64_t Low) {
    uint64_t Whole = SaturatingAdd(High, Low >> WeightBits);
    Carry += Low & (WeightUnit - 1);
    if (Carry >= WeightUnit / 2) {
      Carry -= WeightUnit;
      Whole = SaturatingAdd<uint64_t>(Whole, 1);
    }
    return Whole;
  }

private:
  int64_t Carry = 0;
};

} // namespace

/// The weights of \p Groups as parameters $2 to $5, and a table of them.
static std::string weightTable(SQLDialect Dialect,
                               ArrayRef<CaptureGroup> Groups,
                               std::vector<SQLValue> &Parameters) {
  std::vector<int64_t> Days, Versions, Hosts, Weights;
  for (const CaptureGroup &Group : Groups) {
    auto Weight = static_cast<int64_t>(
        std::llround(Group.Weight * static_cast<double>(WeightUnit)));
    if (Weight <= 0)
      continue;
    Days.push_back(Group.On);
    Versions.push_back(Group.VersionID);
    Hosts.push_back(Group.HostID);
    Weights.push_back(std::min(Weight, WeightUnit));
  }
  if (Dialect == SQLDialect::PostgreSQL) {
    for (const std::vector<int64_t> *Column :
         {&Days, &Versions, &Hosts, &Weights})
      Parameters.push_back(arrayParameter(*Column, Dialect));
    return "SELECT * FROM unnest(CAST($2 AS BIGINT[]), CAST($3 AS BIGINT[]),"
           " CAST($4 AS BIGINT[]), CAST($5 AS BIGINT[]))"
           " AS w (day, version, host, weight)";
  }
  // One array of [day, version, host, weight]: SQLite has no way to walk
  // through several at once.
  std::string Rows = "[";
  for (size_t Index = 0; Index < Days.size(); ++Index)
    Rows += (Index ? "," : "") + arrayParameter({Days[Index], Versions[Index],
                                                 Hosts[Index], Weights[Index]},
                                                Dialect);
  Parameters.push_back(Rows + "]");
  return "SELECT json_extract(value, '$[0]') AS day,"
         " json_extract(value, '$[1]') AS version,"
         " json_extract(value, '$[2]') AS host,"
         " json_extract(value, '$[3]') AS weight FROM json_each($2)";
}

/// An upper bound on what a store may make us keep.
static constexpr uint64_t MostAddresses = uint64_t(1) << 26;

Expected<std::vector<SummedSamples>>
sumCaptures(Database &DB, StringRef Application,
            ArrayRef<CaptureGroup> Groups) {
  SQLDialect Dialect = DB.dialect();
  std::vector<SQLValue> Parameters = {applicationID(Application)};
  std::string Weights = "WITH weights AS MATERIALIZED (" +
                        weightTable(Dialect, Groups, Parameters) + ") ";
  std::map<std::pair<int64_t, int64_t>, SummedSamples> Sums;

  // Totals of periods, like those of counts below, in parts that do not
  // overflow however many there are: (q * U + r) * w / U with the weights' unit
  // U.
  std::string Unit = itostr(WeightUnit);
  Error E = DB.query(
      Weights +
          "SELECT event, binary_file,"
          " CAST(SUM(period / " +
          Unit + " * weight / " + Unit +
          ") AS BIGINT),"
          " CAST(SUM(period / " +
          Unit + " * weight % " + Unit + " + period % " + Unit +
          " * weight / " + Unit +
          ") AS BIGINT) FROM ("
          "SELECT day, version, host, event, binary_file, period FROM series"
          " WHERE application = $1 AND kind IN (0, 5) "
          "UNION ALL "
          "SELECT c.day, c.version, c.host, s.event, s.binary_file, s.period"
          " FROM capture AS c JOIN capture_samples AS s ON s.capture = c.id"
          " WHERE c.application = $1 AND s.kind IN (0, 5) AND s.period <= " +
          std::to_string(MaxCapturePeriod) +
          ") AS counted"
          " JOIN weights AS w ON w.day = counted.day"
          " AND w.version = counted.version AND w.host = counted.host"
          " WHERE period BETWEEN 0 AND " +
          std::to_string(MaxSummedPeriod) + " GROUP BY event, binary_file",
      Parameters, [&](const SQLRow &Row) -> Error {
        Expected<std::array<int64_t, 4>> Values = integers<4>(Row);
        if (!Values)
          return Values.takeError();
        auto [Event, Binary, High, Low] = *Values;
        Sums[{Event, Binary}].Samples.TotalPeriod =
            SaturatingMultiplyAdd<uint64_t>(High, WeightUnit, Low);
        return Error::success();
      });
  if (E)
    return E;

  uint64_t NumAddresses = 0;
  std::array<int64_t, 3> Current = {0, 0, -1};
  Rounding Round;
  E = DB.query(
      Weights +
          "SELECT event, binary_file, kind, a, b,"
          " CAST(SUM(n * weight / " +
          Unit +
          ") AS BIGINT),"
          " CAST(SUM(n * weight % " +
          Unit +
          ") AS BIGINT) FROM ("
          "SELECT s.event, s.binary_file, s.kind, f.a, f.b, f.samples AS n,"
          " w.weight FROM weights AS w CROSS JOIN series AS s"
          " JOIN folded AS f ON f.series = s.id"
          " WHERE s.application = $1 AND s.day = w.day"
          " AND s.version = w.version AND s.host = w.host "
          "UNION ALL "
          "SELECT u.event, u.binary_file, u.kind, u.a, u.b, u.n, w.weight"
          " FROM weights AS w CROSS JOIN capture AS c JOIN " +
          unpackedSamples(Dialect) +
          " AS u ON u.capture = c.id"
          " WHERE c.application = $1 AND c.day = w.day"
          " AND c.version = w.version AND c.host = w.host) AS observed WHERE " +
          isSoundCount("observed") +
          " GROUP BY event, binary_file, kind, a, b"
          " ORDER BY event, binary_file, kind, a, b",
      Parameters, [&](const SQLRow &Row) -> Error {
        Expected<std::array<int64_t, 7>> Values = integers<7>(Row);
        if (!Values)
          return Values.takeError();
        auto [Event, Binary, Kind, A, B, High, Low] = *Values;
        if (++NumAddresses > MostAddresses)
          return createStringError(
              inconvertibleErrorCode(),
              DB.name() + ": '" + Application + "' has more than " +
                  Twine(MostAddresses) + " addresses; take fewer versions");
        std::array<int64_t, 3> Key = {Event, Binary, Kind};
        if (Key != Current) {
          Current = Key;
          Round = Rounding();
        }
        uint64_t Count = Round.round(High, Low);
        if (!Count)
          return Error::success();
        SummedSamples &Sum = Sums[{Event, Binary}];
        BinarySamples &Samples = Sum.Samples;
        switch (static_cast<SampleKind>(Kind)) {
        case SampleKind::Address:
          Samples.Counts[A] = Count;
          Samples.Total = SaturatingAdd(Samples.Total, Count);
          break;
        case SampleKind::VirtualAddress:
          Sum.VirtualCounts[A] = Count;
          Samples.Total = SaturatingAdd(Samples.Total, Count);
          break;
        case SampleKind::Branch:
          Samples.Branches[{A, B}] = Count;
          break;
        case SampleKind::BranchIn:
          Samples.BranchesIn[A] = Count;
          break;
        case SampleKind::BranchOut:
          Samples.BranchesOut[A] = Count;
          break;
        case SampleKind::Range:
          Samples.Ranges[{A, B}] = Count;
          break;
        case SampleKind::SampledFrame:
        case SampleKind::CallingFrame: {
          CallSamples &Call = Sum.Calls.emplace_back();
          if (B)
            Call.Return = B;
          Call.Callee = A;
          Call.IsLeaf =
              static_cast<SampleKind>(Kind) == SampleKind::SampledFrame;
          Call.Samples = Count;
          break;
        }
        }
        return Error::success();
      });
  if (E)
    return E;

  // What the ids mean.
  std::map<int64_t, SummedSamples> Events;
  E = DB.query(
      "SELECT id, type, config, branch_sample_type, precise_ip, period,"
      " is_frequency, name, arch, cpu_desc, cpu_id FROM event",
      {}, [&](const SQLRow &Row) -> Error {
        Expected<std::array<int64_t, 7>> Values = integers<7>(Row);
        if (!Values)
          return Values.takeError();
        auto [ID, Type, Config, Branches, Precise, Period, IsFrequency] =
            *Values;
        SummedSamples &Event = Events[ID];
        Event.Event.Type = static_cast<uint32_t>(Type);
        Event.Event.Config = Config;
        Event.Event.BranchSampleType = Branches;
        Event.Event.PreciseIP = static_cast<unsigned>(Precise) & 3;
        Event.Event.SamplePeriodOrFrequency = std::max<int64_t>(Period, 0);
        Event.Event.IsFrequency = IsFrequency != 0;
        Event.Event.Name = Row.name(7);
        Event.Arch = Row.name(8);
        Event.CpuDesc = Row.name(9);
        Event.CpuID = Row.name(10);
        return Error::success();
      });
  if (E)
    return E;
  std::map<int64_t, BinarySamples> Binaries;
  E = DB.query("SELECT id, kind, build_id, path FROM binary_file", {},
               [&](const SQLRow &Row) -> Error {
                 Expected<std::array<int64_t, 2>> Values = integers<2>(Row);
                 if (!Values)
                   return Values.takeError();
                 BinarySamples &Binary = Binaries[(*Values)[0]];
                 int64_t Kind = (*Values)[1];
                 Binary.Kind = Kind >= 0 && Kind <= 2
                                   ? static_cast<CodeKind>(Kind)
                                   : CodeKind::User;
                 std::string Bytes;
                 if (!tryGetFromHex(Row.text(2), Bytes))
                   return createStringError(
                       inconvertibleErrorCode(),
                       DB.name() + ": the build ID of a binary is no "
                                   "hexadecimal number");
                 Binary.BuildID.assign(Bytes.begin(), Bytes.end());
                 Binary.Path = Row.name(3);
                 return Error::success();
               });
  if (E)
    return E;

  using Key = std::pair<int64_t, int64_t>;
  std::vector<std::pair<Key, SummedSamples>> Kept;
  for (auto &[IDs, Sum] : Sums) {
    auto Event = Events.find(IDs.first);
    auto Binary = Binaries.find(IDs.second);
    if (Event == Events.end() || Binary == Binaries.end())
      return createStringError(inconvertibleErrorCode(),
                               DB.name() + ": holds samples of an unknown "
                                           "event or binary; llvm-profstore "
                                           "check tells more");
    if (!Sum.Samples.Total && Sum.Samples.Ranges.empty())
      continue;
    BinarySamples Samples = std::move(Sum.Samples);
    Samples.Path = Binary->second.Path;
    Samples.BuildID = Binary->second.BuildID;
    Samples.Kind = Binary->second.Kind;
    SummedSamples &Known = Kept.emplace_back(IDs, Event->second).second;
    Known.Samples = std::move(Samples);
    Known.VirtualCounts = std::move(Sum.VirtualCounts);
    Known.Calls = std::move(Sum.Calls);
    // As callSamplesOf() has them.
    llvm::sort(Known.Calls, [](const CallSamples &L, const CallSamples &R) {
      return std::tie(L.Return, L.Callee, L.IsLeaf) <
             std::tie(R.Return, R.Callee, R.IsLeaf);
    });
  }
  // Ids are hashes of what they stand for, and so the same in every store.
  llvm::sort(Kept, [](const auto &L, const auto &R) {
    return std::tie(R.second.Samples.Total, L.first) <
           std::tie(L.second.Samples.Total, R.first);
  });
  std::vector<SummedSamples> Result;
  for (auto &[IDs, Sum] : Kept)
    Result.push_back(std::move(Sum));
  return Result;
}

} // namespace inlay
