//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SQLite, in write-ahead mode: readers do not wait for the writer, writers wait
// for each other, and what is committed is on the disk.
//
// A file may come from anybody. Nothing in it is trusted to be harmless: not
// its schema (no functions with side effects, no writing to internal tables),
// and not its pages.
//
//===----------------------------------------------------------------------===//

#include "Engines.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include <sqlite3.h>

using namespace llvm;

namespace inlay {

/// How long a writer waits for another, in ms.
static constexpr int BusyTimeout = 60000;

static DatabaseErrorKind classify(int Code) {
  switch (Code & 0xff) {
  case SQLITE_CANTOPEN:
    return DatabaseErrorKind::Unreachable;
  case SQLITE_AUTH:
  case SQLITE_PERM:
    return DatabaseErrorKind::Denied;
  case SQLITE_READONLY:
    return DatabaseErrorKind::ReadOnly;
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return DatabaseErrorKind::Conflict;
  case SQLITE_FULL:
    return DatabaseErrorKind::Full;
  case SQLITE_NOTADB:
    return DatabaseErrorKind::Foreign;
  case SQLITE_CONSTRAINT:
    return Code == SQLITE_CONSTRAINT_UNIQUE ||
                   Code == SQLITE_CONSTRAINT_PRIMARYKEY
               ? DatabaseErrorKind::Duplicate
               : DatabaseErrorKind::Refused;
  default:
    return DatabaseErrorKind::Other;
  }
}

namespace {

class SQLiteRow final : public SQLRow {
public:
  explicit SQLiteRow(sqlite3_stmt *Statement) : Statement(Statement) {}

  bool isNull(unsigned Column) const override {
    return sqlite3_column_type(Statement, Column) == SQLITE_NULL;
  }

  Expected<int64_t> integer(unsigned Column) const override {
    if (sqlite3_column_type(Statement, Column) != SQLITE_INTEGER)
      return make_error<DatabaseError>(
          DatabaseErrorKind::Other,
          ("the store holds something else where a number should be (" +
           Twine(sqlite3_column_name(Statement, Column)) +
           "); llvm-profstore check tells more")
              .str());
    return sqlite3_column_int64(Statement, Column);
  }

  StringRef text(unsigned Column) const override {
    const auto *Text =
        reinterpret_cast<const char *>(sqlite3_column_text(Statement, Column));
    return Text ? StringRef(Text, sqlite3_column_bytes(Statement, Column))
                : StringRef();
  }

private:
  sqlite3_stmt *Statement;
};

class SQLiteDatabase final : public Database {
public:
  explicit SQLiteDatabase(StringRef Path) : Path(Path) {}
  ~SQLiteDatabase() override {
    for (auto &Entry : Statements)
      sqlite3_finalize(Entry.second);
    sqlite3_close(Connection);
  }

  Error open(DatabaseAccess Access);

  SQLDialect dialect() const override { return SQLDialect::SQLite; }
  StringRef name() const override { return Path; }

  Expected<uint64_t> execute(StringRef SQL,
                             ArrayRef<SQLValue> Parameters) override {
    if (Error E = query(SQL, Parameters,
                        [](const SQLRow &) { return Error::success(); }))
      return E;
    return sqlite3_changes(Connection);
  }

  Error query(StringRef SQL, ArrayRef<SQLValue> Parameters,
              RowCallback OnRow) override;

private:
  Error lastError();
  Expected<sqlite3_stmt *> prepare(StringRef SQL);

  std::string Path;
  sqlite3 *Connection = nullptr;
  StringMap<sqlite3_stmt *> Statements;
};

} // namespace

Error SQLiteDatabase::lastError() {
  int Code = sqlite3_extended_errcode(Connection);
  std::string Message = sqlite3_errmsg(Connection);
  DatabaseErrorKind Kind = classify(Code);
  std::string Constraint;
  switch (Kind) {
  case DatabaseErrorKind::Foreign:
    Message = "is no SQLite database";
    break;
  case DatabaseErrorKind::ReadOnly:
    Message = "cannot be written: the file or its directory is read-only";
    break;
  case DatabaseErrorKind::Full:
    Message = "the disk is full; nothing of the last step was written";
    break;
  case DatabaseErrorKind::Unreachable:
    Message = "cannot be opened; is there such a directory, and may you write "
              "to it?";
    break;
  case DatabaseErrorKind::Conflict:
    Message = "another process has been writing for longer than " +
              std::to_string(BusyTimeout / 1000) + " s; try again";
    break;
  case DatabaseErrorKind::Duplicate:
  case DatabaseErrorKind::Refused:
    Constraint = StringRef(Message).rsplit(": ").second.str();
    break;
  default:
    if (StringRef(Message).starts_with("no such "))
      Kind = DatabaseErrorKind::NoSuchTable;
    break;
  }
  return make_error<DatabaseError>(Kind, Path + ": " + Message,
                                   std::move(Constraint));
}

Error SQLiteDatabase::open(DatabaseAccess Access) {
  int Flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  switch (Access) {
  case DatabaseAccess::Read:
    Flags |= SQLITE_OPEN_READONLY;
    break;
  case DatabaseAccess::Write:
    Flags |= SQLITE_OPEN_READWRITE;
    break;
  case DatabaseAccess::Create:
    Flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    break;
  }
  bool IsInMemory = Path == ":memory:";
  if (!IsInMemory) {
    sys::fs::file_status Status;
    std::error_code EC = sys::fs::status(Path, Status);
    if (!EC && !sys::fs::is_regular_file(Status))
      return make_error<DatabaseError>(DatabaseErrorKind::Foreign,
                                       Path + ": is no file");
    if (EC == std::errc::no_such_file_or_directory &&
        Access != DatabaseAccess::Create)
      return make_error<DatabaseError>(
          DatabaseErrorKind::Unreachable,
          Path + ": there is no such store; llvm-profstore init or ingest "
                 "makes one");
  }
  if (sqlite3_open_v2(Path.c_str(), &Connection, Flags, nullptr) != SQLITE_OK)
    return lastError();
  sqlite3_busy_timeout(Connection, BusyTimeout);
  sqlite3_db_config(Connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(Connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(Connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(Connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  for (StringRef Pragma :
       {"PRAGMA cell_size_check = ON", "PRAGMA foreign_keys = ON",
        "PRAGMA synchronous = FULL", "PRAGMA temp_store = MEMORY"})
    if (Expected<uint64_t> Changed = execute(Pragma, {}); !Changed)
      return Changed.takeError();
  // Found out now rather than after the work.
  if (Access != DatabaseAccess::Read && !IsInMemory &&
      sqlite3_db_readonly(Connection, "main") == 1)
    return make_error<DatabaseError>(
        DatabaseErrorKind::ReadOnly,
        Path + ": cannot be written: the file or its directory is read-only");
  return Error::success();
}

Expected<sqlite3_stmt *> SQLiteDatabase::prepare(StringRef SQL) {
  auto It = Statements.find(SQL);
  if (It != Statements.end())
    return It->second;
  sqlite3_stmt *Statement = nullptr;
  if (sqlite3_prepare_v3(Connection, SQL.data(), SQL.size(), 0, &Statement,
                         nullptr) != SQLITE_OK)
    return lastError();
  // Those of a program are few; what is made up on the run is not kept.
  constexpr unsigned MostStatements = 100;
  if (Statements.size() >= MostStatements) {
    for (auto &Entry : Statements)
      sqlite3_finalize(Entry.second);
    Statements.clear();
  }
  Statements[SQL] = Statement;
  return Statement;
}

Error SQLiteDatabase::query(StringRef SQL, ArrayRef<SQLValue> Parameters,
                            RowCallback OnRow) {
  Expected<sqlite3_stmt *> StatementOrErr = prepare(SQL);
  if (!StatementOrErr)
    return StatementOrErr.takeError();
  sqlite3_stmt *Statement = *StatementOrErr;
  for (auto [Index, Value] : enumerate(Parameters)) {
    std::string Name = "$" + std::to_string(Index + 1);
    int Position = sqlite3_bind_parameter_index(Statement, Name.c_str());
    if (!Position)
      continue;
    if (Value.isNull())
      sqlite3_bind_null(Statement, Position);
    else if (Value.isInteger())
      sqlite3_bind_int64(Statement, Position, Value.integer());
    else
      sqlite3_bind_text64(Statement, Position, Value.text().data(),
                          Value.text().size(), SQLITE_STATIC, SQLITE_UTF8);
  }
  SQLiteRow Row(Statement);
  Error E = Error::success();
  int Code;
  while ((Code = sqlite3_step(Statement)) == SQLITE_ROW)
    if ((E = OnRow(Row)))
      break;
  if (!E && Code != SQLITE_DONE)
    E = lastError();
  sqlite3_reset(Statement);
  sqlite3_clear_bindings(Statement);
  return E;
}

Expected<std::unique_ptr<Database>> connectSQLite(StringRef Path,
                                                  DatabaseAccess Access) {
  auto DB = std::make_unique<SQLiteDatabase>(Path);
  if (Error E = DB->open(Access))
    return E;
  return DB;
}

} // namespace inlay
