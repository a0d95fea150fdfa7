//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts events in order, looks up samples, and counts.
//
// perf writes what each CPU's buffer holds one after the other, so that a
// sample may stand in the file before the mapping that it hit, or behind one
// that replaced it. A FINISHED_ROUND record says up to which time nothing is
// missing any more. Events wait until then; those that change mappings (few)
// and samples (many) wait in different queues. Whenever no mapping changed,
// which is nearly always, the order of samples does not matter, and they are
// counted without being sorted.
//
// No more than MaxPending events wait. If a file has no rounds, or huge ones,
// the older half is taken as complete; that is wrong only where CPUs were apart
// by half a million events.
//
// Files whose samples carry no time are taken in their own order.
//
//===----------------------------------------------------------------------===//

#include "inlay/Sampling/SampleAggregator.h"
#include "AddressSpaces.h"
#include "inlay/Perf/PerfReader.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <functional>
#include <tuple>

using namespace llvm;

namespace inlay {
namespace {

struct PendingSample {
  uint64_t Time;
  uint64_t IP;
  int32_t Pid;
  uint32_t Event; ///< index in PerfReader::attrs()
};

/// An event that changes which files a process shows.
struct MappingChange {
  enum KindType : uint8_t { Map, Fork, Exec, Exit };
  KindType Kind;
  bool InheritsMappings = false;
  int32_t Pid = 0;
  int32_t ParentPid = 0;
  uint64_t Time = 0;
  uint64_t Sequence = 0; ///< place in the file, among changes
  Mapping New = {};
};

/// The counts of one event, by binary.
struct EventCounts {
  EventSamples Samples;
  /// Index of a binary -> index in Samples.Binaries.
  DenseMap<uint32_t, uint32_t> SlotOf;
  uint32_t LastBinary = ~0u;
  uint32_t LastSlot = 0;
};

struct BinaryIdentity {
  std::string Path;
  SmallVector<uint8_t, 20> BuildID;
};

class SampleAggregator final : public PerfEventVisitor {
public:
  SampleAggregator(PerfReader &Reader, DiagnosticSink &Diagnostics);

  Error onMmap(const MmapEvent &Event) override;
  Error onComm(const CommEvent &Event) override;
  Error onFork(const ForkEvent &Event) override;
  Error onExit(const ExitEvent &Event) override;
  Error onSample(const SampleEvent &Event) override;
  Error onFinishedRound() override;
  Error onLost(uint64_t Count) override;

  RawProfile finish();

private:
  static constexpr uint64_t MaxPending = 1 << 20;

  uint32_t binaryIndex(const MmapEvent &Event);
  void enqueue(MappingChange Change, PerfTime Time);
  void apply(const MappingChange &Change);
  void count(const PendingSample &Sample);
  void flush(uint64_t Limit);
  void flushIfFull();

  PerfReader &Reader;
  DiagnosticSink &Diagnostics;
  RawProfile Profile;
  std::vector<EventCounts> Events;
  std::vector<BinaryIdentity> Binaries;
  StringMap<uint32_t> BinaryByKey;
  AddressSpaces Spaces;

  bool IsTimed; ///< all events carry times
  std::vector<PendingSample> Samples;
  std::vector<MappingChange> Changes;
  uint64_t ChangeCount = 0;
  uint64_t NewestTime = 0;
  /// The newest time before the end of the last round.
  uint64_t RoundTime = 0;
};

} // namespace

SampleAggregator::SampleAggregator(PerfReader &Reader,
                                   DiagnosticSink &Diagnostics)
    : Reader(Reader), Diagnostics(Diagnostics), Events(Reader.attrs().size()) {
  constexpr uint64_t SampleTime = 1u << 2; // PERF_SAMPLE_TIME
  IsTimed = all_of(Reader.attrs(), [](const PerfEventAttr &Attr) {
    return Attr.SampleType & SampleTime;
  });
  for (auto [Counts, Attr] : zip_equal(Events, Reader.attrs()))
    Counts.Samples.Attr = Attr;
}

/// Binaries with one build ID are one, whatever their paths; those without are
/// known by their path.
uint32_t SampleAggregator::binaryIndex(const MmapEvent &Event) {
  SmallString<128> Key;
  if (Event.BuildID.empty())
    Key = {StringRef("path:"), Event.Path};
  else
    Key = {StringRef("id:"), toStringRef(Event.BuildID)};
  auto [It, IsNew] = BinaryByKey.try_emplace(Key, Binaries.size());
  if (IsNew)
    Binaries.push_back(
        {Event.Path.str(), {Event.BuildID.begin(), Event.BuildID.end()}});
  return It->second;
}

Error SampleAggregator::onMmap(const MmapEvent &Event) {
  if (!Event.IsExecutable || Event.Pid == -1 || Event.Mode == CpuMode::Kernel ||
      Event.Mode == CpuMode::GuestKernel || Event.Mode == CpuMode::GuestUser)
    return Error::success();
  // The kernel makes no such mappings: addresses do not wrap, and file offsets
  // are signed. (DenseMap could not hold the largest offsets.)
  constexpr uint64_t MaxFileOffset = INT64_MAX;
  if (Event.Length == 0 || Event.Address + Event.Length < Event.Address ||
      Event.FileOffset > MaxFileOffset ||
      Event.Length > MaxFileOffset - Event.FileOffset)
    return Error::success();
  MappingChange Change{MappingChange::Map};
  Change.Pid = Event.Pid;
  Change.New = {Event.Address, Event.Address + Event.Length, Event.FileOffset,
                binaryIndex(Event)};
  enqueue(Change, Event.Time);
  return Error::success();
}

Error SampleAggregator::onComm(const CommEvent &Event) {
  if (!Event.IsExec)
    return Error::success();
  MappingChange Change{MappingChange::Exec};
  Change.Pid = Event.Pid;
  enqueue(Change, Event.Time);
  return Error::success();
}

Error SampleAggregator::onFork(const ForkEvent &Event) {
  if (Event.Pid == Event.ParentPid)
    return Error::success(); // a thread
  MappingChange Change{MappingChange::Fork};
  Change.Pid = Event.Pid;
  Change.ParentPid = Event.ParentPid;
  Change.InheritsMappings = Event.InheritsMappings;
  enqueue(Change, Event.Time);
  return Error::success();
}

Error SampleAggregator::onExit(const ExitEvent &Event) {
  if (Event.Pid != Event.Tid)
    return Error::success(); // a thread
  MappingChange Change{MappingChange::Exit};
  Change.Pid = Event.Pid;
  enqueue(Change, Event.Time);
  return Error::success();
}

Error SampleAggregator::onSample(const SampleEvent &Event) {
  const uint32_t Index = Event.Attr - Reader.attrs().data();
  EventSamples &Total = Events[Index].Samples;
  ++Total.Total;
  switch (Event.Mode) {
  case CpuMode::Kernel:
  case CpuMode::Hypervisor:
  case CpuMode::GuestKernel:
    ++Total.KernelSamples;
    return Error::success();
  case CpuMode::GuestUser:
    ++Total.UnmappedSamples;
    return Error::success();
  case CpuMode::User:
  case CpuMode::Unknown:
    break;
  }
  PendingSample Sample{0, Event.IP, Event.Pid, Index};
  if (!IsTimed) {
    count(Sample);
    return Error::success();
  }
  Sample.Time = *Event.Time;
  NewestTime = std::max(NewestTime, Sample.Time);
  Samples.push_back(Sample);
  flushIfFull();
  return Error::success();
}

Error SampleAggregator::onLost(uint64_t Count) {
  Profile.LostEvents = SaturatingAdd(Profile.LostEvents, Count);
  return Error::success();
}

Error SampleAggregator::onFinishedRound() {
  flush(RoundTime);
  RoundTime = NewestTime;
  return Error::success();
}

/// Events that perf makes up (for processes that ran before it) have the time
/// 0 or none: they hold from the start.
void SampleAggregator::enqueue(MappingChange Change, PerfTime Time) {
  if (!IsTimed || !Time || *Time == 0) {
    apply(Change);
    return;
  }
  Change.Time = *Time;
  Change.Sequence = ChangeCount++;
  NewestTime = std::max(NewestTime, Change.Time);
  Changes.push_back(Change);
  flushIfFull();
}

void SampleAggregator::apply(const MappingChange &Change) {
  switch (Change.Kind) {
  case MappingChange::Map:
    return Spaces.map(Change.Pid, Change.New);
  case MappingChange::Fork:
    return Spaces.fork(Change.Pid, Change.ParentPid, Change.InheritsMappings);
  case MappingChange::Exec:
    return Spaces.exec(Change.Pid);
  case MappingChange::Exit:
    return Spaces.exit(Change.Pid);
  }
}

void SampleAggregator::count(const PendingSample &Sample) {
  EventCounts &E = Events[Sample.Event];
  const Mapping *M = Spaces.find(Sample.Pid, Sample.IP);
  if (!M) {
    ++E.Samples.UnmappedSamples;
    return;
  }
  if (E.LastBinary != M->Binary) {
    auto [It, IsNew] =
        E.SlotOf.try_emplace(M->Binary, E.Samples.Binaries.size());
    if (IsNew) {
      BinarySamples &New = E.Samples.Binaries.emplace_back();
      New.Path = Binaries[M->Binary].Path;
      New.BuildID = Binaries[M->Binary].BuildID;
    }
    E.LastBinary = M->Binary;
    E.LastSlot = It->second;
  }
  BinarySamples &B = E.Samples.Binaries[E.LastSlot];
  ++B.Counts[Sample.IP - M->Begin + M->FileOffset];
  ++B.Total;
}

/// Deals with all events up to the time \p Limit.
void SampleAggregator::flush(uint64_t Limit) {
  auto IsLater = [Limit](const auto &E) { return E.Time > Limit; };

  auto ChangesEnd = llvm::partition(Changes, std::not_fn(IsLater));
  if (ChangesEnd == Changes.begin()) {
    auto Kept = Samples.begin();
    for (const PendingSample &Sample : Samples)
      if (IsLater(Sample))
        *Kept++ = Sample;
      else
        count(Sample);
    Samples.erase(Kept, Samples.end());
    return;
  }

  auto SamplesEnd = llvm::partition(Samples, std::not_fn(IsLater));
  std::sort(Samples.begin(), SamplesEnd,
            [](const PendingSample &L, const PendingSample &R) {
              return L.Time < R.Time;
            });
  std::sort(Changes.begin(), ChangesEnd,
            [](const MappingChange &L, const MappingChange &R) {
              return std::tie(L.Time, L.Sequence) <
                     std::tie(R.Time, R.Sequence);
            });
  auto Change = Changes.begin();
  for (const PendingSample &Sample : make_range(Samples.begin(), SamplesEnd)) {
    for (; Change != ChangesEnd && Change->Time <= Sample.Time; ++Change)
      apply(*Change);
    count(Sample);
  }
  for (; Change != ChangesEnd; ++Change)
    apply(*Change);
  Samples.erase(Samples.begin(), SamplesEnd);
  Changes.erase(Changes.begin(), ChangesEnd);
}

void SampleAggregator::flushIfFull() {
  if (Samples.size() + Changes.size() < MaxPending)
    return;
  std::vector<uint64_t> Times;
  Times.reserve(Samples.size() + Changes.size());
  for (const PendingSample &Sample : Samples)
    Times.push_back(Sample.Time);
  for (const MappingChange &Change : Changes)
    Times.push_back(Change.Time);
  auto Middle = Times.begin() + Times.size() / 2;
  std::nth_element(Times.begin(), Middle, Times.end());
  flush(*Middle);
}

RawProfile SampleAggregator::finish() {
  flush(~uint64_t(0));
  if (uint64_t Count = Spaces.ignoredMappings())
    Diagnostics.warning("there are more mappings than we can keep; " +
                        Twine(Count) +
                        " are ignored, and samples there count as unmapped");
  for (EventCounts &E : Events) {
    llvm::sort(E.Samples.Binaries,
               [](const BinarySamples &L, const BinarySamples &R) {
                 return std::tie(R.Total, L.Path, L.BuildID) <
                        std::tie(L.Total, R.Path, R.BuildID);
               });
    Profile.Events.push_back(std::move(E.Samples));
  }
  Profile.Arch = Reader.arch();
  Profile.CpuDesc = Reader.cpuDesc();
  Profile.CpuID = Reader.cpuID();
  return std::move(Profile);
}

Expected<RawProfile>
aggregateSamples(PerfReader &Reader, DiagnosticSink &Diagnostics,
                 function_ref<void(uint64_t BytesRead)> OnProgress) {
  SampleAggregator Aggregator(Reader, Diagnostics);
  if (Error E = Reader.visit(Aggregator, OnProgress))
    return E;
  return Aggregator.finish();
}

} // namespace inlay
