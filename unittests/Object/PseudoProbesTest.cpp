//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Probes of two functions, one inlined in the other, and what becomes of
// sections that are damaged.
//
//===----------------------------------------------------------------------===//

#include "inlay/Object/PseudoProbes.h"
#include "inlay/Object/ProfiledBinary.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ObjectYAML/yaml2obj.h"
#include "llvm/ProfileData/SampleProf.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace inlay;

namespace {

/// The contents of a section.
class Bytes {
public:
  Bytes &fixed64(uint64_t Value) {
    char Buffer[8];
    support::endian::write64le(Buffer, Value);
    Text.append(Buffer, 8);
    return *this;
  }
  Bytes &name(StringRef Name) { return fixed64(MD5Hash(Name)); }
  Bytes &number(uint64_t Value) {
    raw_string_ostream OS(Text);
    encodeULEB128(Value, OS);
    return *this;
  }
  Bytes &byte(uint8_t Value) {
    Text += static_cast<char>(Value);
    return *this;
  }
  Bytes &function(StringRef Name, uint64_t Checksum) {
    name(Name).fixed64(Checksum).number(Name.size());
    Text += Name;
    return *this;
  }
  /// A probe whose address is so many bytes (at most 63) after the last one.
  Bytes &probe(unsigned Id, uint8_t Type, uint8_t Distance) {
    return number(Id).byte(0x80 | Type).number(Distance);
  }
  std::string Text;
};

constexpr uint8_t Block = 0, DirectCall = 2;

std::string elf(StringRef Functions, StringRef Probes) {
  std::string YAML = R"(
--- !ELF
FileHeader: {Class: ELFCLASS64, Data: ELFDATA2LSB, Type: ET_EXEC,
             Machine: EM_X86_64}
ProgramHeaders:
  - {Type: PT_LOAD, Flags: [PF_R, PF_X], VAddr: 0x401000, FirstSec: .text,
     LastSec: .text}
Sections:
  - {Name: .text, Type: SHT_PROGBITS, Flags: [SHF_ALLOC, SHF_EXECINSTR],
     Address: 0x401000, Offset: 0x1000, Size: 0x100}
)";
  if (!Functions.empty())
    YAML += "  - {Name: .pseudo_probe_desc, Type: SHT_PROGBITS, Content: '" +
            toHex(Functions) + "'}\n";
  if (!Probes.empty())
    YAML += "  - {Name: .pseudo_probe, Type: SHT_PROGBITS, Content: '" +
            toHex(Probes) + "'}\n";
  YAML += R"(Symbols:
  - {Name: outer, Type: STT_FUNC, Section: .text, Value: 0x401000, Size: 0x40}
  - {Name: inner, Type: STT_FUNC, Section: .text, Value: 0x401040, Size: 0x20}
  - {Name: outer.cold, Type: STT_FUNC, Section: .text, Value: 0x401080,
     Size: 0x20}
)";
  SmallString<0> Result;
  raw_svector_ostream OS(Result);
  yaml::Input Input(YAML);
  EXPECT_TRUE(yaml::convertYAML(
      Input, OS, [](const Twine &Message) { FAIL() << Message.str(); }));
  return std::string(Result);
}

std::string functions() {
  return Bytes().function("outer", 11).function("inner", 22).Text;
}

/// outer: block 1 at its first byte, inner's block 1 inlined at call 2 four
/// bytes on, a call 3 another two on; its split-off part: block 4. inner:
/// block 1.
std::string probes() {
  Bytes B;
  B.name("outer").number(4).number(1);
  B.probe(1, Block, 0).probe(3, DirectCall, 6);
  B.number(0).byte(0x20).name("outer.cold").probe(4, Block, 1);
  B.number(2).name("inner").number(1).number(0);
  B.number(1).byte(0).fixed64(0x401004);
  // Not relative to what came before, but to the function.
  return B.Text;
}

std::string withInner() {
  return Bytes().name("inner").number(1).number(0).probe(1, Block, 3).Text;
}

class PseudoProbesTest : public testing::Test {
protected:
  Expected<std::unique_ptr<PseudoProbes>> read(StringRef Functions,
                                               StringRef Probes) {
    SmallString<128> Path;
    int FD;
    EXPECT_FALSE(sys::fs::createTemporaryFile("inlay", "elf", FD, Path));
    raw_fd_ostream(FD, /*shouldClose=*/true) << elf(Functions, Probes);
    FileRemover Remover(Path);
    Expected<std::unique_ptr<ProfiledBinary>> Opened =
        ProfiledBinary::open(Path);
    if (!Opened)
      return Opened.takeError();
    Binary = std::move(*Opened);
    return PseudoProbes::read(*Binary);
  }

  std::string error(StringRef Functions, StringRef Probes) {
    Expected<std::unique_ptr<PseudoProbes>> Read = read(Functions, Probes);
    return Read ? "" : toString(Read.takeError());
  }

  std::unique_ptr<ProfiledBinary> Binary;
};

std::string list(const PseudoProbes &Probes, uint64_t Begin, uint64_t End) {
  std::string Text;
  raw_string_ostream OS(Text);
  for (const PlacedProbe &Probe : Probes.probesIn(Begin, End)) {
    OS << format_hex(Probe.Address, 8) << (Probe.IsCall ? " call" : " block");
    for (const ProbeFrame &Frame : Probes.stackOf(Probe))
      OS << ' ' << Frame.Function << '/' << Frame.Checksum << ':'
         << Frame.Probe;
    OS << '\n';
  }
  return Text;
}

} // namespace

TEST_F(PseudoProbesTest, AddressesAndInlineStacks) {
  Expected<std::unique_ptr<PseudoProbes>> Read =
      read(functions(), withInner() + probes());
  ASSERT_TRUE(bool(Read)) << toString(Read.takeError());
  ASSERT_TRUE(*Read);
  EXPECT_EQ(list(**Read, 0, ~0ull), "0x401000 block outer/11:1\n"
                                    "0x401004 block inner/22:1 outer/11:2\n"
                                    "0x401006 call outer/11:3\n"
                                    "0x401043 block inner/22:1\n"
                                    "0x401081 block outer/11:4\n");
  EXPECT_EQ(list(**Read, 0x401004, 0x401006),
            "0x401004 block inner/22:1 outer/11:2\n");
}

TEST_F(PseudoProbesTest, ABinaryWithoutProbes) {
  Expected<std::unique_ptr<PseudoProbes>> Read = read(functions(), "");
  ASSERT_TRUE(bool(Read)) << toString(Read.takeError());
  EXPECT_FALSE(*Read);
}

TEST_F(PseudoProbesTest, FunctionsOfOneName) {
  std::string Twice = functions() + Bytes().function("inner", 33).Text;
  Expected<std::unique_ptr<PseudoProbes>> Read = read(Twice, withInner());
  ASSERT_TRUE(bool(Read)) << toString(Read.takeError());
  EXPECT_EQ(list(**Read, 0, ~0ull), "0x401043 block inner/22:1\n");
}

TEST_F(PseudoProbesTest, WhatIsWrongIsNamed) {
  auto Expect = [&](StringRef Functions, StringRef Probes, StringRef Problem) {
    std::string Message = error(Functions, Probes);
    EXPECT_TRUE(StringRef(Message).contains(Problem)) << Message;
  };
  Expect("", probes(), "not what describes their functions");
  Expect(Bytes().function("outer", 11).Text, probes(),
         ".pseudo_probe: a function of which there is no description");
  for (uint64_t Hash : {uint64_t(0), ~uint64_t(0), ~uint64_t(0) - 1})
    Expect(functions() + Bytes().fixed64(Hash).fixed64(0).number(0).Text,
           probes(), "impossible hash of a function's name");
  Expect(functions(),
         Bytes().name("inner").number(1).number(0).probe(1, 5, 0).Text,
         "a probe of unknown type");
  Expect(functions(), Bytes().name("inner").number(9).number(0).Text,
         "probes are missing");
  Expect(functions(), Bytes().name("inner").number(0).number(7).Text,
         "functions are missing");
  Expect(functions(), Bytes().name("inner").number(1ull << 32).Text,
         "a number is truncated or too large");
  Bytes Sentinel;
  Sentinel.name("inner").number(1).number(0).number(0).byte(0x20);
  Expect(functions(), Sentinel.fixed64(~uint64_t(0)).Text,
         "impossible hash of a function's name");
  Bytes Deep;
  for (unsigned Level = 0; Level != 100000; ++Level)
    (Level ? Deep.number(1) : Deep).name("inner").number(0).number(1);
  Expect(functions(), Deep.Text, "functions are inlined too deep");
}

TEST_F(PseudoProbesTest, DamagedAnywhere) {
  const std::string Functions = functions(), Probes = probes() + withInner();
  auto ReadAndAsk = [&](StringRef F, StringRef P) {
    Expected<std::unique_ptr<PseudoProbes>> Read = read(F, P);
    if (!Read)
      return consumeError(Read.takeError());
    if (*Read)
      list(**Read, 0, ~0ull);
  };
  for (size_t I = 0; I != Probes.size(); ++I)
    ReadAndAsk(Functions, StringRef(Probes).take_front(I));
  for (size_t I = 1; I != Functions.size(); ++I)
    EXPECT_NE(error(StringRef(Functions).take_front(I), Probes), "");
  for (char Value : {'\x00', '\x01', '\x7f', '\x80', '\xff'}) {
    for (size_t I = 0; I != Probes.size(); ++I) {
      std::string Damaged = Probes;
      Damaged[I] = Value;
      ReadAndAsk(Functions, Damaged);
    }
    for (size_t I = 0; I != Functions.size(); ++I) {
      std::string Damaged = Functions;
      Damaged[I] = Value;
      ReadAndAsk(Damaged, Probes);
    }
  }
}
