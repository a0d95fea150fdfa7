//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stacks run through several binaries, and estimates are of one: which frames
// are in it.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SAMPLING_STACKBINARIES_H
#define INLAY_SAMPLING_STACKBINARIES_H

#include "inlay/Sampling/RawProfile.h"

namespace inlay {

class StackBinaries {
public:
  /// \p Samples may be a part of \p Event or a copy of one.
  StackBinaries(const EventSamples &Event, const BinarySamples &Samples) {
    for (const BinarySamples &Binary : Event.Binaries)
      IsOurs.push_back(Binary.Path == Samples.Path &&
                       Binary.BuildID == Samples.BuildID &&
                       Binary.Kind == Samples.Kind);
  }

  bool contains(const StackNode &Node) const {
    return Node.Binary < IsOurs.size() && IsOurs[Node.Binary];
  }

private:
  std::vector<bool> IsOurs; ///< by index in EventSamples::Binaries
};

} // namespace inlay

#endif
