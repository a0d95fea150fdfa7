//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RecordParser.h.
//
//===----------------------------------------------------------------------===//

#include "RecordParser.h"
#include "ByteCursor.h"
#include "PerfFormat.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace llvm;
using namespace inlay::perf;

namespace inlay {

RecordParser::RecordParser(StringRef File, PerfHeader &Header)
    : File(File), Header(Header) {
  Parsers.reserve(Header.Attrs.size());
  for (const PerfEventAttr &Attr : Header.Attrs) {
    for (uint64_t Id : Attr.Ids)
      Ids.emplace_back(Id, Parsers.size());
    Parsers.emplace_back(Attr, Header.Order);
  }
  llvm::sort(Ids);
}

Expected<RecordParser> RecordParser::create(StringRef File, PerfHeader &Header,
                                            DiagnosticSink &Diagnostics) {
  RecordParser P(File, Header);
  if (P.Parsers.size() == 1)
    return P;
  const SampleParser &First = P.Parsers.front();
  for (const SampleParser &Other : P.Parsers) {
    if (First.idFromStart() != Other.idFromStart() ||
        First.idFromEnd() != Other.idFromEnd())
      return fileError(File, "the events '" + First.attr().Name + "' and '" +
                                 Other.attr().Name +
                                 "' place the id that tells them apart "
                                 "differently; record one event at a time");
    if (!First.idFromStart() &&
        First.attr().SampleType != Other.attr().SampleType)
      return fileError(File, "samples of the events '" + First.attr().Name +
                                 "' and '" + Other.attr().Name +
                                 "' carry no id to tell them apart; record one "
                                 "event at a time");
  }
  if (!First.idFromStart())
    Diagnostics.warning(File +
                        ": samples carry no id to tell events apart; "
                        "all are taken for '" +
                        First.attr().Name + "'");
  return P;
}

Error RecordParser::corrupt(const RawRecord &Record, const Twine &What) const {
  return fileErrorAt(File, Record.Offset,
                     What + "; the file is corrupt, record again");
}

/// nullptr for an id that no attribute lists.
SampleParser *RecordParser::parserOf(uint64_t Id) {
  if (LastParser && Id == LastId)
    return LastParser;
  // perf gives the id 0 to records that it makes up itself.
  if (Id == 0)
    return &Parsers.front();
  auto It = llvm::lower_bound(Ids, std::pair<uint64_t, uint32_t>(Id, 0));
  if (It == Ids.end() || It->first != Id)
    return nullptr;
  LastId = Id;
  LastParser = &Parsers[It->second];
  return LastParser;
}

/// nullptr if the sample is of no known event, or too short to say.
SampleParser *RecordParser::parserOfSample(const RawRecord &Record) {
  const std::optional<uint64_t> At = Parsers.front().idFromStart();
  if (Parsers.size() == 1 || !At)
    return &Parsers.front();
  if (Record.Payload.size() < *At + 8)
    return nullptr;
  return parserOf(
      support::endian::read64(Record.Payload.data() + *At, Header.Order));
}

/// The same for all other records of the kernel.
SampleParser *RecordParser::parserOfOther(const RawRecord &Record) {
  const std::optional<uint64_t> At = Parsers.front().idFromEnd();
  if (Parsers.size() == 1 || !At)
    return &Parsers.front();
  if (Record.Payload.size() < *At)
    return nullptr;
  return parserOf(support::endian::read64(Record.Payload.take_back(*At).data(),
                                          Header.Order));
}

PerfTime RecordParser::timeOf(const RawRecord &Record) {
  if (Record.Type == SAMPLE) {
    const SampleParser *P = parserOfSample(Record);
    return P ? P->sampleTime(Record.Payload) : std::nullopt;
  }
  if (Record.Type >= UserTypeStart)
    return std::nullopt;
  const SampleParser *P = parserOfOther(Record);
  if (!P || Record.Payload.size() < P->trailerSize())
    return std::nullopt;
  return P->trailerTime(Record.Payload.take_back(P->trailerSize()));
}

Error RecordParser::takeTrailer(const RawRecord &Record,
                                ArrayRef<uint8_t> &Body, PerfTime &Time,
                                std::pair<int32_t, int32_t> *Task) {
  Body = Record.Payload;
  const SampleParser *P = parserOfOther(Record);
  if (!P)
    return corrupt(Record, "a record whose id no event has");
  if (Body.size() < P->trailerSize())
    return corrupt(Record, "a record that is too short for its sample_id");
  ArrayRef<uint8_t> Trailer = Body.take_back(P->trailerSize());
  Time = P->trailerTime(Trailer);
  if (Task)
    *Task = P->trailerTask(Trailer);
  Body = Body.drop_back(P->trailerSize());
  return Error::success();
}

Error RecordParser::parseSample(const RawRecord &Record,
                                PerfEventVisitor &Visitor) {
  SampleParser *P = parserOfSample(Record);
  if (LLVM_UNLIKELY(!P)) {
    if (Record.Payload.size() < *Parsers.front().idFromStart() + 8)
      return corrupt(Record, "a sample that is too short for its id");
    ++UnknownIds;
    return Error::success();
  }
  if (const char *Message = P->parse(Record.Payload, Record.Misc))
    return corrupt(Record, Message);
  return Visitor.onSample(P->sample());
}

Error RecordParser::parseMmap(const RawRecord &Record,
                              PerfEventVisitor &Visitor) {
  MmapEvent Event;
  ArrayRef<uint8_t> Body;
  if (Error E = takeTrailer(Record, Body, Event.Time))
    return E;
  ByteCursor C(Body, Header.Order);
  Event.Pid = C.s32();
  Event.Tid = C.s32();
  Event.Address = C.u64();
  Event.Length = C.u64();
  Event.FileOffset = C.u64();
  Event.IsExecutable = !(Record.Misc & MISC_MMAP_DATA);
  if (Record.Type == MMAP2) {
    // Device and inode, or size and bytes of a build ID.
    ArrayRef<uint8_t> Identity = C.bytes(24);
    uint32_t Protection = C.u32();
    C.u32(); // flags
    Event.IsExecutable = Protection & ProtExec;
    if (!C.failed() && (Record.Misc & MISC_MMAP_BUILD_ID)) {
      if (Identity[0] > 20)
        return corrupt(Record, "a mapping with a build ID of " +
                                   Twine(Identity[0]) +
                                   " bytes, but 20 is the most");
      Event.BuildID = Identity.slice(4, Identity[0]);
    }
  }
  if (C.failed())
    return corrupt(Record, "a mapping that is too short");
  Event.Path = untilNul(C.bytes(C.remaining()));
  Event.Mode = cpuMode(Record.Misc);
  if (Event.BuildID.empty())
    Event.BuildID = Header.buildID(Event.Path);
  return Visitor.onMmap(Event);
}

Error RecordParser::parseComm(const RawRecord &Record,
                              PerfEventVisitor &Visitor) {
  CommEvent Event;
  ArrayRef<uint8_t> Body;
  if (Error E = takeTrailer(Record, Body, Event.Time))
    return E;
  ByteCursor C(Body, Header.Order);
  Event.Pid = C.s32();
  Event.Tid = C.s32();
  if (C.failed())
    return corrupt(Record, "a process name record that is too short");
  Event.IsExec = Record.Misc & MISC_COMM_EXEC;
  Event.Name = untilNul(C.bytes(C.remaining()));
  return Visitor.onComm(Event);
}

/// FORK and EXIT share their layout.
Error RecordParser::parseTask(const RawRecord &Record,
                              PerfEventVisitor &Visitor) {
  PerfTime Time;
  ArrayRef<uint8_t> Body;
  if (Error E = takeTrailer(Record, Body, Time))
    return E;
  ByteCursor C(Body, Header.Order);
  ForkEvent Fork;
  Fork.Pid = C.s32();
  Fork.ParentPid = C.s32();
  Fork.Tid = C.s32();
  Fork.ParentTid = C.s32();
  uint64_t OwnTime = C.u64();
  if (C.failed())
    return corrupt(Record, "a fork or exit record that is too short");
  Fork.Time = Time ? Time : OwnTime;
  Fork.InheritsMappings = !(Record.Misc & MISC_FORK_EXEC);
  if (Record.Type == FORK)
    return Visitor.onFork(Fork);
  ExitEvent Exit;
  Exit.Pid = Fork.Pid;
  Exit.Tid = Fork.Tid;
  Exit.Time = Fork.Time;
  return Visitor.onExit(Exit);
}

Error RecordParser::parseLost(const RawRecord &Record,
                              PerfEventVisitor &Visitor) {
  ByteCursor C(Record.Payload, Header.Order);
  if (Record.Type == LOST)
    C.u64(); // id
  uint64_t Count = C.u64();
  if (C.failed())
    return corrupt(Record, "a record of lost events that is too short");
  return Visitor.onLost(Count);
}

Error RecordParser::parseDeferredCallChain(const RawRecord &Record,
                                           PerfEventVisitor &Visitor) {
  DeferredCallChainEvent Event;
  ArrayRef<uint8_t> Body;
  std::pair<int32_t, int32_t> Task;
  if (Error E = takeTrailer(Record, Body, Event.Time, &Task))
    return E;
  ByteCursor C(Body, Header.Order);
  Event.Cookie = C.u64();
  uint64_t Count = C.u64();
  if (C.failed() || Count > C.remaining() / 8)
    return corrupt(Record, "a call chain that reaches beyond its record");
  std::tie(Event.Pid, Event.Tid) = Task;
  Event.CallChain = readWords(C, Count, DeferredCallChain);
  return Visitor.onDeferredCallChain(Event);
}

Error RecordParser::parse(const RawRecord &Record, PerfEventVisitor &Visitor) {
  switch (Record.Type) {
  case SAMPLE:
    return parseSample(Record, Visitor);
  case MMAP:
  case MMAP2:
    return parseMmap(Record, Visitor);
  case COMM:
    return parseComm(Record, Visitor);
  case FORK:
  case EXIT:
    return parseTask(Record, Visitor);
  case LOST:
  case LOST_SAMPLES:
    return parseLost(Record, Visitor);
  case FINISHED_ROUND:
    return Visitor.onFinishedRound();
  case CALLCHAIN_DEFERRED:
    return parseDeferredCallChain(Record, Visitor);
  case BUILD_ID:
    if (parseBuildID(Record.Misc, Record.Payload, Header))
      return Error::success();
    return corrupt(Record, "a build ID record that is too short");
  case HEADER_ATTR:
    // Those at the start have been seen.
    if (++AttrRecords <= Parsers.size())
      return Error::success();
    return corrupt(Record, "an event that is described after the first sample, "
                           "which perf does not do");
  default:
    return Error::success();
  }
}

} // namespace inlay
