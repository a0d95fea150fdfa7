//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Carries frequencies of machine instructions back to the source: each address
// adds to the line of its inline stack in the ContextSummaryMap.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ATTRIBUTION_ATTRIBUTION_H
#define INLAY_ATTRIBUTION_ATTRIBUTION_H

#include "inlay/Frequency/MachineFrequencies.h"
#include "inlay/Profile/ContextSummaryMap.h"

namespace inlay {

struct AttributionStatistics {
  uint64_t AttributedSamples = 0;
  uint64_t SamplesWithoutLine = 0; ///< no debug information at the address
  uint64_t Functions = 0;
};

/// Adds the contexts of \p Frequencies to \p Map. A line's count is the maximum
/// over its instructions, times the duplication factor; a line of a sampled
/// function whose instructions have no samples gets an explicit 0. A context's
/// total is the sum over its instructions, as create_llvm_prof computes it.
AttributionStatistics attribute(const MachineFrequencies &Frequencies,
                                ProfiledBinary &Binary, ContextSummaryMap &Map);

} // namespace inlay

#endif
