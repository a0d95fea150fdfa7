//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What both `convert' and `show' begin with: read the file, gather each
// binary's samples.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TOOLS_LLVM_PROFCONV_RAWPROFILEREADING_H
#define INLAY_TOOLS_LLVM_PROFCONV_RAWPROFILEREADING_H

#include "inlay/Sampling/EventChoice.h"
#include "inlay/Sampling/RawProfile.h"
#include "inlay/Support/Diagnostics.h"

namespace inlay {

/// Reads and aggregates \p Path, with progress on a terminal.
llvm::Expected<RawProfile> readRawProfile(llvm::StringRef Path,
                                          DiagnosticSink &Diagnostics);

/// The binaries of \p Event that have samples, most first.
std::vector<BinarySamples> distinctBinaries(const EventSamples &Event);

/// "12.3 %"; "0.0 %" of nothing.
std::string percentage(uint64_t Part, uint64_t Whole);

/// "1 sample", "2 samples".
std::string samples(uint64_t Count);

/// "libc.so.6 12.3 %, the kernel 4.0 %": where the samples of \p Event are,
/// most first, leaving out \p Except. Kernels and their modules are one place.
std::string describePlaces(const EventSamples &Event,
                           llvm::ArrayRef<BinarySamples> Binaries,
                           llvm::ArrayRef<const BinarySamples *> Except = {});

} // namespace inlay

#endif
