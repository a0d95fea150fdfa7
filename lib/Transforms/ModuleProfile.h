//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A profile while it is being applied to one module: the map, the thresholds
// that follow from the whole program's summary, and the scale.
//
// Timer samples are few: a warm function may have been hit once, its entry
// never. In whole samples such a function's counts would round to 0 and read as
// "never runs". All counts of the map are therefore multiplied by one constant
// that depends on the whole-program summary alone, so that it is the same in
// every module, before flow is computed and when the summary is attached.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_MODULEPROFILE_H
#define INLAY_LIB_TRANSFORMS_MODULEPROFILE_H

#include "ContextDifference.h"
#include "inlay/Profile/ProfileFile.h"
#include "inlay/Transforms/Options.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

namespace inlay {

/// LLVM's profile-summary-cutoff-cold, per million.
constexpr uint64_t ColdPercentile = 999999;

struct ModuleProfile {
  /// Scales the map.
  ModuleProfile(ProfileFile File, const Options &Opts);

  ContextSummaryMap &map() { return File.Map; }

  /// From the profile's unit to that of the map and the IR; saturates.
  uint64_t scaled(uint64_t Count) const {
    return llvm::SaturatingMultiply(Count, Scale);
  }
  /// The inverse, for people: what they find in their profile.
  uint64_t unscaled(uint64_t Count) const { return Count / Scale; }

  ProfileFile File;
  uint64_t Scale = 1;
  /// What one sample amounts to, in the map's unit: by an option, by what the
  /// profile says (ContextSummaryMap::Resolution), or else the least count of
  /// which it holds any number of lines (the summary's cold threshold). What
  /// has less was not seen, which is not to say that it never ran.
  uint64_t Resolution = 1;
  /// What has less is not hot, whatever the summary says; in the map's unit. 0
  /// where nothing but the summary tells the resolution.
  uint64_t LeastHotCount = 0;
  uint64_t HotCount = 0; ///< of contexts, in the map's unit
  /// How contexts of calls differ from their function's others.
  std::optional<ContextDifference> Difference;
};

/// The nodes of one function's tree that exist as inlined copies in the IR.
using InlinedContexts = llvm::DenseSet<const ContextNode *>;

/// What happened in a module, for its summary remark, and may still happen.
struct ModuleStatistics {
  uint64_t FunctionsProfiled = 0; ///< defined here and in the profile
  uint64_t FunctionsAnnotated = 0;
  uint64_t ContextsInlined = 0;
  uint64_t ContextsMerged = 0;
  uint64_t CallsPromoted = 0;
  /// That context inlining may still add to the module.
  uint64_t InstructionsLeft = 0;
  uint64_t SamplesUsed = 0;  ///< line counts that met an instruction
  uint64_t SamplesTotal = 0; ///< line counts of the functions defined here
  uint64_t LinesCounted = 0; ///< lines of theirs with a count, but the first
};

} // namespace inlay

#endif
