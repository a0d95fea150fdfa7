//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a module tells of its pseudo probes.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_PROBECHECKSUMS_H
#define INLAY_LIB_TRANSFORMS_PROBECHECKSUMS_H

#include "llvm/ADT/DenseMap.h"
#include <cstdint>

namespace llvm {
class Module;
} // namespace llvm

namespace inlay {

/// From the hash of a function's name to the checksum of the control-flow graph
/// in which its probes are numbered.
using ProbeChecksums = llvm::DenseMap<uint64_t, uint64_t>;

/// Of the functions of \p M; empty if it was compiled without probes.
ProbeChecksums probeChecksums(const llvm::Module &M);

} // namespace inlay

#endif
