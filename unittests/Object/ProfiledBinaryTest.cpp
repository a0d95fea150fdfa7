//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ELF files made from YAML: segments, symbols, build IDs, and tables that lie.
// Debug information is tested with real compilers in test/Profconv.
//
//===----------------------------------------------------------------------===//

#include "inlay/Object/ProfiledBinary.h"
#include "inlay/Object/BinaryLocator.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ObjectYAML/yaml2obj.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace inlay;

namespace {

/// A file that is gone after the test.
struct TemporaryFile {
  SmallString<128> Path;
  FileRemover Remover;

  explicit TemporaryFile(StringRef Contents) {
    int FD;
    EXPECT_FALSE(sys::fs::createTemporaryFile("inlay", "elf", FD, Path));
    raw_fd_ostream(FD, /*shouldClose=*/true) << Contents;
    Remover.setFile(Path);
  }
};

std::string elfFromYAML(StringRef YAML) {
  SmallString<0> Bytes;
  raw_svector_ostream OS(Bytes);
  yaml::Input Input(YAML);
  EXPECT_TRUE(yaml::convertYAML(
      Input, OS, [](const Twine &Message) { FAIL() << Message.str(); }));
  return std::string(Bytes);
}

Expected<std::unique_ptr<ProfiledBinary>> openBytes(StringRef Bytes) {
  TemporaryFile File(Bytes);
  return ProfiledBinary::open(File.Path);
}

std::string errorOf(Expected<std::unique_ptr<ProfiledBinary>> BinaryOrErr) {
  return BinaryOrErr ? "" : toString(BinaryOrErr.takeError());
}

/// 0x100 bytes of code at file offset 0x1000, address 0x401000.
constexpr StringLiteral Header = R"(
--- !ELF
FileHeader:
  Class:   ELFCLASS64
  Data:    ELFDATA2LSB
  Type:    ET_EXEC
  Machine: EM_X86_64
ProgramHeaders:
  - Type:     PT_LOAD
    Flags:    [ PF_R, PF_X ]
    VAddr:    0x401000
    FirstSec: .text
    LastSec:  .text
  - Type:     PT_NOTE
    Flags:    [ PF_R ]
    VAddr:    0x500000
    Align:    4
    FirstSec: .note.gnu.build-id
    LastSec:  .note.gnu.build-id
Sections:
  - Name:    .text
    Type:    SHT_PROGBITS
    Flags:   [ SHF_ALLOC, SHF_EXECINSTR ]
    Address: 0x401000
    Offset:  0x1000
    Size:    0x100
  - Name:    .note.gnu.build-id
    Type:    SHT_NOTE
    Flags:   [ SHF_ALLOC ]
    Address: 0x500000
    AddressAlign: 4
    Notes:
      - Name: GNU
        Desc: 0102030405060708
        Type: NT_PRPSINFO
)";

std::string withSymbols(StringRef Symbols) {
  return elfFromYAML((Header + "Symbols:\n" + Symbols).str());
}

std::string list(ArrayRef<FunctionRange> Functions) {
  std::string Text;
  for (const FunctionRange &F : Functions)
    Text +=
        F.Name.str() + " " + utohexstr(F.Begin) + "-" + utohexstr(F.End) + "\n";
  return Text;
}

} // namespace

TEST(ProfiledBinary, MapsFileOffsetsToAddresses) {
  auto BinaryOrErr = openBytes(elfFromYAML(Header));
  ASSERT_TRUE(!!BinaryOrErr) << toString(BinaryOrErr.takeError());
  const ProfiledBinary &Binary = **BinaryOrErr;
  EXPECT_EQ(0x401000u, Binary.addressOf(0x1000));
  EXPECT_EQ(0x4010ffu, Binary.addressOf(0x10ff));
  EXPECT_EQ(std::nullopt, Binary.addressOf(0xfff));
  EXPECT_EQ(std::nullopt, Binary.addressOf(0x1100));
  EXPECT_EQ("0102030405060708", formatBuildID(Binary.buildID()));
  EXPECT_TRUE(Binary.isStripped());
  EXPECT_FALSE(Binary.hasSymbols());
  EXPECT_FALSE(Binary.hasDebugInfo());
}

TEST(ProfiledBinary, SortsSymbolsAndCutsOverlaps) {
  auto BinaryOrErr = openBytes(withSymbols(R"(
  - { Name: late,  Type: STT_FUNC, Section: .text, Value: 0x401080, Size: 0x10 }
  - { Name: outer, Type: STT_FUNC, Section: .text, Value: 0x401000, Size: 0x40 }
  - { Name: inner, Type: STT_FUNC, Section: .text, Value: 0x401020, Size: 0x10 }
  - { Name: data,  Type: STT_OBJECT, Section: .text, Value: 0x401090, Size: 8 }
  - { Name: undef, Type: STT_FUNC, Value: 0x4010a0, Size: 8 }
)"));
  ASSERT_TRUE(!!BinaryOrErr) << toString(BinaryOrErr.takeError());
  ProfiledBinary &Binary = **BinaryOrErr;
  EXPECT_EQ("outer 401000-401020\ninner 401020-401030\nlate 401080-401090\n",
            list(Binary.functions()));
  EXPECT_FALSE(Binary.isStripped());
  EXPECT_EQ(nullptr, Binary.functionAt(0x400fff));
  EXPECT_EQ("outer", Binary.functionAt(0x401000)->Name);
  EXPECT_EQ("inner", Binary.functionAt(0x40102f)->Name);
  EXPECT_EQ(nullptr, Binary.functionAt(0x401030));
  EXPECT_EQ(nullptr, Binary.functionAt(0x401090));
  EXPECT_TRUE(Binary.inlineStackAt(0x401000).empty());
}

TEST(ProfiledBinary, SymbolsWithoutSizeEndAtTheNextOrAtTheSection) {
  auto BinaryOrErr = openBytes(withSymbols(R"(
  - { Name: a, Type: STT_FUNC, Section: .text, Value: 0x401000 }
  - { Name: b, Type: STT_FUNC, Section: .text, Value: 0x401010 }
)"));
  ASSERT_TRUE(!!BinaryOrErr) << toString(BinaryOrErr.takeError());
  EXPECT_EQ("a 401000-401010\nb 401010-401100\n",
            list((*BinaryOrErr)->functions()));
}

TEST(ProfiledBinary, PrefersGlobalAmongAliases) {
  auto BinaryOrErr = openBytes(withSymbols(R"(
  - { Name: a_local, Type: STT_FUNC, Section: .text, Value: 0x401000, Size: 16 }
  - { Name: b_weak, Type: STT_FUNC, Section: .text, Value: 0x401000, Size: 16, Binding: STB_WEAK }
  - { Name: d_global, Type: STT_FUNC, Section: .text, Value: 0x401000, Size: 16, Binding: STB_GLOBAL }
  - { Name: c_global.llvm.7, Type: STT_FUNC, Section: .text, Value: 0x401000, Size: 8, Binding: STB_GLOBAL }
)"));
  ASSERT_TRUE(!!BinaryOrErr) << toString(BinaryOrErr.takeError());
  EXPECT_EQ("c_global 401000-401010\n", list((*BinaryOrErr)->functions()));
}

TEST(ProfiledBinary, RefusesWhatIsNoExecutable) {
  EXPECT_TRUE(StringRef(errorOf(openBytes(""))).ends_with("is empty"));
  EXPECT_TRUE(StringRef(errorOf(openBytes("#!/bin/sh\n")))
                  .ends_with("is not an ELF file"));
  EXPECT_TRUE(StringRef(errorOf(openBytes("\x7f"
                                          "ELF")))
                  .ends_with("is truncated in its ELF header"));
  std::string Bytes = elfFromYAML(Header);
  Bytes[4] = 1; // EI_CLASS: 32 bits
  EXPECT_TRUE(StringRef(errorOf(openBytes(Bytes))).contains("32-bit"));
  Bytes = elfFromYAML(Header);
  Bytes[16] = 1; // e_type: ET_REL
  EXPECT_TRUE(StringRef(errorOf(openBytes(Bytes)))
                  .ends_with("is not an executable or a shared library"));
}

TEST(ProfiledBinary, SurvivesTruncationAtAnyByte) {
  std::string Bytes = withSymbols(R"(
  - { Name: f, Type: STT_FUNC, Section: .text, Value: 0x401000, Size: 16 }
)");
  for (size_t Size = 0; Size < Bytes.size(); Size += Size < 0x200 ? 1 : 13)
    EXPECT_NE("", errorOf(openBytes(StringRef(Bytes).take_front(Size))))
        << Size;
}

TEST(ProfiledBinary, SurvivesAnyFlippedByteOfItsTables) {
  std::string Bytes = withSymbols(R"(
  - { Name: f, Type: STT_FUNC, Section: .text, Value: 0x401000, Size: 16 }
)");
  // The header and program headers, then the tables behind the code.
  for (size_t I = 0; I < Bytes.size(); I = I == 0x200 ? 0x1100 : I + 1) {
    std::string Corrupt = Bytes;
    Corrupt[I] = ~Corrupt[I];
    auto BinaryOrErr = openBytes(Corrupt);
    if (!BinaryOrErr) {
      consumeError(BinaryOrErr.takeError());
      continue;
    }
    for (const FunctionRange &F : (*BinaryOrErr)->functions())
      EXPECT_LT(F.Begin, F.End);
    (void)(*BinaryOrErr)->inlineStackAt(0x401000);
  }
}

TEST(ProfiledBinary, RefusesImpossibleCompression) {
  std::string Error = errorOf(openBytes(elfFromYAML(R"(
--- !ELF
FileHeader: { Class: ELFCLASS64, Data: ELFDATA2LSB, Type: ET_EXEC, Machine: EM_X86_64 }
Sections:
  - Name:    .debug_info
    Type:    SHT_PROGBITS
    Flags:   [ SHF_COMPRESSED ]
    Content: "010000000000000000000000FF0000000100000000000000789C"
)")));
  EXPECT_TRUE(StringRef(Error).contains(
      "compressed section .debug_info of 26 bytes claims to hold "
      "1095216660480: corrupt"))
      << Error;
}

TEST(ProfiledBinary, RefusesTablesOfTheSameBytes) {
  auto WithTables = [](StringRef Kind, unsigned Count) {
    std::string YAML = R"(
--- !ELF
FileHeader: { Class: ELFCLASS64, Data: ELFDATA2LSB, Type: ET_EXEC, Machine: EM_X86_64 }
Sections:
  - { Name: .bytes, Type: SHT_PROGBITS, Offset: 0x200, Size: 0x2400 }
)";
    for (unsigned I = 0; I != Count; ++I)
      YAML += ("  - { Name: '.t (" + Twine(I) + ")', " + Kind +
               ", ShOffset: 0x200, ShSize: 0x1800 }\n")
                  .str();
    return errorOf(openBytes(elfFromYAML(YAML)));
  };
  for (const char *Kind :
       {"Type: SHT_RELA, EntSize: 24", "Type: SHT_RELR, EntSize: 8",
        "Type: SHT_DYNSYM, EntSize: 24",
        "Type: SHT_PROGBITS, Flags: [ SHF_COMPRESSED ]"}) {
    EXPECT_FALSE(StringRef(WithTables(Kind, 1)).contains("overlap")) << Kind;
    std::string Error = WithTables(Kind, 2);
    EXPECT_TRUE(StringRef(Error).ends_with("corrupt ELF file: its tables and "
                                           "compressed sections overlap"))
        << Kind << ": " << Error;
  }
}

TEST(BinaryLocator, ComparesBuildIDsBeforeNames) {
  TemporaryFile File(elfFromYAML(Header));
  auto BinaryOrErr = ProfiledBinary::open(File.Path);
  ASSERT_TRUE(!!BinaryOrErr) << toString(BinaryOrErr.takeError());
  const ProfiledBinary &Binary = **BinaryOrErr;
  const uint8_t Same[] = {1, 2, 3, 4, 5, 6, 7, 8}, Other[] = {1, 2, 3};
  EXPECT_EQ(BinaryMatch::BuildID, matchBinary({"/elsewhere", Same}, Binary));
  EXPECT_EQ(BinaryMatch::No, matchBinary({"/elsewhere", Other}, Binary));
  EXPECT_EQ(BinaryMatch::No, matchBinary({"/elsewhere", {}}, Binary));
  EXPECT_EQ(BinaryMatch::Name, matchBinary({File.Path, {}}, Binary));
  EXPECT_EQ(BinaryMatch::WrongBuildID, matchBinary({File.Path, Other}, Binary));
  std::string Deleted = (File.Path + " (deleted)").str();
  EXPECT_EQ(BinaryMatch::Name, matchBinary({Deleted, {}}, Binary));
}

TEST(BinaryLocator, PassesOverAWrongBuildID) {
  TemporaryFile File(elfFromYAML(Header));
  const uint8_t Other[] = {0xaa, 0xbb};
  auto BinaryOrErr = locateBinary({File.Path, Other}, {});
  ASSERT_FALSE(!!BinaryOrErr);
  std::string Message = toString(BinaryOrErr.takeError());
  EXPECT_NE(std::string::npos,
            Message.find("has build ID 0102030405060708, the recorded one is "
                         "aabb"))
      << Message;
  auto Forced = locateBinary({File.Path, Other}, {}, /*IgnoreBuildID=*/true);
  EXPECT_TRUE(!!Forced) << toString(Forced.takeError());
}
