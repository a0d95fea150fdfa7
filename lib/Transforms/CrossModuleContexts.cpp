//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions in several modules (templates, inline functions) are inlined by
// whoever calls them, without link-time optimization: their contexts below
// another module's functions say nothing of this module's copy. Only those with
// one definition in the program are adopted, with everything below them. What
// was called and not inlined is the function itself, whoever defines it.
//
//===----------------------------------------------------------------------===//

#include "CrossModuleContexts.h"
#include "ContextLookup.h"
#include "llvm/IR/Module.h"
#include <vector>

using namespace llvm;
using namespace inlay;

std::set<FunctionId> inlay::definitions(const Module &M,
                                        const ContextSummaryMap &Map) {
  std::set<FunctionId> Ids;
  for (const Function &F : M)
    if (!F.isDeclaration())
      Ids.insert(Map.idOf(profileName(F)));
  return Ids;
}

using DetachedContexts = std::vector<std::unique_ptr<ContextNode>>;

/// Moves the contexts of \p Functions from below \p Node to \p Detached, and
/// calls of any that are \p Defined here.
static void detach(ContextNode &Node, const std::set<FunctionId> &Functions,
                   const std::set<FunctionId> &Defined,
                   DetachedContexts &Detached) {
  for (auto &[CallSite, Children] : Node.Callees)
    for (auto Child = Children.begin(); Child != Children.end();) {
      if (!(Child->second->IsCall ? Defined : Functions).count(Child->first)) {
        detach(*Child->second, Functions, Defined, Detached);
        ++Child;
        continue;
      }
      Detached.push_back(std::move(Child->second));
      Child = Children.erase(Child);
    }
}

uint64_t inlay::adoptContexts(const Module &M, ContextSummaryMap &Map) {
  std::set<FunctionId> Unique;
  for (const Function &F : M)
    if (F.hasExternalLinkage() && !F.isDeclaration())
      Unique.insert(Map.idOf(profileName(F)));
  const std::set<FunctionId> Defined = definitions(M, Map);
  DetachedContexts Detached;
  for (const auto &[Id, Root] : Map.roots())
    if (!Defined.count(Id))
      detach(*Root, Unique, Defined, Detached);
  for (const std::unique_ptr<ContextNode> &Context : Detached)
    Map.getOrCreateRoot(Context->Function).merge(*Context);
  return Detached.size();
}

static void addHot(const ContextNode &Node, const std::set<FunctionId> &Defined,
                   uint64_t HotCount, ImportedFunctions &Imports) {
  for (const auto &[CallSite, Children] : Node.Callees)
    for (const auto &[Callee, Child] : Children) {
      if (Child->TotalSamples < HotCount)
        continue;
      if (!Defined.count(Callee))
        Imports.insert(Callee.getHashCode());
      addHot(*Child, Defined, HotCount, Imports);
    }
}

ImportedFunctions
inlay::hotFunctionsElsewhere(const ContextNode &Root,
                             const std::set<FunctionId> &Defined,
                             uint64_t HotCount) {
  ImportedFunctions Imports;
  addHot(Root, Defined, HotCount, Imports);
  return Imports;
}

void inlay::recordImports(Function &F, const ImportedFunctions &Imports) {
  if (Imports.empty())
    return;
  if (auto Count = F.getEntryCount())
    F.setEntryCount(*Count, &Imports);
}
