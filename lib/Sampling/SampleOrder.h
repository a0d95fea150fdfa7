//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of an event's binaries and stacks: the same for the same samples,
// wherever they came from. Binaries: most samples first, then by path, build ID
// and kind. Stacks: each frame is followed by its callees, those by binary and
// offset.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_SAMPLING_SAMPLEORDER_H
#define INLAY_LIB_SAMPLING_SAMPLEORDER_H

#include "inlay/Sampling/RawProfile.h"
#include "llvm/ADT/ArrayRef.h"

namespace inlay {

class SampleOrder {
public:
  explicit SampleOrder(const EventSamples &Samples);

  /// Indices in EventSamples::Binaries.
  llvm::ArrayRef<uint32_t> binaries() const { return Binaries; }
  /// The nodes in order, with indices of binaries in order.
  llvm::ArrayRef<StackNode> stacks() const { return Stacks; }

  /// Puts \p Samples, of which this is the order, in order.
  void applyTo(EventSamples &Samples) &&;

private:
  std::vector<uint32_t> Binaries;
  std::vector<StackNode> Stacks;
};

/// Makes those of \p Samples' binaries one that are known to be one, as those
/// of the same build ID are.
void uniteBinaries(EventSamples &Samples);

} // namespace inlay

#endif
