//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a function runs under one caller as it does under the others.
//
// If it does, a copy for this caller could not be compiled better than the
// function itself, and LLVM's inliner may decide. If it does not - other
// branches are taken, other targets called - then the counts of all callers
// together are wrong for each of them.
//
// The difference is the share of what the function executes under the caller
// that its counts under all callers would put on other lines, or give to other
// targets of a call (the total variation of the two distributions).
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_CONTEXTDIFFERENCE_H
#define INLAY_LIB_TRANSFORMS_CONTEXTDIFFERENCE_H

#include "inlay/Profile/ContextSummaryMap.h"

namespace inlay {

class ContextDifference {
public:
  /// Adds up all contexts of \p Map, if it tells callers apart at all.
  explicit ContextDifference(const ContextSummaryMap &Map);

  /// 0 to 1, of a context that the map held when this was made.
  double of(const ContextNode &Context) const;

private:
  /// Executions of a line, by target where it is a call.
  using Distribution = std::map<std::pair<LineLocation, FunctionId>, double>;

  static void add(const ContextNode &Node, Distribution &Sum);
  void addAll(const ContextNode &Node);

  std::map<FunctionId, Distribution> Sums;
};

} // namespace inlay

#endif
