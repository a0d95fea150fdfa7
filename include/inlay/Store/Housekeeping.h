//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a store needs from time to time, and what it holds.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_STORE_HOUSEKEEPING_H
#define INLAY_STORE_HOUSEKEEPING_H

#include "inlay/Store/Aggregation.h"

namespace inlay {

/// Folds captures into one row for each day, version, host, event, binary and
/// address. Sums are the same before and after. May be stopped at any moment,
/// and run while others deliver or export. Returns the number of captures that
/// were folded.
llvm::Expected<uint64_t> foldCaptures(Database &DB);

/// What an export has to add up besides folded rows grows no further than this
/// where those who deliver may fold.
constexpr size_t MostWaitingCaptures = 256;

/// Folds captures if MostWaitingCaptures or more wait for it, some thousand at
/// most: to be called by who delivers. Returns how many it folded; none if the
/// user of \p DB may only insert.
llvm::Expected<uint64_t> foldIfManyWait(Database &DB);

struct CollectedGarbage {
  uint64_t Captures = 0, Series = 0, Names = 0;
};

/// Deletes captures and folded rows of days before \p Oldest, and names that
/// nothing refers to any more.
llvm::Expected<CollectedGarbage> deleteBefore(Database &DB, Day Oldest);

/// The day that the database says it is.
llvm::Expected<Day> today(Database &DB);

/// Looks for what should not be: damaged pages and indexes, rows that refer to
/// nothing, ids that are not those of their names, counts that add up to
/// something else. Calls \p OnProblem with a sentence for each kind of problem.
llvm::Error checkStore(Database &DB,
                       llvm::function_ref<void(const llvm::Twine &)> OnProblem);

} // namespace inlay

#endif
