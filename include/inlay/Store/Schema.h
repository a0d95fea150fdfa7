//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables of a profile store, in versions.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_STORE_SCHEMA_H
#define INLAY_STORE_SCHEMA_H

#include "inlay/Store/Database.h"

namespace inlay {

/// What this build reads and writes.
extern const unsigned CurrentSchemaVersion;

/// The encoding of a delivered capture's rows. Kept beside each capture and
/// checked by the database, so that a collector that is newer than the tables
/// is refused rather than misread. (1: no call chains.)
constexpr int64_t CaptureFormat = 2;

/// Makes the tables, or brings those of an older version up to date: all of it
/// or nothing. Several may try at the same time. Returns the version found, 0
/// for none. Not beyond \p Version (for tests).
llvm::Expected<unsigned> migrate(Database &DB,
                                 unsigned Version = CurrentSchemaVersion);

/// An error unless \p DB is a profile store of the current version.
llvm::Error checkSchema(Database &DB);

/// Connects to \p URL and checks that it is a profile store. With
/// DatabaseAccess::Create, an SQLite file that is missing or empty becomes one;
/// PostgreSQL needs migrate(), by somebody with the right to make tables.
llvm::Expected<std::unique_ptr<Database>> openStore(llvm::StringRef URL,
                                                    DatabaseAccess Access);

} // namespace inlay

#endif
