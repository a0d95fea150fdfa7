//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See AddressNames.h.
//
//===----------------------------------------------------------------------===//

#include "AddressNames.h"

using namespace llvm;

namespace inlay::compose {

Expected<ElfFile *> AddressNames::elf(const Line &L, StringRef Path) {
  std::unique_ptr<ElfFile> &File = Elves[Path];
  if (File)
    return File.get();
  auto Loaded = std::make_unique<ElfFile>();
  auto Binary = object::ObjectFile::createObjectFile(Path);
  if (!Binary)
    return L.error(Path + ": " + toString(Binary.takeError()));
  Loaded->Binary = std::move(*Binary);
  auto *Elf = dyn_cast<object::ELFObjectFileBase>(Loaded->Binary.getBinary());
  auto *Elf64 = dyn_cast_or_null<object::ELF64LEObjectFile>(Elf);
  if (!Elf64)
    return L.error(Path + ": not a 64-bit little-endian ELF file");
  for (const object::ELFSymbolRef &Symbol : concat<const object::ELFSymbolRef>(
           Elf->symbols(), Elf->getDynamicSymbolIterators())) {
    Expected<StringRef> Name = Symbol.getName();
    Expected<uint64_t> Address = Symbol.getAddress();
    Expected<uint32_t> Flags = Symbol.getFlags();
    if (Name && Address && Flags &&
        !(*Flags & object::BasicSymbolRef::SF_Undefined))
      Loaded->Symbols.try_emplace(*Name, *Address);
    consumeError(Name.takeError());
    consumeError(Address.takeError());
    consumeError(Flags.takeError());
  }
  auto Headers = Elf64->getELFFile().program_headers();
  if (!Headers)
    return L.error(Path + ": " + toString(Headers.takeError()));
  for (const auto &Header : *Headers)
    if (Header.p_type == ELF::PT_LOAD)
      Loaded->Segments.push_back({Header.p_vaddr, Header.p_offset,
                                  Header.p_filesz,
                                  bool(Header.p_flags & ELF::PF_X)});
  // Kernel modules are relocatable files, which have none.
  if (Loaded->Segments.empty() && Elf->getEType() != ELF::ET_REL)
    return L.error(Path + ": no loadable segment");
  Loaded->IsFixed = Elf->getEType() == ELF::ET_EXEC;
  File = std::move(Loaded);
  return File.get();
}

Expected<uint64_t> AddressNames::address(const Line &L, int32_t Pid,
                                         StringRef Text) {
  uint64_t Value;
  if (!Text.getAsInteger(0, Value))
    return Value;
  // File names may hold a '+': the longest one that fits is meant.
  StringRef File;
  uint64_t Bias = 0;
  for (int32_t Owner : {Pid, KernelPid})
    for (const auto &[Name, FileBias] : Biases[Owner])
      if (Text.starts_with(Name + "+") && Name.size() > File.size()) {
        File = Name;
        Bias = FileBias;
      }
  if (File.empty())
    return L.error("'" + Text +
                   "' is neither a number nor in a file that process " +
                   Twine(Pid) + " has mapped");
  StringRef Place = Text.drop_front(File.size() + 1);
  if (!Place.getAsInteger(0, Value))
    return Bias + Value;
  auto [Symbol, Offset] = Place.split('+');
  const StringMap<uint64_t> &Symbols = Elves[File]->Symbols;
  auto It = Symbols.find(Symbol);
  if (It == Symbols.end())
    return L.error(File + ": no symbol '" + Symbol + "'");
  Value = 0;
  if (!Offset.empty() && Offset.getAsInteger(0, Value))
    return L.error("'" + Offset + "' is not a number");
  return Bias + It->second + Value;
}

} // namespace inlay::compose
