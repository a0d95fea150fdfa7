//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a kernel module gets addresses, and what becomes of a damaged one.
//
//===----------------------------------------------------------------------===//

#include "ELFImage.h"
#include "ModuleLayout.h"
#include "inlay/Object/ProfiledBinary.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ObjectYAML/yaml2obj.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace inlay;

namespace {

/// Text of 6 bytes with a call at 1, then at the next multiple of 16 four more;
/// code of initialization between them does not count.
std::string moduleBytes() {
  SmallString<0> Bytes;
  raw_svector_ostream OS(Bytes);
  yaml::Input Input(R"(
--- !ELF
FileHeader:
  Class:   ELFCLASS64
  Data:    ELFDATA2LSB
  Type:    ET_REL
  Machine: EM_X86_64
Sections:
  - Name:         .text
    Type:         SHT_PROGBITS
    Flags:        [ SHF_ALLOC, SHF_EXECINSTR ]
    AddressAlign: 16
    Content:      'E800000000C3'
  - Name:         .init.text
    Type:         SHT_PROGBITS
    Flags:        [ SHF_ALLOC, SHF_EXECINSTR ]
    AddressAlign: 16
    Size:         0x100
  - Name:         .text.unlikely
    Type:         SHT_PROGBITS
    Flags:        [ SHF_ALLOC, SHF_EXECINSTR ]
    AddressAlign: 16
    Content:      '909090C3'
  - Name:         .data
    Type:         SHT_PROGBITS
    Flags:        [ SHF_ALLOC, SHF_WRITE ]
    AddressAlign: 8
    Size:         16
  - Name:         .modinfo
    Type:         SHT_PROGBITS
    Flags:        [ SHF_ALLOC ]
    Size:         8
  - Name:         .rela.text
    Type:         SHT_RELA
    Info:         .text
    Relocations:
      - Offset: 1
        Symbol: cold
        Type:   R_X86_64_PLT32
        Addend: -4
  - Name:         .rela.data
    Type:         SHT_RELA
    Info:         .data
    Relocations:
      - Offset: 8
        Symbol: cold
        Type:   R_X86_64_64
        Addend: 1
      - Offset: 12
        Symbol: cold
        Type:   R_X86_64_64
Symbols:
  - Name:    hot
    Type:    STT_FUNC
    Section: .text
    Size:    6
    Binding: STB_GLOBAL
  - Name:    cold
    Type:    STT_FUNC
    Section: .text.unlikely
    Size:    4
    Binding: STB_GLOBAL
)");
  EXPECT_TRUE(yaml::convertYAML(
      Input, OS, [](const Twine &Message) { FAIL() << Message.str(); }));
  return std::string(Bytes);
}

/// A file that is gone after the test.
struct TemporaryFile {
  SmallString<128> Path;
  FileRemover Remover;

  explicit TemporaryFile(StringRef Contents) {
    int FD;
    EXPECT_FALSE(sys::fs::createTemporaryFile("inlay", "ko", FD, Path));
    raw_fd_ostream(FD, /*shouldClose=*/true) << Contents;
    Remover.setFile(Path);
  }
};

constexpr uint64_t Text = ModuleTextAddress;

} // namespace

TEST(KernelModule, IsLaidOutAsTheKernelDoes) {
  TemporaryFile File(moduleBytes());
  auto BinaryOrErr = ProfiledBinary::open(File.Path);
  ASSERT_TRUE(!!BinaryOrErr) << toString(BinaryOrErr.takeError());
  ProfiledBinary &Binary = **BinaryOrErr;
  EXPECT_EQ(BinaryForm::KernelModule, Binary.form());
  EXPECT_EQ(Text, Binary.addressOf(0));
  EXPECT_EQ(Text + 5, Binary.addressOf(5));
  EXPECT_EQ(std::nullopt, Binary.addressOf(6));
  EXPECT_EQ(Text + 16, Binary.addressOf(16));
  EXPECT_EQ(Text + 19, Binary.addressOf(19));
  EXPECT_EQ(std::nullopt, Binary.addressOf(UINT64_MAX));
  ASSERT_EQ(2u, Binary.functions().size());
  EXPECT_EQ("hot", Binary.functions()[0].Name);
  EXPECT_EQ(Text, Binary.functions()[0].Begin);
  EXPECT_EQ("cold", Binary.functions()[1].Name);
  EXPECT_EQ(Text + 16, Binary.functions()[1].Begin);
}

TEST(KernelModule, IsRelocated) {
  TemporaryFile File(moduleBytes());
  auto ImageOrErr = ELFImage::open(File.Path);
  ASSERT_TRUE(!!ImageOrErr) << toString(ImageOrErr.takeError());
  auto ContentsOf = [&](StringRef Name) -> ArrayRef<uint8_t> {
    for (const object::SectionRef &Section : (*ImageOrErr)->object().sections())
      if (cantFail(Section.getName()) == Name)
        return arrayRefFromStringRef(cantFail(Section.getContents()));
    return {};
  };
  ArrayRef<uint8_t> Code = ContentsOf(".text"), Data = ContentsOf(".data");
  ASSERT_EQ(6u, Code.size());
  ASSERT_EQ(16u, Data.size());
  // call cold: from behind the call, at 5, to 16
  EXPECT_EQ(11u, support::endian::read32le(Code.data() + 1));
  EXPECT_EQ(Text + 17, support::endian::read64le(Data.data() + 8));
  // The second one would write past the section's end.
  EXPECT_EQ(0u, support::endian::read64le(Data.data()));
}

TEST(KernelModule, SurvivesDamage) {
  const std::string Whole = moduleBytes();
  auto Open = [](StringRef Bytes) {
    TemporaryFile File(Bytes);
    auto BinaryOrErr = ProfiledBinary::open(File.Path);
    if (!BinaryOrErr) {
      EXPECT_NE("", toString(BinaryOrErr.takeError()));
      return;
    }
    for (uint64_t Offset : {0, 5, 16, 19})
      if (std::optional<uint64_t> Address = (*BinaryOrErr)->addressOf(Offset))
        (void)(*BinaryOrErr)->functionAt(*Address);
  };
  for (size_t Size = 0; Size < Whole.size(); Size += 3)
    Open(StringRef(Whole).take_front(Size));
  for (size_t I = 0; I != Whole.size(); ++I)
    for (uint8_t Value : {0x00, 0x7f, 0xff}) {
      std::string Bytes = Whole;
      Bytes[I] = char(Value);
      Open(Bytes);
    }
}
