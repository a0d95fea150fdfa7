//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Profiles that were made of sums, kept in the store: the next export of the
// same sum needs neither the binary nor the time.
//
// The key is a hash of all that went in: every count, the event, the processor,
// the build ID, and how it was made. So there is nothing to invalidate: other
// counts, or another estimator, have another key. What is kept holds no secrets
// and may be deleted at any time.
//
// Who may insert here says what exports contain. That is for exporters, never
// for collectors.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_STORE_SYMBOLIZEDPROFILES_H
#define INLAY_STORE_SYMBOLIZEDPROFILES_H

#include "inlay/Store/Aggregation.h"

namespace inlay {

struct SymbolizedProfile {
  std::string Profile;    ///< bytes, of a form that the caller knows
  uint64_t Samples = 0;   ///< that are in it
  uint64_t Functions = 0; ///< that are in it
};

/// No larger ones are kept, nor read.
constexpr uint64_t MaxSymbolizedBytes = uint64_t(1) << 26;

/// The key of a profile of \p Sum. \p Making tells how it is made: by which
/// version of what, with which options.
std::string symbolizedKey(const SummedSamples &Sum, llvm::StringRef Making);

/// The profile of that key; nullopt if there is none, or if the user of \p DB
/// may not read it. An error if what is there is damaged.
llvm::Expected<std::optional<SymbolizedProfile>>
findSymbolized(Database &DB, llvm::StringRef Key);

/// Keeps \p Profile for later; one of that key that is there already stays.
/// Returns false, and does nothing, if the user of \p DB may not insert it, if
/// it is too large, or if there is no zlib.
llvm::Expected<bool> keepSymbolized(Database &DB, llvm::StringRef Key,
                                    llvm::ArrayRef<uint8_t> BuildID,
                                    const SymbolizedProfile &Profile);

/// Deletes profiles that were made before \p Oldest, those of binaries that are
/// in no capture any more, and all but the newest few of each binary. Returns
/// how many.
llvm::Expected<uint64_t> deleteOldSymbolized(Database &DB,
                                             std::optional<Day> Oldest);

/// How many cannot be read.
llvm::Expected<uint64_t> countDamagedSymbolized(Database &DB);

} // namespace inlay

#endif
