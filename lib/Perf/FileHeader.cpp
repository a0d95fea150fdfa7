//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the header of a file in file mode, the attribute section and the
// feature sections.
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

#include "ByteCursor.h"
#include "PerfFormat.h"
#include "PerfHeader.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
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

class FileHeaderReader {
public:
  FileHeaderReader(const InputFile &File, endianness Order,
                   DiagnosticSink &Diagnostics)
      : File(File), Diagnostics(Diagnostics) {
    Header.Order = Order;
  }

  Expected<PerfHeader> read();

private:
  Error checkSection(Section S, const Twine &What) const;
  Expected<std::vector<uint8_t>> load(Section S, const Twine &What) const;
  Error readAttrs(Section Attrs, uint64_t EntrySize);
  Expected<bool> wasInterrupted(Section Data, ArrayRef<uint64_t> FeatureBits);
  Error readFeatures(ArrayRef<uint64_t> FeatureBits);
  ByteCursor cursor(ArrayRef<uint8_t> Bytes) const {
    return ByteCursor(Bytes, Header.Order);
  }

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

Error FileHeaderReader::checkSection(Section S, const Twine &What) const {
  if (S.Offset <= File.size() && S.Size <= File.size() - S.Offset)
    return Error::success();
  return fileErrorAt(File.path(), S.Offset,
                     What + " of " + Twine(S.Size) +
                         " bytes reaches beyond the file's end at 0x" +
                         Twine::utohexstr(File.size()) +
                         "; the file is truncated or corrupt, copy it or "
                         "record it again");
}

Expected<std::vector<uint8_t>> FileHeaderReader::load(Section S,
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

Error FileHeaderReader::readAttrs(Section Attrs, uint64_t EntrySize) {
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
    uint64_t AttrSize;
    Expected<PerfEventAttr> Attr = parseAttr(
        AttrBytes, Header.Order, File.path(), Attrs.Offset + At, AttrSize);
    if (!Attr)
      return Attr.takeError();
    ByteCursor SectionBytes = cursor(Entry.take_back(SectionSize));
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
    ByteCursor IdCursor = cursor(*IdTable);
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
Expected<bool>
FileHeaderReader::wasInterrupted(Section Data, ArrayRef<uint64_t> FeatureBits) {
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
  return cursor(*Entry).u64() != Data.Offset + Count * SectionSize;
}

/// The sections follow the records; so does the table of where they are.
Error FileHeaderReader::readFeatures(ArrayRef<uint64_t> FeatureBits) {
  SmallVector<unsigned> Features;
  for (unsigned F = 0; F != FeatureCount; ++F)
    if (FeatureBits[F / 64] >> (F % 64) & 1)
      Features.push_back(F);
  Section TableSection{Header.DataEnd, Features.size() * SectionSize};
  Expected<std::vector<uint8_t>> Table =
      load(TableSection, "the table of feature sections");
  if (!Table)
    return Table.takeError();
  ByteCursor C = cursor(*Table);
  for (unsigned F : Features) {
    Section S = readSection(C);
    std::string What = "the section of header feature " + utostr(F);
    if (Error E = checkSection(S, What))
      return E;
    if (!isFeatureOfInterest(F))
      continue;
    Expected<std::vector<uint8_t>> Bytes = load(S, What);
    if (!Bytes)
      return Bytes.takeError();
    if (Error E = parseFeature(F, *Bytes, File.path(), S.Offset, Header))
      return E;
  }
  return Error::success();
}

/// An array of words of the machine that recorded, which may have had 32 bits;
/// on a big-endian one that moves the bits. perf always sets HOSTNAME.
static void fixWordSize(MutableArrayRef<uint64_t> FeatureBits,
                        endianness Order) {
  auto HasHostName = [&] { return FeatureBits[0] >> FEATURE_HOSTNAME & 1; };
  if (Order == endianness::little || HasHostName())
    return;
  for (uint64_t &Word : FeatureBits)
    Word = Word << 32 | Word >> 32;
}

Expected<PerfHeader> FileHeaderReader::read() {
  std::vector<uint8_t> Bytes(std::min(FileHeaderSize, File.size()));
  if (Error E = File.read(0, Bytes))
    return E;
  ByteCursor C = cursor(Bytes);
  C.skip(Magic.size());
  uint64_t HeaderSize = C.u64();
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
  fixWordSize(FeatureBits, Header.Order);

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

Expected<Preamble> parsePreamble(ArrayRef<uint8_t> Bytes, StringRef File) {
  StringRef Start(reinterpret_cast<const char *>(Bytes.data()), Bytes.size());
  if (Start.empty())
    return fileError(File, "the file is empty; did perf record fail?");
  endianness Order = endianness::little;
  if (Start.starts_with(SwappedMagic))
    Order = endianness::big;
  else if (Start.starts_with("PERFFILE"))
    return fileError(File, "a perf.data file of format 1 (before Linux 3.5); "
                           "record again with a newer perf");
  else if (!Start.starts_with(Magic))
    return fileError(File, "not a perf.data file: it does not start with "
                           "PERFILE2; pass the file that perf record wrote");
  ByteCursor C(Bytes, Order);
  C.skip(Magic.size());
  uint64_t HeaderSize = C.u64();
  return Preamble{
      HeaderSize == PipeHeaderSize ? Container::Pipe : Container::File, Order};
}

Expected<PerfHeader> readFileHeader(const InputFile &File, endianness Order,
                                    DiagnosticSink &Diagnostics) {
  return FileHeaderReader(File, Order, Diagnostics).read();
}

} // namespace inlay
