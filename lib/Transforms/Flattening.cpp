//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contexts are first taken out of the tree, then merged: in a recursive
// function the root that a context belongs to is the very tree being walked.
//
//===----------------------------------------------------------------------===//

#include "Flattening.h"
#include <vector>

using namespace llvm;
using namespace inlay;

using DetachedContexts = std::vector<std::unique_ptr<ContextNode>>;

/// Moves the contexts that were not inlined from below \p Node to \p Detached.
/// Returns the samples that left \p Node with them.
static uint64_t detach(ContextNode &Node, const InlinedContexts &Inlined,
                       DetachedContexts &Detached) {
  uint64_t Left = 0;
  for (auto Site = Node.Callees.begin(); Site != Node.Callees.end();) {
    auto &[CallSite, Children] = *Site;
    for (auto Child = Children.begin(); Child != Children.end();) {
      ContextNode &Context = *Child->second;
      if (Inlined.contains(&Context)) {
        Left = SaturatingAdd(Left, detach(Context, Inlined, Detached));
        ++Child;
        continue;
      }
      // Of a call in the profiled binary, the line knows itself.
      if (!Context.IsCall || !Node.Lines.count(CallSite)) {
        LineCounts &Line = Node.Lines[CallSite];
        uint64_t &Target = Line.CallTargets[Child->first];
        Target = std::max(Target, Context.entryEstimate());
      }
      Left = SaturatingAdd(Left, Context.TotalSamples);
      Detached.push_back(std::move(Child->second));
      Child = Children.erase(Child);
    }
    if (auto Line = Node.Lines.find(CallSite); Line != Node.Lines.end()) {
      uint64_t Calls = 0;
      for (const auto &[Target, Count] : Line->second.CallTargets)
        Calls = SaturatingAdd(Calls, Count);
      Line->second.Count = std::max(Line->second.Count, Calls);
    }
    Site = Children.empty() ? Node.Callees.erase(Site) : std::next(Site);
  }
  Node.TotalSamples -= std::min(Node.TotalSamples, Left);
  return Left;
}

uint64_t inlay::mergeContextsNotInlined(ContextNode &Root,
                                        ContextSummaryMap &Map,
                                        const InlinedContexts &Inlined) {
  uint64_t Merged = 0;
  // What a recursive function merges into itself may bring new contexts along,
  // each one level less deep than before.
  for (bool RootGrew = true; RootGrew;) {
    RootGrew = false;
    DetachedContexts Detached;
    detach(Root, Inlined, Detached);
    Merged += Detached.size();
    for (const std::unique_ptr<ContextNode> &Context : Detached) {
      ContextNode &Callee = Map.getOrCreateRoot(Context->Function);
      Callee.merge(*Context);
      RootGrew |= &Callee == &Root;
    }
  }
  return Merged;
}
