//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function's control-flow graph with what the profile says of its blocks.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_EVIDENCEGRAPH_H
#define INLAY_LIB_TRANSFORMS_EVIDENCEGRAPH_H

#include "ContextLookup.h"
#include "inlay/Flow/FlowGraph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BranchProbabilityInfo;
} // namespace llvm

namespace inlay {

/// Calls that remained indirect after hot targets, these, were promoted: the
/// count of their line says nothing about them any more.
using PromotedCalls =
    llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<FunctionId, 2>>;

/// The lines that met an instruction, to tell how much of the profile was used.
using UsedLines = llvm::DenseSet<const LineCounts *>;

/// Nodes are the blocks of \p F in order, edges the successors of each block's
/// terminator in order. Evidence and \p Resolution have the unit of the map.
/// Lines that met an instruction are added to \p Used.
FlowGraph buildEvidenceGraph(const llvm::Function &F, ContextLookup &Contexts,
                             uint64_t Resolution,
                             const llvm::BranchProbabilityInfo &BPI,
                             const PromotedCalls &Promoted, UsedLines &Used);

/// The double next to \p Count that is not greater: flows that do not exceed
/// the evidence fit 64 bits again.
double flowCount(uint64_t Count);
/// A count of a flow, as the profile and the IR have them: whole; saturates.
uint64_t wholeCount(double Count);

} // namespace inlay

#endif
