//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A capture arrives as a few rows whose counts are packed (arrays in
// PostgreSQL, JSON in SQLite): delivering is cheap, needs no right but INSERT,
// and waits for nobody. Later they are folded into one row for each day, host,
// version, event, binary and address, which is what makes the store grow with
// unique addresses instead of captures. docs/continuous.md has the reasons and
// the arithmetic.
//
// Names (applications, hosts, versions, binaries, events) are rows whose id is
// a hash of what they say, so that whoever delivers needs not look them up.
//
// An SQLite file that claims to be a store must have these very tables: a
// schema may hold expressions, and those of a stranger are not evaluated.
//
//===----------------------------------------------------------------------===//

#include "inlay/Store/Schema.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace inlay {

/// Says that an SQLite file is ours ("Inly").
static constexpr int64_t ApplicationID = 0x496e6c79;

namespace {

/// A step from one version to the next: first what is for one engine only, then
/// what is for both. In SQL, {name} stands for what the dialects say
/// differently.
struct Migration {
  ArrayRef<StringLiteral> SQLite, PostgreSQL, Both;
};

} // namespace

static constexpr StringLiteral Version1[] = {
    "CREATE TABLE store (schema_version INTEGER NOT NULL)",

    "CREATE TABLE application (id {id}, name TEXT NOT NULL)",
    "CREATE TABLE host (id {id}, name TEXT NOT NULL)",
    "CREATE TABLE version (id {id},"
    " application BIGINT NOT NULL REFERENCES application (id),"
    " label TEXT NOT NULL)",
    "CREATE TABLE binary_file (id {id}, build_id TEXT NOT NULL,"
    " path TEXT NOT NULL, kind INTEGER NOT NULL)",
    "CREATE TABLE event (id {id}, name TEXT NOT NULL, type BIGINT NOT NULL,"
    " config BIGINT NOT NULL, branch_sample_type BIGINT NOT NULL,"
    " precise_ip INTEGER NOT NULL, period BIGINT NOT NULL,"
    " is_frequency INTEGER NOT NULL, arch TEXT NOT NULL,"
    " cpu_desc TEXT NOT NULL, cpu_id TEXT NOT NULL)",

    // A host's clock may be wrong by years; the database's is taken then. Times
    // are in seconds, duration is in milliseconds.
    "CREATE TABLE capture (id {id}, content TEXT NOT NULL,"
    " format INTEGER NOT NULL,"
    " application BIGINT NOT NULL REFERENCES application (id),"
    " version BIGINT NOT NULL REFERENCES version (id),"
    " host BIGINT NOT NULL REFERENCES host (id),"
    " started BIGINT NOT NULL, duration BIGINT NOT NULL,"
    " delivered BIGINT NOT NULL DEFAULT ({now}),"
    " day BIGINT NOT NULL GENERATED ALWAYS AS"
    " ((CASE WHEN started > delivered + 600"
    " OR started < delivered - 34560000 THEN delivered ELSE started END)"
    " / 86400) STORED,"
    " samples BIGINT NOT NULL, lost BIGINT NOT NULL,"
    " CONSTRAINT capture_content UNIQUE (content),"
    " CONSTRAINT capture_format CHECK (format = 1))",
    "CREATE INDEX capture_application_day ON capture (application, day)",
    // What a capture saw of one binary: kind is a SampleKind.
    "CREATE TABLE capture_samples ("
    " capture BIGINT NOT NULL REFERENCES capture (id),"
    " event BIGINT NOT NULL REFERENCES event (id),"
    " binary_file BIGINT NOT NULL REFERENCES binary_file (id),"
    " kind INTEGER NOT NULL, samples BIGINT NOT NULL, period BIGINT NOT NULL,"
    " {packed},"
    " PRIMARY KEY (capture, event, binary_file, kind)){without rowid}",

    "CREATE TABLE series (id {id},"
    " application BIGINT NOT NULL REFERENCES application (id),"
    " version BIGINT NOT NULL REFERENCES version (id),"
    " host BIGINT NOT NULL REFERENCES host (id), day BIGINT NOT NULL,"
    " event BIGINT NOT NULL REFERENCES event (id),"
    " binary_file BIGINT NOT NULL REFERENCES binary_file (id),"
    " kind INTEGER NOT NULL, captures BIGINT NOT NULL,"
    " samples BIGINT NOT NULL, period BIGINT NOT NULL)",
    "CREATE INDEX series_application_day ON series (application, day)",
    "CREATE TABLE folded ("
    " series BIGINT NOT NULL REFERENCES series (id),"
    " a BIGINT NOT NULL, b BIGINT NOT NULL, samples BIGINT NOT NULL,"
    " PRIMARY KEY (series, a, b)){without rowid}",

    "INSERT INTO store VALUES (1)",
};

// Version 2: captures hold call chains (format 2), and profiles that were made
// of sums are kept. Collectors of version 1 may go on delivering: what they
// write means the same. Indexes lead to the captures and sums of one day,
// version and host: with those of the day alone, sums took time by the square
// of hosts.

// SQLite cannot replace a constraint, but a table.
static constexpr StringLiteral Version2SQLite[] = {
    "CREATE TABLE new_capture (id {id}, content TEXT NOT NULL,"
    " format INTEGER NOT NULL,"
    " application BIGINT NOT NULL REFERENCES application (id),"
    " version BIGINT NOT NULL REFERENCES version (id),"
    " host BIGINT NOT NULL REFERENCES host (id),"
    " started BIGINT NOT NULL, duration BIGINT NOT NULL,"
    " delivered BIGINT NOT NULL DEFAULT ({now}),"
    " day BIGINT NOT NULL GENERATED ALWAYS AS"
    " ((CASE WHEN started > delivered + 600"
    " OR started < delivered - 34560000 THEN delivered ELSE started END)"
    " / 86400) STORED,"
    " samples BIGINT NOT NULL, lost BIGINT NOT NULL,"
    " CONSTRAINT capture_content UNIQUE (content),"
    " CONSTRAINT capture_format CHECK (format IN (1, 2)))",
    "INSERT INTO new_capture (id, content, format, application, version, host,"
    " started, duration, delivered, samples, lost) SELECT id, content, format,"
    " application, version, host, started, duration, delivered, samples, lost"
    " FROM capture",
    "DROP TABLE capture",
    "ALTER TABLE new_capture RENAME TO capture",
};

static constexpr StringLiteral Version2PostgreSQL[] = {
    "ALTER TABLE capture DROP CONSTRAINT capture_format,"
    " ADD CONSTRAINT capture_format CHECK (format IN (1, 2))",
    "DROP INDEX capture_application_day",
};

static constexpr StringLiteral Version2[] = {
    "DROP INDEX series_application_day",
    "CREATE INDEX capture_group ON capture (application, day, version, host)",
    "CREATE INDEX series_group ON series (application, day, version, host)",
    // content: what the profile was made of, as a hash. size: in bytes, before
    // it was compressed and written as base 64.
    "CREATE TABLE symbolized (content TEXT PRIMARY KEY, build_id TEXT NOT NULL,"
    " made BIGINT NOT NULL DEFAULT ({now}), samples BIGINT NOT NULL,"
    " functions BIGINT NOT NULL, size BIGINT NOT NULL, profile TEXT NOT NULL)",
    "CREATE INDEX symbolized_build_id ON symbolized (build_id, made)",
};

static const Migration Migrations[] = {
    {{}, {}, Version1},
    {Version2SQLite, Version2PostgreSQL, Version2},
};

const unsigned CurrentSchemaVersion = std::size(Migrations);

static std::string inDialect(StringRef SQL, SQLDialect Dialect) {
  static constexpr struct {
    StringLiteral Name, SQLite, PostgreSQL;
  } Words[] = {
      {"{id}", "INTEGER PRIMARY KEY", "BIGINT PRIMARY KEY"},
      {"{now}", "CAST(strftime('%s', 'now') AS INTEGER)",
       "CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) AS BIGINT)"},
      // SQLite: {"A,B": N, ...}.
      {"{packed}", "counts TEXT NOT NULL",
       "a BIGINT[] NOT NULL, b BIGINT[] NOT NULL, n BIGINT[] NOT NULL,"
       " CONSTRAINT capture_samples_packed CHECK"
       " (cardinality(a) = cardinality(n) AND cardinality(b) = "
       "cardinality(n))"},
      {"{without rowid}", " WITHOUT ROWID", ""},
  };
  std::string Text = SQL.str();
  for (const auto &Word : Words)
    for (size_t At; (At = Text.find(Word.Name)) != std::string::npos;)
      Text.replace(At, Word.Name.size(),
                   Dialect == SQLDialect::SQLite ? Word.SQLite.data()
                                                 : Word.PostgreSQL.data());
  return Text;
}

static Error run(Database &DB, StringRef SQL) {
  return DB.execute(SQL).takeError();
}

/// 0 if there are no tables.
static Expected<unsigned> versionOf(Database &DB) {
  Expected<SQLValue> Exists = DB.queryValue(
      DB.dialect() == SQLDialect::SQLite
          ? "SELECT COUNT(*) FROM sqlite_master WHERE name = 'store'"
          : "SELECT COUNT(*) FROM pg_catalog.pg_tables WHERE schemaname ="
            " 'inlay' AND tablename = 'store'");
  if (!Exists)
    return Exists.takeError();
  if (Exists->integer() == 0)
    return 0;
  Expected<SQLValue> Version =
      DB.queryValue("SELECT MAX(schema_version) FROM store");
  if (!Version)
    return Version.takeError();
  if (!Version->isInteger() || Version->integer() < 1 ||
      Version->integer() > INT32_MAX)
    return make_error<DatabaseError>(
        DatabaseErrorKind::Foreign,
        DB.name().str() + ": does not tell the version of its tables");
  return static_cast<unsigned>(Version->integer());
}

/// The definitions of all tables and indexes.
static Expected<std::string> definitions(Database &DB) {
  std::string Text;
  Error E = DB.query("SELECT type, name, tbl_name, sql FROM sqlite_master"
                     " WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
                     " ORDER BY name",
                     {}, [&](const SQLRow &Row) {
                       for (unsigned Column = 0; Column < 4; ++Column)
                         Text += Row.text(Column).str() + '\n';
                       return Error::success();
                     });
  if (E)
    return E;
  return Text;
}

static Error foreign(Database &DB) {
  return make_error<DatabaseError>(
      DatabaseErrorKind::Foreign,
      DB.name().str() + ": is an SQLite database, but no profile store");
}

/// An error unless an SQLite file is empty or made by migrate().
static Error checkFile(Database &DB) {
  Expected<SQLValue> ID = DB.queryValue("PRAGMA application_id");
  if (!ID)
    return ID.takeError();
  Expected<SQLValue> Objects =
      DB.queryValue("SELECT COUNT(*) FROM sqlite_master");
  if (!Objects)
    return Objects.takeError();
  if (Objects->integer() == 0)
    return Error::success();
  if (ID->integer() != ApplicationID)
    return foreign(DB);
  Expected<unsigned> Version = versionOf(DB);
  if (!Version)
    return Version.takeError();
  if (*Version == 0 || *Version > CurrentSchemaVersion)
    return *Version ? Error::success() : foreign(DB);

  Expected<std::unique_ptr<Database>> Reference =
      Database::connect("sqlite::memory:", DatabaseAccess::Create);
  if (!Reference)
    return Reference.takeError();
  if (Error E = migrate(**Reference, *Version).takeError())
    return E;
  Expected<std::string> Expected = definitions(**Reference);
  if (!Expected)
    return Expected.takeError();
  auto Actual = definitions(DB);
  if (!Actual)
    return Actual.takeError();
  if (*Actual != *Expected)
    return make_error<DatabaseError>(
        DatabaseErrorKind::Foreign,
        DB.name().str() +
            ": its tables are not those of a profile store of "
            "version " +
            std::to_string(*Version));
  return Error::success();
}

/// The steps from version \p Found to \p Version, in a transaction.
static Error runMigrations(Database &DB, unsigned Found, unsigned Version) {
  for (unsigned Next = Found; Next < Version; ++Next) {
    const Migration &Step = Migrations[Next];
    for (ArrayRef<StringLiteral> Statements :
         {DB.dialect() == SQLDialect::SQLite ? Step.SQLite : Step.PostgreSQL,
          Step.Both})
      for (StringRef SQL : Statements)
        if (Error E = run(DB, inDialect(SQL, DB.dialect())))
          return E;
    if (Error E = DB.execute("UPDATE store SET schema_version = $1", {Next + 1})
                      .takeError())
      return E;
  }
  return Error::success();
}

static Expected<unsigned> migrateAtOnce(Database &DB, unsigned Version) {
  bool IsSQLite = DB.dialect() == SQLDialect::SQLite;
  Expected<Transaction> Step = Transaction::begin(DB, TransactionKind::Write);
  if (!Step)
    return Step.takeError();
  if (!IsSQLite) {
    // One at a time; released at the end of the transaction.
    if (Expected<SQLValue> Lock =
            DB.queryValue("SELECT pg_advisory_xact_lock($1)", {ApplicationID});
        !Lock)
      return Lock.takeError();
    if (Error E = run(DB, "CREATE SCHEMA IF NOT EXISTS inlay"))
      return E;
  }
  Expected<unsigned> Found = versionOf(DB);
  if (!Found)
    return Found.takeError();
  if (Error E = runMigrations(DB, *Found, Version))
    return E;
  if (IsSQLite && *Found == 0)
    if (Error E = run(DB, "PRAGMA application_id = " + itostr(ApplicationID)))
      return E;
  if (Error E = Step->commit())
    return E;
  return *Found;
}

Expected<unsigned> migrate(Database &DB, unsigned Version) {
  if (DB.dialect() != SQLDialect::SQLite)
    return migrateAtOnce(DB, Version);
  if (Error E = checkFile(DB))
    return E;
  if (Error E = run(DB, "PRAGMA journal_mode = WAL"))
    return E;
  // A table that is replaced is missing for a moment. (Cannot be said within a
  // transaction.)
  if (Error E = run(DB, "PRAGMA foreign_keys = OFF"))
    return E;
  Expected<unsigned> Found = migrateAtOnce(DB, Version);
  if (Error E = run(DB, "PRAGMA foreign_keys = ON")) {
    consumeError(Found.takeError());
    return E;
  }
  return Found;
}

/// Whether the version of the tables is for others to see: a collector may
/// insert and nothing else. Asked for, since the server writes down what it had
/// to refuse.
static Expected<bool> isVersionHidden(Database &DB) {
  if (DB.dialect() == SQLDialect::SQLite)
    return false;
  Expected<SQLValue> Hidden = DB.queryValue(
      "SELECT COUNT(*) FROM pg_catalog.pg_class AS c"
      " JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace"
      " WHERE n.nspname = 'inlay' AND c.relname = 'store'"
      " AND NOT has_table_privilege(c.oid, 'SELECT')");
  if (!Hidden)
    return Hidden.takeError();
  return Hidden->integer() != 0;
}

Error checkSchema(Database &DB) {
  if (DB.dialect() == SQLDialect::SQLite)
    if (Error E = checkFile(DB))
      return E;
  Expected<bool> IsHidden = isVersionHidden(DB);
  if (!IsHidden)
    return IsHidden.takeError();
  // The database will refuse what does not fit.
  if (*IsHidden)
    return Error::success();
  Expected<unsigned> Version = versionOf(DB);
  if (!Version)
    return Version.takeError();
  if (*Version == CurrentSchemaVersion)
    return Error::success();
  if (*Version == 0)
    return make_error<DatabaseError>(
        DatabaseErrorKind::Foreign,
        DB.name().str() + ": holds no profile store yet; llvm-profstore init "
                          "makes one");
  return make_error<DatabaseError>(
      DatabaseErrorKind::Other,
      DB.name().str() + ": has tables of version " + std::to_string(*Version) +
          ", and this llvm-profstore knows " +
          std::to_string(CurrentSchemaVersion) +
          (*Version < CurrentSchemaVersion
               ? "; llvm-profstore migrate brings them up to date"
               : "; use a newer llvm-profstore"));
}

Expected<std::unique_ptr<Database>> openStore(StringRef URL,
                                              DatabaseAccess Access) {
  Expected<std::unique_ptr<Database>> DB = Database::connect(URL, Access);
  if (!DB)
    return DB.takeError();
  if (Access == DatabaseAccess::Create &&
      (*DB)->dialect() == SQLDialect::SQLite) {
    Expected<SQLValue> Objects =
        (*DB)->queryValue("SELECT COUNT(*) FROM sqlite_master");
    if (!Objects)
      return Objects.takeError();
    if (Objects->integer() == 0)
      if (Error E = migrate(**DB).takeError())
        return E;
  }
  if (Error E = checkSchema(**DB))
    return E;
  return DB;
}

} // namespace inlay
