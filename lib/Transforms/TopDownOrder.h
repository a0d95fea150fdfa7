//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order in which functions are visited: callers before callees, because
// what a caller does not inline is merged into the callee's profile before the
// callee is looked at.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_TOPDOWNORDER_H
#define INLAY_LIB_TRANSFORMS_TOPDOWNORDER_H

#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace inlay {

class ContextSummaryMap;

/// The functions that \p M defines. Edges are the direct calls of the IR, and
/// the contexts and call targets of the profile, which know indirect calls.
/// Within a cycle the order is that of the module.
std::vector<llvm::Function *> topDownOrder(llvm::Module &M,
                                           const ContextSummaryMap &Map);

} // namespace inlay

#endif
