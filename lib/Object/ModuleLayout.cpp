//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ModuleLayout.h.
//
//===----------------------------------------------------------------------===//

#include "ModuleLayout.h"
#include "CompressedSection.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/Decompressor.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <vector>

using namespace llvm;
using namespace llvm::object;
using namespace llvm::support::endian;

namespace inlay {

/// Of a module's parts other than its text, as a bound for hostile files: no
/// file holds more, and addresses do not wrap.
static constexpr uint64_t MaxSectionSize = uint64_t(1) << 32;
/// Page tables of an architecture know no larger ones.
static constexpr uint64_t MaxAlignment = 1 << 21;

bool isKernelModule(const ELF64LEObjectFile &Object) {
  const ELF64LEFile &File = Object.getELFFile();
  if (File.getHeader().e_type != ELF::ET_REL)
    return false;
  auto SectionsOrErr = File.sections();
  if (!SectionsOrErr) {
    consumeError(SectionsOrErr.takeError());
    return false;
  }
  return any_of(*SectionsOrErr, [&](const ELF64LE::Shdr &Section) {
    Expected<StringRef> NameOrErr = File.getSectionName(Section);
    if (NameOrErr)
      return *NameOrErr == ".modinfo";
    consumeError(NameOrErr.takeError());
    return false;
  });
}

namespace {

class Layout {
public:
  explicit Layout(const ELF64LEFile &File) : File(File) {}
  Expected<std::unique_ptr<MemoryBuffer>> run();

private:
  Error assignAddresses();
  Error assignOffsets();
  Error decompress(size_t Index);
  Error relocate(const ELF64LE::Shdr &Section);
  Error moveSymbols(const ELF64LE::Shdr &Section);
  void place(size_t Index, uint64_t &Next);
  /// Address of what \p Symbol names; 0 if that is elsewhere.
  uint64_t addressOf(const ELF64LE::Sym &Symbol) const;
  void addSegments(size_t TableOffset, size_t Count);

  template <typename T> T *at(uint64_t Offset) {
    return reinterpret_cast<T *>(Copy->getBufferStart() + Offset);
  }

  const ELF64LEFile &File;
  ArrayRef<ELF64LE::Shdr> Sections;
  std::vector<uint64_t> Addresses; // by section
  std::vector<size_t> Loaded;      // sections with contents, as placed
  /// Where a section's contents are in the copy, by section. Those of
  /// compressed ones are behind the file.
  struct Contents {
    uint64_t Offset, Size;
  };
  std::vector<Contents> InCopy;
  uint64_t CopySize = 0;
  std::unique_ptr<WritableMemoryBuffer> Copy;
};

} // namespace

void Layout::place(size_t Index, uint64_t &Next) {
  const ELF64LE::Shdr &Section = Sections[Index];
  uint64_t Alignment =
      std::clamp<uint64_t>(Section.sh_addralign, 1, MaxAlignment);
  if (isPowerOf2_64(Alignment))
    Next = alignTo(Next, Alignment);
  Addresses[Index] = Next;
  Next += std::min<uint64_t>(Section.sh_size, MaxSectionSize);
  if (Section.sh_type != ELF::SHT_NOBITS && Section.sh_size != 0)
    Loaded.push_back(Index);
}

Error Layout::assignAddresses() {
  Addresses.resize(Sections.size());
  uint64_t Next = ModuleTextAddress;
  // The text, and then all else: nothing is known of where that is.
  for (bool IsText : {true, false})
    for (auto [Index, Section] : enumerate(Sections)) {
      if (!(Section.sh_flags & ELF::SHF_ALLOC))
        continue;
      Expected<StringRef> NameOrErr = File.getSectionName(Section);
      if (!NameOrErr)
        return NameOrErr.takeError();
      bool IsOfText = (Section.sh_flags & ELF::SHF_EXECINSTR) &&
                      !NameOrErr->starts_with(".init");
      if (IsOfText == IsText)
        place(Index, Next);
    }
  return Error::success();
}

static bool isCompressed(const ELF64LE::Shdr &Section) {
  return Section.sh_type != ELF::SHT_NOBITS &&
         (Section.sh_flags & ELF::SHF_COMPRESSED);
}

Error Layout::assignOffsets() {
  CopySize = File.getBufSize();
  for (const ELF64LE::Shdr &Section : Sections) {
    Contents &Place =
        InCopy.emplace_back(Contents{Section.sh_offset, Section.sh_size});
    if (!isCompressed(Section))
      continue;
    Expected<StringRef> NameOrErr = File.getSectionName(Section);
    if (!NameOrErr)
      return NameOrErr.takeError();
    auto ContentsOrErr = File.getSectionContents(Section);
    if (!ContentsOrErr)
      return ContentsOrErr.takeError();
    if (Error E =
            decompressedSize(*NameOrErr, *ContentsOrErr).moveInto(Place.Size))
      return E;
    Place.Offset = alignTo(CopySize, 8);
    CopySize = Place.Offset + Place.Size;
  }
  return Error::success();
}

/// Decompresses to where assignOffsets() has made room, and says so in the
/// section's header.
Error Layout::decompress(size_t Index) {
  Expected<StringRef> NameOrErr = File.getSectionName(Sections[Index]);
  if (!NameOrErr)
    return NameOrErr.takeError();
  auto ContentsOrErr = File.getSectionContents(Sections[Index]);
  if (!ContentsOrErr)
    return ContentsOrErr.takeError();
  Expected<Decompressor> DecompressorOrErr =
      Decompressor::create(*NameOrErr, toStringRef(*ContentsOrErr),
                           /*IsLE=*/true, /*Is64Bit=*/true);
  if (!DecompressorOrErr)
    return DecompressorOrErr.takeError();
  const Contents &Place = InCopy[Index];
  // There may be less in it than it claims.
  std::fill_n(at<uint8_t>(Place.Offset), Place.Size, 0);
  if (Error E = DecompressorOrErr->decompress(
          {at<uint8_t>(Place.Offset), size_t(Place.Size)}))
    return createStringError(
        "section " + *NameOrErr +
        " cannot be decompressed: " + toString(std::move(E)));
  auto *Header = at<ELF64LE::Shdr>(File.getHeader().e_shoff +
                                   Index * sizeof(ELF64LE::Shdr));
  Header->sh_flags = Header->sh_flags & ~uint64_t(ELF::SHF_COMPRESSED);
  Header->sh_offset = Place.Offset;
  Header->sh_size = Place.Size;
  return Error::success();
}

uint64_t Layout::addressOf(const ELF64LE::Sym &Symbol) const {
  if (Symbol.st_shndx == ELF::SHN_ABS)
    return Symbol.st_value;
  if (Symbol.st_shndx == ELF::SHN_UNDEF || Symbol.st_shndx >= Sections.size())
    return 0;
  return Addresses[Symbol.st_shndx] + Symbol.st_value;
}

Error Layout::relocate(const ELF64LE::Shdr &Section) {
  if (Section.sh_info >= Sections.size())
    return createStringError("relocations of a section that does not exist");
  const ELF64LE::Shdr &Target = Sections[Section.sh_info];
  if (Target.sh_type == ELF::SHT_NOBITS)
    return Error::success();
  auto RelasOrErr = File.relas(Section);
  if (!RelasOrErr)
    return RelasOrErr.takeError();
  auto TableOrErr = File.getSection(Section.sh_link);
  if (!TableOrErr)
    return TableOrErr.takeError();
  auto SymbolsOrErr = File.symbols(*TableOrErr);
  if (!SymbolsOrErr)
    return SymbolsOrErr.takeError();
  if (auto ContentsOrErr = File.getSectionContents(Target); !ContentsOrErr)
    return ContentsOrErr.takeError();
  const auto [Offset, Size] = InCopy[Section.sh_info];

  for (const ELF64LE::Rela &R : *RelasOrErr) {
    uint32_t Index = R.getSymbol(/*isMips64EL=*/false);
    if (Index >= SymbolsOrErr->size() || Size < 4 || R.r_offset > Size - 4)
      continue;
    bool HasEight = Size - R.r_offset >= 8;
    auto *Field = at<uint8_t>(Offset + R.r_offset);
    uint64_t Value = addressOf((*SymbolsOrErr)[Index]) + R.r_addend;
    uint64_t Relative = Value - (Addresses[Section.sh_info] + R.r_offset);
    uint32_t Type = R.getType(/*isMips64EL=*/false);
    if (File.getHeader().e_machine == ELF::EM_X86_64) {
      if (Type == ELF::R_X86_64_64 && HasEight)
        write64le(Field, Value);
      else if (Type == ELF::R_X86_64_32 || Type == ELF::R_X86_64_32S)
        write32le(Field, Value);
      else if (Type == ELF::R_X86_64_PC32 || Type == ELF::R_X86_64_PLT32)
        write32le(Field, Relative);
      else if (Type == ELF::R_X86_64_PC64 && HasEight)
        write64le(Field, Relative);
    } else {
      constexpr uint32_t Immediate = (1u << 26) - 1;
      if (Type == ELF::R_AARCH64_ABS64 && HasEight)
        write64le(Field, Value);
      else if (Type == ELF::R_AARCH64_ABS32)
        write32le(Field, Value);
      else if (Type == ELF::R_AARCH64_PREL32)
        write32le(Field, Relative);
      else if (Type == ELF::R_AARCH64_CALL26 || Type == ELF::R_AARCH64_JUMP26)
        write32le(Field, (read32le(Field) & ~Immediate) |
                             ((Relative >> 2) & Immediate));
    }
  }
  return Error::success();
}

Error Layout::moveSymbols(const ELF64LE::Shdr &Section) {
  auto SymbolsOrErr = File.symbols(&Section);
  if (!SymbolsOrErr)
    return SymbolsOrErr.takeError();
  auto *Moved = at<ELF64LE::Sym>(Section.sh_offset);
  for (auto [Index, Symbol] : enumerate(*SymbolsOrErr))
    if (Symbol.st_shndx != ELF::SHN_UNDEF && Symbol.st_shndx < Sections.size())
      Moved[Index].st_value = addressOf(Symbol);
  return Error::success();
}

void Layout::addSegments(size_t TableOffset, size_t Count) {
  for (size_t I = 0; I != Count; ++I) {
    const ELF64LE::Shdr &Section = Sections[Loaded[I]];
    ELF64LE::Phdr Segment = {};
    Segment.p_type = ELF::PT_LOAD;
    uint32_t Flags = ELF::PF_R;
    if (Section.sh_flags & ELF::SHF_EXECINSTR)
      Flags |= ELF::PF_X;
    if (Section.sh_flags & ELF::SHF_WRITE)
      Flags |= ELF::PF_W;
    Segment.p_flags = Flags;
    Segment.p_offset = InCopy[Loaded[I]].Offset;
    Segment.p_filesz = InCopy[Loaded[I]].Size;
    Segment.p_memsz = InCopy[Loaded[I]].Size;
    Segment.p_vaddr = Addresses[Loaded[I]];
    Segment.p_paddr = Addresses[Loaded[I]];
    Segment.p_align = 1;
    *at<ELF64LE::Phdr>(TableOffset + I * sizeof(ELF64LE::Phdr)) = Segment;
  }
  auto *Header = at<ELF64LE::Ehdr>(0);
  Header->e_type = ELF::ET_EXEC;
  Header->e_phoff = TableOffset;
  Header->e_phentsize = sizeof(ELF64LE::Phdr);
  Header->e_phnum = Count;
}

Expected<std::unique_ptr<MemoryBuffer>> Layout::run() {
  auto SectionsOrErr = File.sections();
  if (!SectionsOrErr)
    return SectionsOrErr.takeError();
  Sections = *SectionsOrErr;
  if (Error E = assignAddresses())
    return E;
  if (Error E = assignOffsets())
    return E;

  // As many as readers of segments are ready to take; text is first.
  size_t Count = std::min<size_t>(Loaded.size(), 100);
  size_t TableOffset = alignTo(CopySize, 8);
  Copy = WritableMemoryBuffer::getNewUninitMemBuffer(
      TableOffset + Count * sizeof(ELF64LE::Phdr));
  if (!Copy)
    return createStringError("not enough memory");
  std::copy_n(File.base(), File.getBufSize(), at<uint8_t>(0));
  std::fill(at<uint8_t>(File.getBufSize()), at<uint8_t>(TableOffset), 0);

  for (auto [Index, Section] : enumerate(Sections))
    if (isCompressed(Section))
      if (Error E = decompress(Index))
        return E;
  for (const ELF64LE::Shdr &Section : Sections) {
    Error E = Error::success();
    if (Section.sh_type == ELF::SHT_RELA)
      E = relocate(Section);
    else if (Section.sh_type == ELF::SHT_SYMTAB)
      E = moveSymbols(Section);
    if (E)
      return E;
  }
  auto *Table = at<ELF64LE::Shdr>(File.getHeader().e_shoff);
  for (auto [Index, Address] : enumerate(Addresses))
    if (Sections[Index].sh_flags & ELF::SHF_ALLOC)
      Table[Index].sh_addr = Address;
  addSegments(TableOffset, Count);
  return std::move(Copy);
}

Expected<std::unique_ptr<MemoryBuffer>>
layOutModule(const ELF64LEObjectFile &Module) {
  return Layout(Module.getELFFile()).run();
}

} // namespace inlay
