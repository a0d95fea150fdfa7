//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several rows go with one statement: over a network, statements are what
// takes time.
//
//===----------------------------------------------------------------------===//

#include "Rows.h"
#include "inlay/Store/Capture.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inlay {

Error insertRows(Database &DB, StringRef Table, const RowList &Rows,
                 StringRef Suffix) {
  // SQLite is at home and keeps the statement; PostgreSQL is far away.
  const size_t MostRows = DB.dialect() == SQLDialect::SQLite ? 1 : 100;
  for (size_t First = 0; First < Rows.size(); First += MostRows) {
    std::string SQL = ("INSERT INTO " + Table + " VALUES ").str();
    std::vector<SQLValue> Parameters;
    size_t Last = std::min(First + MostRows, Rows.size());
    for (size_t Index = First; Index < Last; ++Index) {
      SQL += Index == First ? "(" : ", (";
      ListSeparator Comma;
      for (const SQLValue &Value : Rows[Index]) {
        Parameters.push_back(Value);
        SQL += StringRef(Comma).str() + "$" + utostr(Parameters.size());
      }
      SQL += ")";
    }
    if (!Suffix.empty())
      SQL += (" " + Suffix).str();
    if (Error E = DB.execute(SQL, Parameters).takeError())
      return E;
  }
  return Error::success();
}

std::string arrayParameter(ArrayRef<int64_t> Values, SQLDialect Dialect) {
  bool IsSQLite = Dialect == SQLDialect::SQLite;
  std::string Text;
  raw_string_ostream OS(Text);
  OS << (IsSQLite ? '[' : '{');
  interleave(Values, OS, ",");
  OS << (IsSQLite ? ']' : '}');
  return Text;
}

void appendPacked(ArrayRef<PackedCount> Counts, SQLDialect Dialect,
                  std::vector<SQLValue> &Row) {
  if (Dialect == SQLDialect::SQLite) {
    std::string Text;
    raw_string_ostream OS(Text);
    OS << '{';
    ListSeparator Comma(",");
    for (const PackedCount &Count : Counts) {
      OS << Comma << '"' << Count.A;
      if (Count.B)
        OS << ',' << Count.B;
      OS << "\":" << Count.N;
    }
    OS << '}';
    Row.push_back(Text);
    return;
  }
  std::vector<int64_t> A, B, N;
  for (const PackedCount &Count : Counts) {
    A.push_back(Count.A);
    B.push_back(Count.B);
    N.push_back(Count.N);
  }
  for (const std::vector<int64_t> *Values : {&A, &B, &N})
    Row.push_back(arrayParameter(*Values, Dialect));
}

std::string unpackedSamples(SQLDialect Dialect) {
  // SQLite's CAST takes the number that a text begins with.
  return Dialect == SQLDialect::SQLite
             ? "(SELECT capture, event, binary_file, kind,"
               " CAST(e.key AS INTEGER) AS a,"
               " CASE WHEN instr(e.key, ',') THEN"
               " CAST(substr(e.key, instr(e.key, ',') + 1) AS INTEGER)"
               " ELSE 0 END AS b, CAST(e.value AS INTEGER) AS n"
               " FROM capture_samples CROSS JOIN json_each(counts) AS e)"
             : "(SELECT capture, event, binary_file, kind, e.a, e.b, e.n"
               " FROM capture_samples CROSS JOIN LATERAL"
               " unnest(capture_samples.a, capture_samples.b,"
               " capture_samples.n) AS e (a, b, n))";
}

std::string isSoundCount(StringRef Source) {
  return (Source + ".a >= 0 AND " + Source + ".b >= 0 AND " + Source +
          ".n BETWEEN 1 AND " + Twine(MaxCaptureCount))
      .str();
}

} // namespace inlay
