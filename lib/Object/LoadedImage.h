//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A binary's bytes by virtual address, with what the dynamic linker will put
// there: pointers into the binary itself (jump tables, tables of functions) and
// the functions of other binaries that its slots will hold.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_OBJECT_LOADEDIMAGE_H
#define INLAY_LIB_OBJECT_LOADEDIMAGE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace inlay {

class LoadedImage {
public:
  /// \p Path is for messages. Fails on tables that point outside the file.
  static llvm::Expected<LoadedImage>
  create(const llvm::object::ELF64LEObjectFile &Object, llvm::StringRef Path);

  /// From \p Address to the end of what the file holds of its segment; empty
  /// where the file holds nothing.
  llvm::ArrayRef<uint8_t> bytesAt(uint64_t Address) const;

  /// The integer of \p Size bytes (1, 2, 4, 8) at \p Address.
  std::optional<uint64_t> integerAt(uint64_t Address, unsigned Size) const;

  /// The pointer at \p Address as the program sees it, if it points into this
  /// binary or the file says what it is.
  std::optional<uint64_t> pointerAt(uint64_t Address) const;

  /// Symbol that a relocation writes to \p Address; empty if none.
  llvm::StringRef symbolAt(uint64_t Address) const;

  /// [begin, end) of the nonempty section \p Name; (0, 0) if there is none.
  std::pair<uint64_t, uint64_t> section(llvm::StringRef Name) const;
  /// In an executable segment.
  bool isCode(uint64_t Address) const;
  /// In a section of stubs that lead to other binaries' functions.
  bool isLinkageStub(uint64_t Address) const;

  /// Something in the file's data or tables points at \p Address: relocated
  /// pointers, exported symbols, and, in binaries that are not relocated, any
  /// aligned word of the data.
  bool isPointedAt(uint64_t Address) const;

  /// Address and bytes of the executable segments.
  llvm::SmallVector<std::pair<uint64_t, llvm::ArrayRef<uint8_t>>, 2>
  code() const;

  /// Linked to run at any address: no instruction holds an absolute one.
  bool isPositionIndependent() const { return IsPositionIndependent; }

  /// Addresses of data symbols, sorted.
  llvm::ArrayRef<uint64_t> dataSymbols() const { return DataSymbols; }

private:
  struct Segment {
    uint64_t Address;
    llvm::ArrayRef<uint8_t> Bytes;
    bool IsExecutable;
  };
  struct Relocation {
    uint64_t Value; ///< 0: unknown
    llvm::StringRef Symbol;
  };
  const Segment *segmentAt(uint64_t Address) const;

  llvm::Error readSegments(const llvm::object::ELF64LEFile &File);
  llvm::Error readSections(const llvm::object::ELF64LEFile &File);
  llvm::Error readRelocations(const llvm::object::ELF64LEFile &File);
  llvm::Error readSymbols(const llvm::object::ELF64LEFile &File);

  std::vector<Segment> Segments; // by address
  llvm::StringMap<std::pair<uint64_t, uint64_t>> Sections;
  std::vector<std::pair<uint64_t, uint64_t>> LinkageSections;
  llvm::DenseMap<uint64_t, Relocation> Relocations;
  std::vector<uint64_t> PointedAt; // sorted
  std::vector<uint64_t> DataSymbols;
  bool IsPositionIndependent = true;
};

} // namespace inlay

#endif
