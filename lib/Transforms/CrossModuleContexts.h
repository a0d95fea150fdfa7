//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program's contexts do not end where its modules do: link-time optimization
// inlines across them, and the profile of its binary says so. What that means
// to one module, of whose callers or callees others are.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_CROSSMODULECONTEXTS_H
#define INLAY_LIB_TRANSFORMS_CROSSMODULECONTEXTS_H

#include "inlay/Profile/ContextSummaryMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/GlobalValue.h"
#include <set>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace inlay {

/// Functions that only \p M defines may have been inlined into callers of other
/// modules, or any that it defines called by them. Moves those contexts into
/// the functions' own profiles; returns how many. Nobody else can: the compiler
/// sees one module at a time.
uint64_t adoptContexts(const llvm::Module &M, ContextSummaryMap &Map);

using ImportedFunctions = llvm::DenseSet<llvm::GlobalValue::GUID>;

/// The functions that the module does not define and that ran, inlined
/// somewhere below \p Root, at least \p HotCount: those to import, so that they
/// can be inlined again.
ImportedFunctions hotFunctionsElsewhere(const ContextNode &Root,
                                        const std::set<FunctionId> &Defined,
                                        uint64_t HotCount);

/// The functions that \p M defines, as \p Map knows them; refers to their
/// names.
std::set<FunctionId> definitions(const llvm::Module &M,
                                 const ContextSummaryMap &Map);

/// Notes \p Imports with the entry count of \p F, if it has one, where ThinLTO
/// looks for them.
void recordImports(llvm::Function &F, const ImportedFunctions &Imports);

} // namespace inlay

#endif
