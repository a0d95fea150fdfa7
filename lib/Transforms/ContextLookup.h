//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From an instruction to the context node that holds what is known of it.
//
// After inlining, a debug location names its whole inline stack: the location
// in the callee, and through `inlinedAt` the call site in the caller, and so
// on up to the function itself. Walking down the map along that stack gives the
// node of this very copy.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_CONTEXTLOOKUP_H
#define INLAY_LIB_TRANSFORMS_CONTEXTLOOKUP_H

#include "inlay/Profile/ContextSummaryMap.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace inlay {

/// Name under which a profile knows \p F: its linkage name without suffixes
/// that a compiler adds (.llvm.<hash>, .part.N).
llvm::StringRef profileName(const llvm::Function &F);

/// The place in its own function of the call at \p Location, under which the
/// profile \p Map has what was inlined there: a line offset and a base
/// discriminator, or a probe.
LineLocation callSiteOf(const llvm::DILocation &Location,
                        const ContextSummaryMap &Map);

/// The place under which \p Map has the counts of \p I; nullopt if \p I has no
/// line, or is no probe.
std::optional<LineLocation> placeOf(const llvm::Instruction &I,
                                    const ContextSummaryMap &Map);

/// For one function; nodes must stay where they are while it lives.
class ContextLookup {
public:
  ContextLookup(const ContextSummaryMap &Map, ContextNode *Root)
      : Map(Map), Root(Root) {}

  ContextNode *root() const { return Root; }
  const ContextSummaryMap &map() const { return Map; }

  /// The node of the copy that \p Location lies in; null if the profile does
  /// not have it.
  ContextNode *nodeOf(const llvm::DILocation *Location);

  /// What the profile says of \p I's line or probe; null if nothing.
  const LineCounts *countsOf(const llvm::Instruction &I);

  /// Forgets the nodes looked up so far: the tree has changed.
  void clear() { NodeOfInlinedAt.clear(); }

private:
  const ContextSummaryMap &Map;
  ContextNode *Root;
  /// By (inlinedAt, subprogram): the rest of a location does not matter.
  llvm::DenseMap<
      std::pair<const llvm::DILocation *, const llvm::DISubprogram *>,
      ContextNode *>
      NodeOfInlinedAt;
};

} // namespace inlay

#endif
