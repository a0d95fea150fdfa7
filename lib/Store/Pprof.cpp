//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// pprof has a table of everything (locations, mappings, strings), and rows that
// refer to it by number. Every number is checked.
//
// What counts is the number of samples. Where a profile has only their time,
// the period turns one into the other.
//
//===----------------------------------------------------------------------===//

#include "inlay/Store/Pprof.h"
#include "pprof.pb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <zlib.h>

using namespace llvm;

namespace inlay {

static constexpr StringLiteral GzipMagic = "\x1f\x8b";
/// Field 1, a message: where a profile begins that is not packed.
static constexpr char SampleTypeTag = '\x0a';
static constexpr size_t MostBytes = size_t(1) << 28;

bool isPprof(StringRef Start) {
  return Start.starts_with(GzipMagic) ||
         (!Start.empty() && Start.front() == SampleTypeTag);
}

static Expected<std::string> unpack(StringRef Packed, StringRef Path) {
  z_stream Stream = {};
  constexpr int GzipOnly = 16;
  if (inflateInit2(&Stream, MAX_WBITS + GzipOnly) != Z_OK)
    return fileError(Path, "zlib cannot be initialized");
  std::string Text;
  Stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(Packed.data()));
  Stream.avail_in = static_cast<uInt>(Packed.size());
  int Code = Z_OK;
  while (Code == Z_OK) {
    constexpr size_t Step = 1 << 20;
    size_t Size = Text.size();
    if (Size > MostBytes) {
      inflateEnd(&Stream);
      return fileError(Path, "has more than 256 MiB once unpacked");
    }
    Text.resize(Size + Step);
    Stream.next_out = reinterpret_cast<Bytef *>(Text.data() + Size);
    Stream.avail_out = Step;
    Code = inflate(&Stream, Z_NO_FLUSH);
    Text.resize(Size + Step - Stream.avail_out);
  }
  inflateEnd(&Stream);
  if (Code != Z_STREAM_END)
    return fileError(Path, Code == Z_BUF_ERROR
                               ? "is cut short: its gzip data have no end"
                               : "is damaged: its gzip data make no sense");
  return Text;
}

namespace {

class PprofReader {
public:
  PprofReader(const pprof::Profile &Message, StringRef Path)
      : Message(Message), Path(Path) {}

  Expected<PprofProfile> read(DiagnosticSink &Diagnostics);

private:
  /// Why samples were not taken.
  struct LeftOut {
    uint64_t WithoutAddress = 0, WithoutBuildID = 0, Elsewhere = 0;
  };

  StringRef string(int64_t Index) const {
    if (Index < 0 || Index >= Message.string_table_size())
      return "";
    return Message.string_table(static_cast<int>(Index));
  }

  Error chooseValue();
  uint64_t countOf(const pprof::Sample &Sample) const;
  bool hasELFAddresses() const;
  const pprof::Mapping *mappingOf(const pprof::Location &Location) const {
    auto It = Mappings.find(Location.mapping_id());
    return It == Mappings.end() ? nullptr : It->second;
  }

  const pprof::Profile &Message;
  StringRef Path;
  std::map<uint64_t, const pprof::Mapping *> Mappings;
  std::map<uint64_t, const pprof::Location *> Locations;
  int Value = -1;       ///< which of a sample's values
  uint64_t Divisor = 1; ///< of it, for a number of samples
};

} // namespace

static bool holds(const pprof::Mapping &Mapping, uint64_t Address) {
  return Address >= Mapping.memory_start() && Address < Mapping.memory_limit();
}

Error PprofReader::chooseValue() {
  int Time = -1;
  std::string Types;
  for (int Index = 0; Index < Message.sample_type_size(); ++Index) {
    StringRef Type = string(Message.sample_type(Index).type());
    StringRef Unit = string(Message.sample_type(Index).unit());
    if (Unit == "count" && (Type == "samples" || Type == "sample"))
      Value = Index;
    if (Type == "cpu" && Unit == "nanoseconds")
      Time = Index;
    Types += (Types.empty() ? "" : ", ") + (Type + "/" + Unit).str();
  }
  StringRef Period = string(Message.period_type().type());
  bool IsCPU = Period == "cpu" || Period == "cycles" || Time >= 0;
  if (!IsCPU || (Value < 0 && Time < 0))
    return fileError(Path, "is no profile of CPU time: it counts " +
                               (Types.empty() ? "nothing" : Types));
  if (Value < 0) {
    if (Message.period() <= 0)
      return fileError(Path, "tells the time of samples, but neither their "
                             "number nor their period");
    Value = Time;
    Divisor = Message.period();
  }
  return Error::success();
}

uint64_t PprofReader::countOf(const pprof::Sample &Sample) const {
  if (Value >= Sample.value_size() || Sample.value(Value) <= 0)
    return 0;
  return divideNearest(static_cast<uint64_t>(Sample.value(Value)), Divisor);
}

bool PprofReader::hasELFAddresses() const {
  for (const pprof::Sample &Sample : Message.sample()) {
    if (Sample.location_id_size() == 0)
      continue;
    auto Location = Locations.find(Sample.location_id(0));
    if (Location == Locations.end())
      continue;
    const pprof::Mapping *Mapping = mappingOf(*Location->second);
    if (Mapping && Mapping->memory_start() != 0 &&
        holds(*Mapping, Location->second->address()))
      return false;
  }
  return true;
}

static Error explainNothing(StringRef Path, uint64_t WithoutAddress,
                            uint64_t WithoutBuildID, uint64_t Elsewhere) {
  if (WithoutAddress + WithoutBuildID + Elsewhere == 0)
    return fileError(Path, "holds no samples");
  if (WithoutAddress >= WithoutBuildID && WithoutAddress >= Elsewhere)
    return fileError(
        Path, "was symbolized and has lost its addresses: names of functions "
              "do not tell which of their lines ran; export it with addresses "
              "and mappings");
  if (WithoutBuildID >= Elsewhere)
    return fileError(Path, "its mappings have no GNU build IDs, so that nobody "
                           "can tell which binaries ran; link them with "
                           "-Wl,--build-id");
  return fileError(Path, "its samples are outside of all its mappings");
}

Expected<PprofProfile> PprofReader::read(DiagnosticSink &Diagnostics) {
  if (Error E = chooseValue())
    return E;
  for (const pprof::Mapping &Mapping : Message.mapping())
    Mappings[Mapping.id()] = &Mapping;
  for (const pprof::Location &Location : Message.location())
    Locations[Location.id()] = &Location;

  PprofProfile Result;
  Result.CountsVirtualAddresses = hasELFAddresses();
  constexpr int64_t NanosecondsPerSecond = 1000000000;
  Result.Started =
      std::max<int64_t>(Message.time_nanos(), 0) / NanosecondsPerSecond;
  Result.Duration = std::max<int64_t>(Message.duration_nanos(), 0) / 1000000;

  EventSamples Event;
  PerfEventAttr &Attr = Event.Attr;
  // What perf would call it: PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK; or
  // PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, which is 0.
  bool IsCycles = string(Message.period_type().type()) == "cycles";
  Attr.Type = IsCycles ? 0 : 1;
  Attr.Name = IsCycles ? "cycles" : "cpu-clock";
  if (IsCycles || string(Message.period_type().unit()) == "nanoseconds")
    Attr.SamplePeriodOrFrequency = std::max<int64_t>(Message.period(), 0);

  LeftOut Out;
  std::map<const pprof::Mapping *, size_t> Indexes;
  // Of each binary, as they come.
  std::vector<std::vector<std::pair<uint64_t, uint64_t>>> Counts;
  for (const pprof::Sample &Sample : Message.sample()) {
    uint64_t Count = countOf(Sample);
    if (!Count)
      continue;
    Event.Total = SaturatingAdd(Event.Total, Count);
    const pprof::Location *Location = nullptr;
    if (Sample.location_id_size() != 0)
      if (auto It = Locations.find(Sample.location_id(0));
          It != Locations.end())
        Location = It->second;
    const pprof::Mapping *Mapping = Location ? mappingOf(*Location) : nullptr;
    if (!Location || Location->address() == 0) {
      Out.WithoutAddress = SaturatingAdd(Out.WithoutAddress, Count);
      continue;
    }
    std::string BuildID;
    if (Mapping && !tryGetFromHex(string(Mapping->build_id()), BuildID))
      BuildID.clear();
    constexpr size_t MostBuildIDBytes = 64;
    if (BuildID.empty() || BuildID.size() > MostBuildIDBytes) {
      Out.WithoutBuildID = SaturatingAdd(Out.WithoutBuildID, Count);
      continue;
    }
    uint64_t Place = Location->address();
    if (!Result.CountsVirtualAddresses) {
      if (!holds(*Mapping, Place)) {
        Out.Elsewhere = SaturatingAdd(Out.Elsewhere, Count);
        continue;
      }
      Place = Place - Mapping->memory_start() + Mapping->file_offset();
    }
    if (Place > INT64_MAX) {
      Out.Elsewhere = SaturatingAdd(Out.Elsewhere, Count);
      continue;
    }
    auto [It, IsNew] = Indexes.try_emplace(Mapping, Event.Binaries.size());
    if (IsNew) {
      Event.Binaries.emplace_back();
      Event.Binaries.back().Path = string(Mapping->filename()).str();
      Event.Binaries.back().BuildID.assign(BuildID.begin(), BuildID.end());
      Counts.emplace_back();
    }
    BinarySamples &Samples = Event.Binaries[It->second];
    Counts[It->second].emplace_back(Place, Count);
    Samples.Total = SaturatingAdd(Samples.Total, Count);
    Samples.TotalPeriod = SaturatingMultiplyAdd<uint64_t>(
        Count, Attr.SamplePeriodOrFrequency, Samples.TotalPeriod);
  }
  for (auto [Samples, Places] : zip_equal(Event.Binaries, Counts))
    Samples.Counts = OffsetCounts<uint64_t>(std::move(Places));
  if (Event.Binaries.empty())
    return explainNothing(Path, Out.WithoutAddress, Out.WithoutBuildID,
                          Out.Elsewhere);
  Event.UnmappedSamples = SaturatingAdd(
      Out.WithoutAddress, SaturatingAdd(Out.WithoutBuildID, Out.Elsewhere));
  if (Event.UnmappedSamples)
    Diagnostics.note(Path + ": of " + Twine(Event.Total) + " samples, " +
                     Twine(Out.WithoutAddress) + " have no address, " +
                     Twine(Out.WithoutBuildID) +
                     " are in binaries without a GNU build ID, " +
                     Twine(Out.Elsewhere) + " are outside of their mapping");
  llvm::sort(Event.Binaries,
             [](const BinarySamples &L, const BinarySamples &R) {
               return std::tie(R.Total, L.Path) < std::tie(L.Total, R.Path);
             });
  Result.Profile.Events.push_back(std::move(Event));
  return Result;
}

Expected<PprofProfile> readPprof(StringRef Path, DiagnosticSink &Diagnostics) {
  // Looked at before it is read: a device would never end.
  sys::fs::file_status Status;
  if (std::error_code EC = sys::fs::status(Path, Status))
    return fileError(Path, EC.message());
  if (!sys::fs::is_regular_file(Status) || Status.getSize() > MostBytes)
    return fileError(Path, "is no file of at most 256 MiB");
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return fileError(Path, Buffer.getError().message());
  StringRef Bytes = (*Buffer)->getBuffer();
  std::string Unpacked;
  if (Bytes.starts_with(GzipMagic)) {
    if (Error E = unpack(Bytes, Path).moveInto(Unpacked))
      return E;
    Bytes = Unpacked;
  }
  pprof::Profile Message;
  if (!Message.ParseFromArray(Bytes.data(), static_cast<int>(Bytes.size())))
    return fileError(Path, "is no pprof profile, or is cut short");
  return PprofReader(Message, Path).read(Diagnostics);
}

} // namespace inlay
