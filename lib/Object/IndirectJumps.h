//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where indirect jumps lead: jump tables of switches, tables of labels.
//
// Compilers make many forms of them: tables of addresses, of offsets from the
// table or from some other place, of 1, 2, 4 or 8 bytes, scaled or not, with
// the table's address loaded just before the jump, far away outside a loop, or
// spilled to the stack. We know none of these forms. Starting with a formula
// for the jump's target we walk backward through the graph and replace each
// register by what the instruction that wrote it says of it, until what is left
// is a constant plus a scaled load from a constant plus a scaled index. Tail
// merging may have given one jump several tables; therefore the walk follows
// each path by itself.
//
// How many entries the table has, a second walk tells: from the load backward
// to a comparison of the index with a constant, or a mask. Without either it
// ends where an entry is no instruction of the function or where something else
// begins.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_OBJECT_INDIRECTJUMPS_H
#define INLAY_LIB_OBJECT_INDIRECTJUMPS_H

#include "InstructionSet.h"
#include "LoadedImage.h"
#include "inlay/Object/MachineCFG.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <vector>

namespace inlay {

/// A function's code as far as it is known.
struct CodeView {
  const InstructionSet &Set;
  const LoadedImage &Image;
  llvm::ArrayRef<MachineInstruction> Instructions;
  llvm::ArrayRef<MachineBlock> Blocks;
  /// By block.
  llvm::ArrayRef<llvm::SmallVector<MachineEdge, 2>> Predecessors;
  /// The next address after this one at which something else begins than what
  /// is there; asked for tables of unknown length alone.
  llvm::function_ref<uint64_t(uint64_t)> NextObject;
  /// An instruction of the function begins here.
  llvm::function_ref<bool(uint64_t)> IsInstruction;
  /// A part of the function ends here: that is where tables lead for values
  /// that cannot be.
  llvm::function_ref<bool(uint64_t)> IsEnd;
};

struct IndirectTargets {
  /// In the order of the table, each once.
  std::vector<uint64_t> InFunction;
  /// The only target, outside of the function.
  std::optional<uint64_t> Outside;
  /// It jumps through a slot that holds this symbol's address.
  llvm::StringRef Symbol;
  /// There is a table, but its contents are not known.
  bool IsUnresolvedTable = false;
};

/// \p Budget: instructions that may be looked at, of this function's; reduced
/// by what was used.
IndirectTargets resolveIndirectJump(const CodeView &Code, uint32_t Block,
                                    uint64_t &Budget);

/// Where the last of some instructions in a row jumps to or what it calls, as
/// far as they alone tell. No target counts as inside of the function.
IndirectTargets
resolveInStraightLine(const InstructionSet &Set, const LoadedImage &Image,
                      llvm::ArrayRef<MachineInstruction> Instructions);

} // namespace inlay

#endif
