//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An ELF binary that was profiled, and what each of its addresses means in the
// source: the inline stack.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_OBJECT_PROFILEDBINARY_H
#define INLAY_OBJECT_PROFILEDBINARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm::object {
template <class ELFT> class ELFObjectFile;
} // namespace llvm::object

namespace inlay {

/// One frame of an inline stack.
struct InlineFrame {
  llvm::StringRef Function; ///< linkage name; lives as long as the binary
  /// (line - first line of the function's declaration) & 0xffff.
  uint32_t LineOffset = 0;
  /// Base discriminator: what clang's loader and ours match.
  uint32_t Discriminator = 0;
  /// How often the instruction's block was duplicated (unrolling), from the
  /// discriminator; at least 1. Of interest in the innermost frame only.
  uint32_t DuplicationFactor = 1;
  /// The compiler gave both a line and a declaration line. Otherwise the
  /// numbers above are 0 and mean nothing.
  bool HasLine = false;
};

/// Innermost frame first.
using InlineStack = llvm::SmallVector<InlineFrame, 4>;

/// [Begin, End) in virtual addresses.
struct FunctionRange {
  uint64_t Begin = 0;
  uint64_t End = 0;
  /// Symbol name without .llvm.<hash>, .cold, .part.N and the like. Of several
  /// symbols at one address a global one; the outermost frame of an inline
  /// stack may carry another of them, the one that the debug information knows.
  llvm::StringRef Name;
};

/// What the debug information of a binary is good for.
enum class DebugInfoKind {
  None,     ///< no DWARF, or no line tables
  Lines,    ///< DWARF for code, but nothing that tells function's first lines
  Functions ///< also subprograms with declaration lines: all that we need
};

/// Where code runs.
enum class BinaryForm {
  Program, ///< an executable or a shared library
  Kernel,  ///< linked to the upper half of the address space
  KernelModule
};

class ProfiledBinary {
public:
  /// Opens \p Path. Debug information that the file itself lacks is looked for
  /// in \p DebugDirectories and beside the file (lib/Object/DebugFile.h says
  /// where), and so is what -gsplit-dwarf split off (SplitDwarf.h).
  ///
  /// Fails on files that are not 64-bit little-endian ELF executables, shared
  /// libraries, kernels or kernel modules, and on tables that point outside the
  /// file.
  static llvm::Expected<std::unique_ptr<ProfiledBinary>>
  open(llvm::StringRef Path, llvm::ArrayRef<std::string> DebugDirectories = {});

  virtual ~ProfiledBinary();

  virtual llvm::StringRef path() const = 0;
  virtual llvm::ArrayRef<uint8_t> buildID() const = 0;
  /// Where symbols and debug information come from: the file itself, or its
  /// separate debug file.
  virtual llvm::StringRef debugPath() const = 0;
  virtual bool hasSymbols() const = 0; ///< function symbols
  /// No .symtab: what functions() has are exported functions at best.
  virtual bool isStripped() const = 0;
  /// Line tables and debugging information entries; whether they cover a
  /// certain function, and well enough, debugInfoAt() says.
  virtual bool hasDebugInfo() const = 0;

  virtual BinaryForm form() const { return BinaryForm::Program; }

  /// Virtual address of a byte of the file that lies in an executable segment.
  /// In a kernel, offsets are not the file's but count from the symbol _text,
  /// and in a kernel module from the start of its text as loaded: its
  /// executable sections one after another, but for those of initialization.
  virtual std::optional<uint64_t> addressOf(uint64_t FileOffset) const = 0;

  /// Makes the offsets in a kernel count from \p Symbol instead. Fails if there
  /// is no such symbol.
  virtual llvm::Error countOffsetsFrom(llvm::StringRef Symbol) {
    return llvm::Error::success();
  }

  /// Function symbols sorted by Begin, not overlapping.
  virtual llvm::ArrayRef<FunctionRange> functions() const = 0;
  virtual const FunctionRange *functionAt(uint64_t Address) const = 0;

  /// Names of one of functions() as they stand in the symbol table, suffixes
  /// and all, the preferred one first.
  virtual llvm::ArrayRef<llvm::StringRef>
  symbolNames(const FunctionRange &Function) const {
    return {};
  }

  /// The binary's own bytes, for what disassembles them; null if there are none
  /// (a test's binary).
  virtual const llvm::object::ELFObjectFile<llvm::object::ELF64LE> *
  object() const {
    return nullptr;
  }

  /// The inline stack of the instruction at \p Address; empty when no function
  /// symbol or no debug information covers it. Frames without a line are there
  /// (HasLine == false).
  virtual InlineStack inlineStackAt(uint64_t Address) = 0;

  /// How good the debug information at \p Address is.
  virtual DebugInfoKind debugInfoAt(uint64_t Address) = 0;

  /// Addresses in [Begin, End) at which the inline stack may change: the rows
  /// of the line table and the ends of inlined ranges. Sorted, Begin included.
  virtual std::vector<uint64_t> locationBoundaries(uint64_t Begin,
                                                   uint64_t End) = 0;

  /// What LLVM's DWARF parser complained about so far, each once, the first few
  /// only.
  virtual llvm::ArrayRef<std::string> debugInfoWarnings() const = 0;

  /// Files in the places of a debug file that were not taken for it:
  /// "FILE: REASON".
  virtual llvm::ArrayRef<std::string> rejectedDebugFiles() const { return {}; }
};

} // namespace inlay

#endif
