//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters, rows, transactions and errors of the database layer.
//
//===----------------------------------------------------------------------===//

#include "StoreTest.h"

using namespace inlay;
using namespace llvm;

static std::unique_ptr<Database> connect() {
  return cantFail(Database::connect("sqlite::memory:", DatabaseAccess::Create));
}

TEST(DatabaseTest, ParametersAreBoundNotPasted) {
  auto DB = connect();
  ASSERT_TRUE(succeeded(DB->execute("CREATE TABLE t (n BIGINT, s TEXT)")));
  std::string Nasty = "'; DROP TABLE t; --";
  EXPECT_TRUE(hasValue(
      DB->execute("INSERT INTO t VALUES ($2, $1)", {Nasty, INT64_MIN}), 1u));
  EXPECT_TRUE(hasValue(
      DB->execute("INSERT INTO t VALUES ($1, $2)", {SQLValue(), SQLValue()}),
      1u));
  unsigned Rows = 0;
  EXPECT_TRUE(succeeded(DB->query(
      "SELECT n, s FROM t ORDER BY rowid", {}, [&](const SQLRow &Row) {
        if (Rows++ == 0) {
          EXPECT_TRUE(hasValue(Row.integer(0), INT64_MIN));
          EXPECT_EQ(Row.text(1), Nasty);
        } else {
          EXPECT_TRUE(Row.isNull(0));
          EXPECT_TRUE(failed(Row.integer(0)));
          EXPECT_EQ(Row.text(1), "");
        }
        return Error::success();
      })));
  EXPECT_EQ(Rows, 2u);
}

TEST(DatabaseTest, TextIsNoNumber) {
  auto DB = connect();
  EXPECT_TRUE(failed(DB->query("SELECT '12'", {}, [](const SQLRow &Row) {
    return Row.integer(0).takeError();
  })));
}

TEST(DatabaseTest, TransactionsAreRolledBackUnlessCommitted) {
  auto DB = connect();
  ASSERT_TRUE(succeeded(DB->execute("CREATE TABLE t (n BIGINT)")));
  for (bool Commit : {false, true}) {
    auto T = Transaction::begin(*DB, TransactionKind::Write);
    ASSERT_TRUE(succeeded(T));
    ASSERT_TRUE(succeeded(DB->execute("INSERT INTO t VALUES (1)")));
    if (Commit)
      EXPECT_TRUE(succeeded(T->commit()));
  }
  auto Count = DB->queryValue("SELECT COUNT(*) FROM t");
  ASSERT_TRUE(succeeded(Count));
  EXPECT_EQ(Count->integer(), 1);
}

TEST(DatabaseTest, ErrorsTellTheirKind) {
  auto DB = connect();
  ASSERT_TRUE(
      succeeded(DB->execute("CREATE TABLE t (n BIGINT UNIQUE CHECK (n > 0))")));
  ASSERT_TRUE(succeeded(DB->execute("INSERT INTO t VALUES (1)")));
  auto KindOfFailure = [&](StringRef SQL) {
    Error E = DB->execute(SQL).takeError();
    DatabaseErrorKind Kind = kindOf(E);
    EXPECT_TRUE(bool(E));
    consumeError(std::move(E));
    return Kind;
  };
  EXPECT_EQ(KindOfFailure("INSERT INTO t VALUES (1)"),
            DatabaseErrorKind::Duplicate);
  EXPECT_EQ(KindOfFailure("INSERT INTO t VALUES (0)"),
            DatabaseErrorKind::Refused);
  EXPECT_EQ(KindOfFailure("SELECT * FROM u"), DatabaseErrorKind::NoSuchTable);
  EXPECT_EQ(KindOfFailure("SELEC"), DatabaseErrorKind::Other);
}

TEST(DatabaseTest, CallbackEndsQuery) {
  auto DB = connect();
  unsigned Rows = 0;
  Error E = DB->query("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1"
                      " FROM n) SELECT i FROM n",
                      {}, [&](const SQLRow &) -> Error {
                        if (++Rows == 3)
                          return createStringError(inconvertibleErrorCode(),
                                                   "enough");
                        return Error::success();
                      });
  EXPECT_TRUE(failedWith(std::move(E), "enough"));
  EXPECT_EQ(Rows, 3u);
}
