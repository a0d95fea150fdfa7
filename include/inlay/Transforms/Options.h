//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a user can set. Options come from `-mllvm -inlay-...`, from the
// parameters of `-passes='inlay<...>'`, or, for the profile, from the
// environment variable INLAY_PROFILE, which build systems can set without
// touching a command line.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TRANSFORMS_OPTIONS_H
#define INLAY_TRANSFORMS_OPTIONS_H

#include "inlay/Flow/FlowGraph.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>

namespace inlay {

struct Options {
  std::string ProfilePath; ///< empty: there is no profile

  /// Inline contexts whose total is at least this (in the profile's unit);
  /// nullopt: the summary's count at HotPercentile.
  std::optional<uint64_t> HotCount;
  /// Per million of all counts that hot lines make up together: a context is
  /// hot if its total reaches the count of the least of them. nullopt: by what
  /// the profile is based on.
  std::optional<uint64_t> HotPercentile;

  /// The least count that the profile can tell from 0 (in its unit); nullopt:
  /// what it says itself, or the summary.
  std::optional<uint64_t> Resolution;
  /// Counts of less than this many times the resolution are never hot: nobody
  /// knows whether it was chance that such a line was hit.
  unsigned HotSamples = 0;

  bool InlineContexts = true;
  /// The greatest inline cost (LLVM's units) of a hot context.
  int HotInlineCost = 0;
  /// The same of one that was called in the profiled binary, not inlined.
  int CallInlineCost = 0;
  /// In percent: such a context is inlined only if it differs by so much from
  /// the function's others.
  unsigned ContextDifference = 0;
  /// A function may grow to this many times its size by context inlining ...
  unsigned GrowthFactor = 0;
  /// ... but at least to, and at most to this many instructions.
  unsigned GrowthMin = 0;
  unsigned GrowthMax = 0;
  /// All of them may add this many times its size to the module, and GrowthMax
  /// instructions in any case.
  unsigned ModuleGrowth = 0;
  /// Inline all contexts that the profile has, whatever they cost: the profiled
  /// binary had them inlined.
  bool Replay = false;

  FlowSolver Solver = FlowSolver::Convex;

  /// Move counts of source that has changed since to where their lines are now.
  bool MatchStale = true;
  /// In percent: what is less alike is not moved, and takes nobody's profile.
  unsigned StaleSimilarity = 0;
  unsigned RenameSimilarity = 0;
  /// Where to append a line of JSON a module on stale counts; empty: nowhere.
  std::string StaleReportPath;

  /// The result will be profiled: see ProfilingBuildPass. With or without a
  /// profile.
  bool ProfilingBuild = false;

  /// The module will be optimized together with others by the linker, as those
  /// of the profiled binary may have been: contexts of this module's functions
  /// can be anywhere in the profile, and all of it is read.
  bool IsBeforeLink = false;

  /// The command line's options, and INLAY_PROFILE.
  static Options fromCommandLine();
  /// fromCommandLine() changed by "profile=F;hot-count=N;no-inline".
  static llvm::Expected<Options> fromPassParameters(llvm::StringRef Parameters);
};

} // namespace inlay

#endif
