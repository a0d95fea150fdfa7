//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a function's source looks like, line by line, to a compiler that has
// only debug locations: which lines have code, with which discriminators, and
// whom they call. The IR has such a shape, and so has the profile, of the
// source as it was when the profiled binary was built. The two are comparable,
// which the sources, one of which nobody has any more, are not.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_LINESHAPE_H
#define INLAY_LIB_TRANSFORMS_LINESHAPE_H

#include "inlay/Profile/ContextSummaryMap.h"
#include <cstdint>
#include <map>
#include <set>

namespace llvm {
class Function;
} // namespace llvm

namespace inlay {

struct LineShape {
  std::set<uint32_t> Discriminators;
  /// Direct callees; in a profile also the targets of indirect calls, which
  /// nothing there tells apart.
  std::set<FunctionId> Callees;
  bool HasIndirectCall = false; ///< known of IR only
};

struct FunctionShape {
  /// By line offset. Lines before the function's first, which macros and
  /// included files lead to, have none that could be compared and are left out.
  std::map<uint32_t, LineShape> Lines;
  /// Lines that never ran are listed, so that one that is missing has no code.
  bool ListsColdLines = false;
};

/// Whether a line at \p Offset is in a shape: LLVM keeps 16 bits of the
/// difference to the function's first line, which may be negative.
inline bool hasPlace(uint32_t Offset) { return Offset < 0x8000; }

/// Of \p F before any inlining; what was inlined nevertheless is a call.
FunctionShape shapeOf(const llvm::Function &F, const ContextSummaryMap &Map);

/// Adds what \p Node, one copy of the function, says of its lines.
void addToShape(const ContextNode &Node, FunctionShape &Shape);

} // namespace inlay

#endif
