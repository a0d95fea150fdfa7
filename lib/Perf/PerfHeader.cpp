//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the header, the attribute section and the feature sections.
//
//   perf_file_header   magic, sizes, the sections of attributes and records,
//                      a bit for each feature
//   attributes         for each event a perf_event_attr of any age, and where
//                      its sample ids lie
//   records            not read here
//   feature table      for each feature bit, in order, where its section lies
//
// Sizes and offsets are the file's claims. Each is checked against the file's
// real size before a byte is read or allocated for it, and tables may not
// overlap in a way that would multiply them: all ids together cannot take more
// room than the file has.
//
//===----------------------------------------------------------------------===//

#include "PerfHeader.h"
#include "ByteCursor.h"
#include "PerfFormat.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace inlay::perf;

namespace inlay {
namespace {

/// perf_file_section.
struct Section {
  uint64_t Offset = 0;
  uint64_t Size = 0;
};

class HeaderReader {
public:
  HeaderReader(const InputFile &File, DiagnosticSink &Diagnostics)
      : File(File), Diagnostics(Diagnostics) {}

  Expected<PerfHeader> read();

private:
  Error checkMagic(ArrayRef<uint8_t> Bytes);
  Error checkSection(Section S, const Twine &What) const;
  Expected<std::vector<uint8_t>> load(Section S, const Twine &What) const;
  Error readAttrs(Section Attrs, uint64_t EntrySize);
  Expected<bool> wasInterrupted(Section Data, ArrayRef<uint64_t> FeatureBits);
  Error readFeatures(ArrayRef<uint64_t> FeatureBits);
  Error readFeature(unsigned Feature, Section S);
  Error readBuildIDs(Section S, ArrayRef<uint8_t> Bytes);
  bool readEventNames(ByteCursor &C);
  bool readCommandLine(ByteCursor &C);

  const InputFile &File;
  DiagnosticSink &Diagnostics;
  PerfHeader Header;
};

} // namespace

static Section readSection(ByteCursor &C) {
  Section S;
  S.Offset = C.u64();
  S.Size = C.u64();
  return S;
}

/// perf_header_string: a length, and so many bytes with a NUL among them.
static StringRef readString(ByteCursor &C) {
  uint32_t Size = C.u32();
  return untilNul(C.bytes(Size));
}

Error HeaderReader::checkMagic(ArrayRef<uint8_t> Bytes) {
  StringRef Start(reinterpret_cast<const char *>(Bytes.data()), Bytes.size());
  if (Start.empty())
    return fileError(File.path(), "the file is empty; did perf record fail?");
  if (Start.starts_with(SwappedMagic))
    return fileError(File.path(),
                     "recorded on a big-endian machine, which is not supported "
                     "yet; convert it on a machine of that byte order");
  if (Start.starts_with("PERFFILE"))
    return fileError(File.path(), "a perf.data file of format 1 (before Linux "
                                  "3.5); record again with a newer perf");
  if (!Start.starts_with(Magic))
    return fileError(File.path(), "not a perf.data file: it does not start "
                                  "with PERFILE2; pass the file that perf "
                                  "record wrote");
  return Error::success();
}

Error HeaderReader::checkSection(Section S, const Twine &What) const {
  if (S.Offset <= File.size() && S.Size <= File.size() - S.Offset)
    return Error::success();
  return fileErrorAt(File.path(), S.Offset,
                     What + " of " + Twine(S.Size) +
                         " bytes reaches beyond the file's end at 0x" +
                         Twine::utohexstr(File.size()) +
                         "; the file is truncated or corrupt, copy it or "
                         "record it again");
}

Expected<std::vector<uint8_t>> HeaderReader::load(Section S,
                                                  const Twine &What) const {
  if (Error E = checkSection(S, What))
    return E;
  // A sparse file may be larger than memory.
  constexpr uint64_t MaxSectionSize = uint64_t(256) << 20;
  if (S.Size > MaxSectionSize)
    return fileErrorAt(File.path(), S.Offset,
                       What + " of " + Twine(S.Size) +
                           " bytes, more than any header holds; the file is "
                           "corrupt, record again");
  std::vector<uint8_t> Bytes(S.Size);
  if (Error E = File.read(S.Offset, Bytes))
    return E;
  return Bytes;
}

/// \p Bytes start with a perf_event_attr, maybe shorter or longer than ours;
/// fields that an old one lacks are zero.
static Expected<PerfEventAttr> readAttr(ArrayRef<uint8_t> Bytes, StringRef File,
                                        uint64_t Offset) {
  uint64_t Size = ByteCursor(Bytes.drop_front(4)).u32();
  if (Size == 0)
    Size = AttrSizeVer0;
  if (Size < AttrSizeVer0)
    return fileErrorAt(File, Offset,
                       "an event attribute of " + Twine(Size) +
                           " bytes, but the oldest has 64; the file is "
                           "corrupt, record again");
  ByteCursor C(Bytes.take_front(Size));
  PerfEventAttr Attr;
  Attr.Type = C.u32();
  C.u32(); // size
  Attr.Config = C.u64();
  Attr.SamplePeriodOrFrequency = C.u64();
  Attr.SampleType = C.u64();
  Attr.ReadFormat = C.u64();
  uint64_t Flags = C.u64();
  Attr.IsFrequency = Flags & ATTR_FREQ;
  Attr.SampleIdAll = Flags & ATTR_SAMPLE_ID_ALL;
  Attr.PreciseIP = (Flags >> AttrPreciseIPShift) & 3;
  C.skip(4 + 4 + 8 + 8); // wakeup, breakpoint type, config1, config2
  Attr.BranchSampleType = C.u64();
  Attr.SampleRegsUser = C.u64();
  Attr.SampleStackUser = C.u32();
  C.u32(); // clockid
  Attr.SampleRegsIntr = C.u64();
  // An unknown bit may stand for a field of unknown size anywhere in a sample.
  if (uint64_t Unknown = Attr.SampleType & ~uint64_t(SAMPLE_KNOWN))
    return fileErrorAt(File, Offset,
                       "an event with the unknown sample_type bits 0x" +
                           Twine::utohexstr(Unknown) +
                           "; the file is corrupt or from a newer perf, record "
                           "fewer fields");
  if (uint64_t Unknown = Attr.ReadFormat & ~uint64_t(FORMAT_KNOWN);
      Unknown && (Attr.SampleType & SAMPLE_READ))
    return fileErrorAt(File, Offset,
                       "an event with the unknown read_format bits 0x" +
                           Twine::utohexstr(Unknown) +
                           "; the file is corrupt or from a newer perf, record "
                           "without counter values in samples");
  Attr.Name = eventName(Attr.Type, Attr.Config);
  return Attr;
}

Error HeaderReader::readAttrs(Section Attrs, uint64_t EntrySize) {
  if (EntrySize < AttrSizeVer0 + SectionSize)
    return fileErrorAt(File.path(), 16,
                       "event attributes of " + Twine(EntrySize) +
                           " bytes each, but the oldest have 80; the file is "
                           "corrupt, record again");
  Expected<std::vector<uint8_t>> Table = load(Attrs, "the attribute section");
  if (!Table)
    return Table.takeError();
  if (Table->empty() || Table->size() % EntrySize)
    return fileErrorAt(File.path(), Attrs.Offset,
                       "an attribute section of " + Twine(Table->size()) +
                           " bytes, which is no positive multiple of " +
                           Twine(EntrySize) +
                           "; the file is corrupt, record again");
  uint64_t IdBytes = 0;
  for (uint64_t At = 0; At != Table->size(); At += EntrySize) {
    ArrayRef<uint8_t> Entry = ArrayRef(*Table).slice(At, EntrySize);
    ArrayRef<uint8_t> AttrBytes = Entry.drop_back(SectionSize);
    Expected<PerfEventAttr> Attr =
        readAttr(AttrBytes, File.path(), Attrs.Offset + At);
    if (!Attr)
      return Attr.takeError();
    ByteCursor SectionBytes(Entry.take_back(SectionSize));
    Section Ids = readSection(SectionBytes);
    IdBytes = SaturatingAdd(IdBytes, Ids.Size);
    if (IdBytes > File.size())
      return fileErrorAt(File.path(), Attrs.Offset + At,
                         "sample ids of more bytes than the file has; the file "
                         "is truncated or corrupt, record again");
    Expected<std::vector<uint8_t>> IdTable =
        load(Ids, "the table of sample ids");
    if (!IdTable)
      return IdTable.takeError();
    ByteCursor IdCursor(*IdTable);
    for (uint64_t I = 0; I != IdTable->size() / 8; ++I)
      Attr->Ids.push_back(IdCursor.u64());
    Header.Attrs.push_back(std::move(*Attr));
  }
  return Error::success();
}

/// perf writes the size of the data section and the features when it ends; a
/// size of zero means that it was killed, or that there was nothing to record.
/// In the latter case the table of features stands where records would, and
/// its first entry, the place of the section behind the table, is no record:
/// the size of that would be in its highest bits.
Expected<bool> HeaderReader::wasInterrupted(Section Data,
                                            ArrayRef<uint64_t> FeatureBits) {
  if (Data.Size != 0)
    return false;
  uint64_t Count = 0;
  for (uint64_t Word : FeatureBits)
    Count += popcount(Word);
  if (Count == 0 || File.size() - Data.Offset < SectionSize)
    return Count != 0 || Data.Offset != File.size();
  Expected<std::vector<uint8_t>> Entry =
      load({Data.Offset, SectionSize}, "the first record");
  if (!Entry)
    return Entry.takeError();
  return ByteCursor(*Entry).u64() != Data.Offset + Count * SectionSize;
}

/// The sections follow the records; so does the table of where they are.
Error HeaderReader::readFeatures(ArrayRef<uint64_t> FeatureBits) {
  SmallVector<unsigned> Features;
  for (unsigned F = 0; F != FeatureCount; ++F)
    if (FeatureBits[F / 64] >> (F % 64) & 1)
      Features.push_back(F);
  Section TableSection{Header.DataEnd, Features.size() * SectionSize};
  Expected<std::vector<uint8_t>> Table =
      load(TableSection, "the table of feature sections");
  if (!Table)
    return Table.takeError();
  ByteCursor C(*Table);
  for (unsigned F : Features) {
    Section S = readSection(C);
    if (Error E = checkSection(S, "the section of header feature " + Twine(F)))
      return E;
    if (Error E = readFeature(F, S))
      return E;
  }
  return Error::success();
}

Error HeaderReader::readFeature(unsigned Feature, Section S) {
  switch (Feature) {
  default:
    return Error::success();
  case FEATURE_BUILD_ID:
  case FEATURE_HOSTNAME:
  case FEATURE_ARCH:
  case FEATURE_CPUDESC:
  case FEATURE_CPUID:
  case FEATURE_CMDLINE:
  case FEATURE_EVENT_DESC:
    break;
  }
  Expected<std::vector<uint8_t>> Bytes =
      load(S, "the section of header feature " + Twine(Feature));
  if (!Bytes)
    return Bytes.takeError();
  ByteCursor C(*Bytes);
  bool IsValid = true;
  switch (Feature) {
  case FEATURE_BUILD_ID:
    return readBuildIDs(S, *Bytes);
  case FEATURE_HOSTNAME:
    Header.HostName = readString(C);
    break;
  case FEATURE_ARCH:
    Header.Arch = readString(C);
    break;
  case FEATURE_CPUDESC:
    Header.CpuDesc = readString(C);
    break;
  case FEATURE_CPUID:
    Header.CpuID = readString(C);
    break;
  case FEATURE_CMDLINE:
    IsValid = readCommandLine(C);
    break;
  case FEATURE_EVENT_DESC:
    IsValid = readEventNames(C);
    break;
  default:
    llvm_unreachable("a feature that is not read");
  }
  if (!IsValid || C.failed())
    return fileErrorAt(File.path(), S.Offset,
                       "the section of header feature " + Twine(Feature) +
                           " ends within a field; the file is corrupt, record "
                           "again");
  return Error::success();
}

bool HeaderReader::readCommandLine(ByteCursor &C) {
  uint32_t Count = C.u32();
  for (uint32_t I = 0; I != Count && !C.failed(); ++I)
    Header.CommandLine.push_back(readString(C).str());
  return !C.failed();
}

/// Event descriptions stand in the order of the attributes.
bool HeaderReader::readEventNames(ByteCursor &C) {
  uint32_t Count = C.u32();
  uint32_t AttrSize = C.u32();
  for (uint32_t I = 0; I != Count && !C.failed(); ++I) {
    C.skip(AttrSize);
    uint32_t IdCount = C.u32();
    StringRef Name = readString(C);
    C.skipWords(IdCount);
    if (!C.failed() && I < Header.Attrs.size() && !Name.empty())
      Header.Attrs[I].Name = Name;
  }
  return !C.failed();
}

/// Records like those of the data section: pid, 20 bytes of build ID (of which
/// fewer may count), 4 of padding, and a path up to the record's end.
Error HeaderReader::readBuildIDs(Section S, ArrayRef<uint8_t> Bytes) {
  constexpr uint64_t FixedSize = RecordHeaderSize + 4 + 24;
  uint64_t At = 0;
  while (At != Bytes.size()) {
    ByteCursor C(Bytes.drop_front(At));
    C.u32(); // type
    uint16_t Misc = C.u16();
    uint64_t Size = C.u16();
    if (C.failed() || Size < FixedSize || Size > Bytes.size() - At)
      return fileErrorAt(File.path(), S.Offset + At,
                         "an invalid entry in the table of build IDs; the file "
                         "is corrupt, record again");
    PerfBuildID Entry;
    Entry.Pid = C.s32();
    ArrayRef<uint8_t> ID = C.bytes(24);
    uint64_t IDSize = Misc & MISC_BUILD_ID_SIZE ? ID[20] : 20;
    ID = ID.take_front(std::min<uint64_t>(IDSize, 20));
    Entry.BuildID.assign(ID.begin(), ID.end());
    unsigned Mode = Misc & MISC_CPUMODE_MASK;
    Entry.Mode =
        Mode <= unsigned(CpuMode::GuestUser) ? CpuMode(Mode) : CpuMode::Unknown;
    Entry.Path = untilNul(C.bytes(Size - FixedSize));
    Header.BuildIDs.push_back(std::move(Entry));
    At += Size;
  }
  return Error::success();
}

Expected<PerfHeader> HeaderReader::read() {
  std::vector<uint8_t> Bytes(std::min(FileHeaderSize, File.size()));
  if (Error E = File.read(0, Bytes))
    return E;
  if (Error E = checkMagic(Bytes))
    return E;
  ByteCursor C(Bytes);
  C.skip(Magic.size());
  uint64_t HeaderSize = C.u64();
  if (!C.failed() && HeaderSize == PipeHeaderSize)
    return fileError(File.path(),
                     "recorded in pipe mode (perf record -o -), which is not "
                     "supported yet; record into a file (perf record -o FILE)");
  if (Bytes.size() < FileHeaderSize)
    return fileError(File.path(), "truncated: " + Twine(File.size()) +
                                      " bytes, but the header alone has 104; "
                                      "copy it or record it again");
  if (HeaderSize != FileHeaderSize)
    return fileErrorAt(File.path(), 8,
                       "a header of " + Twine(HeaderSize) +
                           " bytes where 104 are expected; the file is "
                           "corrupt, record again");
  uint64_t AttrEntrySize = C.u64();
  Section Attrs = readSection(C);
  Section Data = readSection(C);
  readSection(C); // event types, which perf no longer writes
  uint64_t FeatureBits[FeatureCount / 64];
  for (uint64_t &Word : FeatureBits)
    Word = C.u64();

  if (Error E = readAttrs(Attrs, AttrEntrySize))
    return E;
  if (Error E = checkSection(Data, "the data section"))
    return E;
  Header.DataBegin = Data.Offset;
  Header.DataEnd = Data.Offset + Data.Size;
  Expected<bool> IsInterrupted = wasInterrupted(Data, FeatureBits);
  if (!IsInterrupted)
    return IsInterrupted.takeError();
  if (*IsInterrupted) {
    Header.IsInterrupted = true;
    Header.DataEnd = File.size();
    Diagnostics.warning(File.path() +
                        ": perf record did not finish this file; what there is "
                        "of its records is used, without build IDs and event "
                        "names");
  } else if (Error E = readFeatures(FeatureBits)) {
    return E;
  }
  return std::move(Header);
}

Expected<PerfHeader> readPerfHeader(const InputFile &File,
                                    DiagnosticSink &Diagnostics) {
  return HeaderReader(File, Diagnostics).read();
}

} // namespace inlay
