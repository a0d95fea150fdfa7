//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a branch stack tells: the branches themselves, and the code between
// them.
//
// From the target of one record to the branch instruction of the next newer one
// no branch was taken, so everything in between ran once. That holds only if no
// record is missing and none is made up, and hardware does both:
//
// - The newest record of a stack may stand there twice (Intel's Skylake). If
//   the branch goes forward, the range between the two would run backwards, so
//   that the second one is known to be a copy. A loop of one block looks the
//   same with a range that is possible, and is believed.
// - An end may be zero: it was in a place that the recording user may not see.
//   The other end is still worth knowing.
// - Records of the kernel are left out of a user's stack, so that a range may
//   begin before an interrupt and end in what ran next. If it runs backwards,
//   leaves its mapping or is longer than any code, that shows.
//
// There is no range from the newest target to the sampled address: that one is
// where the interrupt came, which is not where the code's next branch was. (As
// llvm-profgen has it.)
//
//===----------------------------------------------------------------------===//

#include "EventCounter.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inlay {

/// Whether all of the code from \p BeginAddress in \p Begin up to \p End is in
/// one binary and follows each other there as it does in memory. The text may
/// be split over several mappings.
bool EventCounter::isStraight(const Mapping &Begin, uint64_t BeginAddress,
                              uint64_t End, int32_t Pid, CodeMap &Code) {
  if (End < BeginAddress || End - BeginAddress > MaxRangeLength)
    return false;
  const Mapping *M = &Begin;
  while (End >= M->End) {
    const Mapping *Next = Code.find(Pid, M->End);
    if (!Next || Next->Binary != M->Binary ||
        Next->offsetOf(M->End) != M->offsetOf(M->End))
      return false;
    M = Next;
  }
  return true;
}

void EventCounter::countBranches(int32_t Pid, ArrayRef<TakenBranch> Records,
                                 CodeMap &Code) {
  if (Records.empty())
    return;
  ++Samples.SamplesWithBranchStack;
  const TakenBranch *Older = nullptr;
  const Mapping *OlderTo = nullptr;
  for (const TakenBranch &Branch : reverse(Records)) {
    if (Older && Branch == *Older && Branch.To > Branch.From) {
      ++Samples.IgnoredBranchRecords;
      continue;
    }
    if (OlderTo && HasAllBranches && Branch.From &&
        isKernelAddress(Branch.From) == isKernelAddress(Older->To)) {
      if (isStraight(*OlderTo, Older->To, Branch.From, Pid, Code))
        counterOf(OlderTo->Binary)
            .Ranges.increment(Queue, OlderTo->offsetOf(Older->To),
                              OlderTo->offsetOf(Branch.From));
      else
        ++Samples.IgnoredBranchRecords;
    }

    const Mapping *From = Branch.From ? Code.find(Pid, Branch.From) : nullptr;
    const Mapping *To = Branch.To ? Code.find(Pid, Branch.To) : nullptr;
    if (From && To && From->Binary == To->Binary) {
      counterOf(From->Binary)
          .Branches.increment(Queue, From->offsetOf(Branch.From),
                              To->offsetOf(Branch.To));
    } else {
      if (From)
        Queue.increment(counterOf(From->Binary).BranchesOut,
                        From->offsetOf(Branch.From));
      if (To)
        Queue.increment(counterOf(To->Binary).BranchesIn,
                        To->offsetOf(Branch.To));
      if (!From && !To && !isKernelAddress(Branch.From | Branch.To))
        ++Samples.IgnoredBranchRecords;
    }
    Older = &Branch;
    OlderTo = To;
  }
}

} // namespace inlay
