//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A perf.data file in file mode: header, source of records and parser, put
// together.
//
//===----------------------------------------------------------------------===//

#include "inlay/Perf/PerfReader.h"
#include "ByteCursor.h"
#include "PerfFormat.h"
#include "PerfHeader.h"
#include "RecordParser.h"
#include "RecordSource.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inlay {

PerfEventVisitor::~PerfEventVisitor() = default;
PerfReader::~PerfReader() = default;

namespace {

class PerfFileReader final : public PerfReader {
public:
  PerfFileReader(InputFile File, PerfHeader Header, DiagnosticSink &Diagnostics)
      : File(std::move(File)), Header(std::move(Header)),
        Diagnostics(Diagnostics) {}

  ArrayRef<PerfEventAttr> attrs() const override { return Header.Attrs; }
  ArrayRef<PerfBuildID> buildIDs() const override { return Header.BuildIDs; }
  StringRef hostName() const override { return Header.HostName; }
  StringRef arch() const override { return Header.Arch; }
  StringRef cpuDesc() const override { return Header.CpuDesc; }
  StringRef cpuID() const override { return Header.CpuID; }
  ArrayRef<std::string> commandLine() const override {
    return Header.CommandLine;
  }
  uint64_t fileSize() const override { return File.size(); }

  Error visit(PerfEventVisitor &Visitor,
              function_ref<void(uint64_t)> OnProgress) override;

private:
  Error skipPayload(const RawRecord &Record, RecordSource &Source);

  InputFile File;
  PerfHeader Header;
  DiagnosticSink &Diagnostics;
};

} // namespace

/// AUXTRACE (and, in some old files, TRACING_DATA) is followed by bytes that
/// are not records; the record says how many.
Error PerfFileReader::skipPayload(const RawRecord &Record,
                                  RecordSource &Source) {
  ByteCursor C(Record.Payload);
  uint64_t Size = Record.Type == perf::AUXTRACE ? C.u64() : alignTo(C.u32(), 8);
  if (C.failed())
    return fileErrorAt(File.path(), Record.Offset,
                       "a trace record that is too short; the file is corrupt, "
                       "record again");
  return Source.skip(Size);
}

Error PerfFileReader::visit(PerfEventVisitor &Visitor,
                            function_ref<void(uint64_t)> OnProgress) {
  Expected<RecordParser> Parser =
      RecordParser::create(File.path(), Header, Diagnostics);
  if (!Parser)
    return Parser.takeError();
  FileRecordSource Source(File, Header.DataBegin, Header.DataEnd,
                          Header.IsInterrupted, Diagnostics);
  uint64_t NextProgress = 0;
  RawRecord Record;
  while (true) {
    Expected<bool> HasRecord = Source.next(Record);
    if (!HasRecord)
      return HasRecord.takeError();
    if (!*HasRecord)
      break;
    if (Record.Type == perf::AUXTRACE || Record.Type == perf::TRACING_DATA) {
      if (Error E = skipPayload(Record, Source))
        return E;
    } else if (Error E = Parser->parse(Record, Visitor)) {
      return E;
    }
    if (OnProgress && Source.position() >= NextProgress) {
      OnProgress(Source.position());
      NextProgress = Source.position() + FileWindow::Capacity;
    }
  }
  if (uint64_t Count = Parser->unknownIds())
    Diagnostics.warning(File.path() + ": " + Twine(Count) +
                        " samples of events that the header does not list are "
                        "left out");
  return Error::success();
}

Expected<std::unique_ptr<PerfReader>>
PerfReader::open(StringRef Path, DiagnosticSink &Diagnostics) {
  Expected<InputFile> File = InputFile::open(Path);
  if (!File)
    return File.takeError();
  Expected<PerfHeader> Header = readPerfHeader(*File, Diagnostics);
  if (!Header)
    return Header.takeError();
  return std::make_unique<PerfFileReader>(std::move(*File), std::move(*Header),
                                          Diagnostics);
}

} // namespace inlay
