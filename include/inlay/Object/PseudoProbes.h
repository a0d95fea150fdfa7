//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pseudo probes of a binary (-fpseudo-probe-for-profiling): where in the
// code each block and each call of the source's control-flow graph is.
//
// Line tables say which line an instruction came from, and optimization blurs
// that. A probe is put into each block before anything is optimized, and moves
// and is copied as the block is, so that what executes at its address says how
// often the block executed. Each function has a checksum of the graph that its
// probes were numbered in.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_OBJECT_PSEUDOPROBES_H
#define INLAY_OBJECT_PSEUDOPROBES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inlay {

class ProfiledBinary;

/// One frame of a probe's inline stack.
struct ProbeFrame {
  llvm::StringRef Function; ///< linkage name; lives as long as the probes
  uint64_t Checksum = 0;    ///< of the function's graph
  /// In the innermost frame the probe itself, in others that of the call at
  /// which the frame inside was inlined. From 1.
  uint32_t Probe = 0;
};

/// Innermost frame first.
using ProbeStack = llvm::SmallVector<ProbeFrame, 4>;

/// A copy of a probe. It executes as often as the instruction at its address.
struct PlacedProbe {
  uint64_t Address = 0;
  uint32_t Id = 0;
  uint32_t Discriminator = 0; ///< of the block's line; mostly 0
  bool IsCall = false;        ///< the instruction is the call
  uint32_t Place = 0;         ///< for stackOf()
};

class PseudoProbes {
public:
  /// Decodes what \p Binary has; null if it has no probes. Fails on sections
  /// that are damaged. Memory is bounded by a constant times their size.
  static llvm::Expected<std::unique_ptr<PseudoProbes>>
  read(const ProfiledBinary &Binary);

  /// Those in [Begin, End), by address.
  llvm::ArrayRef<PlacedProbe> probesIn(uint64_t Begin, uint64_t End) const;

  ProbeStack stackOf(const PlacedProbe &Probe) const;

private:
  struct Function {
    uint64_t GUID, Checksum;
    std::string Name;
  };
  /// A copy of a function: out of line, or inlined at a call of another.
  struct Copy {
    uint32_t Of;       ///< index of a function
    uint32_t Caller;   ///< index of a copy, or None
    uint32_t CallSite; ///< probe in the caller
  };
  static constexpr uint32_t None = ~uint32_t(0);

  class Decoder;

  std::vector<Function> Functions; // by GUID
  std::vector<Copy> Copies;
  std::vector<PlacedProbe> Probes; // by address
};

} // namespace inlay

#endif
