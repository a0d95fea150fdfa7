//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds out which container a recording is in, and reads those that are one
// file or stream.
//
//===----------------------------------------------------------------------===//

#include "inlay/Perf/PerfReader.h"
#include "HeaderReader.h"
#include "PerfFormat.h"
#include "inlay/Support/Diagnostics.h"
#include <array>

using namespace llvm;

namespace inlay {

PerfEventVisitor::~PerfEventVisitor() = default;
PerfReader::~PerfReader() = default;

Error HeaderReader::visitRecord(const RawRecord &Record, RecordStream &Stream,
                                RecordParser &Parser,
                                PerfEventVisitor &Visitor) {
  // Some records are followed by bytes that are none.
  if (LLVM_LIKELY(Record.Type != perf::AUXTRACE &&
                  Record.Type != perf::TRACING_DATA))
    return Parser.parse(Record, Visitor);
  std::optional<uint64_t> Size = bytesBehind(Record, Header.Order);
  if (!Size)
    return fileErrorAt(File.path(), Record.Offset,
                       "a trace record that is too short; the file is corrupt, "
                       "record again");
  return Stream.skip(*Size).takeError();
}

Error HeaderReader::visitStream(RecordStream &Stream, PerfEventVisitor &Visitor,
                                function_ref<void(uint64_t)> OnProgress) {
  Expected<RecordParser> Parser =
      RecordParser::create(File.path(), Header, Diagnostics);
  if (!Parser)
    return Parser.takeError();
  constexpr uint64_t ProgressStep = 1 << 20;
  uint64_t NextProgress = OnProgress ? 0 : ~uint64_t(0);
  RawRecord Record;
  while (true) {
    Expected<bool> HasRecord = Stream.next(Record);
    if (!HasRecord)
      return HasRecord.takeError();
    if (!*HasRecord)
      break;
    if (Error E = visitRecord(Record, Stream, *Parser, Visitor))
      return E;
    if (LLVM_UNLIKELY(Stream.position() >= NextProgress)) {
      OnProgress(Stream.position());
      NextProgress = Stream.position() + ProgressStep;
    }
  }
  warnOfUnknownIds(*Parser);
  return Error::success();
}

void HeaderReader::warnOfUnknownIds(const RecordParser &Parser) {
  if (uint64_t Count = Parser.unknownIds())
    Diagnostics.warning(File.path() + ": " + Twine(Count) +
                        " samples of events that the header does not list are "
                        "left out");
}

namespace {

/// A file in file mode: one that can be read as often as one likes.
class PerfFileReader final : public HeaderReader {
public:
  static Expected<std::unique_ptr<PerfReader>>
  open(InputFile File, endianness Order, DiagnosticSink &Diagnostics) {
    std::unique_ptr<PerfFileReader> Reader(
        new PerfFileReader(std::move(File), Diagnostics));
    Expected<PerfHeader> Header =
        readFileHeader(Reader->File, Order, Diagnostics);
    if (!Header)
      return Header.takeError();
    Reader->Header = std::move(*Header);
    return Reader;
  }

  Error visit(PerfEventVisitor &Visitor,
              function_ref<void(uint64_t)> OnProgress) override {
    RecordSource::Options Opts;
    Opts.Offset = Header.DataBegin;
    Opts.Order = Header.Order;
    Opts.IsOpenEnded = Header.IsInterrupted;
    Opts.limitCapacity(Header.DataEnd - Header.DataBegin);
    RecordStream Stream(
        File.path(),
        std::make_unique<FileSection>(File, Header.DataBegin, Header.DataEnd),
        Opts, Diagnostics);
    return visitStream(Stream, Visitor, OnProgress);
  }

private:
  using HeaderReader::HeaderReader;
};

/// What `perf record -o -' wrote, from a pipe or saved to a file. Its stream
/// ends where it ends: nothing says how long it should have been.
class PerfPipeReader final : public HeaderReader {
public:
  static Expected<std::unique_ptr<PerfReader>>
  open(InputFile File, endianness Order, DiagnosticSink &Diagnostics) {
    std::unique_ptr<PerfPipeReader> Reader(
        new PerfPipeReader(std::move(File), Diagnostics));
    const InputFile &Input = Reader->File;
    RecordSource::Options Opts;
    Opts.Offset = perf::PipeHeaderSize;
    Opts.Order = Order;
    Opts.IsOpenEnded = true;
    std::unique_ptr<ByteStream> Bytes;
    if (Input.isRegular()) {
      Bytes = std::make_unique<FileSection>(Input, perf::PipeHeaderSize,
                                            Input.size());
      Opts.limitCapacity(Input.size());
    } else {
      Bytes = std::make_unique<PipeStream>(Input);
    }
    Reader->Stream.emplace(Input.path(), std::move(Bytes), Opts, Diagnostics);
    Expected<PerfHeader> Header =
        readPipeHeader(Input.path(), Order, *Reader->Stream);
    if (!Header)
      return Header.takeError();
    Reader->Header = std::move(*Header);
    return Reader;
  }

  Error visit(PerfEventVisitor &Visitor,
              function_ref<void(uint64_t)> OnProgress) override {
    if (!Stream)
      return fileError(File.path(), "a stream cannot be read twice");
    Error E = visitStream(*Stream, Visitor, OnProgress);
    Stream.reset();
    return E;
  }

private:
  using HeaderReader::HeaderReader;

  std::optional<RecordStream> Stream; ///< until it has been read
};

} // namespace

/// The first bytes of a file that is not regular, after which only the rest is
/// still to come.
static Expected<size_t> readStart(const InputFile &File,
                                  MutableArrayRef<uint8_t> Buffer) {
  size_t Size = 0;
  while (Size != Buffer.size()) {
    Expected<size_t> Read = File.readNext(Buffer.drop_front(Size));
    if (!Read)
      return Read.takeError();
    if (*Read == 0)
      break;
    Size += *Read;
  }
  return Size;
}

Expected<std::unique_ptr<PerfReader>>
PerfReader::open(StringRef Path, DiagnosticSink &Diagnostics) {
  if (Path != "-" && sys::fs::is_directory(Path))
    return openPerfDirectory(Path, Diagnostics);
  Expected<InputFile> File = InputFile::open(Path);
  if (!File)
    return File.takeError();
  std::array<uint8_t, perf::PipeHeaderSize> Start;
  size_t StartSize = std::min<uint64_t>(Start.size(), File->size());
  if (File->isRegular()) {
    if (Error E = File->read(0, MutableArrayRef(Start).take_front(StartSize)))
      return E;
  } else {
    Expected<size_t> Read = readStart(*File, Start);
    if (!Read)
      return Read.takeError();
    StartSize = *Read;
  }
  Expected<Preamble> P =
      parsePreamble(ArrayRef(Start).take_front(StartSize), File->path());
  if (!P)
    return P.takeError();
  if (P->Kind == Container::Pipe)
    return PerfPipeReader::open(std::move(*File), P->Order, Diagnostics);
  if (!File->isRegular())
    return fileError(File->path(),
                     "what comes out of this pipe was recorded to a file, and "
                     "can only be read as one; pass the file itself, or record "
                     "with `perf record -o -'");
  return PerfFileReader::open(std::move(*File), P->Order, Diagnostics);
}

} // namespace inlay
