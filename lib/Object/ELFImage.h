//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of an ELF file that do not need debug information: where its code
// is loaded, and which functions are where.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_OBJECT_ELFIMAGE_H
#define INLAY_LIB_OBJECT_ELFIMAGE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inlay {

/// An executable PT_LOAD segment.
struct CodeSegment {
  uint64_t FileOffset, FileSize; ///< bytes
  uint64_t Address;              ///< virtual address of the first byte
};

/// All names of one function, and its range [Begin, End).
struct FunctionSymbols {
  uint64_t Begin, End;
  /// As they stand in the symbol table, the preferred one first.
  llvm::SmallVector<llvm::StringRef, 1> Names;
};

/// The contents of .gnu_debuglink.
struct DebugLink {
  llvm::StringRef FileName;
  uint32_t CRC; ///< of the whole debug file
};

class ELFImage {
public:
  enum class Form {
    /// Executables, shared libraries and kernels, and kernel modules, which are
    /// laid out (ModuleLayout.h).
    Loadable,
    Relocatable ///< what a compiler writes, as it is
  };
  static llvm::Expected<std::unique_ptr<ELFImage>>
  open(llvm::StringRef Path, Form Expected = Form::Loadable);

  const std::string &path() const { return Path; }
  /// The file's.
  llvm::StringRef bytes() const { return Buffer->getBuffer(); }
  const llvm::object::ELF64LEObjectFile &object() const { return *Object; }
  llvm::ArrayRef<uint8_t> buildID() const { return BuildID; }
  llvm::ArrayRef<CodeSegment> codeSegments() const { return Segments; }

  bool isKernelModule() const { return LaidOut != nullptr; }
  /// Is linked to the upper half of the address space, where only kernels are.
  bool isKernel() const;

  /// Of a symbol in .symtab.
  llvm::Expected<uint64_t> symbolAddress(llvm::StringRef Name) const;

  /// Function symbols of .symtab, or of .dynsym if there is no .symtab, sorted
  /// and cut so that they do not overlap.
  llvm::Expected<std::vector<FunctionSymbols>> functions() const;
  bool hasSymbolTable() const { return SymbolTable; }

  /// Has nonempty sections .debug_info and .debug_line (compressed or not).
  bool hasDebugSections() const { return HasDebugSections; }

  /// Which file the debug information was split off to, if any.
  const std::optional<DebugLink> &debugLink() const { return Link; }
  /// The file that dwz moved common debug information to; mostly empty.
  llvm::StringRef alternateDebugFile() const { return AlternateDebugFile; }

private:
  llvm::Error readLinks(llvm::StringRef Name,
                        const llvm::object::ELF64LE::Shdr &Section);
  llvm::Error parse(llvm::MemoryBufferRef Bytes);
  llvm::Error checkTables() const;
  llvm::Error readSegments();
  llvm::Error readSections();

  std::string Path;
  std::unique_ptr<llvm::MemoryBuffer> Buffer;
  std::unique_ptr<llvm::MemoryBuffer> LaidOut; ///< of a module
  std::unique_ptr<llvm::object::ELF64LEObjectFile> Object;
  llvm::ArrayRef<uint8_t> BuildID;
  std::vector<CodeSegment> Segments;
  const llvm::object::ELF64LE::Shdr *SymbolTable = nullptr;        // .symtab
  const llvm::object::ELF64LE::Shdr *DynamicSymbolTable = nullptr; // .dynsym
  bool HasDebugSections = false;
  std::optional<DebugLink> Link;
  llvm::StringRef AlternateDebugFile;
};

} // namespace inlay

#endif
