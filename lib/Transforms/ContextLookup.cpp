//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ContextLookup.h. Results are kept by call site, so that the cost for an
// instruction is one hash lookup and not a walk.
//
//===----------------------------------------------------------------------===//

#include "ContextLookup.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;
using namespace llvm::sampleprof;
using namespace inlay;

StringRef inlay::profileName(const Function &F) {
  // By name: for a function without an attribute of LLVM's, all would go that
  // stands behind a dot, and main.omp_outlined is not main.
  return FunctionSamples::getCanonicalFnName(F.getName());
}

LineLocation inlay::lineLocationOf(const DILocation &Location) {
  return {FunctionSamples::getOffset(&Location),
          Location.getBaseDiscriminator()};
}

ContextNode *ContextLookup::nodeOf(const DILocation *Location) {
  const DILocation *CallSite = Location->getInlinedAt();
  if (!CallSite)
    return Root;
  const DISubprogram *Callee = Location->getScope()->getSubprogram();
  auto [It, IsNew] = NodeOfInlinedAt.try_emplace({CallSite, Callee}, nullptr);
  if (!IsNew)
    return It->second;
  // Inline stacks are as deep as inlining goes: recursion is fine.
  ContextNode *Node = nodeOf(CallSite);
  if (Node) {
    StringRef Name = Callee->getLinkageName();
    if (Name.empty())
      Name = Callee->getName();
    Name = FunctionSamples::getCanonicalFnName(Name);
    Node = Node->findCallee(lineLocationOf(*CallSite), Map.idOf(Name));
  }
  NodeOfInlinedAt[{CallSite, Callee}] = Node;
  return Node;
}

const LineCounts *ContextLookup::countsOf(const Instruction &I) {
  const DILocation *Location = I.getDebugLoc();
  if (!Location || Location->getLine() == 0)
    return nullptr;
  ContextNode *Node = nodeOf(Location);
  if (!Node)
    return nullptr;
  auto Line = Node->Lines.find(lineLocationOf(*Location));
  return Line == Node->Lines.end() ? nullptr : &Line->second;
}
