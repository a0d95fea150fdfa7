//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Folding moves counts from packed rows to sums, in transactions that see one
// state of the store: a capture is either in the one or in the other. The
// capture's own row stays, which is how a second delivery is recognized.
//
//===----------------------------------------------------------------------===//

#include "inlay/Store/Housekeeping.h"
#include "Rows.h"
#include "inlay/Store/Capture.h"
#include "inlay/Store/Schema.h"
#include "inlay/Store/SymbolizedProfiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/SHA256.h"

using namespace llvm;

namespace inlay {

/// Captures that are folded in one transaction: memory and locks are bounded.
static constexpr int64_t FoldBatch = 500;

static int64_t seriesID(ArrayRef<int64_t> Key) {
  SHA256 Hash;
  Hash.update(StringRef("series"));
  for (int64_t Value : Key) {
    uint8_t Bytes[8];
    support::endian::write64le(Bytes, Value);
    Hash.update(ArrayRef(Bytes));
  }
  std::array<uint8_t, 32> Bytes = Hash.final();
  return static_cast<int64_t>(support::endian::read64le(Bytes.data()) >> 1);
}

/// Captures that are not folded, the oldest ids first, at most a batch of them.
static Expected<std::vector<int64_t>> waitingCaptures(Database &DB) {
  std::vector<int64_t> IDs;
  Error E = DB.query("SELECT DISTINCT capture FROM capture_samples"
                     " ORDER BY capture LIMIT $1",
                     {FoldBatch}, [&](const SQLRow &Row) -> Error {
                       Expected<int64_t> ID = Row.integer(0);
                       if (!ID)
                         return ID.takeError();
                       IDs.push_back(*ID);
                       return Error::success();
                     });
  if (E)
    return E;
  return IDs;
}

/// Folds a batch of captures if \p AtLeast, or more, wait for it. Returns how
/// many it folded.
static Expected<uint64_t> foldSome(Database &DB, size_t AtLeast) {
  Expected<Transaction> Step =
      Transaction::begin(DB, TransactionKind::Snapshot);
  if (!Step)
    return Step.takeError();
  SQLDialect Dialect = DB.dialect();
  Expected<std::vector<int64_t>> IDs = waitingCaptures(DB);
  if (!IDs)
    return IDs.takeError();
  if (IDs->size() < AtLeast)
    return 0;
  std::string Batch = arrayParameter(*IDs, Dialect);
  const std::string InBatch =
      Dialect == SQLDialect::SQLite
          ? " IN (SELECT value FROM json_each($1))"
          : " IN (SELECT * FROM unnest(CAST($1 AS BIGINT[])))";

  // The series that these captures are of, and their totals, without those that
  // no capture has.
  const auto Sound = [](StringRef Column, uint64_t Most) {
    return ("CASE WHEN " + Column + " BETWEEN 0 AND " + Twine(Most) + " THEN " +
            Column + " ELSE 0 END")
        .str();
  };
  RowList Series;
  Error E = DB.query(
      "SELECT c.application, c.version, c.host, c.day, s.event, s.binary_file,"
      " s.kind, COUNT(*), CAST(SUM(" +
          Sound("s.samples", MaxCaptureCount) + ") AS BIGINT), CAST(SUM(" +
          Sound("s.period", MaxCapturePeriod) +
          ") AS BIGINT)"
          " FROM capture_samples AS s JOIN capture AS c ON c.id = s.capture"
          " WHERE s.capture" +
          InBatch +
          " GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7",
      {SQLValue(Batch)}, [&](const SQLRow &Row) -> Error {
        std::vector<int64_t> Values;
        for (unsigned Column = 0; Column < 10; ++Column) {
          Expected<int64_t> Value = Row.integer(Column);
          if (!Value)
            return Value.takeError();
          Values.push_back(*Value);
        }
        Values[8] = std::min<int64_t>(Values[8], MaxSummedCount);
        Values[9] = std::min<int64_t>(Values[9], MaxSummedPeriod);
        std::vector<SQLValue> New = {seriesID(ArrayRef(Values).take_front(7))};
        New.insert(New.end(), Values.begin(), Values.end());
        Series.push_back(std::move(New));
        return Error::success();
      });
  if (E)
    return E;
  // In the order of the keys, so that two that fold at once do not lock each
  // other out.
  llvm::sort(Series, [](const auto &L, const auto &R) {
    return L[0].integer() < R[0].integer();
  });
  const auto Add = [](StringRef Table, StringRef Column, StringRef Limit) {
    std::string Sum = (Table + "." + Column + " + excluded." + Column).str();
    return (Column + " = CASE WHEN " + Sum + " > " + Limit + " THEN " + Limit +
            " ELSE " + Sum + " END")
        .str();
  };
  E = insertRows(DB,
                 "series (id, application, version, host, day, event,"
                 " binary_file, kind, captures, samples, period)",
                 Series,
                 "ON CONFLICT (id) DO UPDATE SET captures ="
                 " series.captures + excluded.captures, " +
                     Add("series", "samples", std::to_string(MaxSummedCount)) +
                     ", " +
                     Add("series", "period", std::to_string(MaxSummedPeriod)));
  if (E)
    return E;

  const std::string MostCount = std::to_string(MaxCaptureCount);
  // WHERE true: SQLite's grammar needs something between JOIN and ON CONFLICT.
  E = DB.execute("INSERT INTO folded (series, a, b, samples)"
                 " SELECT s.id, u.a, u.b, CASE WHEN SUM(u.n) > " +
                     MostCount + " THEN " + MostCount +
                     " ELSE CAST(SUM(u.n) AS BIGINT) END FROM " +
                     unpackedSamples(Dialect) +
                     " AS u JOIN capture AS c ON c.id = u.capture"
                     " JOIN series AS s ON s.application = c.application"
                     " AND s.version = c.version AND s.host = c.host"
                     " AND s.day = c.day AND s.event = u.event"
                     " AND s.binary_file = u.binary_file AND s.kind = u.kind"
                     " WHERE u.capture" +
                     InBatch + " AND " + isSoundCount("u") +
                     " GROUP BY s.id, u.a, u.b ORDER BY s.id, u.a, u.b"
                     " ON CONFLICT (series, a, b) DO UPDATE SET " +
                     Add("folded", "samples", MostCount),
                 {SQLValue(Batch)})
          .takeError();
  if (E)
    return E;
  E = DB.execute("DELETE FROM capture_samples WHERE capture" + InBatch,
                 {SQLValue(Batch)})
          .takeError();
  if (E)
    return E;
  if (Error Failure = Step->commit())
    return Failure;
  return IDs->size();
}

Expected<uint64_t> foldCaptures(Database &DB) {
  constexpr unsigned MostTries = 20;
  uint64_t Folded = 0;
  for (unsigned Try = 1;;) {
    Expected<uint64_t> Some = foldSome(DB, 1);
    if (!Some) {
      Error E = Some.takeError();
      if (kindOf(E) != DatabaseErrorKind::Conflict || ++Try > MostTries)
        return E;
      consumeError(std::move(E));
      continue;
    }
    Folded += *Some;
    if (*Some == 0)
      return Folded;
  }
}

/// Whether the user of \p DB may fold. One who collects may not.
static Expected<bool> mayFold(Database &DB) {
  if (DB.dialect() == SQLDialect::SQLite)
    return true;
  Expected<SQLValue> May =
      DB.queryValue("SELECT CAST(has_table_privilege('capture_samples',"
                    " 'DELETE') AS INTEGER)");
  if (!May)
    return May.takeError();
  return May->isInteger() && May->integer() != 0;
}

Expected<uint64_t> foldIfManyWait(Database &DB) {
  Expected<bool> May = mayFold(DB);
  if (!May)
    return May.takeError();
  if (!*May)
    return 0;
  // Each may have to do with what others deliver meanwhile, but not forever.
  constexpr unsigned MostSteps = 8;
  uint64_t Folded = 0;
  for (unsigned Step = 0; Step < MostSteps; ++Step) {
    // First without locking others out.
    Expected<std::vector<int64_t>> IDs = waitingCaptures(DB);
    if (!IDs)
      return IDs.takeError();
    if (IDs->size() < MostWaitingCaptures)
      break;
    Expected<uint64_t> Some = foldSome(DB, MostWaitingCaptures);
    if (Some) {
      Folded += *Some;
      continue;
    }
    Error E = Some.takeError();
    if (kindOf(E) != DatabaseErrorKind::Conflict)
      return E;
    // Somebody else has just folded them, and this one has waited for that:
    // who delivers faster than anybody folds is slowed down.
    consumeError(std::move(E));
  }
  return Folded;
}

Expected<Day> today(Database &DB) {
  Expected<SQLValue> Now = DB.queryValue(
      DB.dialect() == SQLDialect::SQLite
          ? "SELECT CAST(strftime('%s', 'now') AS INTEGER)"
          : "SELECT CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) AS BIGINT)");
  if (!Now)
    return Now.takeError();
  return Now->integer() / SecondsPerDay;
}

Expected<CollectedGarbage> deleteBefore(Database &DB, Day Oldest) {
  CollectedGarbage Deleted;
  {
    Expected<Transaction> Step = Transaction::begin(DB, TransactionKind::Write);
    if (!Step)
      return Step.takeError();
    // What is deleted, from what refers to it to what it refers to.
    struct {
      StringRef SQL;
      uint64_t *Count;
    } Steps[] = {
        {"DELETE FROM capture_samples WHERE capture IN"
         " (SELECT id FROM capture WHERE day < $1)",
         nullptr},
        {"DELETE FROM capture WHERE day < $1", &Deleted.Captures},
        {"DELETE FROM folded WHERE series IN"
         " (SELECT id FROM series WHERE day < $1)",
         nullptr},
        {"DELETE FROM series WHERE day < $1", &Deleted.Series},
    };
    for (const auto &[SQL, Count] : Steps) {
      Expected<uint64_t> Changed = DB.execute(SQL, {Oldest});
      if (!Changed)
        return Changed.takeError();
      if (Count)
        *Count = *Changed;
    }
    if (Error E = Step->commit())
      return E;
  }
  // Each by itself: if a delivery refers to one at this moment, the constraint
  // refuses, and the name stays until next time.
  for (StringRef SQL :
       {"DELETE FROM event WHERE NOT EXISTS (SELECT 1 FROM capture_samples AS s"
        " WHERE s.event = event.id) AND NOT EXISTS (SELECT 1 FROM series AS s"
        " WHERE s.event = event.id)",
        "DELETE FROM binary_file WHERE NOT EXISTS (SELECT 1 FROM"
        " capture_samples AS s WHERE s.binary_file = binary_file.id) AND NOT"
        " EXISTS (SELECT 1 FROM series AS s WHERE s.binary_file ="
        " binary_file.id)",
        "DELETE FROM version WHERE NOT EXISTS (SELECT 1 FROM capture AS c"
        " WHERE c.version = version.id) AND NOT EXISTS (SELECT 1 FROM series"
        " AS s WHERE s.version = version.id)",
        "DELETE FROM host WHERE NOT EXISTS (SELECT 1 FROM capture AS c"
        " WHERE c.host = host.id) AND NOT EXISTS (SELECT 1 FROM series AS s"
        " WHERE s.host = host.id)",
        "DELETE FROM application WHERE NOT EXISTS (SELECT 1 FROM version AS v"
        " WHERE v.application = application.id)"}) {
    Expected<uint64_t> Changed = DB.execute(SQL);
    if (!Changed) {
      Error E = Changed.takeError();
      DatabaseErrorKind Kind = kindOf(E);
      if (Kind != DatabaseErrorKind::Refused &&
          Kind != DatabaseErrorKind::Conflict)
        return E;
      consumeError(std::move(E));
      continue;
    }
    Deleted.Names += *Changed;
  }
  return Deleted;
}

/// Rows of a table whose id is not that of what they say.
static Error checkNames(Database &DB, StringRef Table, StringRef SQL,
                        function_ref<int64_t(const SQLRow &)> IDOf,
                        function_ref<void(const Twine &)> OnProblem) {
  uint64_t Wrong = 0;
  Error E = DB.query(SQL, {}, [&](const SQLRow &Row) -> Error {
    Expected<int64_t> ID = Row.integer(0);
    if (!ID)
      return ID.takeError();
    Wrong += *ID != IDOf(Row);
    return Error::success();
  });
  if (Wrong)
    OnProblem(Twine(Wrong) + " rows of " + Table +
              " have an id that is not that of their name");
  return E;
}

Error checkStore(Database &DB, function_ref<void(const Twine &)> OnProblem) {
  if (DB.dialect() == SQLDialect::SQLite)
    for (StringRef Pragma :
         {"PRAGMA integrity_check(10)", "PRAGMA foreign_key_check"})
      if (Error E = DB.query(Pragma, {}, [&](const SQLRow &Row) {
            if (Pragma.ends_with("foreign_key_check"))
              OnProblem("a row of " + Row.name(0) +
                        " refers to one that is not there");
            else if (Row.text(0) != "ok")
              OnProblem(Row.name(0));
            return Error::success();
          }))
        return E;

  if (Error E = checkNames(
          DB, "application", "SELECT id, name FROM application",
          [](const SQLRow &Row) { return applicationID(Row.text(1)); },
          OnProblem))
    return E;
  if (Error E = checkNames(
          DB, "host", "SELECT id, name FROM host",
          [](const SQLRow &Row) { return hostID(Row.text(1)); }, OnProblem))
    return E;
  if (Error E = checkNames(
          DB, "version",
          "SELECT v.id, a.name, v.label FROM version AS v JOIN application AS a"
          " ON a.id = v.application",
          [](const SQLRow &Row) { return versionID(Row.text(1), Row.text(2)); },
          OnProblem))
    return E;

  std::string Unpacked = unpackedSamples(DB.dialect());
  struct {
    std::string SQL;
    StringRef Problem;
  } Checks[] = {
      {"SELECT COUNT(*) FROM capture WHERE format NOT BETWEEN 1 AND " +
           std::to_string(CaptureFormat) + " OR samples < 0",
       "captures are of an unknown format"},
      {"SELECT COUNT(*) FROM capture_samples WHERE kind NOT BETWEEN 0 AND " +
           std::to_string(LastSampleKind),
       "rows of captures count something unknown"},
      {"SELECT COUNT(*) FROM " + Unpacked + " AS u WHERE NOT (" +
           isSoundCount("u") + ")",
       "counts of captures are out of bounds and are left out of sums"},
      {"SELECT COUNT(*) FROM capture_samples AS s WHERE s.samples < " +
           std::to_string(MaxCaptureCount) +
           " AND s.samples <> (SELECT SUM(u.n) FROM " + Unpacked +
           " AS u WHERE u.capture = s.capture AND u.event = s.event AND"
           " u.binary_file = s.binary_file AND u.kind = s.kind)",
       "rows of captures have counts that do not add up to their total"},
      {"SELECT COUNT(*) FROM folded WHERE a < 0 OR b < 0 OR samples NOT"
       " BETWEEN 1 AND " +
           std::to_string(MaxCaptureCount),
       "folded counts are out of bounds and are left out of sums"},
      {"SELECT COUNT(*) FROM series AS s JOIN (SELECT series, SUM(samples) AS"
       " samples, MAX(samples) AS most FROM folded GROUP BY series) AS f ON"
       " f.series = s.id WHERE f.samples <> s.samples AND f.most < " +
           std::to_string(MaxCaptureCount),
       "series have counts that do not add up to their total"},
      {"SELECT COUNT(*) FROM series AS s WHERE NOT EXISTS (SELECT 1 FROM"
       " folded AS f WHERE f.series = s.id)",
       "series have no counts"},
  };
  for (const auto &[SQL, Problem] : Checks) {
    Expected<SQLValue> Count = DB.queryValue(SQL);
    if (!Count)
      return Count.takeError();
    if (!Count->isInteger() || Count->integer() != 0)
      OnProblem(Twine(Count->integer()) + " " + Problem);
  }
  Expected<uint64_t> Damaged = countDamagedSymbolized(DB);
  if (!Damaged)
    return Damaged.takeError();
  if (*Damaged)
    OnProblem(Twine(*Damaged) +
              " kept profiles are damaged; they are not used");
  return Error::success();
}

} // namespace inlay
