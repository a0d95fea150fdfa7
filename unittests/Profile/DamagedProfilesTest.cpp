//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Profiles that no writer wrote: truncated at every byte, with bytes changed at
// random, with absurd numbers in every place of the section table, nested
// without end, expanding without end. Whatever comes, reading ends in an error
// that names the file or in a profile; LLVM's reader alone would crash on most
// of these.
//
//===----------------------------------------------------------------------===//

#include "ProfileValidation.h"
#include "inlay/Profile/ProfileFile.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/ProfileData/SampleProfWriter.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <random>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace llvm::sampleprof;
using namespace inlay;

namespace {

/// Offsets into the extended binary format: magic, version, number of sections
/// (8 bytes), then for each section type, flags, offset, size.
const size_t CountAt =
    getULEB128Size(SPMagic(SPF_Ext_Binary)) + getULEB128Size(SPVersion());
const size_t TableAt = CountAt + 8;

struct Variant {
  const char *Name;
  SampleProfileFormat Format;
  bool Compress = false;
  bool MD5 = false;
};
constexpr Variant Variants[] = {
    {"Text", SPF_Text},
    {"Binary", SPF_Binary},
    {"ExtBinary", SPF_Ext_Binary},
    {"Compressed", SPF_Ext_Binary, /*Compress=*/true},
    {"MD5", SPF_Ext_Binary, false, /*MD5=*/true},
};

/// A profile with whatever the formats can hold: inlined calls, targets, a
/// symbol list.
std::string writeGood(const Variant &V, unsigned Functions = 3) {
  SampleProfileMap Profiles;
  std::vector<std::string> Names;
  for (unsigned I = 0; I != Functions; ++I)
    Names.push_back("function" + std::to_string(I));
  for (unsigned I = 0; I != Functions; ++I) {
    FunctionSamples &FS = Profiles.create(SampleContext(StringRef(Names[I])));
    FS.setFunction(FunctionId(StringRef(Names[I])));
    FS.addTotalSamples(1000 + I);
    FS.addHeadSamples(7);
    FS.addBodySamples(1, 0, 300);
    FS.addBodySamples(2, 3, 0);
    FS.addCalledTargetSamples(1, 0, FunctionId(StringRef("target")), 290);
    FunctionSamples &Inner =
        FS.functionSamplesAt({4, 1})[FunctionId(StringRef("inner"))];
    Inner.setFunction(FunctionId(StringRef("inner")));
    Inner.addTotalSamples(500);
    Inner.addBodySamples(9, 0, 500);
  }
  SmallVector<char, 0> Bytes;
  std::unique_ptr<raw_ostream> OS =
      std::make_unique<raw_svector_ostream>(Bytes);
  auto Writer = std::move(*SampleProfileWriter::create(OS, V.Format));
  ProfileSymbolList Symbols;
  Symbols.add("cold", /*Copy=*/true);
  Symbols.add("function0", /*Copy=*/true);
  if (V.Format == SPF_Ext_Binary) {
    Writer->setProfileSymbolList(&Symbols);
    if (V.Compress)
      Writer->setToCompressAllSections();
    if (V.MD5)
      Writer->setUseMD5();
  }
  EXPECT_FALSE(Writer->write(Profiles));
  return std::string(Bytes.begin(), Bytes.end());
}

/// Files live in memory: writing each of them to a disk would take longer than
/// all of the tests.
class DamagedProfiles : public testing::Test {
protected:
  void SetUp() override {
    Descriptor = memfd_create("damaged", 0);
    ASSERT_NE(Descriptor, -1);
    Path = "/proc/self/fd/" + std::to_string(Descriptor);
    M = std::make_unique<Module>("module", Context);
    auto *Type = FunctionType::get(Type::getVoidTy(Context), false);
    for (StringRef Name : {"function0", "function2", "cold"})
      Function::Create(Type, GlobalValue::ExternalLinkage, Name, *M);
  }
  void TearDown() override { close(Descriptor); }

  Expected<ProfileFile> read(StringRef Bytes, const Module *M = nullptr) {
    EXPECT_EQ(ftruncate(Descriptor, 0), 0);
    EXPECT_EQ(pwrite(Descriptor, Bytes.data(), Bytes.size(), 0),
              ssize_t(Bytes.size()));
    return readProfile(Path, M);
  }

  /// Reads \p Bytes as tools do and as the plugin does.
  bool succeeds(StringRef Bytes) {
    bool Success[2];
    for (bool WithModule : {false, true}) {
      Expected<ProfileFile> File = read(Bytes, WithModule ? M.get() : nullptr);
      Success[WithModule] = bool(File);
      if (File) {
        std::string Text;
        raw_string_ostream OS(Text);
        File->Map.print(OS);
        continue;
      }
      std::string Message = toString(File.takeError());
      EXPECT_TRUE(StringRef(Message).starts_with(Path)) << Message;
      EXPECT_GT(Message.size(), Path.size() + 10) << Message;
    }
    return Success[0] && Success[1];
  }

  /// The error's text behind the file's name.
  std::string errorOf(StringRef Bytes) {
    Expected<ProfileFile> File = read(Bytes, M.get());
    if (File)
      return "no error";
    std::string Message = toString(File.takeError());
    StringRef Rest = Message;
    EXPECT_TRUE(Rest.consume_front(Path)) << Message;
    return Rest.ltrim(": ").str();
  }

  int Descriptor = -1;
  std::string Path;
  LLVMContext Context;
  std::unique_ptr<Module> M;
};

TEST_F(DamagedProfiles, UndamagedProfilesAreRead) {
  for (const Variant &V : Variants)
    for (bool WithModule : {false, true}) {
      SCOPED_TRACE(V.Name);
      Expected<ProfileFile> File =
          read(writeGood(V), WithModule ? M.get() : nullptr);
      ASSERT_TRUE(bool(File)) << toString(File.takeError());
      EXPECT_EQ(File->Map.UsesMD5, V.MD5);
      ContextNode *Root = File->Map.findRoot(File->Map.idOf("function0"));
      ASSERT_NE(Root, nullptr);
      EXPECT_EQ(Root->TotalSamples, 1000u);
      EXPECT_EQ(Root->Lines[LineLocation(1, 0)].Count, 300u);
      EXPECT_NE(Root->findCallee({4, 1}, File->Map.idOf("inner")), nullptr);
      // Only what the module needs is read where the format allows it.
      EXPECT_EQ(File->Map.findRoot(File->Map.idOf("function1")) == nullptr,
                WithModule && V.Format == SPF_Ext_Binary);
      EXPECT_EQ(File->Summary->getNumFunctions(), 3u);
      // The names outlive the reader whose buffer held them.
      ASSERT_EQ(bool(File->SymbolList), V.Format == SPF_Ext_Binary);
      if (File->SymbolList) {
        EXPECT_TRUE(File->SymbolList->contains("cold"));
        EXPECT_FALSE(File->SymbolList->contains("function2"));
      }
    }
}

TEST_F(DamagedProfiles, TruncatedAtEveryByte) {
  for (const Variant &V : Variants) {
    SCOPED_TRACE(V.Name);
    std::string Good = writeGood(V);
    for (size_t Size = 0; Size != Good.size(); ++Size) {
      bool Success = succeeds(StringRef(Good).take_front(Size));
      // Text and the plain binary format do not say how long they are: a cut
      // between two functions, or within a number, leaves a shorter profile.
      if (V.Format == SPF_Ext_Binary) {
        EXPECT_FALSE(Success) << "cut at " << Size;
      }
    }
  }
}

TEST_F(DamagedProfiles, RandomBytesInAGoodProfile) {
  for (const Variant &V : Variants) {
    SCOPED_TRACE(V.Name);
    const std::string Good = writeGood(V);
    std::mt19937 Random(1);
    unsigned Failures = 0;
    constexpr unsigned Rounds = 4000;
    for (unsigned I = 0; I != Rounds; ++I) {
      std::string Bad = Good;
      for (unsigned N = 1 + Random() % 4; N; --N)
        Bad[Random() % Bad.size()] = char(Random());
      Failures += !succeeds(Bad);
    }
    // Some damage must be noticed; some does not matter.
    EXPECT_GT(Failures, 0u);
    EXPECT_LT(Failures, Rounds);
  }
}

TEST_F(DamagedProfiles, RandomBytesBehindTheMagic) {
  std::mt19937 Random(2);
  for (SampleProfileFormat Format : {SPF_Binary, SPF_Ext_Binary}) {
    std::string Start;
    raw_string_ostream OS(Start);
    encodeULEB128(SPMagic(Format), OS);
    encodeULEB128(SPVersion(), OS);
    for (unsigned I = 0; I != 500; ++I) {
      std::string Bad = Start;
      for (unsigned N = Random() % 1000; N; --N)
        Bad += char(Random());
      EXPECT_FALSE(succeeds(Bad));
    }
  }
}

TEST_F(DamagedProfiles, RandomText) {
  // Of the characters that mean something, so that some lines parse.
  static constexpr char Characters[] = " \n:0129.ab[]@!#\t";
  std::mt19937 Random(3);
  for (unsigned I = 0; I != 20000; ++I) {
    std::string Bad = "f:1:1\n";
    for (unsigned N = Random() % 80; N; --N)
      Bad += Characters[Random() % (sizeof(Characters) - 1)];
    succeeds(Bad);
  }
}

TEST_F(DamagedProfiles, AbsurdNumbersInTheSectionTable) {
  const uint64_t Absurd[] = {0,          1,          7,          32,
                             0x7fffffff, 0xffffffff, 1ull << 32, 1ull << 61,
                             ~0ull >> 1, ~0ull - 7,  ~0ull};
  for (const Variant &V : Variants) {
    if (V.Format != SPF_Ext_Binary)
      continue;
    const std::string Good = writeGood(V);
    uint64_t Sections = support::endian::read64le(&Good[CountAt]);
    for (uint64_t I = 0; I <= 4 * Sections; ++I)
      for (uint64_t Number : Absurd) {
        std::string Bad = Good;
        support::endian::write64le(&Bad[CountAt + 8 * I], Number);
        succeeds(Bad);
      }
  }
}

//===----------------------------------------------------------------------===//
// Made by hand
//===----------------------------------------------------------------------===//

std::string leb(std::initializer_list<uint64_t> Numbers) {
  std::string Bytes;
  raw_string_ostream OS(Bytes);
  for (uint64_t Number : Numbers)
    encodeULEB128(Number, OS);
  return Bytes;
}

struct Section {
  uint64_t Type;
  std::string Bytes;
  uint64_t Flags = 0;
};

const std::string Summary = leb({10, 10, 10, 1, 1, 1, 999999, 1, 1});
const std::string OneName = leb({1}) + std::string("f\0", 2);
/// Head, name, total, lines, inlinees.
const std::string OneFunction = leb({1, 0, 10, 0, 0});

std::string extBinary(const std::vector<Section> &Sections) {
  std::string Bytes = leb({SPMagic(SPF_Ext_Binary), SPVersion()});
  auto Append = [&](uint64_t Number) {
    char Field[8];
    support::endian::write64le(Field, Number);
    Bytes.append(Field, 8);
  };
  Append(Sections.size());
  uint64_t Offset = Bytes.size() + 32 * Sections.size();
  for (const Section &S : Sections) {
    Append(S.Type);
    Append(S.Flags);
    Append(Offset);
    Append(S.Bytes.size());
    Offset += S.Bytes.size();
  }
  for (const Section &S : Sections)
    Bytes += S.Bytes;
  return Bytes;
}

TEST_F(DamagedProfiles, HandMadeProfileIsRead) {
  Expected<ProfileFile> File =
      read(extBinary({{SecProfSummary, Summary},
                      {SecNameTable, OneName},
                      {SecFuncOffsetTable, leb({1, 0, 0})},
                      {SecLBRProfile, OneFunction}}));
  ASSERT_TRUE(bool(File)) << toString(File.takeError());
  EXPECT_EQ(File->Map.roots().size(), 1u);
}

TEST_F(DamagedProfiles, UnknownSectionIsSkipped) {
  Expected<ProfileFile> File = read(extBinary({{SecProfSummary, Summary},
                                               {SecNameTable, OneName},
                                               {29, "whatever stands here"},
                                               {SecLBRProfile, OneFunction}}));
  ASSERT_TRUE(bool(File)) << toString(File.takeError());
  EXPECT_EQ(File->Map.roots().size(), 1u);
}

TEST_F(DamagedProfiles, ResolutionThatIsNone) {
  constexpr uint64_t Resolution = 0x494e4c59;
  auto With = [&](std::string Bytes) {
    return extBinary({{SecProfSummary, Summary},
                      {SecNameTable, OneName},
                      {SecLBRProfile, OneFunction},
                      {Resolution, std::move(Bytes)}});
  };
  Expected<ProfileFile> File = read(With(leb({300})));
  ASSERT_TRUE(bool(File)) << toString(File.takeError());
  EXPECT_EQ(File->Map.Resolution, 300u);
  EXPECT_EQ(errorOf(With(leb({0}))),
            "corrupt profile: resolution: nothing but 0 at offset 0x1");
  EXPECT_NE(errorOf(With("\x80")), "no error");

  auto Text = [&](StringRef Comment) {
    Expected<ProfileFile> File = read((Comment + "\nf:10:0\n 1: 10\n").str());
    EXPECT_TRUE(bool(File)) << toString(File.takeError());
    return File ? File->Map.Resolution : 0;
  };
  EXPECT_EQ(Text("# resolution: 300"), 300u);
  EXPECT_EQ(Text("# any\n# resolution: 300\r"), 300u);
  EXPECT_EQ(Text("# resolution: 0"), std::nullopt);
  EXPECT_EQ(Text("# resolution: 99999999999999999999"), std::nullopt);
  EXPECT_EQ(Text("# resolution: fine"), std::nullopt);
}

TEST_F(DamagedProfiles, FunctionsWithoutATableAreAllRead) {
  // A reader that is asked for a module's functions would find none of them.
  Function::Create(FunctionType::get(Type::getVoidTy(Context), false),
                   GlobalValue::ExternalLinkage, "f", *M);
  Expected<ProfileFile> File = read(extBinary({{SecProfSummary, Summary},
                                               {SecNameTable, OneName},
                                               {SecLBRProfile, OneFunction}}),
                                    M.get());
  ASSERT_TRUE(bool(File)) << toString(File.takeError());
  EXPECT_EQ(File->Map.roots().size(), 1u);
}

TEST_F(DamagedProfiles, NumbersOfMoreThanTenBytes) {
  auto With = [&](size_t Size) {
    return extBinary({{SecProfSummary, Summary},
                      {SecNameTable, std::string(Size - 1, '\x80') + '\0'},
                      {SecLBRProfile, ""}});
  };
  EXPECT_EQ(errorOf(With(10)), "no error");
  EXPECT_EQ(errorOf(With(11)),
            "corrupt profile: name table: truncated or overlong number at "
            "offset 0x0");
  // As the magic number.
  EXPECT_NE(errorOf(std::string(20, '\x80') + '\0'), "no error");
}

TEST_F(DamagedProfiles, MoreNamesThanBytes) {
  for (uint64_t Flags : {0ull, 1ull << 32, 3ull << 32})
    EXPECT_NE(errorOf(extBinary({{SecProfSummary, Summary},
                                 {SecNameTable, leb({1ull << 60}), Flags}}))
                  .find("corrupt profile: name table: "),
              std::string::npos);
  EXPECT_EQ(errorOf(extBinary({{SecProfSummary, Summary},
                               {SecNameTable, leb({1ull << 60})}})),
            "corrupt profile: name table: unterminated name at offset 0x9");
}

TEST_F(DamagedProfiles, IndexOutOfTheNameTable) {
  EXPECT_EQ(errorOf(extBinary({{SecProfSummary, Summary},
                               {SecNameTable, OneName},
                               {SecLBRProfile, leb({1, 1, 10, 0, 0})}})),
            "corrupt profile: function profiles: name 1 of only 1 at offset "
            "0x2");
}

TEST_F(DamagedProfiles, HashOfZeroInAFixedLengthTable) {
  EXPECT_EQ(errorOf(extBinary(
                {{SecProfSummary, Summary},
                 {SecNameTable, leb({1}) + std::string(8, '\0'), 3ull << 32}})),
            "corrupt profile: name table: a name's hash is 0 at offset 0x9");
}

TEST_F(DamagedProfiles, NoSummary) {
  EXPECT_EQ(errorOf(extBinary({})), "corrupt profile: there is no summary");
  EXPECT_EQ(errorOf(extBinary({{SecNameTable, OneName}})),
            "corrupt profile: name table: the summary must come first, not "
            "this section at offset 0x0");
}

TEST_F(DamagedProfiles, SummaryWithoutTheCutoffsThatLLVMLooksUp) {
  EXPECT_NE(errorOf(extBinary({{SecProfSummary,
                                leb({10, 10, 10, 1, 1, 1, 990000, 1, 1})}}))
                .find("no entry for a cutoff of 99.9999%"),
            std::string::npos);
}

TEST_F(DamagedProfiles, EmptyContext) {
  EXPECT_EQ(errorOf(extBinary({{SecProfSummary, Summary, 2ull << 32},
                               {SecNameTable, OneName},
                               {SecCSNameTable, leb({1, 0})}})),
            "corrupt profile: context table: context of 0 frames at offset "
            "0x2");
  EXPECT_EQ(errorOf("f:1:1\n[]:1:1\n"),
            "2: expected '[CONTEXT]:NUM:NUM', found []:1:1");
  EXPECT_EQ(errorOf("f:1:1\n[:1:1\n"),
            "2: expected '[CONTEXT]:NUM:NUM', found [:1:1");
}

TEST_F(DamagedProfiles, FunctionsWithOneOffset) {
  // Each of them would be read anew: time would be quadratic.
  EXPECT_EQ(errorOf(extBinary({{SecProfSummary, Summary},
                               {SecNameTable, OneName},
                               {SecFuncOffsetTable, leb({2, 0, 0, 0, 0})},
                               {SecLBRProfile, OneFunction}})),
            "corrupt profile: table of functions: two functions with the same "
            "offset at offset 0x5");
}

TEST_F(DamagedProfiles, OffsetWhereNoFunctionBegins) {
  for (uint64_t Offset : {1ull, 1ull << 40})
    EXPECT_NE(errorOf(extBinary({{SecProfSummary, Summary},
                                 {SecNameTable, OneName},
                                 {SecFuncOffsetTable, leb({1, 0, Offset})},
                                 {SecLBRProfile, OneFunction}}))
                  .find("where none begins"),
              std::string::npos);
}

TEST_F(DamagedProfiles, InlinedCallsWithoutEnd) {
  auto Nested = [](unsigned Levels) {
    // Line, discriminator, name, total, lines, inlinees.
    std::string Bytes = leb({1, 0, 10, 0, 1});
    for (unsigned I = 1; I != Levels; ++I)
      Bytes += leb({1, 0, 0, 10, 0, 1});
    return extBinary({{SecProfSummary, Summary},
                      {SecNameTable, OneName},
                      {SecLBRProfile, Bytes + leb({1, 0, 0, 10, 0, 0})}});
  };
  EXPECT_TRUE(succeeds(Nested(MaxInlineDepth)));
  EXPECT_NE(errorOf(Nested(MaxInlineDepth + 1)).find("levels deep"),
            std::string::npos);
  EXPECT_NE(errorOf(Nested(1000000)).find("levels deep"), std::string::npos);

  std::string Text = "f:1:1\n";
  for (unsigned I = 1; I <= MaxInlineDepth; ++I)
    Text += std::string(I, ' ') + "1: f:1\n";
  EXPECT_TRUE(succeeds(Text));
  Text += std::string(MaxInlineDepth + 1, ' ') + "1: f:1\n";
  EXPECT_EQ(errorOf(Text),
            "1026: inlined calls nest more than 1024 levels deep");
}

TEST_F(DamagedProfiles, MetadataWithoutEnd) {
  std::string Bytes = leb({0, 1});
  for (unsigned I = 0; I != 1000000; ++I)
    Bytes += leb({1, 0, 0, 1});
  EXPECT_NE(errorOf(extBinary({{SecProfSummary, Summary},
                               {SecNameTable, OneName},
                               {SecLBRProfile, OneFunction},
                               {SecFuncMetadata, Bytes}}))
                .find("metadata: inlined calls nest"),
            std::string::npos);
}

TEST_F(DamagedProfiles, SectionsThatOverlap) {
  std::string Bad = extBinary({{SecProfSummary, Summary},
                               {SecNameTable, OneName},
                               {29, std::string(500, 'x')},
                               {30, std::string(10, 'x')}});
  // The last section gets the place of the one before it.
  support::endian::write64le(
      &Bad[TableAt + 3 * 32 + 16],
      support::endian::read64le(&Bad[TableAt + 2 * 32 + 16]));
  support::endian::write64le(&Bad[TableAt + 3 * 32 + 24], 500);
  EXPECT_EQ(errorOf(Bad),
            "corrupt profile: section of type 30: overlaps another section");
}

TEST_F(DamagedProfiles, CompressedSectionThatExpandsWithoutEnd) {
  if (!compression::zlib::isAvailable())
    GTEST_SKIP();
  auto Compressed = [](uint64_t Claimed, uint64_t True) {
    std::string Names = leb({1}) + std::string(True - 2, 'f') + '\0';
    SmallVector<uint8_t, 0> Bytes;
    compression::zlib::compress(arrayRefFromStringRef(Names), Bytes);
    return extBinary({{SecProfSummary, Summary},
                      {SecNameTable,
                       leb({Claimed, Bytes.size()}) +
                           std::string(Bytes.begin(), Bytes.end()),
                       /*Flags=*/1},
                      {SecLBRProfile, OneFunction}});
  };
  EXPECT_TRUE(succeeds(Compressed(MinExpandedSize, MinExpandedSize)));
  EXPECT_NE(errorOf(Compressed(MinExpandedSize + 1, MinExpandedSize + 1))
                .find("too many for this file"),
            std::string::npos);
  EXPECT_NE(errorOf(Compressed(1ull << 62, 100)).find("too many for this file"),
            std::string::npos);
  EXPECT_NE(errorOf(Compressed(50, 100)).find("cannot be decompressed"),
            std::string::npos);
  EXPECT_NE(errorOf(Compressed(200, 100)).find("200"), std::string::npos);
}

TEST_F(DamagedProfiles, ColonsWithoutEnd) {
  // LLVM's reader looks for a number behind each of them.
  EXPECT_EQ(errorOf("f:1:1\n 1: 5 a" + std::string(1 << 20, ':') + "\n"),
            "2: more than 1000 colons in a name");
  EXPECT_TRUE(succeeds("f:1:1\n 1: 5 std::vector<a::b>:5\n"));
}

TEST_F(DamagedProfiles, NotAProfile) {
  EXPECT_EQ(errorOf(""), "the file is empty; llvm-profconv makes a profile "
                         "from perf.data");
  EXPECT_NE(errorOf("hello, world\n").find("not a sample profile"),
            std::string::npos);
  EXPECT_NE(errorOf("PERFILE2").find("not a sample profile"),
            std::string::npos);
  EXPECT_NE(errorOf("adcg*704").find("for GCC"), std::string::npos);
}

TEST_F(DamagedProfiles, TextErrorsNameTheLine) {
  EXPECT_NE(errorOf("f:1:1\n 1: 5\n what is this\n").find("3: "),
            std::string::npos);
}

} // namespace
