//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fewer samples than were taken, as if the recording had been shorter: for
// measurements of how an estimate depends on their number.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SAMPLING_SUBSAMPLE_H
#define INLAY_SAMPLING_SUBSAMPLE_H

#include "inlay/Sampling/RawProfile.h"

namespace inlay {

/// \p Size of the samples of \p Event, drawn without replacement, each with the
/// same chance wherever it is, be it in a binary, in the kernel or unmapped.
/// Binaries of which none was drawn are left out, and so are branches and
/// stacks: which sample they came from is not known. Periods are taken for
/// equal. The same on every machine for the same \p Seed. All of them if there
/// are no more than
/// \p Size.
EventSamples subsample(const EventSamples &Event, uint64_t Size, uint64_t Seed);

} // namespace inlay

#endif
