//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inline stacks from DWARF.
//
// LLVM's DWARFContext answers the same question through
// getInliningInfoForAddress, in strings and once per address; a converter asks
// for every location of every sampled function, so this class asks the units
// and line tables themselves and remembers what it learned of each entry.
// Units that hold no sampled function are never parsed, and their .dwo files
// never looked for.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_OBJECT_DEBUGINFO_H
#define INLAY_LIB_OBJECT_DEBUGINFO_H

#include "SplitDwarf.h"
#include "inlay/Object/ProfiledBinary.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ObjectFile.h"
#include <map>
#include <memory>

namespace inlay {

class DebugInfo {
public:
  /// \p Object must outlive this. \p AlternateFile is the one that dwz moved a
  /// part of the debug information to, if any.
  DebugInfo(const llvm::object::ObjectFile &Object, SplitDwarfSearch Search,
            llvm::StringRef AlternateFile);
  ~DebugInfo();

  /// Names are linkage names, canonical but for the outermost frame's, which is
  /// as DWARF has it.
  InlineStack inlineStackAt(uint64_t Address);
  DebugInfoKind kindAt(uint64_t Address);
  std::vector<uint64_t> locationBoundaries(uint64_t Begin, uint64_t End);
  llvm::ArrayRef<std::string> warnings() const { return Warnings; }

private:
  /// What we need of a subprogram or inlined subroutine.
  struct Entry {
    llvm::StringRef LinkageName; ///< as it stands in DWARF
    llvm::StringRef Name;        ///< canonical
    uint64_t DeclarationLine = 0;
    uint32_t CallLine = 0; ///< of an inlined subroutine
    uint32_t CallDiscriminator = 0;
  };

  llvm::DWARFCompileUnit *unitAt(uint64_t Address);
  bool makeUsable(llvm::DWARFCompileUnit &Unit);
  bool openSplitUnit(llvm::DWARFCompileUnit &Skeleton);
  const llvm::DWARFDebugLine::LineTable *lineTable(llvm::DWARFCompileUnit *U);
  const llvm::DWARFDebugLine::Row *findRow(llvm::DWARFCompileUnit &Unit,
                                           uint64_t Address);
  const Entry &entry(llvm::DWARFDie Die);
  void addRangeEnds(llvm::DWARFDie Subprogram, uint64_t Begin, uint64_t End,
                    std::vector<uint64_t> &Boundaries);
  void warn(llvm::Error E);

  void findPackage();

  std::vector<std::string> Warnings; // Context's creation may already warn
  SplitDwarfSearch Search;
  std::string Package; ///< of split units
  std::unique_ptr<llvm::DWARFContext> Context;
  llvm::DenseMap<const llvm::DWARFDebugInfoEntry *, Entry> Entries;
  /// Whether a unit can be used; absent: not looked at yet.
  llvm::DenseMap<llvm::DWARFCompileUnit *, bool> UsableUnits;
  /// By offset, those that were looked at.
  std::map<uint64_t, bool> SoundLineTables;
};

} // namespace inlay

#endif
