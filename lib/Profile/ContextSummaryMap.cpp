//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tree operations of the context summary map. All sums saturate: a profile
// may come from anywhere, and an overflow would turn the hottest function into
// the coldest.
//
//===----------------------------------------------------------------------===//

#include "inlay/Profile/ContextSummaryMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

using namespace llvm;
using namespace inlay;

ContextNode &ContextNode::getOrCreateCallee(LineLocation CallSite,
                                            FunctionId Callee) {
  std::unique_ptr<ContextNode> &Child = Callees[CallSite][Callee];
  if (!Child)
    Child = std::make_unique<ContextNode>(Callee);
  return *Child;
}

const ContextNode *ContextNode::findCallee(LineLocation CallSite,
                                           FunctionId Callee) const {
  auto Site = Callees.find(CallSite);
  if (Site == Callees.end())
    return nullptr;
  auto Child = Site->second.find(Callee);
  return Child == Site->second.end() ? nullptr : Child->second.get();
}

ContextNode *ContextNode::findCallee(LineLocation CallSite, FunctionId Callee) {
  const ContextNode *Const = this;
  return const_cast<ContextNode *>(Const->findCallee(CallSite, Callee));
}

void ContextNode::raiseLine(LineLocation Location, uint64_t Count) {
  uint64_t &Line = Lines[Location].Count;
  Line = std::max(Line, Count);
}

uint64_t ContextNode::entryEstimate() const {
  if (HeadSamples)
    return HeadSamples;
  uint64_t Count = 0;
  if (!Lines.empty() &&
      (Callees.empty() || Lines.begin()->first < Callees.begin()->first)) {
    Count = Lines.begin()->second.Count;
  } else if (!Callees.empty()) {
    // A promoted indirect call has one inlinee for each target.
    for (const auto &[Id, Child] : Callees.begin()->second)
      Count = SaturatingAdd(Count, Child->entryEstimate());
  }
  return Count ? Count : TotalSamples > 0;
}

/// Adds \p From to \p To, with the names in it as \p Own gives them.
static void add(const ContextNode &From, ContextNode &To,
                function_ref<FunctionId(FunctionId)> Own) {
  if (To.Checksum && From.Checksum && To.Checksum != From.Checksum) {
    if (From.TotalSamples <= To.TotalSamples)
      return;
    To.TotalSamples = To.HeadSamples = 0;
    To.Lines.clear();
    To.Callees.clear();
  }
  if (From.Checksum)
    To.Checksum = From.Checksum;
  To.TotalSamples = SaturatingAdd(To.TotalSamples, From.TotalSamples);
  To.HeadSamples = SaturatingAdd(To.HeadSamples, From.HeadSamples);
  for (const auto &[Location, Counts] : From.Lines) {
    LineCounts &Line = To.Lines[Location];
    Line.Count = SaturatingAdd(Line.Count, Counts.Count);
    Line.Recorded = SaturatingAdd(Line.Recorded, Counts.Recorded);
    for (const auto &[Target, Count] : Counts.CallTargets) {
      uint64_t &Sum = Line.CallTargets[Own(Target)];
      Sum = SaturatingAdd(Sum, Count);
    }
  }
  for (const auto &[CallSite, Children] : From.Callees)
    for (const auto &[Callee, Child] : Children) {
      const FunctionId Id = Own(Callee);
      ContextNode *Same = To.findCallee(CallSite, Id);
      const bool IsCall = Child->IsCall && (!Same || Same->IsCall);
      ContextNode &Sum = To.getOrCreateCallee(CallSite, Id);
      Sum.IsCall = IsCall;
      add(*Child, Sum, Own);
    }
}

void ContextNode::merge(const ContextNode &Other) {
  add(Other, *this, [](FunctionId Id) { return Id; });
}

ContextNode &ContextSummaryMap::getOrCreateRoot(FunctionId Function) {
  std::unique_ptr<ContextNode> &Root = Roots[Function];
  if (!Root)
    Root = std::make_unique<ContextNode>(Function);
  return *Root;
}

ContextNode &ContextSummaryMap::getOrCreateRoot(StringRef Function) {
  if (ContextNode *Root = findRoot(idOf(Function)))
    return *Root;
  return getOrCreateRoot(UsesMD5 ? idOf(Function) : intern(Function));
}

const ContextNode *ContextSummaryMap::findRoot(FunctionId Function) const {
  auto It = Roots.find(Function);
  return It == Roots.end() ? nullptr : It->second.get();
}

ContextNode *ContextSummaryMap::findRoot(FunctionId Function) {
  const ContextSummaryMap *Const = this;
  return const_cast<ContextNode *>(Const->findRoot(Function));
}

FunctionId ContextSummaryMap::intern(StringRef Function) {
  auto It = Names.find(std::string_view(Function));
  if (It == Names.end())
    It = Names.insert(Function.str()).first;
  return FunctionId(StringRef(*It));
}

FunctionId ContextSummaryMap::idOf(StringRef Function) const {
  return UsesMD5 ? FunctionId(MD5Hash(Function)) : FunctionId(Function);
}

void ContextSummaryMap::merge(const ContextSummaryMap &Other) {
  auto Own = [&](FunctionId Id) {
    return Id.isStringRef() ? intern(Id.stringRef()) : Id;
  };
  if (Roots.empty())
    IsProbeBased = Other.IsProbeBased;
  assert(IsProbeBased == Other.IsProbeBased && "lines are no probes");
  for (const auto &[Id, Root] : Other.Roots)
    add(*Root, getOrCreateRoot(Own(Id)), Own);
  Resolution = std::max(Resolution, Other.Resolution);
  Symbols.insert(Other.Symbols.begin(), Other.Symbols.end());
}

static void printNode(raw_ostream &OS, const ContextNode &Node,
                      unsigned Depth) {
  OS << " total " << Node.TotalSamples << ", entry " << Node.entryEstimate()
     << '\n';
  for (const auto &[Location, Counts] : Node.Lines) {
    OS.indent(2 * Depth + 2) << Location << ": " << Counts.Count;
    for (const auto &[Target, Count] : Counts.CallTargets)
      OS << ' ' << Target << ':' << Count;
    OS << '\n';
  }
  for (const auto &[CallSite, Children] : Node.Callees)
    for (const auto &[Callee, Child] : Children) {
      OS.indent(2 * Depth + 2) << "@ " << CallSite << ": " << Callee
                               << (Child->IsCall ? ", called," : "");
      printNode(OS, *Child, Depth + 1);
    }
}

void ContextSummaryMap::print(raw_ostream &OS) const {
  std::vector<const ContextNode *> Hottest;
  for (const auto &[Id, Root] : Roots)
    Hottest.push_back(Root.get());
  sort(Hottest, [](const ContextNode *A, const ContextNode *B) {
    return std::make_pair(B->TotalSamples, A->Function) <
           std::make_pair(A->TotalSamples, B->Function);
  });
  for (const ContextNode *Root : Hottest) {
    OS << Root->Function;
    printNode(OS, *Root, 0);
  }
}
