//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what a pipe's stream has in place of a file's header.
//
// perf writes the attributes first, then features, but the names of events only
// behind the mappings of the kernel and its modules. Everything up to the first
// record that took time to come is looked at, as far as the window reaches:
// events can then be chosen by name before the first of their samples. What is
// no header is left for visit(), to which the stream is given back whole.
//
//===----------------------------------------------------------------------===//

#include "ByteCursor.h"
#include "PerfFormat.h"
#include "PerfHeader.h"
#include "RecordStream.h"
#include "inlay/Support/Diagnostics.h"

using namespace llvm;
using namespace inlay::perf;

namespace inlay {

std::optional<uint64_t> bytesBehind(const RawRecord &Record, endianness Order) {
  ByteCursor C(Record.Payload, Order);
  uint64_t Size =
      Record.Type == AUXTRACE ? C.u64() : (uint64_t(C.u32()) + 7) / 8 * 8;
  if (C.failed())
    return std::nullopt;
  return Size;
}

namespace {

class PipeHeaderReader {
public:
  PipeHeaderReader(StringRef File, endianness Order, RecordStream &Stream)
      : File(File), Stream(Stream) {
    Header.Order = Order;
  }

  Expected<PerfHeader> read();

private:
  static bool endsHeader(const RawRecord &Record);
  Error corrupt(const RawRecord &Record, const Twine &What) const;
  Error take(const RawRecord &Record);
  Error takeAttr(const RawRecord &Record);
  Error takeName(const RawRecord &Record);

  StringRef File;
  RecordStream &Stream;
  PerfHeader Header;
};

} // namespace

/// Whether all that describes the recording has come before \p Record.
bool PipeHeaderReader::endsHeader(const RawRecord &Record) {
  switch (Record.Type) {
  case SAMPLE:
  case FINISHED_ROUND:
  case FINISHED_INIT:
  case COMPRESSED:
  case COMPRESSED2:
  case AUXTRACE:
    return true;
  default:
    return false;
  }
}

Error PipeHeaderReader::corrupt(const RawRecord &Record,
                                const Twine &What) const {
  return fileErrorAt(File, Record.Offset,
                     What + "; the file is corrupt, record again");
}

/// The attribute, and the ids of the event behind it.
Error PipeHeaderReader::takeAttr(const RawRecord &Record) {
  uint64_t Size;
  Expected<PerfEventAttr> Attr =
      parseAttr(Record.Payload, Header.Order, File, Record.Offset, Size);
  if (!Attr)
    return Attr.takeError();
  if (Size > Record.Payload.size())
    return corrupt(Record, "an event attribute of " + Twine(Size) +
                               " bytes that reaches beyond its record");
  ByteCursor C(Record.Payload.drop_front(Size), Header.Order);
  while (C.remaining() >= 8)
    Attr->Ids.push_back(C.u64());
  Header.Attrs.push_back(std::move(*Attr));
  return Error::success();
}

/// EVENT_UPDATE: a kind of news, the first id of the event, the news.
Error PipeHeaderReader::takeName(const RawRecord &Record) {
  ByteCursor C(Record.Payload, Header.Order);
  uint64_t Kind = C.u64();
  uint64_t Id = C.u64();
  if (C.failed())
    return corrupt(Record, "an event update that is too short");
  StringRef Name = untilNul(C.bytes(C.remaining()));
  if (Kind != EventUpdateName || Name.empty())
    return Error::success();
  for (PerfEventAttr &Attr : Header.Attrs)
    if (!Attr.Ids.empty() && Attr.Ids.front() == Id)
      Attr.Name = Name;
  return Error::success();
}

Error PipeHeaderReader::take(const RawRecord &Record) {
  switch (Record.Type) {
  case HEADER_ATTR:
    return takeAttr(Record);
  case EVENT_UPDATE:
    return takeName(Record);
  case HEADER_FEATURE: {
    ByteCursor C(Record.Payload, Header.Order);
    uint64_t Feature = C.u64();
    if (C.failed())
      return corrupt(Record, "a header feature that is too short");
    return parseFeature(Feature, C.bytes(C.remaining()), File, Record.Offset,
                        Header);
  }
  default:
    // BUILD_ID comes again in visit(), with those that are late.
    return Error::success();
  }
}

Expected<PerfHeader> PipeHeaderReader::read() {
  Stream.hold();
  RawRecord Record;
  while (true) {
    Expected<bool> HasRecord = Stream.next(Record);
    if (!HasRecord)
      return HasRecord.takeError();
    if (!*HasRecord || endsHeader(Record))
      break;
    if (Record.Type == TRACING_DATA) {
      std::optional<uint64_t> Size = bytesBehind(Record, Header.Order);
      if (!Size)
        return corrupt(Record, "a trace record that is too short");
      Expected<bool> IsSkipped = Stream.skip(*Size);
      if (!IsSkipped)
        return IsSkipped.takeError();
      if (!*IsSkipped)
        break;
    } else if (Error E = take(Record)) {
      return E;
    }
  }
  Stream.rewind();
  if (Header.Attrs.empty())
    return fileError(File, "no event is described before the first sample; the "
                           "file is truncated or corrupt, record again");
  return std::move(Header);
}

Expected<PerfHeader> readPipeHeader(StringRef File, endianness Order,
                                    RecordStream &Stream) {
  return PipeHeaderReader(File, Order, Stream).read();
}

} // namespace inlay
