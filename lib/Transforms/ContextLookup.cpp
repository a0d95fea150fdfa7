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
#include "llvm/IR/PseudoProbe.h"

using namespace llvm;
using namespace llvm::sampleprof;
using namespace inlay;

StringRef inlay::profileName(const Function &F) {
  // By name: for a function without an attribute of LLVM's, all would go that
  // stands behind a dot, and main.omp_outlined is not main.
  return FunctionSamples::getCanonicalFnName(F.getName());
}

LineLocation inlay::callSiteOf(const DILocation &Location,
                               const ContextSummaryMap &Map) {
  // A call carries its probe in place of the discriminator.
  if (Map.IsProbeBased)
    return {PseudoProbeDwarfDiscriminator::extractProbeIndex(
                Location.getDiscriminator()),
            0};
  return {FunctionSamples::getOffset(&Location),
          Location.getBaseDiscriminator()};
}

std::optional<LineLocation> inlay::placeOf(const Instruction &I,
                                           const ContextSummaryMap &Map) {
  const DILocation *Location = I.getDebugLoc();
  if (!Location)
    return std::nullopt;
  if (!Map.IsProbeBased) {
    if (Location->getLine() == 0)
      return std::nullopt;
    return callSiteOf(*Location, Map);
  }
  std::optional<PseudoProbe> Probe = extractProbe(I);
  if (!Probe)
    return std::nullopt;
  return LineLocation(Probe->Id, Probe->Discriminator);
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
    Node = Node->findCallee(callSiteOf(*CallSite, Map), Map.idOf(Name));
  }
  NodeOfInlinedAt[{CallSite, Callee}] = Node;
  return Node;
}

const LineCounts *ContextLookup::countsOf(const Instruction &I) {
  std::optional<LineLocation> Place = placeOf(I, Map);
  if (!Place)
    return nullptr;
  ContextNode *Node = nodeOf(I.getDebugLoc());
  if (!Node)
    return nullptr;
  auto Line = Node->Lines.find(*Place);
  return Line == Node->Lines.end() ? nullptr : &Line->second;
}
