//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How much ran inside each callee, by inline stack and, where a profile tells
// them apart, by calling context.
//
// The map is a forest. A root is a function that was compiled out of line, a
// child a callee at a call site (line offset, base discriminator) of its
// parent: inlined there, or called from there. A node holds what ran in that
// copy of the function, or under that caller: counts by line, call targets, a
// total that includes its children.
//
// It says the same as LLVM's nested FunctionSamples, which is the format on
// disk (ProfileFile.h), but it is mutable in the ways that inlining decisions
// need: a context that is not inlined is taken out of its parent and merged
// into the root of its function.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PROFILE_CONTEXTSUMMARYMAP_H
#define INLAY_PROFILE_CONTEXTSUMMARYMAP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/ProfileData/SampleProf.h"
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace inlay {

/// A function's linkage name, or its MD5 where the profile holds no names.
using llvm::sampleprof::FunctionId;
/// Line offset from the function's first line, and base discriminator. In a
/// profile that is based on probes: the id of a probe, and its discriminator.
using llvm::sampleprof::LineLocation;

/// What is known of one (line offset, discriminator).
struct LineCounts {
  uint64_t Count = 0; ///< executions, in the profile's unit
  std::map<FunctionId, uint64_t> CallTargets = {};
  /// The part of Count that the profile itself holds: raiseLine() leaves it.
  uint64_t Recorded = 0;
};

class ContextNode {
public:
  explicit ContextNode(FunctionId Function) : Function(Function) {}

  using CalleeMap = std::map<FunctionId, std::unique_ptr<ContextNode>>;

  FunctionId Function;
  /// Not a copy that was inlined into its parent, but the function itself, when
  /// called by it. Of no meaning for a root.
  bool IsCall = false;
  /// All that ran in this copy, its inlinees included; the unit is the
  /// converter's (raw samples for `max`).
  uint64_t TotalSamples = 0;
  /// Executions of the entry; 0 when unknown.
  uint64_t HeadSamples = 0;
  /// Of the function's control-flow graph in which its probes were numbered; 0
  /// where locations are lines.
  uint64_t Checksum = 0;
  std::map<LineLocation, LineCounts> Lines;
  std::map<LineLocation, CalleeMap> Callees;

  /// The child for \p Callee inlined at \p CallSite, made if absent.
  ContextNode &getOrCreateCallee(LineLocation CallSite, FunctionId Callee);
  const ContextNode *findCallee(LineLocation CallSite, FunctionId Callee) const;
  ContextNode *findCallee(LineLocation CallSite, FunctionId Callee);

  /// Lines[Location].Count = max(Lines[Location].Count, Count).
  void raiseLine(LineLocation Location, uint64_t Count);

  /// Executions of this copy's entry: HeadSamples if known; else the count of
  /// its first line, be it its own or an inlinee's entry (the rule of LLVM's
  /// FunctionSamples::getHeadSamplesEstimate, so that both agree).
  uint64_t entryEstimate() const;

  /// Adds \p Other, a copy of the same function, line by line and context by
  /// context. Sums saturate. If the checksums differ, probes of the same number
  /// are others, and what has more samples replaces the other.
  ///
  /// What is inlined in one of them is so in the sum.
  void merge(const ContextNode &Other);
};

class ContextSummaryMap {
public:
  /// The out-of-line copy of \p Function, made if absent.
  ContextNode &getOrCreateRoot(FunctionId Function);
  /// The same for a name that the map shall keep for itself.
  ContextNode &getOrCreateRoot(llvm::StringRef Function);
  ContextNode *findRoot(FunctionId Function);
  const ContextNode *findRoot(FunctionId Function) const;

  /// The count that one sample amounts to, in the unit of the counts: less
  /// cannot be told from 0, and a line that has as much may have been hit by
  /// chance. 1 where executions were counted; nullopt when nobody knows.
  std::optional<uint64_t> Resolution;

  /// Functions that the profiled binaries have code of, whether it ran or not
  /// (LLVM's profile symbol list). Empty: nobody knows.
  std::set<std::string, std::less<>> Symbols;

  /// Locations are probes, not lines.
  bool IsProbeBased = false;

  /// Names are MD5 hashes: set before the first root is made.
  bool UsesMD5 = false;

  /// The id under which the map knows \p Function; refers to its characters.
  FunctionId idOf(llvm::StringRef Function) const;

  /// A FunctionId whose characters live as long as the map.
  FunctionId intern(llvm::StringRef Function);

  using RootMap = std::map<FunctionId, std::unique_ptr<ContextNode>>;
  const RootMap &roots() const { return Roots; }
  RootMap &roots() { return Roots; }
  bool empty() const { return Roots.empty(); }

  /// Adds \p Other, symbols included, which must be based on the same kind of
  /// location unless this map is empty. Sums saturate. The coarser resolution
  /// remains.
  void merge(const ContextSummaryMap &Other);

  /// Prints one line a node, indented by inline depth, hottest roots first.
  void print(llvm::raw_ostream &OS) const;

private:
  RootMap Roots;
  /// Owner of names; std::set's nodes do not move.
  std::set<std::string, std::less<>> Names;
};

} // namespace inlay

#endif
