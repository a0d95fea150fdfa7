//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PostgreSQL by libpq, which brings TLS, service and password files.
//
// Parameters travel as text, and so do answers: what they are is the server's
// business. Rows come one by one (libpq's single-row mode), so that an answer
// takes no more memory than a row.
//
//===----------------------------------------------------------------------===//

#include "Engines.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <libpq-fe.h>

using namespace llvm;

namespace inlay {

/// Several lines, as libpq likes them, in one.
static std::string oneLine(StringRef Message) {
  std::string Text;
  SmallVector<StringRef, 4> Lines;
  Message.split(Lines, '\n', -1, false);
  for (StringRef Line : Lines)
    Text += (Text.empty() ? "" : "; ") + Line.trim().str();
  return Text;
}

static DatabaseErrorKind classify(StringRef SQLState) {
  if (SQLState == "23505")
    return DatabaseErrorKind::Duplicate;
  if (SQLState.starts_with("23"))
    return DatabaseErrorKind::Refused;
  if (SQLState == "42501" || SQLState.starts_with("28"))
    return DatabaseErrorKind::Denied;
  if (SQLState == "42P01" || SQLState == "42703" || SQLState == "3F000")
    return DatabaseErrorKind::NoSuchTable;
  if (SQLState == "25006")
    return DatabaseErrorKind::ReadOnly;
  if (SQLState.starts_with("40"))
    return DatabaseErrorKind::Conflict;
  if (SQLState == "53100")
    return DatabaseErrorKind::Full;
  if (SQLState.starts_with("08") || SQLState.starts_with("57P") ||
      SQLState.starts_with("53"))
    return DatabaseErrorKind::Unreachable;
  return DatabaseErrorKind::Other;
}

namespace {

class PostgreSQLRow final : public SQLRow {
public:
  explicit PostgreSQLRow(const PGresult *Result) : Result(Result) {}

  bool isNull(unsigned Column) const override {
    return PQgetisnull(Result, 0, Column);
  }

  Expected<int64_t> integer(unsigned Column) const override {
    int64_t Value;
    if (isNull(Column) || !to_integer(text(Column), Value, 10))
      return make_error<DatabaseError>(
          DatabaseErrorKind::Other,
          ("the store holds something else where a number should be (" +
           Twine(PQfname(Result, Column)) +
           "); llvm-profstore check tells more")
              .str());
    return Value;
  }

  StringRef text(unsigned Column) const override {
    return StringRef(PQgetvalue(Result, 0, Column),
                     PQgetlength(Result, 0, Column));
  }

private:
  const PGresult *Result;
};

class PostgreSQLDatabase final : public Database {
public:
  ~PostgreSQLDatabase() override { PQfinish(Connection); }

  Error open(StringRef URL);

  SQLDialect dialect() const override { return SQLDialect::PostgreSQL; }
  StringRef name() const override { return Name; }

  Expected<uint64_t> execute(StringRef SQL,
                             ArrayRef<SQLValue> Parameters) override;
  Error query(StringRef SQL, ArrayRef<SQLValue> Parameters,
              RowCallback OnRow) override;

private:
  Error connectionError();
  Error resultError(const PGresult *Result);
  Error send(StringRef SQL, ArrayRef<SQLValue> Parameters);

  std::string Name; ///< host and database
  PGconn *Connection = nullptr;
};

} // namespace

Error PostgreSQLDatabase::connectionError() {
  std::string Message = oneLine(PQerrorMessage(Connection));
  bool IsDenied = PQconnectionNeedsPassword(Connection) ||
                  StringRef(Message).contains("authentication failed") ||
                  StringRef(Message).contains("permission denied for");
  if (IsDenied)
    return make_error<DatabaseError>(
        DatabaseErrorKind::Denied,
        Name +
            ": the server lets this user not in; look at the password in "
            "~/.pgpass (or PGPASSFILE, PGPASSWORD, a service file): " +
            Message);
  return make_error<DatabaseError>(
      DatabaseErrorKind::Unreachable,
      Name + ": the store cannot be reached: " + Message);
}

Error PostgreSQLDatabase::resultError(const PGresult *Result) {
  if (PQstatus(Connection) == CONNECTION_BAD)
    return connectionError();
  const char *State = PQresultErrorField(Result, PG_DIAG_SQLSTATE);
  const char *Constraint = PQresultErrorField(Result, PG_DIAG_CONSTRAINT_NAME);
  const char *Primary = PQresultErrorField(Result, PG_DIAG_MESSAGE_PRIMARY);
  return make_error<DatabaseError>(
      classify(State ? State : ""),
      Name + ": " +
          (Primary ? oneLine(Primary) : oneLine(PQresultErrorMessage(Result))),
      Constraint ? Constraint : "");
}

Error PostgreSQLDatabase::open(StringRef URL) {
  Name = "PostgreSQL";
  // Its message may repeat the URL, and what is in it: not asked for.
  std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> Options(
      PQconninfoParse(URL.str().c_str(), nullptr), PQconninfoFree);
  if (!Options)
    return make_error<DatabaseError>(
        DatabaseErrorKind::Other,
        "the store's URL is none that PostgreSQL understands; say, for "
        "example, postgresql://db.example.org/profiles");
  bool HasTimeout = false;
  std::string Host, DatabaseName;
  for (const PQconninfoOption *Option = Options.get(); Option->keyword;
       ++Option) {
    if (!Option->val)
      continue;
    StringRef Keyword = Option->keyword;
    StringRef Value = Option->val;
    // A name that looks like a URL of its own may hold one, and would be told.
    if (Keyword == "password" || Keyword == "sslpassword" ||
        Value.contains("://") || Value.contains("password="))
      return make_error<DatabaseError>(
          DatabaseErrorKind::Denied,
          "the store's URL holds a password, which every user of this machine "
          "can read; put it into ~/.pgpass (or PGPASSFILE, PGPASSWORD, a "
          "service file) and leave it out here");
    if (Keyword == "connect_timeout")
      HasTimeout = true;
    else if (Keyword == "host" || (Keyword == "service" && Host.empty()))
      Host = Option->val;
    else if (Keyword == "dbname")
      DatabaseName = Option->val;
  }
  std::string Target = URL.str();
  const char *Keywords[] = {"dbname", "connect_timeout", "application_name",
                            "client_encoding", nullptr};
  // Later values win: a timeout of the URL's own stands.
  const char *Values[] = {Target.c_str(), HasTimeout ? nullptr : "10",
                          "llvm-profstore", "UTF8", nullptr};
  if (!Host.empty() || !DatabaseName.empty())
    Name = "PostgreSQL " + Host + "/" + DatabaseName;
  Connection = PQconnectdbParams(Keywords, Values, /*expand_dbname=*/1);
  if (!Connection)
    return make_error<DatabaseError>(DatabaseErrorKind::Other,
                                     Name + ": out of memory");
  if (PQstatus(Connection) != CONNECTION_OK)
    return connectionError();
  const char *Server = PQhost(Connection);
  const char *Actual = PQdb(Connection);
  Name = std::string("PostgreSQL ") + (Server ? Server : "") + "/" +
         (Actual ? Actual : "");
  PQsetNoticeProcessor(Connection, [](void *, const char *) {}, nullptr);
  // A schema of our own: a database may be shared with others.
  if (Expected<uint64_t> Changed = execute("SET search_path = inlay", {});
      !Changed)
    return Changed.takeError();
  return Error::success();
}

Error PostgreSQLDatabase::send(StringRef SQL, ArrayRef<SQLValue> Parameters) {
  std::vector<std::string> Texts;
  std::vector<const char *> Values;
  Texts.reserve(Parameters.size());
  for (const SQLValue &Value : Parameters) {
    Texts.push_back(Value.isInteger() ? std::to_string(Value.integer())
                                      : Value.text().str());
    Values.push_back(Value.isNull() ? nullptr : Texts.back().c_str());
  }
  if (!PQsendQueryParams(Connection, SQL.str().c_str(),
                         static_cast<int>(Values.size()), nullptr,
                         Values.data(), nullptr, nullptr, 0))
    return connectionError();
  return Error::success();
}

Expected<uint64_t> PostgreSQLDatabase::execute(StringRef SQL,
                                               ArrayRef<SQLValue> Parameters) {
  if (Error E = send(SQL, Parameters))
    return E;
  uint64_t Changed = 0;
  Error E = Error::success();
  while (PGresult *Result = PQgetResult(Connection)) {
    ExecStatusType Status = PQresultStatus(Result);
    if (Status == PGRES_COMMAND_OK || Status == PGRES_TUPLES_OK) {
      StringRef Tuples = PQcmdTuples(Result);
      if (Tuples.empty() || !to_integer(Tuples, Changed, 10))
        Changed = 0;
    } else if (!E) {
      E = resultError(Result);
    }
    PQclear(Result);
  }
  if (E)
    return E;
  return Changed;
}

Error PostgreSQLDatabase::query(StringRef SQL, ArrayRef<SQLValue> Parameters,
                                RowCallback OnRow) {
  if (Error E = send(SQL, Parameters))
    return E;
  PQsetSingleRowMode(Connection);
  Error E = Error::success();
  while (PGresult *Result = PQgetResult(Connection)) {
    ExecStatusType Status = PQresultStatus(Result);
    if (Status == PGRES_SINGLE_TUPLE) {
      if (!E) {
        E = OnRow(PostgreSQLRow(Result));
        if (E)
          // What is left of the answer is not waited for.
          if (PGcancel *Cancel = PQgetCancel(Connection)) {
            char Buffer[256];
            PQcancel(Cancel, Buffer, sizeof(Buffer));
            PQfreeCancel(Cancel);
          }
      }
    } else if (Status != PGRES_TUPLES_OK && Status != PGRES_COMMAND_OK && !E) {
      E = resultError(Result);
    }
    PQclear(Result);
  }
  return E;
}

Expected<std::unique_ptr<Database>> connectPostgreSQL(StringRef URL) {
  auto DB = std::make_unique<PostgreSQLDatabase>();
  if (Error E = DB->open(URL))
    return E;
  return DB;
}

} // namespace inlay
