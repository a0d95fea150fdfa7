//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads samples from whatever file holds some: a perf.data file, or a raw
// profile that was made of one. They are told apart by how they begin.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SAMPLING_SAMPLEFILE_H
#define INLAY_SAMPLING_SAMPLEFILE_H

#include "inlay/Sampling/RawProfile.h"
#include "llvm/Support/Error.h"

namespace inlay {

class DiagnosticSink;

/// Reads \p Path as a whole, with progress on a terminal. "-" is standard
/// input, which holds what perf record wrote to a pipe.
llvm::Expected<RawProfile> readSampleFile(llvm::StringRef Path,
                                          DiagnosticSink &Diagnostics);

} // namespace inlay

#endif
