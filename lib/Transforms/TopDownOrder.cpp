//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A depth-first search over the call graph; its reverse postorder puts callers
// before callees wherever there is no cycle. The search keeps its own stack:
// call chains of generated code are longer than ours would bear.
//
//===----------------------------------------------------------------------===//

#include "TopDownOrder.h"
#include "ContextLookup.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include <algorithm>

using namespace llvm;
using namespace inlay;

using FunctionsById = std::map<FunctionId, Function *>;

/// Adds every function that \p Node says was called or inlined below it.
static void addProfileCallees(const ContextNode &Node,
                              const FunctionsById &ById,
                              SetVector<Function *> &Callees) {
  auto Add = [&](FunctionId Id) {
    auto It = ById.find(Id);
    if (It != ById.end())
      Callees.insert(It->second);
  };
  for (const auto &[Location, Counts] : Node.Lines)
    for (const auto &[Target, Count] : Counts.CallTargets)
      Add(Target);
  for (const auto &[CallSite, Children] : Node.Callees)
    for (const auto &[Callee, Child] : Children) {
      Add(Callee);
      addProfileCallees(*Child, ById, Callees);
    }
}

std::vector<Function *> inlay::topDownOrder(Module &M,
                                            const ContextSummaryMap &Map) {
  FunctionsById ById;
  for (Function &F : M)
    if (!F.isDeclaration())
      ById[Map.idOf(profileName(F))] = &F;

  auto CalleesOf = [&](Function &F) {
    SetVector<Function *> Callees;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (Function *Callee = Call->getCalledFunction())
          if (!Callee->isDeclaration())
            Callees.insert(Callee);
    if (const ContextNode *Root = Map.findRoot(Map.idOf(profileName(F))))
      addProfileCallees(*Root, ById, Callees);
    return Callees.takeVector();
  };

  struct Frame {
    Function *F;
    SmallVector<Function *, 0> Callees;
    size_t Next = 0;
  };
  std::vector<Function *> Postorder;
  SmallPtrSet<Function *, 32> Seen;
  std::vector<Frame> Stack;
  auto Enter = [&](Function &F) {
    if (!Seen.insert(&F).second)
      return;
    auto Callees = CalleesOf(F);
    Stack.push_back({&F, {Callees.begin(), Callees.end()}});
  };
  auto Walk = [&](Function &Root) {
    Enter(Root);
    while (!Stack.empty()) {
      Frame &Top = Stack.back();
      if (Top.Next == Top.Callees.size()) {
        Postorder.push_back(Top.F);
        Stack.pop_back();
        continue;
      }
      Enter(*Top.Callees[Top.Next++]);
    }
  };
  // In the module's reverse order, so that after reversal unrelated functions
  // stand as the module has them.
  for (Function &F : reverse(M))
    if (!F.isDeclaration())
      Walk(F);
  std::reverse(Postorder.begin(), Postorder.end());
  return Postorder;
}
