//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns a stream of perf events into a RawProfile: keeps, for each process, the
// mappings it had at any time, and looks up each sample in those that were
// valid at the sample's time.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SAMPLING_SAMPLEAGGREGATOR_H
#define INLAY_SAMPLING_SAMPLEAGGREGATOR_H

#include "inlay/Sampling/RawProfile.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace inlay {

class PerfReader;
class DiagnosticSink;

/// Reads all of \p Reader. Memory is bounded by unique sampled addresses, by
/// mappings (65530 for each process, as the kernel allows, and 4 Mi in all, or
/// 128 MiB), and by the events of two perf rounds, but no more than 1 Mi of
/// them.
llvm::Expected<RawProfile> aggregateSamples(
    PerfReader &Reader, DiagnosticSink &Diagnostics,
    llvm::function_ref<void(uint64_t BytesRead)> OnProgress = nullptr);

} // namespace inlay

#endif
