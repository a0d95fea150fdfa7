//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which database a URL means, and what both have in common.
//
//===----------------------------------------------------------------------===//

#include "inlay/Store/Database.h"
#include "Engines.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inlay {

char DatabaseError::ID;

void DatabaseError::log(raw_ostream &OS) const { OS << Message; }

std::error_code DatabaseError::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

DatabaseErrorKind kindOf(const Error &E) {
  DatabaseErrorKind Kind = DatabaseErrorKind::Other;
  visitErrors(E, [&](const ErrorInfoBase &Info) {
    if (Info.isA<DatabaseError>())
      Kind = static_cast<const DatabaseError &>(Info).kind();
  });
  return Kind;
}

SQLRow::~SQLRow() = default;
Database::~Database() = default;

std::string SQLRow::name(unsigned Column) const {
  return printableName(text(Column));
}

std::string printableName(StringRef Text) {
  constexpr size_t MostBytes = 4096;
  std::string Name = json::fixUTF8(Text.take_front(MostBytes));
  std::string Safe;
  for (size_t At = 0; At < Name.size(); ++At) {
    auto First = static_cast<uint8_t>(Name[At]);
    auto Second = At + 1 < Name.size() ? static_cast<uint8_t>(Name[At + 1]) : 0;
    // The second set of control characters, U+0080 to U+009F.
    if (First == 0xc2 && Second < 0xa0) {
      Safe += '?';
      ++At;
    } else {
      Safe += First < 0x20 || First == 0x7f ? '?' : Name[At];
    }
  }
  return Safe;
}

Expected<std::unique_ptr<Database>> Database::connect(StringRef URL,
                                                      DatabaseAccess Access) {
  if (StringRef Path = URL; Path.consume_front("sqlite:")) {
    // sqlite:///abs/path as other programs write it.
    if (Path.starts_with("///"))
      Path = Path.drop_front(2);
    if (Path.empty())
      return createStringError(inconvertibleErrorCode(),
                               "the URL sqlite: names no file; say, for "
                               "example, sqlite:profiles.db");
    return connectSQLite(Path, Access);
  }
  if (URL.starts_with("postgresql:") || URL.starts_with("postgres:"))
    return connectPostgreSQL(URL);
  // Not repeated: what was meant for a URL may hold a password.
  return createStringError(inconvertibleErrorCode(),
                           "the store's URL begins neither with sqlite: nor "
                           "with postgresql://; say, for example, "
                           "sqlite:profiles.db");
}

Expected<SQLValue> Database::queryValue(StringRef SQL,
                                        ArrayRef<SQLValue> Parameters) {
  SQLValue Value;
  Error E = query(SQL, Parameters, [&](const SQLRow &Row) {
    if (Row.isNull(0)) {
      Value = SQLValue();
    } else if (Expected<int64_t> Integer = Row.integer(0)) {
      Value = SQLValue(*Integer);
    } else {
      consumeError(Integer.takeError());
      Value = SQLValue(Row.text(0));
    }
    return Error::success();
  });
  if (E)
    return E;
  return Value;
}

Expected<Transaction> Transaction::begin(Database &DB, TransactionKind Kind) {
  StringRef SQL;
  bool IsSQLite = DB.dialect() == SQLDialect::SQLite;
  switch (Kind) {
  case TransactionKind::Read:
    SQL =
        IsSQLite ? "BEGIN" : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
    break;
  case TransactionKind::Write:
    SQL = IsSQLite ? "BEGIN IMMEDIATE" : "BEGIN";
    break;
  case TransactionKind::Snapshot:
    SQL =
        IsSQLite ? "BEGIN IMMEDIATE" : "BEGIN ISOLATION LEVEL REPEATABLE READ";
    break;
  }
  if (Expected<uint64_t> Changed = DB.execute(SQL); !Changed)
    return Changed.takeError();
  return Transaction(DB);
}

Transaction::~Transaction() {
  if (!DB)
    return;
  // If this fails, then because the connection or the transaction is gone.
  Expected<uint64_t> Changed = DB->execute("ROLLBACK");
  if (!Changed)
    consumeError(Changed.takeError());
}

Error Transaction::commit() {
  Expected<uint64_t> Changed = DB->execute("COMMIT");
  if (!Changed)
    return Changed.takeError();
  DB = nullptr;
  return Error::success();
}

} // namespace inlay
