//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which line of a function's new source is which of the old.
//
// Source that was edited is, mostly, the old source in pieces: within a piece
// every line has moved by the same distance. An alignment of two shapes pairs
// lines in order. Each pair earns by how alike its lines are, above all by
// calls of the same function, the more the rarer those calls are; each change
// of distance costs. The best alignment is found by dynamic programming. It is
// the longest common subsequence of calls, as LLVM's matcher for stale profiles
// finds it, refined by what the lines between calls, and the gaps between
// those, have to say: an interpreter's loop has hundreds of lines between two
// calls.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_SHAPEALIGNMENT_H
#define INLAY_LIB_TRANSFORMS_SHAPEALIGNMENT_H

#include "LineShape.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace inlay {

struct ShapeAlignment {
  /// From lines of the old shape to lines of the new; increasing.
  std::map<uint32_t, uint32_t> Pairs;
  /// How alike the shapes are as aligned: 1 if nothing is without counterpart,
  /// 0 if everything is.
  double Similarity = 0;
  /// By how much it is better than to leave all lines where they are, in lines;
  /// not negative.
  double Gain = 0;
};

/// Whether a callee of the old shape may be another of the new by now.
using MayBeRenamed = llvm::function_ref<bool(FunctionId Old, FunctionId New)>;

/// True if \p Old may well be of the source of \p New: all its lines, their
/// discriminators and calls are there.
bool fits(const FunctionShape &Old, const FunctionShape &New);

/// Takes time and memory in the product of the numbers of lines; shapes with a
/// product of more than 2^24 (64 MiB) are not aligned: no pairs.
ShapeAlignment alignShapes(const FunctionShape &Old, const FunctionShape &New,
                           MayBeRenamed Renamed);

} // namespace inlay

#endif
