//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How far an estimation has come, for who waits for it.
//
// Functions are disassembled, one after another, and then solved a number of
// times, several at once. How many they are is known when the former begins,
// and how often each is solved when the latter does.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FREQUENCY_ESTIMATIONPROGRESS_H
#define INLAY_LIB_FREQUENCY_ESTIMATIONPROGRESS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>

namespace inlay {

class EstimationProgress {
public:
  /// \p OnProgress is told the share of the work that is done, never less than
  /// before, by one thread at a time.
  explicit EstimationProgress(llvm::function_ref<void(double Share)> OnProgress)
      : OnProgress(OnProgress) {}

  /// What follows are \p Steps, after which \p EndShare of the work is done. No
  /// step of another stage may be under way.
  void beginStage(double EndShare, uint64_t Steps) {
    BeginShare = this->EndShare;
    this->EndShare = EndShare;
    Total = Steps;
    Done = 0;
  }

  /// From any thread.
  void step() {
    if (!OnProgress)
      return;
    ++Done;
    // Another thread tells of it, and of this step before long.
    std::unique_lock<std::mutex> Lock(Mutex, std::try_to_lock);
    if (!Lock)
      return;
    const double Part =
        Total ? double(std::min<uint64_t>(Done, Total)) / double(Total) : 1;
    OnProgress(BeginShare + (EndShare - BeginShare) * Part);
  }

  /// There is nothing left to do.
  void end() {
    if (OnProgress)
      OnProgress(1);
  }

private:
  llvm::function_ref<void(double Share)> OnProgress;
  double BeginShare = 0, EndShare = 0;
  uint64_t Total = 0;
  std::atomic<uint64_t> Done = 0;
  std::mutex Mutex;
};

} // namespace inlay

#endif
