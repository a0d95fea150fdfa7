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
// No more than MaxWaiting events wait, and their branch stacks and call chains
// have a bound as well. If a file has no rounds, or huge ones, the older half
// is taken as complete; that is wrong only where CPUs were apart by half a
// million events.
//
// Files whose samples carry no time are taken in their own order.
//
//===----------------------------------------------------------------------===//

#include "inlay/Sampling/SampleAggregator.h"
#include "EventCounter.h"
#include "KernelMappings.h"
#include "SampleOrder.h"
#include "inlay/Perf/PerfReader.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

using namespace llvm;

namespace inlay {
namespace {

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
  static constexpr uint64_t MaxWaiting = 1 << 20;
  static constexpr uint64_t MaxWaitingBytes = 64 << 20;
  /// The innermost ones of a call chain. The kernel records no more by default.
  static constexpr unsigned MaxFrames = 127;

  ArrayRef<uint8_t> kernelIdentity(CpuMode Mode);
  uint32_t binaryIndex(const MmapEvent &Event, CodeKind Kind);
  void mapKernel(const MmapEvent &Event, int32_t Machine);
  void mapUser(const MmapEvent &Event);
  void enqueue(MappingChange Change, PerfTime Time);
  void apply(const MappingChange &Change);
  void map(int32_t Pid, Mapping New);
  void warn();
  bool findLateBuildIDs();
  void takeBranches(const SampleEvent &Event, EventCounter &Counter);
  void takeFrames(const SampleEvent &Event, const EventCounter &Counter);
  void count(const WaitingSample &Sample);
  void flush(uint64_t Limit);
  void flushIfFull();

  PerfReader &Reader;
  DiagnosticSink &Diagnostics;
  RawProfile Profile;
  std::vector<MappedBinary> Binaries;
  /// (Names are the file's: a hash table might take any time.)
  std::map<std::string, uint32_t, std::less<>> BinaryByKey;
  struct {
    size_t Searched = 0; ///< of Reader.buildIDs()
    SmallVector<uint8_t, 20> BuildID;
  } KernelIdentities[2]; // the host's, guests'
  std::vector<EventCounter> Events;
  CodeMap Code;
  /// The first binary whose code was replaced by anonymous memory.
  uint32_t ReplacedBinary = CodeMap::NoBinary;

  bool IsTimed; ///< all events carry times
  WaitingSamples Samples;
  std::vector<MappingChange> Changes;
  uint64_t ChangeCount = 0;
  uint64_t NewestTime = 0;
  /// The newest time before the end of the last round.
  uint64_t RoundTime = 0;
};

} // namespace

SampleAggregator::SampleAggregator(PerfReader &Reader,
                                   DiagnosticSink &Diagnostics)
    : Reader(Reader), Diagnostics(Diagnostics) {
  constexpr uint64_t SampleTime = 1u << 2; // PERF_SAMPLE_TIME
  IsTimed = all_of(Reader.attrs(), [](const PerfEventAttr &Attr) {
    return Attr.SampleType & SampleTime;
  });
  for (const PerfEventAttr &Attr : Reader.attrs())
    Events.emplace_back(Attr, Binaries);
}

/// The build ID of the kernel, or of guests' kernels; empty if the table does
/// not say. The table grows at its end at most: each entry is looked at once.
ArrayRef<uint8_t> SampleAggregator::kernelIdentity(CpuMode Mode) {
  auto &[Searched, BuildID] =
      KernelIdentities[Mode == CpuMode::GuestKernel ? 1 : 0];
  if (BuildID.empty()) {
    ArrayRef<PerfBuildID> Table = Reader.buildIDs();
    ArrayRef<uint8_t> Found = kernelBuildID(Table.drop_front(Searched), Mode);
    BuildID.assign(Found.begin(), Found.end());
    Searched = Table.size();
  }
  return BuildID;
}

/// Binaries with one build ID are one, whatever their paths; those without are
/// known by their path.
uint32_t SampleAggregator::binaryIndex(const MmapEvent &Event, CodeKind Kind) {
  ArrayRef<uint8_t> BuildID = Event.BuildID;
  if (BuildID.empty() && Kind == CodeKind::Kernel)
    BuildID = kernelIdentity(Event.Mode);
  SmallString<128> Key(1, '0' + char(Kind));
  Key += BuildID.empty() ? "path:" : "id:";
  Key += BuildID.empty() ? Event.Path : toStringRef(BuildID);
  auto It = BinaryByKey.lower_bound(Key.str());
  if (It == BinaryByKey.end() || It->first != Key.str()) {
    It = BinaryByKey.emplace_hint(It, Key.str().str(), Binaries.size());
    Binaries.push_back(
        {Event.Path.str(), {BuildID.begin(), BuildID.end()}, Kind});
  }
  return It->second;
}

Error SampleAggregator::onMmap(const MmapEvent &Event) {
  if (Event.Length == 0)
    return Error::success();
  switch (Event.Mode) {
  case CpuMode::Kernel:
    mapKernel(Event, CodeMap::HostKernel);
    break;
  case CpuMode::GuestKernel:
    mapKernel(Event, std::max(Event.Pid, CodeMap::DefaultGuest));
    break;
  case CpuMode::User:
  case CpuMode::Unknown:
    mapUser(Event);
    break;
  case CpuMode::GuestUser:
  case CpuMode::Hypervisor:
    break;
  }
  return Error::success();
}

/// perf makes these up when a recording begins, so that there is no order to
/// keep.
void SampleAggregator::mapKernel(const MmapEvent &Event, int32_t Machine) {
  std::optional<CodeKind> Kind = kernelCodeKind(Event.Path);
  if (!Kind)
    return;
  std::optional<Mapping> M = kernelMapping(Event, *Kind);
  if (!M)
    return;
  M->Binary = binaryIndex(Event, *Kind);
  Code.Kernels.map(Machine, *M);
}

void SampleAggregator::mapUser(const MmapEvent &Event) {
  // The kernel makes no such mappings: addresses do not wrap, and file offsets
  // are signed. (DenseMap could not hold the largest offsets.)
  constexpr uint64_t MaxFileOffset = INT64_MAX;
  if (!Event.IsExecutable || Event.Pid == -1 ||
      Event.Address + Event.Length < Event.Address ||
      Event.FileOffset > MaxFileOffset ||
      Event.Length > MaxFileOffset - Event.FileOffset)
    return;
  MappingChange Change{MappingChange::Map};
  Change.Pid = Event.Pid;
  Change.New = {Event.Address, Event.Address + Event.Length, Event.FileOffset,
                binaryIndex(Event, CodeKind::User)};
  enqueue(Change, Event.Time);
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

/// Notes the records of \p Event that say something.
void SampleAggregator::takeBranches(const SampleEvent &Event,
                                    EventCounter &Counter) {
  if (!Counter.wantsBranches())
    return;
  uint64_t Ignored = 0;
  for (const BranchRecord &Record : Event.BranchStack) {
    // Executed speculatively, on a path that was not taken in the end: the
    // records before and after it follow each other.
    constexpr unsigned WrongPath = 1;
    if (Record.speculation() == WrongPath)
      ++Ignored;
    else
      Samples.nextBranches().push_back({Record.From, Record.To});
  }
  Counter.countIgnoredBranches(Ignored);
}

/// Notes the user's frames. The kernel puts markers between its own frames, the
/// user's and those of guests. Where the processor keeps track of calls, the
/// branch stack has them, and the chain the kernel's part alone.
void SampleAggregator::takeFrames(const SampleEvent &Event,
                                  const EventCounter &Counter) {
  std::vector<uint64_t> &Frames = Samples.nextFrames();
  const size_t End = Frames.size() + MaxFrames;
  if (!Counter.wantsBranches() && !Event.BranchStack.empty()) {
    Frames.push_back(Event.IP);
    for (const BranchRecord &Call : Event.BranchStack)
      if (!isKernelAddress(Call.From) && Frames.size() != End)
        Frames.push_back(Call.From + 1);
    return;
  }
  bool IsUser = true; // old kernels mark nothing
  bool IsFirst = true;
  for (uint64_t Address : Event.CallChain) {
    if (Address >= ChainMarkerMin) {
      IsUser = Address == ChainUser;
    } else if (IsUser && Frames.size() != End) {
      // With a precise event, the sample's own address is the better one.
      Frames.push_back(IsFirst ? Event.IP : Address);
      IsFirst = false;
    }
  }
}

Error SampleAggregator::onSample(const SampleEvent &Event) {
  WaitingSample Sample;
  Sample.Event = Event.Attr - Reader.attrs().data();
  EventCounter &Counter = Events[Sample.Event];
  Counter.countSample();
  Sample.Mode = Event.Mode;
  if (Event.Mode == CpuMode::Unknown && isKernelAddress(Event.IP))
    Sample.Mode = CpuMode::Kernel;
  switch (Sample.Mode) {
  case CpuMode::Kernel:
    Counter.countKernelSample();
    takeBranches(Event, Counter);
    break;
  case CpuMode::GuestKernel:
  case CpuMode::Hypervisor:
    Counter.countKernelSample();
    break;
  case CpuMode::GuestUser:
    Counter.countUnmappedSample();
    return Error::success();
  case CpuMode::User:
  case CpuMode::Unknown:
    takeBranches(Event, Counter);
    takeFrames(Event, Counter);
    break;
  }
  Sample.IP = Event.IP;
  Sample.Pid = Event.Pid;
  Sample.Period = Event.Period;
  Sample.Time = IsTimed ? *Event.Time : 0;
  Samples.push(Sample);
  if (!IsTimed) {
    flush(~uint64_t(0));
    return Error::success();
  }
  NewestTime = std::max(NewestTime, Sample.Time);
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

/// Memory that is no file, by the kernel's names for it.
static bool isAnonymous(StringRef Path) {
  return Path == "//anon" || Path.starts_with("/anon_hugepage") ||
         Path.starts_with("anon_hugepage") || Path.starts_with("[anon") ||
         Path.starts_with("/dev/zero") || Path.starts_with("/memfd:");
}

/// Programs move their code to huge pages: they copy it to anonymous memory and
/// put that in its place. Nobody records that it is a copy; it might as well be
/// the output of a JIT compiler, where a library was before.
void SampleAggregator::map(int32_t Pid, Mapping New) {
  if (isAnonymous(Binaries[New.Binary].Path))
    for (uint64_t Address : {New.Begin, New.End - 1}) {
      const Mapping *Old = Code.Processes.find(Pid, Address);
      if (!Old)
        continue;
      if (Old->Binary != CodeMap::NoBinary) {
        if (isAnonymous(Binaries[Old->Binary].Path))
          continue;
        if (ReplacedBinary == CodeMap::NoBinary)
          ReplacedBinary = Old->Binary;
      }
      New.Binary = CodeMap::NoBinary;
      break;
    }
  Code.Processes.map(Pid, New);
}

void SampleAggregator::apply(const MappingChange &Change) {
  switch (Change.Kind) {
  case MappingChange::Map:
    return map(Change.Pid, Change.New);
  case MappingChange::Fork:
    return Code.Processes.fork(Change.Pid, Change.ParentPid,
                               Change.InheritsMappings);
  case MappingChange::Exec:
    return Code.Processes.exec(Change.Pid);
  case MappingChange::Exit:
    return Code.Processes.exit(Change.Pid);
  }
}

void SampleAggregator::count(const WaitingSample &Sample) {
  EventCounter &Counter = Events[Sample.Event];
  Counter.countAddress(Sample, Code);
  Counter.countChain(Sample.Pid, Samples.frames(Sample), Code);
  Counter.countBranches(Sample.Pid, Samples.branches(Sample), Code);
}

/// Deals with all events up to the time \p Limit.
void SampleAggregator::flush(uint64_t Limit) {
  auto IsDue = [Limit](const auto &E) { return E.Time <= Limit; };

  auto ChangesEnd = llvm::partition(Changes, IsDue);
  if (ChangesEnd == Changes.begin()) {
    Samples.removeIf([&](const WaitingSample &Sample) {
      if (!IsDue(Sample))
        return false;
      count(Sample);
      return true;
    });
    return;
  }

  std::sort(Changes.begin(), ChangesEnd,
            [](const MappingChange &L, const MappingChange &R) {
              return std::tie(L.Time, L.Sequence) <
                     std::tie(R.Time, R.Sequence);
            });
  std::vector<const WaitingSample *> Due;
  for (const WaitingSample &Sample : Samples.samples())
    if (IsDue(Sample))
      Due.push_back(&Sample);
  llvm::sort(Due, [](const WaitingSample *L, const WaitingSample *R) {
    return L->Time < R->Time;
  });
  auto Change = Changes.begin();
  for (const WaitingSample *Sample : Due) {
    for (; Change != ChangesEnd && Change->Time <= Sample->Time; ++Change)
      apply(*Change);
    count(*Sample);
  }
  for (; Change != ChangesEnd; ++Change)
    apply(*Change);
  Changes.erase(Changes.begin(), ChangesEnd);
  Samples.removeIf(IsDue);
}

void SampleAggregator::flushIfFull() {
  if (Samples.size() + Changes.size() < MaxWaiting &&
      Samples.bytes() < MaxWaitingBytes)
    return;
  std::vector<uint64_t> Times;
  Times.reserve(Samples.size() + Changes.size());
  for (const WaitingSample &Sample : Samples.samples())
    Times.push_back(Sample.Time);
  for (const MappingChange &Change : Changes)
    Times.push_back(Change.Time);
  auto Middle = Times.begin() + Times.size() / 2;
  std::nth_element(Times.begin(), Middle, Times.end());
  flush(*Middle);
}

void SampleAggregator::warn() {
  if (uint64_t Count =
          Code.Processes.ignoredMappings() + Code.Kernels.ignoredMappings())
    Diagnostics.warning("there are more mappings than we can keep; " +
                        Twine(Count) +
                        " are ignored, and samples there count as unmapped");
  uint64_t Count = 0;
  for (const EventCounter &Counter : Events)
    Count += Counter.samplesInPlaceOfCode();
  if (Count)
    Diagnostics.warning(
        Twine(Count) + (Count == 1 ? " sample is" : " samples are") +
        " in anonymous memory that took the place of code of " +
        Binaries[ReplacedBinary].Path +
        ", as when a program moves itself to huge pages; what runs there is "
        "not known. Record with that switched off");
  for (const EventCounter &Counter : Events)
    if (Counter.hasUnevenPeriods())
      Diagnostics.warning(
          "the samples of " + Counter.attr().Name +
          " stand for very different numbers of events, so that counts of "
          "samples tell little; record with a fixed period (perf record -c)");
  if (any_of(Reader.attrs(), [](const PerfEventAttr &Attr) {
        return Attr.SampleStackUser != 0;
      }))
    Diagnostics.warning(
        "copies of the stack (perf record --call-graph dwarf) are not unwound: "
        "samples are taken without their callers. Frame pointers are used "
        "(perf record --call-graph fp)");
}

/// In a stream, build IDs stand at the end.
bool SampleAggregator::findLateBuildIDs() {
  bool HasNew = false;
  std::map<StringRef, ArrayRef<uint8_t>> ByPath;
  for (const PerfBuildID &Entry : Reader.buildIDs())
    ByPath.try_emplace(Entry.Path, Entry.BuildID);
  for (MappedBinary &Binary : Binaries) {
    if (!Binary.BuildID.empty())
      continue;
    ArrayRef<uint8_t> BuildID;
    if (auto It = ByPath.find(Binary.Path); It != ByPath.end())
      BuildID = It->second;
    if (BuildID.empty() && Binary.Kind == CodeKind::Kernel)
      BuildID = kernelIdentity(StringRef(Binary.Path).starts_with("[guest")
                                   ? CpuMode::GuestKernel
                                   : CpuMode::Kernel);
    Binary.BuildID.assign(BuildID.begin(), BuildID.end());
    HasNew |= !BuildID.empty();
  }
  return HasNew;
}

RawProfile SampleAggregator::finish() {
  flush(~uint64_t(0));
  warn();
  const bool HasLateBuildIDs = findLateBuildIDs();
  for (EventCounter &Counter : Events) {
    Profile.Events.push_back(Counter.finish());
    if (HasLateBuildIDs)
      uniteBinaries(Profile.Events.back());
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
