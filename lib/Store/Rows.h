//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows on their way into a database, and packed counts in both directions.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_STORE_ROWS_H
#define INLAY_LIB_STORE_ROWS_H

#include "inlay/Store/Database.h"
#include <vector>

namespace inlay {

using RowList = std::vector<std::vector<SQLValue>>;

/// Inserts \p Rows into \p Table, "name (columns)"; \p Suffix ends the
/// statement.
llvm::Error insertRows(Database &DB, llvm::StringRef Table, const RowList &Rows,
                       llvm::StringRef Suffix = "");

/// A count of (a, b).
struct PackedCount {
  int64_t A, B, N;
  bool operator<(const PackedCount &Other) const {
    return A != Other.A ? A < Other.A : B < Other.B;
  }
};

/// Appends the columns of capture_samples that hold \p Counts to \p Row.
void appendPacked(llvm::ArrayRef<PackedCount> Counts, SQLDialect Dialect,
                  std::vector<SQLValue> &Row);

/// A table (capture, event, binary_file, kind, a, b, n): a row for each count
/// in capture_samples.
std::string unpackedSamples(SQLDialect Dialect);

/// True of the rows of \p Source, with columns a, b and n, that somebody who
/// keeps to the rules may have written.
std::string isSoundCount(llvm::StringRef Source);

/// {1,2,3}, a parameter for PostgreSQL's unnest(); [1,2,3] for SQLite's
/// json_each().
std::string arrayParameter(llvm::ArrayRef<int64_t> Values, SQLDialect Dialect);

} // namespace inlay

#endif
