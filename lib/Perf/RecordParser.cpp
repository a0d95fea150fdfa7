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

using namespace llvm;
using namespace inlay::perf;

namespace inlay {

RecordParser::RecordParser(StringRef File, const PerfHeader &Header)
    : File(File) {
  Parsers.reserve(Header.Attrs.size());
  for (const PerfEventAttr &Attr : Header.Attrs) {
    for (uint64_t Id : Attr.Ids)
      Ids.emplace_back(Id, Parsers.size());
    Parsers.emplace_back(Attr);
  }
  llvm::sort(Ids);
  for (const PerfBuildID &Entry : Header.BuildIDs)
    BuildIDByPath.try_emplace(Entry.Path, Entry.BuildID);
}

Expected<RecordParser> RecordParser::create(StringRef File,
                                            const PerfHeader &Header,
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

Error RecordParser::takeTrailer(const RawRecord &Record,
                                ArrayRef<uint8_t> &Body, PerfTime &Time) {
  Body = Record.Payload;
  const SampleParser *P = &Parsers.front();
  if (Parsers.size() > 1 && P->idFromEnd()) {
    if (Body.size() < *P->idFromEnd())
      return corrupt(Record, "a record that is too short for its id");
    uint64_t Id = ByteCursor(Body.take_back(*P->idFromEnd())).u64();
    P = parserOf(Id);
    if (!P)
      return corrupt(Record, "a record with the id " + Twine(Id) +
                                 ", which no event has");
  }
  if (Body.size() < P->trailerSize())
    return corrupt(Record, "a record that is too short for its sample_id");
  Time = P->trailerTime(Body.take_back(P->trailerSize()));
  Body = Body.drop_back(P->trailerSize());
  return Error::success();
}

Error RecordParser::parseSample(const RawRecord &Record,
                                PerfEventVisitor &Visitor) {
  SampleParser *P = &Parsers.front();
  if (Parsers.size() > 1 && P->idFromStart()) {
    if (Record.Payload.size() < *P->idFromStart() + 8)
      return corrupt(Record, "a sample that is too short for its id");
    uint64_t Id =
        support::endian::read64le(Record.Payload.data() + *P->idFromStart());
    P = parserOf(Id);
    if (!P) {
      ++UnknownIds;
      return Error::success();
    }
  }
  SampleEvent Sample;
  if (const char *Message = P->parse(Record.Payload, Record.Misc, Sample))
    return corrupt(Record, Message);
  return Visitor.onSample(Sample);
}

Error RecordParser::parseMmap(const RawRecord &Record,
                              PerfEventVisitor &Visitor) {
  MmapEvent Event;
  ArrayRef<uint8_t> Body;
  if (Error E = takeTrailer(Record, Body, Event.Time))
    return E;
  ByteCursor C(Body);
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
  unsigned Mode = Record.Misc & MISC_CPUMODE_MASK;
  Event.Mode =
      Mode <= unsigned(CpuMode::GuestUser) ? CpuMode(Mode) : CpuMode::Unknown;
  if (Event.BuildID.empty())
    Event.BuildID = BuildIDByPath.lookup(Event.Path);
  return Visitor.onMmap(Event);
}

Error RecordParser::parseComm(const RawRecord &Record,
                              PerfEventVisitor &Visitor) {
  CommEvent Event;
  ArrayRef<uint8_t> Body;
  if (Error E = takeTrailer(Record, Body, Event.Time))
    return E;
  ByteCursor C(Body);
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
  ByteCursor C(Body);
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
  ByteCursor C(Record.Payload);
  if (Record.Type == LOST)
    C.u64(); // id
  uint64_t Count = C.u64();
  if (C.failed())
    return corrupt(Record, "a record of lost events that is too short");
  return Visitor.onLost(Count);
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
  case COMPRESSED:
  case COMPRESSED2:
    return fileErrorAt(File, Record.Offset,
                       "compressed records (perf record -z), which are not "
                       "supported yet; record again without -z");
  default:
    return Error::success();
  }
}

} // namespace inlay
