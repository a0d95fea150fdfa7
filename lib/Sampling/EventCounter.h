//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the samples of one event: by binary, file offset, and what their
// branch stacks tell. It is given samples in the order of time, and the
// mappings of that time.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_SAMPLING_EVENTCOUNTER_H
#define INLAY_LIB_SAMPLING_EVENTCOUNTER_H

#include "BinaryCounter.h"
#include "CodeMap.h"
#include "StackTree.h"
#include "WaitingSamples.h"
#include "inlay/Sampling/RawProfile.h"
#include "llvm/ADT/DenseMap.h"
#include <deque>

namespace inlay {

/// A binary that was mapped. Mapping::Binary is an index in an array of these.
struct MappedBinary {
  std::string Path;
  llvm::SmallVector<uint8_t, 20> BuildID;
  CodeKind Kind = CodeKind::User;
};

class EventCounter {
public:
  /// A straight piece of code is not longer than this (bytes); what looks like
  /// one has lost a record. AutoFDO has the same bound.
  static constexpr uint64_t MaxRangeLength = 1 << 20;

  EventCounter(const PerfEventAttr &Attr,
               const std::vector<MappedBinary> &Binaries);

  const PerfEventAttr &attr() const { return Samples.Attr; }

  /// False if its branch stacks are the processor's view of the call stack,
  /// which holds calls that have not returned instead of the latest branches.
  bool wantsBranches() const { return WantsBranches; }

  void countSample() { ++Samples.Total; }
  void countKernelSample() { ++Samples.KernelSamples; }
  void countUnmappedSample() { ++Samples.UnmappedSamples; }

  /// The sample itself. If it was taken in a kernel, countKernelSample() has
  /// counted it, and this says where.
  void countAddress(const WaitingSample &Sample, CodeMap &Code);
  /// Its branch records, newest first.
  void countBranches(int32_t Pid, llvm::ArrayRef<TakenBranch> Records,
                     CodeMap &Code);
  /// Its user's frames, innermost first: the sampled address and return
  /// addresses.
  void countChain(int32_t Pid, llvm::ArrayRef<uint64_t> Frames, CodeMap &Code);
  void countIgnoredBranches(uint64_t Count) {
    Samples.IgnoredBranchRecords += Count;
  }

  /// Of the unmapped samples, those where code of a file was before.
  uint64_t samplesInPlaceOfCode() const { return SamplesInPlaceOfCode; }

  /// Whether samples stand for such different numbers of events that their
  /// count tells little of where the events were.
  bool hasUnevenPeriods() const;

  EventSamples finish();

private:
  /// Mapping::Binary -> index in Samples.Binaries.
  uint32_t slotOf(uint32_t Binary) {
    return Binary == LastBinary ? LastSlot : findSlot(Binary);
  }
  uint32_t findSlot(uint32_t Binary);
  BinaryCounter &counterOf(uint32_t Binary) { return Counters[slotOf(Binary)]; }
  static bool isStraight(const Mapping &Begin, uint64_t BeginAddress,
                         uint64_t End, int32_t Pid, CodeMap &Code);

  const std::vector<MappedBinary> &Binaries;
  EventSamples Samples; ///< with binaries that have names but no counts yet
  std::deque<BinaryCounter> Counters; ///< parallel to them; they stay in place
  CountQueue Queue;
  uint64_t SamplesInPlaceOfCode = 0;
  // Of the samples in known places.
  uint64_t NumPeriods = 0;
  double SumOfPeriods = 0, SumOfSquaredPeriods = 0;
  /// Records of taken branches of all types: between two of them, none was
  /// taken.
  bool HasAllBranches;
  bool WantsBranches;
  llvm::DenseMap<uint32_t, uint32_t> SlotOf; ///< our own numbers, not a file's
  uint32_t LastBinary = ~0u;
  uint32_t LastSlot = 0;

  StackTree Stacks; ///< with indices in Samples.Binaries
  /// The last chain, outermost frame first. It is of no use if mappings changed
  /// since, or nodes.
  struct {
    int32_t Pid = 0;
    uint64_t Changes = 0, Foldings = 0;
    std::vector<uint64_t> Frames;
    std::vector<uint32_t> Nodes;
    size_t NumLost = 0; ///< outermost frames that are in no node
  } Last;
  std::vector<std::pair<uint32_t, uint64_t>> Places;
};

} // namespace inlay

#endif
