//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See EventCounter.h.
//
//===----------------------------------------------------------------------===//

#include "EventCounter.h"
#include "SampleOrder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inlay {

/// The bits of perf_event_attr.branch_sample_type that select branches by what
/// they do. A file may have none of them: `perf inject' makes stacks of all
/// branches from a trace and leaves them out.
static constexpr uint64_t BranchAny = 1u << 3;
static constexpr uint64_t BranchTypes =
    BranchAny | 0x7u << 4 /* calls, returns, indirect calls */ |
    0xfu << 10 /* conditional, call stack, indirect jumps, direct calls */;
EventCounter::EventCounter(const PerfEventAttr &Attr,
                           const std::vector<MappedBinary> &Binaries)
    : Binaries(Binaries) {
  Samples.Attr = Attr;
  HasAllBranches = (Attr.BranchSampleType & BranchAny) ||
                   !(Attr.BranchSampleType & BranchTypes);
  WantsBranches = !Samples.hasCallStacks();
}

uint32_t EventCounter::findSlot(uint32_t Binary) {
  auto [It, IsNew] = SlotOf.try_emplace(Binary, Samples.Binaries.size());
  if (IsNew) {
    BinarySamples &New = Samples.Binaries.emplace_back();
    New.Path = Binaries[Binary].Path;
    New.Kind = Binaries[Binary].Kind;
    Counters.emplace_back();
  }
  LastBinary = Binary;
  LastSlot = It->second;
  return LastSlot;
}

void EventCounter::countAddress(const WaitingSample &Sample, CodeMap &Code) {
  const Mapping *M = nullptr;
  switch (Sample.Mode) {
  case CpuMode::Kernel:
    M = Code.Kernels.find(CodeMap::HostKernel, Sample.IP);
    break;
  case CpuMode::GuestKernel:
    M = Code.findGuestKernel(Sample.Pid, Sample.IP);
    break;
  case CpuMode::User:
  case CpuMode::Unknown:
    M = Code.findUser(Sample.Pid, Sample.IP);
    Samples.UnmappedSamples += !M;
    SamplesInPlaceOfCode += !M && Code.isInPlaceOfCode(Sample.Pid, Sample.IP);
    break;
  case CpuMode::Hypervisor:
  case CpuMode::GuestUser:
    break;
  }
  if (!M)
    return;
  BinaryCounter &B = counterOf(M->Binary);
  Queue.increment(B.Counts, M->offsetOf(Sample.IP));
  ++B.Total;
  B.TotalPeriod = SaturatingAdd(B.TotalPeriod, Sample.Period);
  const double Period = static_cast<double>(Sample.Period);
  ++NumPeriods;
  SumOfPeriods += Period;
  SumOfSquaredPeriods += Period * Period;
}

/// Weighted by their periods, samples are worth as much as fewer ones of equal
/// weight (Kish's effective sample size). With a fixed frequency, the first few
/// samples of a thread have tiny periods until perf has found the right one;
/// they change little here. It is another matter if most samples are worth
/// nothing.
bool EventCounter::hasUnevenPeriods() const {
  constexpr uint64_t FewSamples = 100;
  const double Effective = SumOfPeriods * SumOfPeriods / SumOfSquaredPeriods;
  return NumPeriods >= FewSamples &&
         Effective < static_cast<double>(NumPeriods) / 2;
}

EventSamples EventCounter::finish() {
  Queue.drain();
  for (auto [Counter, Binary] : zip_equal(Counters, Samples.Binaries))
    Counter.moveTo(Binary);
  for (auto [Binary, Slot] : SlotOf)
    Samples.Binaries[Slot].BuildID = Binaries[Binary].BuildID;
  Samples.Stacks = Stacks.take();
  SampleOrder(Samples).applyTo(Samples);
  return std::move(Samples);
}

} // namespace inlay
