//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exact counts in the form that estimators give theirs, so that they can be
// compared with these, and attributed to the source like these.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_EXACT_EXACTFREQUENCIES_H
#define INLAY_EXACT_EXACTFREQUENCIES_H

#include "inlay/Exact/CallgrindProfile.h"
#include "inlay/Frequency/MachineFrequencies.h"

namespace inlay {

class MachineCode;
class ProfiledBinary;

struct ExactCounts {
  /// Every function that executed, with its split-off parts; what is called
  /// samples there are executions of instructions. Edges are empty if the
  /// profile has no jumps. Names in calls live as long as the binary and the
  /// profile.
  MachineFrequencies Frequencies;
  /// Executions in functions, at addresses where no instruction begins: the
  /// profile is of another binary.
  uint64_t OffInstructions = 0;
  /// Call sites whose count was wrong since callgrind added the instructions of
  /// a PLT stub to them; it was taken from their blocks.
  uint64_t CorrectedSites = 0;
  /// Indirect calls that executed.
  uint64_t IndirectCalls = 0;
  /// Those of them that are not in Frequencies: the callee is in another object
  /// and callgrind gave its demangled name.
  uint64_t UnnamedCalls = 0;
};

/// \p Object is one of \p Profile's, and \p Code and \p Binary are that very
/// object or what it was before it was stripped.
ExactCounts exactFrequencies(const CallgrindProfile &Profile,
                             const CallgrindObject &Object,
                             const ProfiledBinary &Binary, MachineCode &Code);

} // namespace inlay

#endif
