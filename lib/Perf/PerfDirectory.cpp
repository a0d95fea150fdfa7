//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what `perf record --threads' writes: a directory with a file `data',
// which has the header and the records that perf itself made up, and files
// data.0, data.1, ... with nothing but the records that its threads took from
// the kernel's buffers.
//
// A thread's file is in the order of time, or nearly so (a thread may serve
// several CPUs), but mappings of a process may be in one file and samples that
// hit them in another. So the files are merged: the next record is always the
// one of the earliest time among the files' next ones. Records without a time
// come as soon as they are met.
//
// Each file is a zstd stream of its own if records are compressed.
//
// Bounds: 1024 data files; for each a window of 128 KiB, and what RecordStream
// says.
//
//===----------------------------------------------------------------------===//

#include "HeaderReader.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <array>
#include <queue>

using namespace llvm;

namespace inlay {
namespace {

constexpr uint64_t MaxDataFiles = 1024;

/// The records of one file, and the next of them.
struct DataStream {
  DataStream(const InputFile &File, uint64_t Begin, uint64_t End,
             const RecordSource::Options &Opts, DiagnosticSink &Diagnostics)
      : File(File),
        Stream(File.path(), std::make_unique<FileSection>(File, Begin, End),
               Opts, Diagnostics) {}

  const InputFile &File;
  RecordStream Stream;
  RawRecord Next;
};

class PerfDirectoryReader final : public HeaderReader {
public:
  static Expected<std::unique_ptr<PerfReader>>
  open(StringRef Path, DiagnosticSink &Diagnostics);

  uint64_t fileSize() const override { return TotalSize; }
  Error visit(PerfEventVisitor &Visitor,
              function_ref<void(uint64_t)> OnProgress) override;

private:
  using HeaderReader::HeaderReader;

  Error openDataFiles(StringRef Path);
  std::unique_ptr<DataStream> stream(const InputFile &File, uint64_t Begin,
                                     uint64_t End, bool IsOpenEnded);

  std::vector<InputFile> DataFiles;
  uint64_t TotalSize = 0;
};

} // namespace

/// data.0, data.1 and so on, without a gap.
Error PerfDirectoryReader::openDataFiles(StringRef Path) {
  TotalSize = File.size();
  for (uint64_t I = 0;; ++I) {
    SmallString<128> Name(Path);
    sys::path::append(Name, "data." + Twine(I));
    if (!sys::fs::exists(Name))
      return Error::success();
    if (I == MaxDataFiles)
      return fileError(Path, "holds more than " + Twine(MaxDataFiles) +
                                 " data files; record with fewer threads "
                                 "(perf record --threads=package)");
    Expected<InputFile> Input = InputFile::open(Name);
    if (!Input)
      return Input.takeError();
    if (!Input->isRegular())
      return fileError(Name, "is not a regular file");
    TotalSize += Input->size();
    DataFiles.push_back(std::move(*Input));
  }
}

Expected<std::unique_ptr<PerfReader>>
PerfDirectoryReader::open(StringRef Path, DiagnosticSink &Diagnostics) {
  SmallString<128> Main(Path);
  sys::path::append(Main, "data");
  if (!sys::fs::exists(Main))
    return fileError(Path, "is a directory, but has no file `data', as perf "
                           "record --threads writes it; pass the file or "
                           "directory that perf record wrote");
  Expected<InputFile> File = InputFile::open(Main);
  if (!File)
    return File.takeError();
  if (!File->isRegular())
    return fileError(Main, "is not a regular file");
  std::unique_ptr<PerfDirectoryReader> Reader(
      new PerfDirectoryReader(std::move(*File), Diagnostics));
  const InputFile &Input = Reader->File;
  std::array<uint8_t, perf::PipeHeaderSize> Start;
  auto Bytes = MutableArrayRef(Start).take_front(Input.size());
  if (Error E = Input.read(0, Bytes))
    return E;
  Expected<Preamble> P = parsePreamble(Bytes, Input.path());
  if (!P)
    return P.takeError();
  if (P->Kind != Container::File)
    return fileError(Input.path(), "a pipe's stream in a directory, which perf "
                                   "does not write; record again");
  Expected<PerfHeader> Header = readFileHeader(Input, P->Order, Diagnostics);
  if (!Header)
    return Header.takeError();
  Reader->Header = std::move(*Header);
  if (Error E = Reader->openDataFiles(Path))
    return E;
  return Reader;
}

std::unique_ptr<DataStream> PerfDirectoryReader::stream(const InputFile &File,
                                                        uint64_t Begin,
                                                        uint64_t End,
                                                        bool IsOpenEnded) {
  RecordSource::Options Opts;
  Opts.Offset = Begin;
  Opts.Order = Header.Order;
  Opts.IsOpenEnded = IsOpenEnded;
  Opts.Capacity = 1 << 17;
  Opts.limitCapacity(End - Begin);
  return std::make_unique<DataStream>(File, Begin, End, Opts, Diagnostics);
}

Error PerfDirectoryReader::visit(PerfEventVisitor &Visitor,
                                 function_ref<void(uint64_t)> OnProgress) {
  Expected<RecordParser> Parser =
      RecordParser::create(File.path(), Header, Diagnostics);
  if (!Parser)
    return Parser.takeError();
  std::vector<std::unique_ptr<DataStream>> Streams;
  Streams.push_back(
      stream(File, Header.DataBegin, Header.DataEnd, Header.IsInterrupted));
  // Nothing says how long the other files should be.
  for (const InputFile &Data : DataFiles)
    Streams.push_back(stream(Data, 0, Data.size(), /*IsOpenEnded=*/true));

  using Turn = std::pair<uint64_t, size_t>; // time, index in Streams
  std::priority_queue<Turn, std::vector<Turn>, std::greater<Turn>> Turns;
  auto Advance = [&](size_t I) -> Error {
    DataStream &Data = *Streams[I];
    Expected<bool> HasRecord = Data.Stream.next(Data.Next);
    if (!HasRecord)
      return HasRecord.takeError();
    if (*HasRecord)
      Turns.push({Parser->timeOf(Data.Next).value_or(0), I});
    return Error::success();
  };
  for (size_t I = 0; I != Streams.size(); ++I)
    if (Error E = Advance(I))
      return E;

  constexpr uint64_t ProgressStep = 1 << 20;
  uint64_t BytesRead = 0, NextProgress = 0;
  while (!Turns.empty()) {
    const size_t I = Turns.top().second;
    Turns.pop();
    DataStream &Data = *Streams[I];
    const uint64_t Before = Data.Stream.position();
    // A round says nothing of other files. perf writes none here.
    if (Data.Next.Type != perf::FINISHED_ROUND) {
      Parser->setFile(Data.File.path());
      if (Error E = visitRecord(Data.Next, Data.Stream, *Parser, Visitor))
        return E;
    }
    if (Error E = Advance(I))
      return E;
    BytesRead += Data.Stream.position() - Before;
    if (OnProgress && BytesRead >= NextProgress) {
      OnProgress(BytesRead);
      NextProgress = BytesRead + ProgressStep;
    }
  }
  warnOfUnknownIds(*Parser);
  return Error::success();
}

Expected<std::unique_ptr<PerfReader>>
openPerfDirectory(StringRef Path, DiagnosticSink &Diagnostics) {
  return PerfDirectoryReader::open(Path, Diagnostics);
}

} // namespace inlay
