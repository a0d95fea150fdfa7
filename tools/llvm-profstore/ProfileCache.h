//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Profiles of sums that an earlier export made of the same counts in the same
// way, and kept in the store.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TOOLS_LLVM_PROFSTORE_PROFILECACHE_H
#define INLAY_TOOLS_LLVM_PROFSTORE_PROFILECACHE_H

#include "SumEstimation.h"
#include "inlay/Profile/ContextSummaryMap.h"
#include "inlay/Store/SymbolizedProfiles.h"

namespace inlay {

/// The profile of one sum.
struct SumProfile {
  ContextSummaryMap Map;
  uint64_t Samples = 0;   ///< that are in it
  uint64_t Functions = 0; ///< that are in it
};

class ProfileCache {
public:
  /// Reads what \p DB has of \p Sums, made as \p Request says by a program of
  /// the same bytes as this one. Damaged ones are left out, with a warning.
  llvm::Error load(Database &DB, llvm::ArrayRef<SummedSamples> Sums,
                   const EstimatorRequest &Request,
                   DiagnosticSink &Diagnostics);

  /// The profile of Sums[Index]; null if there is none.
  const SumProfile *find(size_t Index) const;

  /// To be kept: \p Profile is that of Sums[Index].
  void add(size_t Index, const SumProfile &Profile);

  /// Writes what was added to the store, if the user may write to it. That it
  /// cannot be kept costs time next time, and is no error.
  void save(llvm::StringRef URL, DiagnosticSink &Diagnostics);

private:
  struct Entry {
    std::string Key; ///< empty: not to be kept
    llvm::SmallVector<uint8_t, 20> BuildID;
    std::optional<SumProfile> Found;
    std::optional<SymbolizedProfile> Added;
  };
  std::vector<Entry> Entries; ///< by sum
};

} // namespace inlay

#endif
