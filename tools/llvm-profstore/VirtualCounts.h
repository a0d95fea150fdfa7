//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Samples by virtual address become samples by file offset, once the file is at
// hand.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TOOLS_LLVM_PROFSTORE_VIRTUALCOUNTS_H
#define INLAY_TOOLS_LLVM_PROFSTORE_VIRTUALCOUNTS_H

#include "inlay/Object/ProfiledBinary.h"
#include "inlay/Sampling/RawProfile.h"

namespace inlay {

/// Adds \p Counts, by virtual address, to those of \p Samples. Addresses that
/// no executable segment of \p Binary holds are left out.
void addVirtualCounts(const OffsetCounts<uint64_t> &Counts,
                      const ProfiledBinary &Binary, BinarySamples &Samples);

} // namespace inlay

#endif
