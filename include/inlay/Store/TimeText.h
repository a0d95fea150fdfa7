//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times and durations as people write them.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_STORE_TIMETEXT_H
#define INLAY_STORE_TIMETEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace inlay {

/// "250ms", "10s", "5m", "36h", "7d", "2w", in milliseconds; more than 0.
/// \p Option is what it was given as, for the error.
llvm::Expected<int64_t> parseDuration(llvm::StringRef Text,
                                      llvm::StringRef Option);

/// A duration (so long before \p Now), "2026-01-31", "2026-01-31T12:00:00Z" or
/// seconds since 1970, in seconds since 1970.
llvm::Expected<int64_t> parseTime(llvm::StringRef Text, int64_t Now,
                                  llvm::StringRef Option);

/// "2026-01-31".
std::string formatDay(int64_t Day);
/// "2026-01-31 12:00:00", UTC.
std::string formatTime(int64_t Seconds);

} // namespace inlay

#endif
