//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A location is (line - declaration line, base discriminator). The innermost
// frame's comes from the line table, those of the callers from the inlined
// subroutine's call line and discriminator.
//
//===----------------------------------------------------------------------===//

#include "DebugInfo.h"
#include "LineTableHeader.h"
#include "inlay/Object/SymbolName.h"
#include "inlay/Support/LLVMCompat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFCompileUnit.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/DebugInfo/DWARF/DWARFDie.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;
using llvm::object::SectionedAddress;

namespace inlay {

/// LLVM walks a unit's tree of entries by recursion. Compilers do not nest
/// deeper than source code does; a file made to overflow the stack might.
static constexpr unsigned MaxEntryDepth = 2000;

/// Enough to see what is wrong with a file.
static constexpr size_t MaxWarnings = 5;

/// In the place of a package: nothing. LLVM would look for one by itself.
static constexpr char NoPackage[] = "/dev/null";

void DebugInfo::findPackage() {
  Expected<std::string> PackageOrErr = findSplitPackage(Search);
  if (!PackageOrErr)
    warn(PackageOrErr.takeError());
  else
    Package = std::move(*PackageOrErr);
}

DebugInfo::DebugInfo(const object::ObjectFile &Object, SplitDwarfSearch Where,
                     StringRef AlternateFile)
    : Search(std::move(Where)) {
  findPackage();
  Context = DWARFContext::create(
      Object, DWARFContext::ProcessDebugRelocations::Ignore, nullptr,
      Package.empty() ? NoPackage : Package,
      [this](Error E) { warn(std::move(E)); },
      [this](Error E) { warn(std::move(E)); });
  if (!AlternateFile.empty())
    warn(createStringError(
        "dwz moved a part of it to " + AlternateFile +
        ", which is not read: functions may lack their names; use debug "
        "information that dwz has not been run on"));
}

DebugInfo::~DebugInfo() = default;

void DebugInfo::warn(Error E) {
  std::string Message = toString(std::move(E));
  if (Warnings.size() < MaxWarnings && !is_contained(Warnings, Message))
    Warnings.push_back(std::move(Message));
}

/// True if no entry of \p Unit lies deeper than MaxEntryDepth.
static bool isShallow(DWARFUnit &Unit) {
  std::vector<uint32_t> Depths(Unit.getNumDIEs());
  for (auto [Index, Die] : enumerate(Unit.dies())) {
    // Parents come before their children.
    std::optional<uint32_t> Parent = Die.getParentIdx();
    if (!Parent || *Parent >= Index)
      continue;
    Depths[Index] = Depths[*Parent] + 1;
    if (Depths[Index] > MaxEntryDepth)
      return false;
  }
  return true;
}

DWARFCompileUnit *DebugInfo::unitAt(uint64_t Address) {
  DWARFCompileUnit *Unit = Context->getCompileUnitForCodeAddress(Address);
  if (!Unit)
    return nullptr;
  auto [It, IsNew] = UsableUnits.try_emplace(Unit, false);
  if (IsNew)
    It->second = makeUsable(*Unit);
  return It->second ? Unit : nullptr;
}

/// The unit that \p Unit stands for, or \p Unit itself. \p Path is where to
/// look if the .dwo is not where it was made.
static DWARFUnit *fullUnit(DWARFCompileUnit &Unit, StringRef Path = "") {
  return Unit.getNonSkeletonUnitDIE(/*ExtractUnitDIEOnly=*/false, Path)
      .getDwarfUnit();
}

/// Makes LLVM open the .dwo of \p Skeleton. Without one the skeleton must do;
/// false if it must not be used, because LLVM would open a file that it should
/// not.
bool DebugInfo::openSplitUnit(DWARFCompileUnit &Skeleton) {
  DWARFDie Die = Skeleton.getUnitDIE();
  StringRef Name = dwarf::toStringRef(
      Die.find({dwarf::DW_AT_dwo_name, dwarf::DW_AT_GNU_dwo_name}));
  StringRef Directory = dwarf::toStringRef(Die.find(dwarf::DW_AT_comp_dir));
  if (!Package.empty()) {
    if (fullUnit(Skeleton) == &Skeleton)
      warn(createStringError(Package + " has no unit for " + Name +
                             "; is it of another build?"));
    return true;
  }

  std::vector<std::string> Candidates =
      splitUnitCandidates(Search, Directory, Name);
  for (const std::string &Path : Candidates) {
    if (Error E = checkSplitFile(Path)) {
      warn(std::move(E));
      return false;
    }
    if (fullUnit(Skeleton, Path) != &Skeleton)
      return true;
  }
  if (Candidates.empty())
    warn(createStringError(
        Name + " of " + Directory +
        " is missing, which has a part of it (-gsplit-dwarf); give the "
        "directory that it is in as --debug-dir"));
  else
    warn(createStringError(Candidates.front() +
                           " is not of this binary's build"));
  return true;
}

/// True if LLVM may be asked about \p Unit.
bool DebugInfo::makeUsable(DWARFCompileUnit &Unit) {
  std::optional<DWARFFormValue> SplitName = Unit.getUnitDIE().find(
      {dwarf::DW_AT_dwo_name, dwarf::DW_AT_GNU_dwo_name});
  if (SplitName && !openSplitUnit(Unit))
    return false;
  DWARFUnit *Full = SplitName ? fullUnit(Unit) : &Unit;
  // A skeleton may repeat what is inlined where.
  if (isShallow(Unit) && (Full == &Unit || isShallow(*Full)))
    return true;
  warn(createStringError("the unit at .debug_info+0x" +
                         Twine::utohexstr(Unit.getOffset()) +
                         " nests its entries too deeply; ignored"));
  return false;
}

const DWARFDebugLine::LineTable *DebugInfo::lineTable(DWARFCompileUnit *Unit) {
  if (std::optional<uint64_t> Offset = dwarf::toSectionOffset(
          Unit->getUnitDIE().find(dwarf::DW_AT_stmt_list))) {
    *Offset += Unit->getLineTableOffset();
    auto [It, IsNew] = SoundLineTables.try_emplace(*Offset, true);
    if (IsNew)
      if (Error E = checkLineTableHeader(
              Context->getDWARFObj().getLineSection().Data, *Offset)) {
        It->second = false;
        warn(std::move(E));
      }
    if (!It->second)
      return nullptr;
  }
  Expected<const DWARFDebugLine::LineTable *> TableOrErr =
      Context->getLineTableForUnit(Unit,
                                   [this](Error E) { warn(std::move(E)); });
  if (TableOrErr)
    return *TableOrErr;
  warn(TableOrErr.takeError());
  return nullptr;
}

const DWARFDebugLine::Row *DebugInfo::findRow(DWARFCompileUnit &Unit,
                                              uint64_t Address) {
  const DWARFDebugLine::LineTable *Table = lineTable(&Unit);
  if (!Table)
    return nullptr;
  uint32_t Row =
      Table->lookupAddress({Address, SectionedAddress::UndefSection});
  return Row == Table->UnknownRowIndex ? nullptr : &Table->Rows[Row];
}

const DebugInfo::Entry &DebugInfo::entry(DWARFDie Die) {
  auto [It, IsNew] = Entries.try_emplace(Die.getDebugInfoEntry());
  Entry &Result = It->second;
  if (!IsNew)
    return Result;
  if (const char *Name = Die.getSubroutineName(DINameKind::LinkageName)) {
    Result.LinkageName = Name;
    Result.Name = canonicalFunctionName(Result.LinkageName);
  }
  Result.DeclarationLine = Die.getDeclLine();
  uint32_t CallFile = 0, CallColumn = 0;
  Die.getCallerFrame(CallFile, Result.CallLine, CallColumn,
                     Result.CallDiscriminator);
  return Result;
}

static InlineFrame makeFrame(StringRef Name, uint32_t Line,
                             uint64_t DeclarationLine, uint32_t Discriminator) {
  InlineFrame Frame;
  Frame.Function = Name;
  if (Line == 0 || DeclarationLine == 0)
    return Frame;
  Frame.HasLine = true;
  Frame.LineOffset = (Line - DeclarationLine) & 0xffff;
  Frame.Discriminator =
      DILocation::getBaseDiscriminatorFromDiscriminator(Discriminator);
  Frame.DuplicationFactor =
      DILocation::getDuplicationFactorFromDiscriminator(Discriminator);
  return Frame;
}

InlineStack DebugInfo::inlineStackAt(uint64_t Address) {
  InlineStack Stack;
  DWARFCompileUnit *Unit = unitAt(Address);
  if (!Unit)
    return Stack;
  SmallVector<DWARFDie, 4> Chain;
  Unit->getInlinedChainForAddress(Address, Chain);
  if (Chain.empty())
    return Stack;

  uint32_t Line = 0, Discriminator = 0;
  if (const DWARFDebugLine::Row *Row = findRow(*Unit, Address)) {
    Line = Row->Line;
    Discriminator = Row->Discriminator;
  }
  for (DWARFDie Die : Chain) {
    const Entry &E = entry(Die);
    bool IsOutermost = Stack.size() + 1 == Chain.size();
    Stack.push_back(makeFrame(IsOutermost ? E.LinkageName : E.Name, Line,
                              E.DeclarationLine, Discriminator));
    Line = E.CallLine;
    Discriminator = E.CallDiscriminator;
  }
  return Stack;
}

DebugInfoKind DebugInfo::kindAt(uint64_t Address) {
  DWARFCompileUnit *Unit = unitAt(Address);
  if (!Unit || !findRow(*Unit, Address))
    return DebugInfoKind::None;
  SmallVector<DWARFDie, 4> Chain;
  Unit->getInlinedChainForAddress(Address, Chain);
  if (Chain.empty() || entry(Chain.back()).DeclarationLine == 0)
    return DebugInfoKind::Lines;
  return DebugInfoKind::Functions;
}

void DebugInfo::addRangeEnds(DWARFDie Subprogram, uint64_t Begin, uint64_t End,
                             std::vector<uint64_t> &Boundaries) {
  SmallVector<DWARFDie, 16> WorkList = {Subprogram};
  while (!WorkList.empty()) {
    DWARFDie Die = WorkList.pop_back_val();
    for (DWARFDie Child : Die.children())
      if (is_contained(
              {dwarf::DW_TAG_lexical_block, dwarf::DW_TAG_inlined_subroutine},
              Child.getTag()))
        WorkList.push_back(Child);
    if (Die.getTag() != dwarf::DW_TAG_inlined_subroutine)
      continue;
    Expected<DWARFAddressRangesVector> RangesOrErr = Die.getAddressRanges();
    if (!RangesOrErr) {
      warn(RangesOrErr.takeError());
      continue;
    }
    for (const DWARFAddressRange &Range : *RangesOrErr)
      for (uint64_t Address : {Range.LowPC, Range.HighPC})
        if (Address > Begin && Address < End)
          Boundaries.push_back(Address);
  }
}

std::vector<uint64_t> DebugInfo::locationBoundaries(uint64_t Begin,
                                                    uint64_t End) {
  std::vector<uint64_t> Boundaries = {Begin};
  DWARFCompileUnit *Unit = unitAt(Begin);
  if (!Unit)
    return Boundaries;
  if (const DWARFDebugLine::LineTable *Table = lineTable(Unit)) {
    std::vector<uint32_t> Rows;
    Table->lookupAddressRange({Begin, SectionedAddress::UndefSection},
                              End - Begin, Rows);
    for (uint32_t Row : Rows) {
      uint64_t Address = Table->Rows[Row].Address.Address;
      if (Address > Begin && Address < End)
        Boundaries.push_back(Address);
    }
  }

  SmallVector<DWARFDie, 4> Chain;
  Unit->getInlinedChainForAddress(Begin, Chain);
  if (!Chain.empty())
    addRangeEnds(Chain.back(), Begin, End, Boundaries);

  llvm::sort(Boundaries);
  Boundaries.erase(llvm::unique(Boundaries), Boundaries.end());
  return Boundaries;
}

} // namespace inlay
