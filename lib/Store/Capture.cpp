//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ids of captures are made here, not by the database, because asking for one
// takes more than the right to insert. They begin with the time, so that what
// comes together lies together; the rest is random, and a clash is noticed by
// the primary key and tried again with another.
//
//===----------------------------------------------------------------------===//

#include "inlay/Store/Capture.h"
#include "FieldHash.h"
#include "Rows.h"
#include "inlay/Sampling/CallSamples.h"
#include "inlay/Sampling/MergeRawProfiles.h"
#include "inlay/Store/Schema.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA256.h"
#include <chrono>
#include <random>

using namespace llvm;

namespace inlay {

int64_t applicationID(StringRef Name) {
  return FieldHash("application").add(Name).id();
}

int64_t hostID(StringRef Name) { return FieldHash("host").add(Name).id(); }

int64_t versionID(StringRef Application, StringRef Label) {
  return FieldHash("version").add(Application).add(Label).id();
}

Expected<std::string> contentKey(StringRef Application, StringRef Host,
                                 StringRef FilePath) {
  Expected<sys::fs::file_t> File = sys::fs::openNativeFileForRead(FilePath);
  if (!File)
    return fileError(FilePath, toString(File.takeError()));
  SHA256 Hash;
  std::vector<char> Buffer(1 << 16);
  Error Failure = Error::success();
  while (true) {
    Expected<size_t> Size = sys::fs::readNativeFile(*File, Buffer);
    if (!Size) {
      Failure = fileError(FilePath, toString(Size.takeError()));
      break;
    }
    if (*Size == 0)
      break;
    Hash.update(StringRef(Buffer.data(), *Size));
  }
  sys::fs::closeFile(*File);
  if (Failure)
    return Failure;
  return FieldHash("capture")
      .add(Application)
      .add(Host)
      .add(toHex(Hash.final()))
      .hex();
}

Error checkName(StringRef What, StringRef Name) {
  constexpr size_t MostBytes = 255;
  if (Name.size() > MostBytes)
    return createStringError(inconvertibleErrorCode(),
                             What + " has more than " + Twine(MostBytes) +
                                 " bytes");
  if (!json::isUTF8(Name) ||
      any_of(Name, [](char C) { return static_cast<uint8_t>(C) < 0x20; }))
    return createStringError(inconvertibleErrorCode(),
                             What + " must be UTF-8 without control "
                                    "characters");
  return Error::success();
}

static int64_t newCaptureID() {
  static std::mt19937_64 Random{[] {
    std::random_device Device;
    return (static_cast<uint64_t>(Device()) << 32) | Device();
  }()};
  constexpr unsigned RandomBits = 22;
  auto Now = std::chrono::duration_cast<std::chrono::milliseconds>(
                 std::chrono::system_clock::now().time_since_epoch())
                 .count();
  uint64_t Time = std::max<int64_t>(Now, 0);
  return static_cast<int64_t>(((Time << RandomBits) & INT64_MAX) |
                              (Random() >> (64 - RandomBits)));
}

/// Paths are bytes; the store's text is UTF-8.
static std::string asText(StringRef Bytes) {
  constexpr size_t MostBytes = 4096;
  std::string Text = json::fixUTF8(Bytes.take_front(MostBytes));
  erase(Text, '\0');
  return Text;
}

namespace {

/// The rows of one capture, made before the transaction begins.
struct CaptureRows {
  RowList Events, Binaries, Samples;
};

} // namespace

static int64_t eventRow(const EventSamples &Event, const RawProfile &Profile,
                        RowList &Rows) {
  const PerfEventAttr &Attr = Event.Attr;
  std::string Name = asText(Attr.Name), Arch = asText(Profile.Arch),
              CpuDesc = asText(Profile.CpuDesc), CpuID = asText(Profile.CpuID);
  int64_t ID = FieldHash("event")
                   .add(Name)
                   .add(Attr.Type)
                   .add(Attr.Config)
                   .add(Attr.BranchSampleType)
                   .add(Attr.PreciseIP)
                   .add(Attr.SamplePeriodOrFrequency)
                   .add(Attr.IsFrequency)
                   .add(Arch)
                   .add(CpuDesc)
                   .add(CpuID)
                   .id();
  Rows.push_back({ID, Name, static_cast<int64_t>(Attr.Type),
                  static_cast<int64_t>(Attr.Config),
                  static_cast<int64_t>(Attr.BranchSampleType),
                  static_cast<int64_t>(Attr.PreciseIP),
                  static_cast<int64_t>(Attr.SamplePeriodOrFrequency),
                  static_cast<int64_t>(Attr.IsFrequency), Arch, CpuDesc,
                  CpuID});
  return ID;
}

static int64_t binaryRow(const BinarySamples &Samples, RowList &Rows) {
  std::string BuildID = toHex(Samples.BuildID, /*LowerCase=*/true);
  std::string Path = asText(Samples.Path);
  FieldHash Hash("binary");
  // The same file under several paths is one binary.
  Hash.add(BuildID).add(BuildID.empty() ? StringRef(Path) : StringRef());
  int64_t ID = Hash.add(static_cast<uint64_t>(Samples.Kind)).id();
  Rows.push_back({ID, BuildID, Path, static_cast<int64_t>(Samples.Kind)});
  return ID;
}

/// The most frequent of \p Counts, if they are too many.
static void keepMostFrequent(std::vector<PackedCount> &Counts) {
  if (Counts.size() <= MaxCaptureFrames)
    return;
  auto Last = Counts.begin() + MaxCaptureFrames;
  std::nth_element(Counts.begin(), Last, Counts.end(),
                   [](const PackedCount &L, const PackedCount &R) {
                     return L.N != R.N ? L.N > R.N : L < R;
                   });
  Counts.erase(Last, Counts.end());
}

/// Counts of one kind, sorted and within bounds. \p Calls are of the same
/// samples.
static std::vector<PackedCount> packedCounts(const BinarySamples &Samples,
                                             ArrayRef<CallSamples> Calls,
                                             SampleKind Kind) {
  std::vector<PackedCount> Counts;
  auto Add = [&](uint64_t A, uint64_t B, uint64_t Count) {
    // Offsets beyond that are of no file.
    if (Count && A <= INT64_MAX && B <= INT64_MAX)
      Counts.push_back(
          {static_cast<int64_t>(A), static_cast<int64_t>(B),
           static_cast<int64_t>(std::min(Count, MaxCaptureCount))});
  };
  auto AddPairs = [&](const OffsetCounts<OffsetPair> &Pairs) {
    for (const auto &[Pair, Count] : Pairs)
      Add(Pair.first, Pair.second, Count);
  };
  auto AddOffsets = [&](const OffsetCounts<uint64_t> &Offsets) {
    for (auto [Offset, Count] : Offsets)
      Add(Offset, 0, Count);
  };
  auto AddFrames = [&](bool AreSampled) {
    for (const CallSamples &Call : Calls)
      // One that returns to offset 0 would be taken for one without a caller.
      if (Call.IsLeaf == AreSampled && Call.Return != 0)
        Add(Call.Callee, Call.Return.value_or(0), Call.Samples);
    keepMostFrequent(Counts);
  };
  switch (Kind) {
  case SampleKind::Address:
  case SampleKind::VirtualAddress:
    AddOffsets(Samples.Counts);
    break;
  case SampleKind::Branch:
    AddPairs(Samples.Branches);
    break;
  case SampleKind::BranchIn:
    AddOffsets(Samples.BranchesIn);
    break;
  case SampleKind::BranchOut:
    AddOffsets(Samples.BranchesOut);
    break;
  case SampleKind::Range:
    AddPairs(Samples.Ranges);
    break;
  case SampleKind::SampledFrame:
    AddFrames(true);
    break;
  case SampleKind::CallingFrame:
    AddFrames(false);
    break;
  }
  llvm::sort(Counts);
  return Counts;
}

static void sampleRows(int64_t CaptureID, int64_t EventID, int64_t BinaryID,
                       const BinarySamples &Samples,
                       ArrayRef<CallSamples> Calls, SampleKind Addresses,
                       SQLDialect Dialect, RowList &Rows) {
  for (SampleKind Kind : {Addresses, SampleKind::Branch, SampleKind::BranchIn,
                          SampleKind::BranchOut, SampleKind::Range,
                          SampleKind::SampledFrame, SampleKind::CallingFrame}) {
    std::vector<PackedCount> Counts = packedCounts(Samples, Calls, Kind);
    if (Counts.empty())
      continue;
    uint64_t Sum = 0;
    for (const PackedCount &Count : Counts)
      Sum = std::min(Sum + Count.N, MaxCaptureCount);
    uint64_t Period =
        Kind == Addresses ? std::min(Samples.TotalPeriod, MaxCapturePeriod) : 0;
    std::vector<SQLValue> Row = {CaptureID,
                                 EventID,
                                 BinaryID,
                                 static_cast<int64_t>(Kind),
                                 static_cast<int64_t>(Sum),
                                 static_cast<int64_t>(Period)};
    appendPacked(Counts, Dialect, Row);
    Rows.push_back(std::move(Row));
  }
}

/// \p Profile with names as they are stored, and what has the same key in the
/// store taken together: files of one build ID under several paths, events of
/// several CPUs.
static RawProfile united(const RawProfile &Profile) {
  RawProfile Named = Profile, United;
  United.Arch = Named.Arch;
  United.CpuDesc = Named.CpuDesc;
  United.CpuID = Named.CpuID;
  for (EventSamples &Event : Named.Events) {
    Event.Attr.Name = asText(Event.Attr.Name);
    for (BinarySamples &Samples : Event.Binaries)
      Samples.Path = asText(Samples.Path);
    // What is added to an event is united with what is there.
    if (none_of(United.Events, [&](const EventSamples &Known) {
          return isSameEvent(Known.Attr, Event.Attr);
        }))
      United.Events.emplace_back().Attr = Event.Attr;
  }
  // Of the same processor, and so never refused.
  cantFail(mergeRawProfiles(United, Named));
  return United;
}

static CaptureRows rowsOf(const Capture &C, int64_t CaptureID,
                          SQLDialect Dialect) {
  CaptureRows Rows;
  for (const EventSamples &Event : united(C.Profile).Events) {
    if (Event.Binaries.empty())
      continue;
    int64_t EventID = eventRow(Event, C.Profile, Rows.Events);
    for (const BinarySamples &Samples : Event.Binaries) {
      int64_t BinaryID = binaryRow(Samples, Rows.Binaries);
      sampleRows(CaptureID, EventID, BinaryID, Samples,
                 callSamplesOf(Event, Samples),
                 C.CountsVirtualAddresses ? SampleKind::VirtualAddress
                                          : SampleKind::Address,
                 Dialect, Rows.Samples);
    }
  }
  // A binary that several events saw has a row of each.
  auto Less = [](const std::vector<SQLValue> &L,
                 const std::vector<SQLValue> &R) {
    return L[0].integer() < R[0].integer();
  };
  // In the same order everywhere, so that two that deliver at once do not wait
  // for each other.
  for (RowList *Names : {&Rows.Events, &Rows.Binaries}) {
    llvm::sort(*Names, Less);
    Names->erase(llvm::unique(*Names,
                              [&](const auto &L, const auto &R) {
                                return !Less(L, R) && !Less(R, L);
                              }),
                 Names->end());
  }
  return Rows;
}

/// An error's kind and constraint, if it is a DatabaseError.
static bool violates(const Error &E, StringRef PostgreSQLName,
                     StringRef SQLiteColumns) {
  bool Found = false;
  visitErrors(E, [&](const ErrorInfoBase &Info) {
    if (!Info.isA<DatabaseError>())
      return;
    StringRef Constraint =
        static_cast<const DatabaseError &>(Info).constraint();
    Found |= Constraint == PostgreSQLName || Constraint == SQLiteColumns;
  });
  return Found;
}

Expected<bool> CaptureWriter::tryDeliver(const Capture &C) {
  int64_t ID = newCaptureID();
  CaptureRows Rows = rowsOf(C, ID, DB.dialect());
  int64_t Application = applicationID(C.Application), Host = hostID(C.Host),
          Version = versionID(C.Application, C.Version);

  Expected<Transaction> Delivery =
      Transaction::begin(DB, TransactionKind::Write);
  if (!Delivery)
    return Delivery.takeError();
  std::vector<int64_t> New;
  auto InsertNames = [&](StringRef Table, RowList Names) {
    erase_if(Names, [&](const std::vector<SQLValue> &Row) {
      return Known.contains(Row[0].integer());
    });
    for (const std::vector<SQLValue> &Row : Names)
      New.push_back(Row[0].integer());
    return insertRows(DB, Table, Names, "ON CONFLICT DO NOTHING");
  };
  if (Error E =
          InsertNames("application (id, name)", {{Application, C.Application}}))
    return E;
  if (Error E = InsertNames("host (id, name)", {{Host, C.Host}}))
    return E;
  if (Error E = InsertNames("version (id, application, label)",
                            {{Version, Application, C.Version}}))
    return E;
  if (Error E = InsertNames("event (id, name, type, config,"
                            " branch_sample_type, precise_ip, period,"
                            " is_frequency, arch, cpu_desc, cpu_id)",
                            Rows.Events))
    return E;
  if (Error E =
          InsertNames("binary_file (id, build_id, path, kind)", Rows.Binaries))
    return E;

  uint64_t Samples = 0;
  for (const EventSamples &Event : C.Profile.Events)
    Samples = std::min(Samples + Event.Total, MaxCaptureCount);
  if (Error E = insertRows(
          DB,
          "capture (id, content, format, application, version, host, started,"
          " duration, samples, lost)",
          {{ID, C.Content, CaptureFormat, Application, Version, Host, C.Started,
            C.Duration, static_cast<int64_t>(Samples),
            static_cast<int64_t>(
                std::min(C.Profile.LostEvents, MaxCaptureCount))}})) {
    if (!violates(E, "capture_content", "capture.content"))
      return E;
    consumeError(std::move(E));
    return false;
  }
  if (Error E =
          insertRows(DB,
                     DB.dialect() == SQLDialect::SQLite
                         ? "capture_samples (capture, event,"
                           " binary_file, kind, samples, period, counts)"
                         : "capture_samples (capture, event,"
                           " binary_file, kind, samples, period, a, b, n)",
                     Rows.Samples))
    return E;
  if (Error E = Delivery->commit())
    return E;
  Known.insert(New.begin(), New.end());
  return true;
}

Expected<bool> CaptureWriter::deliver(const Capture &C) {
  constexpr unsigned MostTries = 10;
  for (unsigned Try = 1;; ++Try) {
    Expected<bool> IsNew = tryDeliver(C);
    if (IsNew)
      return IsNew;
    Error E = IsNew.takeError();
    if (violates(E, "capture_format", "capture_format"))
      return make_error<DatabaseError>(
          DatabaseErrorKind::Refused,
          DB.name().str() + ": its tables are not made for captures of this "
                            "llvm-profstore; update them (llvm-profstore "
                            "migrate, by their owner) or llvm-profstore");
    DatabaseErrorKind Kind = kindOf(E);
    // Duplicate: of the random id. Refused: a name that was there has been
    // collected meanwhile.
    if (Try == MostTries || (Kind != DatabaseErrorKind::Conflict &&
                             Kind != DatabaseErrorKind::Duplicate &&
                             Kind != DatabaseErrorKind::Refused))
      return E;
    consumeError(std::move(E));
    Known.clear();
  }
}

} // namespace inlay
