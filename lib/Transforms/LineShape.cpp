//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LineShape.h.
//
//===----------------------------------------------------------------------===//

#include "LineShape.h"
#include "ContextLookup.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace inlay;

FunctionShape inlay::shapeOf(const Function &F, const ContextSummaryMap &Map) {
  FunctionShape Shape;
  Shape.ListsColdLines = true;
  for (const Instruction &I : instructions(F)) {
    std::optional<LineLocation> Place = placeOf(I, Map);
    if (!Place || I.isLifetimeStartOrEnd() ||
        (I.isDebugOrPseudoInst() && !Map.IsProbeBased))
      continue;
    const DILocation *Location = I.getDebugLoc();
    StringRef Callee;
    while (const DILocation *CallSite = Location->getInlinedAt()) {
      Callee = Location->getSubprogramLinkageName();
      Location = CallSite;
      Place = callSiteOf(*Location, Map);
    }
    if (!hasPlace(Place->LineOffset))
      continue;
    LineShape &Line = Shape.Lines[Place->LineOffset];
    Line.Discriminators.insert(Place->Discriminator);
    if (const auto *Call = dyn_cast<CallBase>(&I); Call && Callee.empty()) {
      if (const Function *F = Call->getCalledFunction(); F && !F->isIntrinsic())
        Callee = profileName(*F);
      Line.HasIndirectCall |= Call->isIndirectCall();
    }
    if (!Callee.empty())
      Line.Callees.insert(Map.idOf(Callee));
  }
  return Shape;
}

/// A line with more is one of an indirect call, in which no source is
/// recognized, and a hostile profile has any number of them.
static void addCallee(LineShape &Line, FunctionId Callee) {
  constexpr size_t MaxCallees = 16;
  if (Line.Callees.size() < MaxCallees)
    Line.Callees.insert(Callee);
}

void inlay::addToShape(const ContextNode &Node, FunctionShape &Shape) {
  for (const auto &[Place, Counts] : Node.Lines) {
    if (!hasPlace(Place.LineOffset))
      continue;
    LineShape &Line = Shape.Lines[Place.LineOffset];
    Line.Discriminators.insert(Place.Discriminator);
    for (const auto &[Target, Count] : Counts.CallTargets)
      addCallee(Line, Target);
    Shape.ListsColdLines |= Counts.Recorded == 0;
  }
  for (const auto &[Place, Children] : Node.Callees) {
    if (!hasPlace(Place.LineOffset))
      continue;
    LineShape &Line = Shape.Lines[Place.LineOffset];
    Line.Discriminators.insert(Place.Discriminator);
    for (const auto &[Callee, Child] : Children)
      addCallee(Line, Callee);
  }
}
