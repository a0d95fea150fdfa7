//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Headers of line tables with which LLVM's parser would leave its own code, or
// not end.
//
//===----------------------------------------------------------------------===//

#include "LineTableHeader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "gtest/gtest.h"

using namespace inlay;
using namespace llvm;

namespace {

/// A header of DWARF 5. Its numbers have a byte each, as they would in ULEB128.
struct Header {
  uint8_t AddressSize = 8;
  std::string DirectoryFormats = {1, dwarf::DW_LNCT_path,
                                  dwarf::DW_FORM_line_strp};
  std::string Directories = std::string("\1\0\0\0\0", 5);
  std::string FileFormats = {2, dwarf::DW_LNCT_path, dwarf::DW_FORM_string,
                             dwarf::DW_LNCT_directory_index,
                             dwarf::DW_FORM_udata};
  std::string Files = std::string("\1a\0\0", 4);

  std::string bytes() const {
    std::string Behind = {1, 1, 1, -5, 14, 3, 0, 1}; // up to opcode lengths
    Behind += DirectoryFormats + Directories + FileFormats + Files;
    std::string Text = {5, 0, char(AddressSize), 0, char(Behind.size()), 0,
                        0, 0};
    Text += Behind;
    return std::string{char(Text.size()), 0, 0, 0} + Text;
  }
};

std::string problem(const std::string &Section, uint64_t Offset = 0) {
  Error E = checkLineTableHeader(Section, Offset);
  return E ? toString(std::move(E)) : "";
}

} // namespace

TEST(LineTableHeaderTest, SoundOnesPass) {
  EXPECT_EQ(problem(Header().bytes()), "");
  Header MD5;
  MD5.FileFormats = {3,
                     dwarf::DW_LNCT_path,
                     dwarf::DW_FORM_line_strp,
                     dwarf::DW_LNCT_directory_index,
                     dwarf::DW_FORM_udata,
                     dwarf::DW_LNCT_MD5,
                     dwarf::DW_FORM_data16};
  EXPECT_EQ(problem(MD5.bytes()), "");
}

TEST(LineTableHeaderTest, OddAddressesAreRefused) {
  for (unsigned Size : {0, 1, 4, 7, 0x28, 255}) {
    Header H;
    H.AddressSize = Size;
    EXPECT_EQ(problem(H.bytes()), "the line table at 0x0 has addresses of " +
                                      std::to_string(Size) +
                                      " bytes; it is not read");
  }
  Header H;
  H.AddressSize = 3;
  EXPECT_EQ(problem("behind" + H.bytes(), 6),
            "the line table at 0x6 has addresses of 3 bytes; it is not read");
}

TEST(LineTableHeaderTest, FormsThatMeanNothingAreRefused) {
  const char Unknown[] =
      "the line table at 0x0 has entries of an unknown form; it is not read";
  auto WithFileFormat = [](uint8_t Type, uint8_t Form) {
    Header H;
    H.FileFormats[3] = Type;
    H.FileFormats[4] = Form;
    return problem(H.bytes());
  };
  // Addresses, entries of no bytes, numbers that are none.
  EXPECT_EQ(WithFileFormat(dwarf::DW_LNCT_path, dwarf::DW_FORM_addr), Unknown);
  EXPECT_EQ(WithFileFormat(dwarf::DW_LNCT_path, dwarf::DW_FORM_flag_present),
            Unknown);
  EXPECT_EQ(WithFileFormat(dwarf::DW_LNCT_path, dwarf::DW_FORM_indirect),
            Unknown);
  for (unsigned Type : {dwarf::DW_LNCT_directory_index,
                        dwarf::DW_LNCT_timestamp, dwarf::DW_LNCT_size})
    EXPECT_EQ(WithFileFormat(Type, dwarf::DW_FORM_string), Unknown);
  Header H;
  H.DirectoryFormats[2] = dwarf::DW_FORM_implicit_const;
  EXPECT_EQ(problem(H.bytes()), Unknown);
}

TEST(LineTableHeaderTest, CountsAreNotBelieved) {
  // Ends with the section, whatever the number of directories is.
  Header H;
  H.Directories = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
  EXPECT_EQ(problem(H.bytes()), "");
  H.DirectoryFormats = std::string("\0", 1);
  EXPECT_EQ(problem(H.bytes()), "");
}

TEST(LineTableHeaderTest, WhatIsCutIsLeftToLLVM) {
  const std::string Whole = Header().bytes();
  for (size_t Size = 0; Size != Whole.size(); ++Size)
    EXPECT_EQ(problem(Whole.substr(0, Size)), "") << Size;
  EXPECT_EQ(problem(Whole, 1 << 20), "");
}
