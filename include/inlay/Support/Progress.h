//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line on the terminal that says how far a long job has come.
//
// Short jobs stay silent, and so does everything whose standard error is not a
// terminal: logs and scripts see no control characters. The line is erased when
// the job is done.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SUPPORT_PROGRESS_H
#define INLAY_SUPPORT_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <cstdint>
#include <string>

namespace inlay {

/// Shows "WHAT: 42% (420 of 1000 MB)", of percent "WHAT: 42%", once the job has
/// lasted for two seconds, and renews it a few times a second.
class Progress {
public:
  enum class Unit { Bytes, Functions, Percent };

  /// \p Total is 0 when unknown.
  Progress(llvm::StringRef What, uint64_t Total, Unit CountedIn = Unit::Bytes);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// \p Done of the total are dealt with. Costs one look at the clock,
  /// and nothing when there is no terminal.
  void update(uint64_t Done);

private:
  using Clock = std::chrono::steady_clock;

  std::string What;
  uint64_t Total;
  Unit CountedIn;
  bool IsTerminal;
  bool IsShown = false;
  Clock::time_point NextUpdate;
};

} // namespace inlay

#endif
