//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM reads .eh_frame as a whole, all its unwind instructions included, and
// knows no exception tables. We need one entry at a time: .eh_frame_hdr is a
// sorted table from code to entries, made for just that. Every length in these
// tables is checked by LLVM's extractor against the end of the bytes; offsets
// lead to addresses, and addresses to bytes only where the file has some.
//
//===----------------------------------------------------------------------===//

#include "ExceptionTables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFDataExtractor.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace inlay {

namespace {

/// Of one function, in all its tables; more is not read.
constexpr unsigned MaxCallSites = 1 << 18;
constexpr unsigned MaxEntries = 1 << 10;

/// Reads forward from an address.
class Reader {
public:
  Reader(const LoadedImage &Image, uint64_t Address)
      : Address(Address), Data(Image.bytesAt(Address), /*IsLittleEndian=*/true,
                               /*AddressSize=*/8) {}

  /// Stops, as everything does after it, at the end of the bytes.
  bool isValid() const { return IsValid; }
  uint64_t address() const { return Address + Offset; }
  uint64_t unsignedInteger(unsigned Size) {
    if (!take(Size))
      return 0;
    uint64_t O = Offset;
    Offset += Size;
    return Data.getUnsigned(&O, Size);
  }
  uint64_t uleb() {
    uint64_t Before = Offset;
    uint64_t Value = Data.getULEB128(&Offset);
    IsValid &= Offset != Before;
    return Value;
  }
  StringRef string() {
    uint64_t Before = Offset;
    StringRef S = Data.getCStrRef(&Offset);
    IsValid &= Offset != Before;
    return S;
  }
  void skip(uint64_t Size) {
    if (take(Size))
      Offset += Size;
  }
  /// Encoded as DW_EH_PE_*.
  std::optional<uint64_t> pointer(uint8_t Encoding) {
    uint64_t Before = Offset;
    std::optional<uint64_t> P =
        Data.getEncodedPointer(&Offset, Encoding, Address + Offset);
    if (!P || Offset == Before)
      IsValid = false;
    return P;
  }

private:
  bool take(uint64_t Size) {
    IsValid = IsValid && Data.isValidOffsetForDataOfSize(Offset, Size);
    return IsValid;
  }

  uint64_t Address, Offset = 0;
  DWARFDataExtractor Data;
  bool IsValid = true;
};

/// What a frame description entry says that matters here.
struct FrameEntry {
  uint64_t Begin = 0, Size = 0;
  std::optional<uint64_t> ExceptionTable;
};

} // namespace

/// The length that begins an entry, 0 if there is none.
static uint64_t entryLength(Reader &R) {
  uint64_t Length = R.unsignedInteger(4);
  return Length == UINT32_MAX ? R.unsignedInteger(8) : Length;
}

static std::optional<FrameEntry> readEntry(const LoadedImage &Image,
                                           uint64_t Address) {
  Reader R(Image, Address);
  if (entryLength(R) == 0)
    return std::nullopt;
  // In .eh_frame this is a distance, of 4 bytes also where lengths have 8.
  uint64_t Place = R.address();
  uint64_t Distance = R.unsignedInteger(4);
  if (!R.isValid() || Distance == 0)
    return std::nullopt;

  Reader Common(Image, Place - Distance);
  if (entryLength(Common) == 0 || Common.unsignedInteger(4) != 0)
    return std::nullopt;
  uint64_t Version = Common.unsignedInteger(1);
  StringRef Augmentation = Common.string();
  if (!Common.isValid() || !Augmentation.consume_front("z"))
    return std::nullopt; // no exception table
  Common.uleb();         // code alignment
  Common.uleb();         // data alignment, signed: as long
  if (Version == 1)
    Common.skip(1); // return address
  else
    Common.uleb();
  Common.uleb(); // length of what the augmentation adds
  uint8_t CodeEncoding = dwarf::DW_EH_PE_absptr;
  uint8_t TableEncoding = dwarf::DW_EH_PE_omit;
  for (char C : Augmentation) {
    if (C == 'L')
      TableEncoding = Common.unsignedInteger(1);
    else if (C == 'R')
      CodeEncoding = Common.unsignedInteger(1);
    else if (C == 'P')
      Common.pointer(Common.unsignedInteger(1) & ~dwarf::DW_EH_PE_indirect);
    else if (C != 'S' && C != 'B' && C != 'G')
      return std::nullopt;
    if (!Common.isValid())
      return std::nullopt;
  }

  FrameEntry Entry;
  std::optional<uint64_t> Begin = R.pointer(CodeEncoding);
  std::optional<uint64_t> Size = R.pointer(CodeEncoding & 0x0f);
  R.uleb();
  if (!R.isValid() || !Begin || !Size)
    return std::nullopt;
  Entry.Begin = *Begin;
  Entry.Size = *Size;
  if (TableEncoding != dwarf::DW_EH_PE_omit) {
    uint64_t Before = R.address();
    std::optional<uint64_t> Table = R.pointer(TableEncoding);
    // A function without one has zero there, whatever that is relative to.
    if (R.isValid() && Table && *Table != 0 && *Table != Before)
      Entry.ExceptionTable = *Table;
  }
  return Entry;
}

static void readCallSites(const LoadedImage &Image, const FrameEntry &Entry,
                          unsigned &NumCallSites, std::vector<uint64_t> &Pads) {
  Reader R(Image, *Entry.ExceptionTable);
  uint64_t PadBase = Entry.Begin;
  uint8_t Encoding = R.unsignedInteger(1);
  if (Encoding != dwarf::DW_EH_PE_omit)
    PadBase = R.pointer(Encoding).value_or(0);
  Encoding = R.unsignedInteger(1);
  if (Encoding != dwarf::DW_EH_PE_omit)
    R.uleb(); // distance of the table of types
  Encoding = R.unsignedInteger(1);
  uint64_t Length = R.uleb();
  if (!R.isValid())
    return;
  uint64_t End = R.address() + Length;
  while (R.isValid() && R.address() < End && NumCallSites++ < MaxCallSites) {
    R.pointer(Encoding); // begin
    R.pointer(Encoding); // length
    std::optional<uint64_t> Pad = R.pointer(Encoding);
    R.uleb(); // action
    if (R.isValid() && Pad && *Pad != 0)
      Pads.push_back(PadBase + *Pad);
  }
}

std::vector<uint64_t> landingPads(const LoadedImage &Image, uint64_t Begin,
                                  uint64_t End) {
  std::vector<uint64_t> Pads;
  uint64_t Header = Image.section(".eh_frame_hdr").first;
  if (Header == 0 || Image.section(".gcc_except_table").first == 0)
    return Pads;
  Reader R(Image, Header);
  uint64_t Version = R.unsignedInteger(1);
  uint8_t FrameEncoding = R.unsignedInteger(1);
  uint8_t CountEncoding = R.unsignedInteger(1);
  uint8_t TableEncoding = R.unsignedInteger(1);
  // The only encoding that linkers write.
  if (Version != 1 ||
      TableEncoding != (dwarf::DW_EH_PE_datarel | dwarf::DW_EH_PE_sdata4))
    return Pads;
  R.pointer(FrameEncoding);
  uint64_t Count = R.pointer(CountEncoding).value_or(0);
  if (!R.isValid())
    return Pads;
  ArrayRef<uint8_t> Table = Image.bytesAt(R.address());
  Count = std::min<uint64_t>(Count, Table.size() / 8);
  auto Field = [&](uint64_t Index, unsigned Offset) {
    return Header + int64_t(int32_t(support::endian::read32le(
                        Table.data() + Index * 8 + Offset)));
  };

  // The last entry that begins at or before Begin.
  uint64_t Low = 0, High = Count;
  while (Low < High) {
    uint64_t Middle = Low + (High - Low) / 2;
    if (Field(Middle, 0) <= Begin)
      Low = Middle + 1;
    else
      High = Middle;
  }
  unsigned Entries = 0, NumCallSites = 0;
  for (uint64_t I = Low == 0 ? 0 : Low - 1;
       I < Count && Field(I, 0) < End && Entries++ != MaxEntries; ++I) {
    std::optional<FrameEntry> Entry = readEntry(Image, Field(I, 4));
    if (Entry && Entry->ExceptionTable && Entry->Begin < End &&
        Entry->Size > Begin - std::min(Begin, Entry->Begin))
      readCallSites(Image, *Entry, NumCallSites, Pads);
  }
  llvm::sort(Pads);
  Pads.erase(llvm::unique(Pads), Pads.end());
  return Pads;
}

} // namespace inlay
