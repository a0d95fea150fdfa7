//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Profiles of source that has changed since: yesterday's profile for today's
// program.
//
// Counts find their instructions by line offset in their function. When lines
// come or go above them, they find others, or none; when their function is
// renamed, they find nothing. Before the profile is used, functions of the
// module that their profile does not fit are compared with it line by line
// (ShapeAlignment.h), and their counts, in all inlined copies, are moved to
// where those lines are now. What has no place any more is dropped. A profile
// that fits is left as it is, to the last bit.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_STALEMATCHING_H
#define INLAY_LIB_TRANSFORMS_STALEMATCHING_H

#include "inlay/Profile/ProfileFile.h"
#include "inlay/Transforms/Options.h"
#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace inlay {

/// What became of the counts that the profile has for functions of a module, in
/// the map's unit, inlined copies included.
struct StaleMatch {
  struct ChangedFunction {
    llvm::Function *F;
    std::string OldName; ///< in the profile, which may be a hash
    double Similarity;   ///< see ShapeAlignment
    bool IsRenamed;
    size_t Lines = 0; ///< of the profile
    size_t LinesMoved = 0, LinesDropped = 0;
  };
  std::vector<ChangedFunction> Changed;
  uint64_t SamplesMatched = 0;   ///< at their old place
  uint64_t SamplesRecovered = 0; ///< at another line, or in a renamed function
  uint64_t SamplesDropped = 0;   ///< for which there is none
};

/// Moves the counts of \p File to where their lines are in \p M.
StaleMatch matchStaleProfile(llvm::Module &M, ProfileFile &File,
                             const Options &Opts);

} // namespace inlay

#endif
