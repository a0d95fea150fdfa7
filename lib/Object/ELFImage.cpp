//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's ELFFile does the parsing. We go through its checked interface: the
// convenient one (ELFSymbolRef) ends the program on a corrupt symbol table.
//
//===----------------------------------------------------------------------===//

#include "ELFImage.h"
#include "CompressedSection.h"
#include "ModuleLayout.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace llvm;
using namespace llvm::object;

namespace inlay {

Expected<std::unique_ptr<ELFImage>> ELFImage::open(StringRef Path,
                                                   Form Expected) {
  if (sys::fs::is_directory(Path))
    return fileError(Path, "is a directory, not an ELF file");
  ErrorOr<std::unique_ptr<MemoryBuffer>> BufferOrErr = MemoryBuffer::getFile(
      Path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!BufferOrErr)
    return fileError(Path, BufferOrErr.getError().message());

  auto Image = std::make_unique<ELFImage>();
  Image->Path = Path.str();
  Image->Buffer = std::move(*BufferOrErr);
  StringRef Bytes = Image->Buffer->getBuffer();
  if (Bytes.empty())
    return fileError(Path, "is empty");
  if (!Bytes.starts_with("\x7f"
                         "ELF"))
    return fileError(Path, "is not an ELF file");
  if (Bytes.size() < sizeof(ELF64LE::Ehdr))
    return fileError(Path, "is truncated in its ELF header");
  if (Bytes[ELF::EI_CLASS] != ELF::ELFCLASS64 ||
      Bytes[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return fileError(Path, "is a 32-bit or big-endian ELF file; only 64-bit "
                           "little-endian ones are supported");

  if (Error E = Image->parse(Image->Buffer->getMemBufferRef()))
    return E;
  if (Error E = Image->checkTables())
    return E;
  uint16_t Type = Image->Object->getELFFile().getHeader().e_type;
  if (Expected == Form::Relocatable) {
    if (Type != ELF::ET_REL)
      return fileError(Path, "is not a relocatable file");
  } else if (inlay::isKernelModule(*Image->Object)) {
    auto LaidOutOrErr = layOutModule(*Image->Object);
    if (!LaidOutOrErr)
      return fileError(Path,
                       "kernel module: " + toString(LaidOutOrErr.takeError()));
    Image->LaidOut = std::move(*LaidOutOrErr);
    if (Error E = Image->parse(Image->LaidOut->getMemBufferRef()))
      return E;
    // Relocations of a hostile file may have changed its headers.
    if (Error E = Image->checkTables())
      return E;
  } else if (Type != ELF::ET_EXEC && Type != ELF::ET_DYN) {
    return fileError(Path, "is not an executable or a shared library");
  }

  if (Error E = Image->readSegments())
    return E;
  if (Error E = Image->readSections())
    return E;
  Image->BuildID = getBuildID(Image->Object.get());
  return Image;
}

Error ELFImage::parse(MemoryBufferRef Bytes) {
  Expected<ELF64LEObjectFile> ObjectOrErr = ELF64LEObjectFile::create(Bytes);
  if (!ObjectOrErr)
    return fileError(Path,
                     "corrupt ELF file: " + toString(ObjectOrErr.takeError()));
  Object = std::make_unique<ELF64LEObjectFile>(std::move(*ObjectOrErr));
  return Error::success();
}

/// Tables are read, and sections decompressed, one after another, also by LLVM.
/// If thousands of section headers meant the same bytes, a small file would
/// take the memory and the time of a large one.
Error ELFImage::checkTables() const {
  auto SectionsOrErr = Object->getELFFile().sections();
  if (!SectionsOrErr)
    return fileError(Path, "corrupt ELF file: " +
                               toString(SectionsOrErr.takeError()));
  const uint64_t FileSize = Object->getELFFile().getBufSize();
  uint64_t Left = FileSize;
  for (const ELF64LE::Shdr &Section : *SectionsOrErr) {
    const uint32_t Type = Section.sh_type;
    const bool IsTable = Type == ELF::SHT_SYMTAB || Type == ELF::SHT_DYNSYM ||
                         Type == ELF::SHT_RELA || Type == ELF::SHT_REL ||
                         Type == ELF::SHT_RELR;
    const bool IsCompressed =
        Type != ELF::SHT_NOBITS && (Section.sh_flags & ELF::SHF_COMPRESSED);
    // One that reaches beyond the file is an error where it is read.
    if ((!IsTable && !IsCompressed) || Section.sh_size > FileSize)
      continue;
    if (Section.sh_size > Left)
      return fileError(Path, "corrupt ELF file: its tables and compressed "
                             "sections overlap");
    Left -= Section.sh_size;
  }
  return Error::success();
}

bool ELFImage::isKernel() const {
  constexpr uint64_t UpperHalf = uint64_t(1) << 63;
  return any_of(Segments,
                [](const CodeSegment &S) { return S.Address >= UpperHalf; });
}

Expected<uint64_t> ELFImage::symbolAddress(StringRef Name) const {
  const ELFFile<ELF64LE> &File = Object->getELFFile();
  auto SymbolsOrErr = File.symbols(SymbolTable);
  if (!SymbolsOrErr)
    return fileError(Path, "corrupt symbol table: " +
                               toString(SymbolsOrErr.takeError()));
  if (!SymbolsOrErr->empty()) {
    auto StringsOrErr = File.getStringTableForSymtab(*SymbolTable);
    if (!StringsOrErr)
      return fileError(Path, "corrupt symbol table: " +
                                 toString(StringsOrErr.takeError()));
    for (const ELF64LE::Sym &Symbol : *SymbolsOrErr) {
      Expected<StringRef> NameOrErr = Symbol.getName(*StringsOrErr);
      if (!NameOrErr)
        return fileError(Path, "corrupt symbol table: " +
                                   toString(NameOrErr.takeError()));
      if (*NameOrErr == Name && Symbol.st_shndx != ELF::SHN_UNDEF)
        return uint64_t(Symbol.st_value);
    }
  }
  return fileError(Path, "has no symbol " + Name);
}

Error ELFImage::readSegments() {
  auto HeadersOrErr = Object->getELFFile().program_headers();
  if (!HeadersOrErr)
    return fileError(Path,
                     "corrupt ELF file: " + toString(HeadersOrErr.takeError()));
  for (const ELF64LE::Phdr &Header : *HeadersOrErr)
    if (Header.p_type == ELF::PT_LOAD && (Header.p_flags & ELF::PF_X) &&
        Header.p_filesz != 0)
      Segments.push_back({Header.p_offset, Header.p_filesz, Header.p_vaddr});
  return Error::success();
}

Error ELFImage::readLinks(StringRef Name, const ELF64LE::Shdr &Section) {
  if (Name != ".gnu_debuglink" && Name != ".gnu_debugaltlink")
    return Error::success();
  auto ContentsOrErr = Object->getELFFile().getSectionContents(Section);
  if (!ContentsOrErr)
    return fileError(Path, "corrupt ELF file: " +
                               toString(ContentsOrErr.takeError()));
  StringRef Contents = toStringRef(*ContentsOrErr);
  StringRef File = Contents.take_until([](char C) { return C == 0; });
  if (File.empty() || File.size() == Contents.size())
    return Error::success(); // names nothing
  if (Name == ".gnu_debugaltlink") {
    AlternateDebugFile = File;
    return Error::success();
  }
  // The checksum stands at the next multiple of four.
  uint64_t Offset = alignTo(File.size() + 1, 4);
  if (Offset + 4 <= Contents.size())
    Link = DebugLink{File, support::endian::read32le(Contents.data() + Offset)};
  return Error::success();
}

Error ELFImage::readSections() {
  const ELFFile<ELF64LE> &File = Object->getELFFile();
  auto SectionsOrErr = File.sections();
  if (!SectionsOrErr)
    return fileError(Path, "corrupt ELF file: " +
                               toString(SectionsOrErr.takeError()));
  bool HasInfo = false, HasLines = false;
  for (const ELF64LE::Shdr &Section : *SectionsOrErr) {
    if (Section.sh_type == ELF::SHT_SYMTAB)
      SymbolTable = &Section;
    if (Section.sh_type == ELF::SHT_DYNSYM)
      DynamicSymbolTable = &Section;

    Expected<StringRef> NameOrErr = File.getSectionName(Section);
    if (!NameOrErr)
      return fileError(Path,
                       "corrupt ELF file: " + toString(NameOrErr.takeError()));
    if (Section.sh_type == ELF::SHT_NOBITS || Section.sh_size == 0)
      continue;
    HasInfo |= *NameOrErr == ".debug_info";
    HasLines |= *NameOrErr == ".debug_line";
    if (Error E = readLinks(*NameOrErr, Section))
      return E;

    if (!(Section.sh_flags & ELF::SHF_COMPRESSED))
      continue;
    auto ContentsOrErr = File.getSectionContents(Section);
    if (!ContentsOrErr)
      return fileError(Path, "corrupt ELF file: " +
                                 toString(ContentsOrErr.takeError()));
    Expected<uint64_t> SizeOrErr = decompressedSize(*NameOrErr, *ContentsOrErr);
    if (!SizeOrErr)
      return fileError(Path, toString(SizeOrErr.takeError()));
  }
  HasDebugSections = HasInfo && HasLines;
  return Error::success();
}

namespace {
/// What decides which of several symbols at one address names the function.
struct Candidate {
  unsigned BindingRank; // global, then weak, then local
  StringRef Name;
  uint64_t End; // 0: the symbol has no size

  bool operator<(const Candidate &Other) const {
    return std::tie(BindingRank, Name) <
           std::tie(Other.BindingRank, Other.Name);
  }
};
} // namespace

static unsigned bindingRank(unsigned Binding) {
  switch (Binding) {
  case ELF::STB_GLOBAL:
    return 0;
  case ELF::STB_WEAK:
    return 1;
  default:
    return 2;
  }
}

Expected<std::vector<FunctionSymbols>> ELFImage::functions() const {
  const ELF64LE::Shdr *Table = SymbolTable ? SymbolTable : DynamicSymbolTable;
  if (!Table)
    return std::vector<FunctionSymbols>();
  const ELFFile<ELF64LE> &File = Object->getELFFile();
  auto Corrupt = [&](Error E) {
    return fileError(Path, "corrupt symbol table: " + toString(std::move(E)));
  };
  auto SectionsOrErr = File.sections();
  if (!SectionsOrErr)
    return Corrupt(SectionsOrErr.takeError());
  auto SymbolsOrErr = File.symbols(Table);
  if (!SymbolsOrErr)
    return Corrupt(SymbolsOrErr.takeError());
  auto StringsOrErr = File.getStringTableForSymtab(*Table);
  if (!StringsOrErr)
    return Corrupt(StringsOrErr.takeError());

  std::map<uint64_t, SmallVector<Candidate, 1>> ByAddress;
  std::map<uint64_t, uint64_t> SectionEnds; // address -> end of its section
  for (const ELF64LE::Shdr &Section : *SectionsOrErr)
    if ((Section.sh_flags & ELF::SHF_EXECINSTR) && Section.sh_size != 0)
      SectionEnds[Section.sh_addr] =
          SaturatingAdd<uint64_t>(Section.sh_addr, Section.sh_size);

  for (const ELF64LE::Sym &Symbol : *SymbolsOrErr) {
    unsigned Type = Symbol.getType();
    if ((Type != ELF::STT_FUNC && Type != ELF::STT_GNU_IFUNC) ||
        Symbol.st_shndx == ELF::SHN_UNDEF)
      continue;
    Expected<StringRef> NameOrErr = Symbol.getName(*StringsOrErr);
    if (!NameOrErr)
      return Corrupt(NameOrErr.takeError());
    if (NameOrErr->empty())
      continue;
    uint64_t Begin = Symbol.st_value;
    uint64_t Size = Symbol.st_size;
    ByAddress[Begin].push_back({bindingRank(Symbol.getBinding()), *NameOrErr,
                                Size ? SaturatingAdd(Begin, Size) : 0});
  }

  std::vector<FunctionSymbols> Functions;
  Functions.reserve(ByAddress.size());
  for (auto It = ByAddress.begin(), E = ByAddress.end(); It != E; ++It) {
    auto &[Begin, Candidates] = *It;
    llvm::sort(Candidates);
    FunctionSymbols Function{Begin, Begin, {}};
    // A file may give one address a million names.
    StringSet<> Known;
    for (const Candidate &C : Candidates) {
      Function.End = std::max(Function.End, C.End);
      if (Candidates.size() == 1 || Known.insert(C.Name).second)
        Function.Names.push_back(C.Name);
    }

    auto Next = std::next(It);
    uint64_t Limit = Next == E ? UINT64_MAX : Next->first;
    if (Function.End == Begin) {
      // Hand-written assembly often gives no size.
      auto Section = SectionEnds.upper_bound(Begin);
      if (Section == SectionEnds.begin())
        continue;
      Function.End = std::prev(Section)->second;
    }
    Function.End = std::min(Function.End, Limit);
    if (Function.End > Begin)
      Functions.push_back(std::move(Function));
  }
  return Functions;
}

} // namespace inlay
