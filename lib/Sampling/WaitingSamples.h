//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Samples that wait until it is known which mappings were valid at their time.
//
// They differ in size: a plain one is a few words, one with a branch stack some
// seventy. What is of varying size stands in arrays of its own, in the order of
// the samples, so that taking one in is a copy and not an allocation. When
// samples are removed the rest moves together.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_SAMPLING_WAITINGSAMPLES_H
#define INLAY_LIB_SAMPLING_WAITINGSAMPLES_H

#include "inlay/Perf/PerfEvents.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <vector>

namespace inlay {

/// A branch that was taken; 0 for an end that was not recorded.
struct TakenBranch {
  uint64_t From;
  uint64_t To;

  bool operator==(const TakenBranch &O) const {
    return From == O.From && To == O.To;
  }
};

/// What is needed of a sample to count it.
struct WaitingSample {
  uint64_t Time = 0;
  uint64_t IP = 0;
  uint64_t Period = 1;
  int32_t Pid = -1;
  uint32_t Event = 0; ///< index in PerfReader::attrs()
  CpuMode Mode = CpuMode::Unknown;
  // No record of perf.data is so large that these would not do.
  uint16_t NumBranches = 0;
  uint16_t NumFrames = 0;
  size_t FirstBranch = 0, FirstFrame = 0;
};

class WaitingSamples {
public:
  /// To be filled before push(): the next sample's records, newest first, and
  /// its frames, innermost first.
  std::vector<TakenBranch> &nextBranches() { return Branches; }
  std::vector<uint64_t> &nextFrames() { return Frames; }

  void push(WaitingSample Sample) {
    Sample.FirstBranch = UsedBranches;
    Sample.NumBranches = Branches.size() - UsedBranches;
    Sample.FirstFrame = UsedFrames;
    Sample.NumFrames = Frames.size() - UsedFrames;
    UsedBranches = Branches.size();
    UsedFrames = Frames.size();
    Samples.push_back(Sample);
  }

  size_t size() const { return Samples.size(); }
  /// Of all samples together.
  size_t bytes() const {
    return Samples.size() * sizeof(WaitingSample) +
           Branches.size() * sizeof(TakenBranch) +
           Frames.size() * sizeof(uint64_t);
  }

  llvm::ArrayRef<WaitingSample> samples() const { return Samples; }
  llvm::ArrayRef<TakenBranch> branches(const WaitingSample &S) const {
    return llvm::ArrayRef(Branches).slice(S.FirstBranch, S.NumBranches);
  }
  llvm::ArrayRef<uint64_t> frames(const WaitingSample &S) const {
    return llvm::ArrayRef(Frames).slice(S.FirstFrame, S.NumFrames);
  }

  /// Asks \p IsDone of each sample, in their order, and removes those for which
  /// it is true.
  template <typename Predicate> void removeIf(Predicate IsDone) {
    size_t NumSamples = 0, NumBranches = 0, NumFrames = 0;
    for (const WaitingSample &S : Samples) {
      if (IsDone(S))
        continue;
      WaitingSample Kept = S;
      Kept.FirstBranch = NumBranches;
      Kept.FirstFrame = NumFrames;
      move(Branches, S.FirstBranch, S.NumBranches, NumBranches);
      move(Frames, S.FirstFrame, S.NumFrames, NumFrames);
      NumBranches += S.NumBranches;
      NumFrames += S.NumFrames;
      Samples[NumSamples++] = Kept;
    }
    Samples.resize(NumSamples);
    Branches.resize(UsedBranches = NumBranches);
    Frames.resize(UsedFrames = NumFrames);
  }

private:
  template <typename T>
  static void move(std::vector<T> &Of, size_t From, size_t Count, size_t To) {
    if (From != To)
      std::copy_n(Of.begin() + From, Count, Of.begin() + To);
  }

  std::vector<WaitingSample> Samples;
  std::vector<TakenBranch> Branches;
  std::vector<uint64_t> Frames;
  size_t UsedBranches = 0, UsedFrames = 0; ///< those that Samples has
};

} // namespace inlay

#endif
