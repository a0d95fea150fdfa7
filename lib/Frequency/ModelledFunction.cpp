//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ModelledFunction.h.
//
//===----------------------------------------------------------------------===//

#include "ModelledFunction.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace inlay;

double ModelledFunction::executed() const {
  double Sum = 0;
  for (auto [Block, Count] : zip_equal(Sampled->Code.Blocks, Solution.Nodes))
    Sum += Block.Count * Count;
  return Sum;
}

void ModelledFunction::scale(double Factor) {
  for (FlowNode &Node : Graph.Nodes)
    Node.Evidence.Count *= Factor;
  Graph.Entry.Count *= Factor;
  Graph.Resolution *= Factor;
  for (double &Count : Solution.Nodes)
    Count *= Factor;
  for (double &Count : Solution.Edges)
    Count *= Factor;
  Solution.Entry *= Factor;
}
