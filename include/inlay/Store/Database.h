//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One small interface to two databases: SQLite for one machine, where nothing
// needs to be started, and PostgreSQL for a fleet.
//
// Statements are the same text for both: parameters are $1, $2, ..., bound and
// never pasted in. Where the two differ (arrays, mostly), what writes the SQL
// asks dialect().
//
// What a database answers is input like any other: a column may hold what its
// type does not allow (SQLite), or what somebody else wrote. Rows are handed
// out one by one, and getters check.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_STORE_DATABASE_H
#define INLAY_STORE_DATABASE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <string>

namespace inlay {

/// Why a statement or a connection failed, as far as callers act on it.
enum class DatabaseErrorKind {
  Unreachable, ///< no connection, or it was lost: may work later
  Denied,      ///< wrong password, or a right is missing
  ReadOnly,    ///< a file or a server that cannot be written
  Duplicate,   ///< a unique constraint
  Refused,     ///< a check or foreign-key constraint
  Conflict,    ///< another transaction was faster: the same again may work
  Full,        ///< no space left
  NoSuchTable, ///< a table or column that does not exist
  Foreign,     ///< the file is no database
  Other
};

class DatabaseError : public llvm::ErrorInfo<DatabaseError> {
public:
  static char ID;
  DatabaseError(DatabaseErrorKind Kind, std::string Message,
                std::string Constraint = "")
      : Kind(Kind), Message(std::move(Message)),
        Constraint(std::move(Constraint)) {}

  DatabaseErrorKind kind() const { return Kind; }
  /// Of a violated constraint: its name (PostgreSQL) or columns (SQLite).
  llvm::StringRef constraint() const { return Constraint; }

  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override;

private:
  DatabaseErrorKind Kind;
  std::string Message, Constraint;
};

/// The kind of \p E, which stays an error; Other if it is no DatabaseError.
DatabaseErrorKind kindOf(const llvm::Error &E);

/// A parameter: null, a 64-bit integer or text.
class SQLValue {
public:
  SQLValue() : Kind(KindOf::Null) {}
  SQLValue(int64_t Integer) : Kind(KindOf::Integer), Integer(Integer) {}
  SQLValue(llvm::StringRef Text) : Kind(KindOf::Text), Text(Text) {}
  SQLValue(const std::string &Text) : SQLValue(llvm::StringRef(Text)) {}
  SQLValue(const char *Text) : SQLValue(llvm::StringRef(Text)) {}

  bool isNull() const { return Kind == KindOf::Null; }
  bool isInteger() const { return Kind == KindOf::Integer; }
  int64_t integer() const { return Integer; }
  llvm::StringRef text() const { return Text; }

private:
  enum class KindOf { Null, Integer, Text } Kind;
  int64_t Integer = 0;
  std::string Text;
};

/// A row of an answer; valid during the callback that gets it.
class SQLRow {
public:
  virtual ~SQLRow();
  virtual bool isNull(unsigned Column) const = 0;
  /// An error if the column is null or no 64-bit integer.
  virtual llvm::Expected<int64_t> integer(unsigned Column) const = 0;
  /// Empty if the column is null.
  virtual llvm::StringRef text(unsigned Column) const = 0;

  /// text() of something that somebody named, fit for people and files: UTF-8
  /// without control characters, of 4096 bytes at most.
  std::string name(unsigned Column) const;
};

/// What SQLRow::name() makes of \p Text.
std::string printableName(llvm::StringRef Text);

enum class SQLDialect { SQLite, PostgreSQL };

/// What a connection is for.
enum class DatabaseAccess {
  Read,  ///< nothing will be written
  Write, ///< the store must exist
  Create ///< an SQLite file that is missing is made
};

/// A connection. Not for use by several threads at once.
class Database {
public:
  /// \p URL is sqlite:FILE or postgresql://..., as libpq takes it (what it does
  /// not say comes from PostgreSQL's environment variables, service file and
  /// password file). A URL that holds a password is refused: command lines are
  /// for all to see.
  static llvm::Expected<std::unique_ptr<Database>>
  connect(llvm::StringRef URL, DatabaseAccess Access);

  virtual ~Database();

  virtual SQLDialect dialect() const = 0;
  /// For messages; tells no secrets.
  virtual llvm::StringRef name() const = 0;

  using RowCallback = llvm::function_ref<llvm::Error(const SQLRow &)>;

  /// Runs one statement. Returns the number of rows that it inserted, changed
  /// or deleted.
  virtual llvm::Expected<uint64_t>
  execute(llvm::StringRef SQL, llvm::ArrayRef<SQLValue> Parameters = {}) = 0;

  /// Runs one statement and hands out its rows, never more than one in memory.
  /// An error of \p OnRow ends it. \p OnRow may not use this connection.
  virtual llvm::Error query(llvm::StringRef SQL,
                            llvm::ArrayRef<SQLValue> Parameters,
                            RowCallback OnRow) = 0;

  /// The only column of the only row; null if there is no row.
  llvm::Expected<SQLValue> queryValue(llvm::StringRef SQL,
                                      llvm::ArrayRef<SQLValue> Parameters = {});
};

/// What a transaction sees and does.
enum class TransactionKind {
  Read,    ///< one snapshot of the database, not written to
  Write,   ///< sees what others commit meanwhile (PostgreSQL)
  Snapshot ///< one snapshot, and Conflict if others changed what it changes
};

/// Rolled back unless committed.
class Transaction {
public:
  static llvm::Expected<Transaction> begin(Database &DB, TransactionKind Kind);
  Transaction(Transaction &&Other) : DB(Other.DB) { Other.DB = nullptr; }
  Transaction &operator=(Transaction &&) = delete;
  ~Transaction();

  llvm::Error commit();

private:
  explicit Transaction(Database &DB) : DB(&DB) {}
  Database *DB;
};

} // namespace inlay

#endif
