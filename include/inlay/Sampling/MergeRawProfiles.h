//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Raw profiles of the same event on processors of the same model are added.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SAMPLING_MERGERAWPROFILES_H
#define INLAY_SAMPLING_MERGERAWPROFILES_H

#include "inlay/Sampling/RawProfile.h"
#include "llvm/Support/Error.h"

namespace inlay {

/// Whether samples of the two are of one kind: the same event, precision, and
/// period or frequency, and the same kind of branch records.
bool isSameEvent(const PerfEventAttr &A, const PerfEventAttr &B);

/// Adds \p From to \p Into. Sums saturate. Events that \p Into does not have
/// are appended; binaries are the same if their build IDs are, or without those
/// their paths. Rare stacks are folded as in a recording if there are too many.
/// An error, and \p Into as before, if the processors are of different models.
llvm::Error mergeRawProfiles(RawProfile &Into, const RawProfile &From);

} // namespace inlay

#endif
