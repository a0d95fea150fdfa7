//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Relocations are read from the section headers' tables (.rela.dyn, .rela.plt,
// .relr.dyn). Of a relocation only two things matter here: whether it makes a
// pointer into the binary itself, and which symbol it names. Binaries that are
// linked to a fixed address have no relocations for the former; there every
// aligned word of the data that might be a pointer counts as one.
//
//===----------------------------------------------------------------------===//

#include "LoadedImage.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::object;

namespace inlay {

/// An entry of a packed table of relative relocations, 8 bytes long, stands for
/// up to 63 of them; we read at most this many in all.
static constexpr size_t MaxPackedRelocations = size_t(1) << 23;
/// Linkers make less than ten.
static constexpr size_t MaxSegments = 128;

Expected<LoadedImage> LoadedImage::create(const ELF64LEObjectFile &Object,
                                          StringRef Path) {
  LoadedImage Image;
  const ELF64LEFile &File = Object.getELFFile();
  Image.IsPositionIndependent = File.getHeader().e_type == ELF::ET_DYN;
  Error E = Image.readSegments(File);
  if (!E)
    E = Image.readSections(File);
  if (!E)
    E = Image.readSymbols(File);
  if (!E)
    E = Image.readRelocations(File);
  if (E)
    return fileError(Path, "corrupt ELF file: " + toString(std::move(E)));
  llvm::sort(Image.PointedAt);
  Image.PointedAt.erase(llvm::unique(Image.PointedAt), Image.PointedAt.end());
  llvm::sort(Image.DataSymbols);
  return Image;
}

Error LoadedImage::readSegments(const ELF64LEFile &File) {
  auto HeadersOrErr = File.program_headers();
  if (!HeadersOrErr)
    return HeadersOrErr.takeError();
  for (const ELF64LE::Phdr &Header : *HeadersOrErr) {
    if (Header.p_type != ELF::PT_LOAD || Header.p_filesz == 0)
      continue;
    uint64_t Offset = Header.p_offset, Size = Header.p_filesz;
    if (Offset > File.getBufSize())
      continue;
    if (Segments.size() == MaxSegments)
      return createStringError("more than " + Twine(MaxSegments) +
                               " segments to load");
    Size = std::min(Size, File.getBufSize() - Offset);
    // No segment wraps around the end of the address space.
    Size = std::min(Size, UINT64_MAX - Header.p_vaddr);
    Segments.push_back({Header.p_vaddr,
                        ArrayRef<uint8_t>(File.base() + Offset, Size),
                        (Header.p_flags & ELF::PF_X) != 0});
  }
  llvm::sort(Segments, [](const Segment &A, const Segment &B) {
    return A.Address < B.Address;
  });
  return Error::success();
}

Error LoadedImage::readSections(const ELF64LEFile &File) {
  auto SectionsOrErr = File.sections();
  if (!SectionsOrErr)
    return SectionsOrErr.takeError();
  for (const ELF64LE::Shdr &S : *SectionsOrErr) {
    if (!(S.sh_flags & ELF::SHF_ALLOC) || S.sh_size == 0)
      continue;
    Expected<StringRef> NameOrErr = File.getSectionName(S);
    if (!NameOrErr)
      return NameOrErr.takeError();
    std::pair<uint64_t, uint64_t> Range = {
        S.sh_addr, SaturatingAdd<uint64_t>(S.sh_addr, S.sh_size)};
    Sections.try_emplace(*NameOrErr, Range);
    if ((S.sh_flags & ELF::SHF_EXECINSTR) &&
        (NameOrErr->starts_with(".plt") || *NameOrErr == ".iplt"))
      LinkageSections.push_back(Range);
  }
  return Error::success();
}

Error LoadedImage::readSymbols(const ELF64LEFile &File) {
  auto SectionsOrErr = File.sections();
  if (!SectionsOrErr)
    return SectionsOrErr.takeError();
  for (const ELF64LE::Shdr &S : *SectionsOrErr) {
    if (S.sh_type != ELF::SHT_SYMTAB && S.sh_type != ELF::SHT_DYNSYM)
      continue;
    auto SymbolsOrErr = File.symbols(&S);
    if (!SymbolsOrErr)
      return SymbolsOrErr.takeError();
    for (const ELF64LE::Sym &Symbol : *SymbolsOrErr) {
      if (Symbol.st_shndx == ELF::SHN_UNDEF)
        continue;
      if (Symbol.getType() == ELF::STT_OBJECT)
        DataSymbols.push_back(Symbol.st_value);
      else if (S.sh_type == ELF::SHT_DYNSYM &&
               (Symbol.getType() == ELF::STT_FUNC ||
                Symbol.getType() == ELF::STT_GNU_IFUNC))
        PointedAt.push_back(Symbol.st_value);
    }
  }
  PointedAt.push_back(File.getHeader().e_entry);
  return Error::success();
}

namespace {
bool isRelative(uint16_t Machine, uint32_t Type) {
  if (Machine == ELF::EM_X86_64)
    return Type == ELF::R_X86_64_RELATIVE || Type == ELF::R_X86_64_IRELATIVE;
  return Type == ELF::R_AARCH64_RELATIVE || Type == ELF::R_AARCH64_IRELATIVE;
}
/// Writes symbol + addend, as opposed to offsets in thread-local storage,
/// module numbers and the like.
bool isSymbolic(uint16_t Machine, uint32_t Type) {
  if (Machine == ELF::EM_X86_64)
    return Type == ELF::R_X86_64_64 || Type == ELF::R_X86_64_GLOB_DAT ||
           Type == ELF::R_X86_64_JUMP_SLOT;
  return Type == ELF::R_AARCH64_ABS64 || Type == ELF::R_AARCH64_GLOB_DAT ||
         Type == ELF::R_AARCH64_JUMP_SLOT;
}
} // namespace

Error LoadedImage::readRelocations(const ELF64LEFile &File) {
  uint16_t Machine = File.getHeader().e_machine;
  auto SectionsOrErr = File.sections();
  if (!SectionsOrErr)
    return SectionsOrErr.takeError();
  bool IsRelocated = false;
  // Slots that the file does not hold are none; this also keeps the two keys
  // that DenseMap reserves out of it.
  auto IsSlot = [&](uint64_t Address) {
    return Address < UINT64_MAX - 8 && bytesAt(Address).size() >= 8;
  };
  auto AddPointer = [&](uint64_t Address, uint64_t Value) {
    if (!IsSlot(Address))
      return;
    IsRelocated = true;
    Relocations[Address].Value = Value;
    PointedAt.push_back(Value);
  };
  for (const ELF64LE::Shdr &S : *SectionsOrErr) {
    if (!(S.sh_flags & ELF::SHF_ALLOC))
      continue;
    if (S.sh_type == ELF::SHT_RELR) {
      auto RelrsOrErr = File.relrs(S);
      if (!RelrsOrErr)
        return RelrsOrErr.takeError();
      if (RelrsOrErr->size() > MaxPackedRelocations / 63)
        return createStringError("more relative relocations than a program "
                                 "can have");
      for (const ELF64LE::Rel &R : File.decode_relrs(*RelrsOrErr))
        if (std::optional<uint64_t> Value = integerAt(R.r_offset, 8)) {
          // The pointer itself stands in the file.
          IsRelocated = true;
          PointedAt.push_back(*Value);
        }
      continue;
    }
    if (S.sh_type != ELF::SHT_RELA)
      continue;
    auto RelasOrErr = File.relas(S);
    if (!RelasOrErr)
      return RelasOrErr.takeError();

    // The symbol table that the relocations refer to.
    ArrayRef<ELF64LE::Sym> Symbols;
    StringRef Strings;
    if (S.sh_link != 0) {
      auto TableOrErr = File.getSection(S.sh_link);
      if (!TableOrErr)
        return TableOrErr.takeError();
      if ((*TableOrErr)->sh_type == ELF::SHT_DYNSYM ||
          (*TableOrErr)->sh_type == ELF::SHT_SYMTAB) {
        auto SymbolsOrErr = File.symbols(*TableOrErr);
        if (!SymbolsOrErr)
          return SymbolsOrErr.takeError();
        Symbols = *SymbolsOrErr;
        auto StringsOrErr = File.getStringTableForSymtab(**TableOrErr);
        if (!StringsOrErr)
          return StringsOrErr.takeError();
        Strings = *StringsOrErr;
      }
    }
    for (const ELF64LE::Rela &R : *RelasOrErr) {
      uint32_t Type = R.getType(/*isMips64EL=*/false);
      if (isRelative(Machine, Type)) {
        AddPointer(R.r_offset, R.r_addend);
        continue;
      }
      uint32_t Index = R.getSymbol(/*isMips64EL=*/false);
      if (!isSymbolic(Machine, Type) || Index == 0 || Index >= Symbols.size() ||
          !IsSlot(R.r_offset))
        continue;
      const ELF64LE::Sym &Symbol = Symbols[Index];
      Expected<StringRef> NameOrErr = Symbol.getName(Strings);
      if (!NameOrErr)
        return NameOrErr.takeError();
      Relocation &Result = Relocations[R.r_offset];
      Result.Symbol = *NameOrErr;
      if (Symbol.st_shndx != ELF::SHN_UNDEF && Symbol.st_value != 0) {
        Result.Value = Symbol.st_value + R.r_addend;
        PointedAt.push_back(Result.Value);
      }
    }
  }

  if (!IsRelocated)
    for (const Segment &S : Segments) {
      if (S.IsExecutable)
        continue;
      for (uint64_t I = alignTo(S.Address, 8) - S.Address;
           I + 8 <= S.Bytes.size(); I += 8) {
        uint64_t Value = support::endian::read64le(S.Bytes.data() + I);
        if (isCode(Value))
          PointedAt.push_back(Value);
      }
    }
  return Error::success();
}

// Segments do not overlap, except in files that lie.
const LoadedImage::Segment *LoadedImage::segmentAt(uint64_t Address) const {
  auto It =
      llvm::upper_bound(Segments, Address, [](uint64_t A, const Segment &S) {
        return A < S.Address;
      });
  if (It == Segments.begin())
    return nullptr;
  const Segment &S = *std::prev(It);
  return Address - S.Address < S.Bytes.size() ? &S : nullptr;
}

ArrayRef<uint8_t> LoadedImage::bytesAt(uint64_t Address) const {
  const Segment *S = segmentAt(Address);
  return S ? S->Bytes.drop_front(Address - S->Address) : ArrayRef<uint8_t>();
}

bool LoadedImage::isCode(uint64_t Address) const {
  const Segment *S = segmentAt(Address);
  return S && S->IsExecutable;
}

SmallVector<std::pair<uint64_t, ArrayRef<uint8_t>>, 2>
LoadedImage::code() const {
  SmallVector<std::pair<uint64_t, ArrayRef<uint8_t>>, 2> Result;
  for (const Segment &S : Segments)
    if (S.IsExecutable)
      Result.push_back({S.Address, S.Bytes});
  return Result;
}

std::optional<uint64_t> LoadedImage::integerAt(uint64_t Address,
                                               unsigned Size) const {
  ArrayRef<uint8_t> Bytes = bytesAt(Address);
  if (Bytes.size() < Size)
    return std::nullopt;
  switch (Size) {
  case 1:
    return Bytes[0];
  case 2:
    return support::endian::read16le(Bytes.data());
  case 4:
    return support::endian::read32le(Bytes.data());
  case 8:
    return support::endian::read64le(Bytes.data());
  default:
    return std::nullopt;
  }
}

std::optional<uint64_t> LoadedImage::pointerAt(uint64_t Address) const {
  auto It = Relocations.find(Address);
  if (It != Relocations.end()) {
    if (It->second.Value == 0)
      return std::nullopt;
    return It->second.Value;
  }
  return integerAt(Address, 8);
}

StringRef LoadedImage::symbolAt(uint64_t Address) const {
  auto It = Relocations.find(Address);
  return It == Relocations.end() ? StringRef() : It->second.Symbol;
}

std::pair<uint64_t, uint64_t> LoadedImage::section(StringRef Name) const {
  return Sections.lookup(Name);
}

bool LoadedImage::isLinkageStub(uint64_t Address) const {
  return any_of(LinkageSections, [&](const std::pair<uint64_t, uint64_t> &S) {
    return Address >= S.first && Address < S.second;
  });
}

bool LoadedImage::isPointedAt(uint64_t Address) const {
  return llvm::binary_search(PointedAt, Address);
}

} // namespace inlay
