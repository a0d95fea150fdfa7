//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which share of a block's executions is whose, where samples tell whose they
// are. The time that a block takes is about the same for everybody, so that
// samples of one block divide its executions, although those of different
// blocks do not compare.
//
// A block has few samples, or none. But executions flow: a block that was
// missed is executed by those who execute the blocks around it. So each block
// is given a few samples more, divided as its neighbours' are.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FREQUENCY_CONTEXTSHARES_H
#define INLAY_LIB_FREQUENCY_CONTEXTSHARES_H

#include "inlay/Object/MachineCFG.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>

namespace inlay {

/// The samples that a block borrows from its neighbours.
constexpr double BorrowedSamples = 4;

/// Of each owner, by index of the block, its share of the block's executions;
/// those of all owners add up to 1. \p Samples: of each owner, at least one, by
/// index of the block. \p Counts: executions of the blocks, by which neighbours
/// are weighed.
std::vector<std::vector<double>>
contextShares(const MachineFunction &Function, llvm::ArrayRef<double> Counts,
              llvm::ArrayRef<const std::map<uint32_t, double> *> Samples);

} // namespace inlay

#endif
