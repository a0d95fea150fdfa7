//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the samples of an event are.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SELECTION_SAMPLEDBINARIES_H
#define INLAY_SELECTION_SAMPLEDBINARIES_H

#include "inlay/Sampling/RawProfile.h"

namespace inlay {

/// The binaries of \p Event that have samples, most first.
std::vector<BinarySamples> sampledBinaries(const EventSamples &Event);

/// "libc.so.6 12.3 %, the kernel 4.0 %": where the samples of \p Event are,
/// most first, leaving out \p Except. Kernels and their modules are one place.
std::string describePlaces(const EventSamples &Event,
                           llvm::ArrayRef<BinarySamples> Binaries,
                           llvm::ArrayRef<const BinarySamples *> Except = {});

} // namespace inlay

#endif
