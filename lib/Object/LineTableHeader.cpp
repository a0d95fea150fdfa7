//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LineTableHeader.h.
//
//===----------------------------------------------------------------------===//

#include "LineTableHeader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace inlay {

/// Each takes a byte at least.
static bool isStringForm(uint64_t Form) {
  switch (Form) {
  case dwarf::DW_FORM_string:
  case dwarf::DW_FORM_line_strp:
  case dwarf::DW_FORM_strp:
  case dwarf::DW_FORM_strx:
  case dwarf::DW_FORM_strx1:
  case dwarf::DW_FORM_strx2:
  case dwarf::DW_FORM_strx3:
  case dwarf::DW_FORM_strx4:
    return true;
  default:
    return false;
  }
}

static bool isNumberForm(uint64_t Form) {
  switch (Form) {
  case dwarf::DW_FORM_udata:
  case dwarf::DW_FORM_data1:
  case dwarf::DW_FORM_data2:
  case dwarf::DW_FORM_data4:
  case dwarf::DW_FORM_data8:
    return true;
  default:
    return false;
  }
}

static bool isSound(uint64_t Type, uint64_t Form) {
  if (Type > dwarf::DW_LNCT_hi_user)
    return false;
  switch (Type) {
  case dwarf::DW_LNCT_path:
  case dwarf::DW_LNCT_LLVM_source:
    return isStringForm(Form);
  case dwarf::DW_LNCT_directory_index:
  case dwarf::DW_LNCT_timestamp:
  case dwarf::DW_LNCT_size:
    return isNumberForm(Form);
  default: // MD5, and what vendors add
    return isStringForm(Form) || isNumberForm(Form) ||
           Form == dwarf::DW_FORM_data16 || Form == dwarf::DW_FORM_block;
  }
}

/// Moves \p C behind a value of a form that is sound.
static void skipValue(const DataExtractor &Data, DataExtractor::Cursor &C,
                      uint64_t Form, bool Is64) {
  switch (Form) {
  case dwarf::DW_FORM_string:
    Data.getCStrRef(C);
    break;
  case dwarf::DW_FORM_line_strp:
  case dwarf::DW_FORM_strp:
    Data.skip(C, Is64 ? 8 : 4);
    break;
  case dwarf::DW_FORM_strx:
  case dwarf::DW_FORM_udata:
    Data.getULEB128(C);
    break;
  case dwarf::DW_FORM_strx1:
  case dwarf::DW_FORM_data1:
    Data.skip(C, 1);
    break;
  case dwarf::DW_FORM_strx2:
  case dwarf::DW_FORM_data2:
    Data.skip(C, 2);
    break;
  case dwarf::DW_FORM_strx3:
    Data.skip(C, 3);
    break;
  case dwarf::DW_FORM_strx4:
  case dwarf::DW_FORM_data4:
    Data.skip(C, 4);
    break;
  case dwarf::DW_FORM_data8:
    Data.skip(C, 8);
    break;
  case dwarf::DW_FORM_data16:
    Data.skip(C, 16);
    break;
  case dwarf::DW_FORM_block:
    Data.skip(C, Data.getULEB128(C));
    break;
  default:
    llvm_unreachable("not sound");
  }
}

Error checkLineTableHeader(StringRef Section, uint64_t Offset) {
  auto Unsound = [&](const Twine &What) {
    return createStringError("the line table at 0x" + Twine::utohexstr(Offset) +
                             " has " + What + "; it is not read");
  };
  DataExtractor Data(Section, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  DataExtractor::Cursor C(Offset);
  const bool Is64 = Data.getU32(C) == dwarf::DW_LENGTH_DWARF64;
  if (Is64)
    Data.getU64(C);
  const uint16_t Version = Data.getU16(C);
  const unsigned AddressSize = Data.getU8(C);
  if (!C || Version != 5) {
    consumeError(C.takeError());
    return Error::success();
  }
  if (AddressSize != 8)
    return joinErrors(C.takeError(),
                      Unsound("addresses of " + Twine(AddressSize) + " bytes"));
  Data.getU8(C); // size of segment selectors
  Data.skip(C, Is64 ? 8 : 4);
  // The least length of an instruction, the most operations in it, whether
  // statements are the default, line base, line range.
  Data.skip(C, 5);
  const uint8_t OpcodeBase = Data.getU8(C);
  Data.skip(C, std::max<uint8_t>(OpcodeBase, 1) - 1);

  struct EntryFormat {
    uint64_t Type, Form;
  };
  // Of directories, and behind those of files.
  for (bool IsOfFiles : {false, true}) {
    SmallVector<EntryFormat, 8> Formats(Data.getU8(C));
    for (EntryFormat &Format : Formats) {
      Format.Type = Data.getULEB128(C);
      Format.Form = Data.getULEB128(C);
      if (C && !isSound(Format.Type, Format.Form))
        return joinErrors(C.takeError(), Unsound("entries of an unknown form"));
    }
    // No path, no table: there LLVM stops.
    if (IsOfFiles || none_of(Formats, [](const EntryFormat &Format) {
          return Format.Type == dwarf::DW_LNCT_path;
        }))
      break;
    for (uint64_t Count = Data.getULEB128(C); C && Count; --Count)
      for (const EntryFormat &Format : Formats)
        skipValue(Data, C, Format.Form, Is64);
  }
  consumeError(C.takeError());
  return Error::success();
}

} // namespace inlay
