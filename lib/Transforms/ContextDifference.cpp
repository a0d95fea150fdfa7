//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ContextDifference.h. What was inlined into the function is left out: the
// line of the call stands for it.
//
//===----------------------------------------------------------------------===//

#include "ContextDifference.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;
using namespace inlay;

void ContextDifference::add(const ContextNode &Node, Distribution &Sum) {
  for (const auto &[Location, Counts] : Node.Lines) {
    double Rest = double(Counts.Count);
    for (const auto &[Target, Count] : Counts.CallTargets) {
      Sum[{Location, Target}] += double(Count);
      Rest -= double(Count);
    }
    if (Rest > 0)
      Sum[{Location, FunctionId()}] += Rest;
  }
}

void ContextDifference::addAll(const ContextNode &Node) {
  add(Node, Sums[Node.Function]);
  for (const auto &[CallSite, Children] : Node.Callees)
    for (const auto &[Callee, Child] : Children)
      addAll(*Child);
}

static bool hasCalls(const ContextNode &Node) {
  for (const auto &[CallSite, Children] : Node.Callees)
    for (const auto &[Callee, Child] : Children)
      if (Child->IsCall || hasCalls(*Child))
        return true;
  return false;
}

ContextDifference::ContextDifference(const ContextSummaryMap &Map) {
  if (none_of(Map.roots(),
              [](const auto &Root) { return hasCalls(*Root.second); }))
    return;
  for (const auto &[Id, Root] : Map.roots())
    addAll(*Root);
}

static double
totalOf(const std::map<std::pair<LineLocation, FunctionId>, double> &Counts) {
  double Total = 0;
  for (const auto &[Place, Count] : Counts)
    Total += Count;
  return Total;
}

double ContextDifference::of(const ContextNode &Context) const {
  auto Sum = Sums.find(Context.Function);
  if (Sum == Sums.end())
    return 0;
  Distribution Own;
  add(Context, Own);
  const double All = totalOf(Sum->second), Mine = totalOf(Own);
  if (All <= 0 || Mine <= 0)
    return 0;
  double Difference = 0;
  for (const auto &[Place, Count] : Own) {
    auto There = Sum->second.find(Place);
    const double Expected =
        There == Sum->second.end() ? 0 : There->second / All;
    Difference += std::max(Count / Mine - Expected, 0.0);
  }
  return Difference;
}
