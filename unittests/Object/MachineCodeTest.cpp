//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What holds of every machine CFG, whatever the code: tried on this very
// program, which has all that C++ makes, and on damaged copies of it. What the
// graphs of particular code look like, test/Object says.
//
//===----------------------------------------------------------------------===//

#include "../FakeBinary.h"
#include "inlay/Object/MachineCFG.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace llvm;
using namespace inlay;

namespace {

std::string ownPath() {
  return sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(ownPath));
}

/// What the declarations in MachineCFG.h promise.
void checkFunction(const MachineFunction &F, MachineCode &Code) {
  SCOPED_TRACE(F.Name.str());
  ASSERT_FALSE(F.Blocks.empty());
  ASSERT_FALSE(F.Parts.empty());
  EXPECT_EQ(F.Instructions.front().Address, F.Entry);
  EXPECT_EQ(F.Parts.front().Begin, F.Entry);
  EXPECT_EQ(Code.entryOf(F.Entry), F.Entry);

  // Blocks partition the instructions, and these the parts.
  uint32_t Next = 0;
  for (const MachineBlock &B : F.Blocks) {
    EXPECT_EQ(B.First, Next);
    EXPECT_GE(B.Count, 1u);
    Next += B.Count;
  }
  EXPECT_EQ(Next, F.Instructions.size());
  uint64_t Size = 0, SizeOfParts = 0;
  for (const MachineInstruction &I : F.Instructions)
    Size += I.Size;
  for (const FunctionRange &P : F.Parts)
    SizeOfParts += P.End - P.Begin;
  EXPECT_EQ(Size, SizeOfParts);

  std::vector<bool> HasEdge(F.Blocks.size()), IsTarget(F.Blocks.size());
  std::set<std::tuple<uint32_t, uint32_t, EdgeKind>> Edges;
  uint32_t Source = 0;
  for (const MachineEdge &E : F.Edges) {
    ASSERT_LT(E.Source, F.Blocks.size());
    ASSERT_LT(E.Target, F.Blocks.size());
    EXPECT_GE(E.Source, Source);
    Source = E.Source;
    EXPECT_TRUE(Edges.insert({E.Source, E.Target, E.Kind}).second);
    HasEdge[E.Source] = true;
    IsTarget[E.Target] = IsTarget[E.Target] || F.Blocks[E.Source].IsReachable;
    if (F.Blocks[E.Source].IsReachable) {
      EXPECT_TRUE(F.Blocks[E.Target].IsReachable);
    }
  }
  for (uint32_t B = 0; B != F.Blocks.size(); ++B) {
    EXPECT_TRUE(HasEdge[B] || F.Blocks[B].IsExit);
    EXPECT_EQ(F.Blocks[B].IsReachable,
              B == 0 || F.Blocks[B].IsLandingPad || IsTarget[B])
        << "block " << B;
  }

  uint32_t Instruction = 0;
  for (const MachineCall &C : F.Calls) {
    EXPECT_GE(C.Instruction, Instruction);
    Instruction = C.Instruction;
    const MachineBlock &B = F.Blocks[C.Block];
    EXPECT_GE(C.Instruction, B.First);
    EXPECT_LT(C.Instruction, B.First + B.Count);
    if (C.IsTail) {
      EXPECT_TRUE(B.IsExit);
      EXPECT_EQ(C.Instruction, B.First + B.Count - 1);
    }
  }
}

TEST(MachineCode, NeedsBytes) {
  FakeBinary Binary;
  Expected<std::unique_ptr<MachineCode>> Code = MachineCode::create(Binary);
  ASSERT_FALSE(Code);
  EXPECT_EQ(toString(Code.takeError()),
            "fake: holds no code that can be disassembled");
}

TEST(MachineCode, KeepsPromises) {
  auto Binary = ProfiledBinary::open(ownPath());
  ASSERT_TRUE(bool(Binary)) << toString(Binary.takeError());
  auto Code = MachineCode::create(**Binary);
  ASSERT_TRUE(bool(Code)) << toString(Code.takeError());
  size_t NumFunctions = 0;
  for (const FunctionRange &Range : (*Binary)->functions()) {
    Expected<MachineFunction> F = (*Code)->function(Range.Begin);
    ASSERT_TRUE(bool(F)) << toString(F.takeError());
    checkFunction(*F, **Code);
    ++NumFunctions;
  }
  EXPECT_GT(NumFunctions, 50u);
}

TEST(MachineCode, SurvivesDamage) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Own = MemoryBuffer::getFile(ownPath());
  ASSERT_TRUE(bool(Own));
  Expected<object::ELF64LEObjectFile> Object =
      object::ELF64LEObjectFile::create((*Own)->getMemBufferRef());
  ASSERT_TRUE(bool(Object)) << toString(Object.takeError());

  // All that this part reads, and little else: the headers, and what is loaded.
  std::vector<std::pair<uint64_t, uint64_t>> Places; // offset, size
  Places.push_back({0, sizeof(object::ELF64LE::Ehdr) + 1024});
  Expected<object::ELF64LE::ShdrRange> Sections =
      Object->getELFFile().sections();
  ASSERT_TRUE(bool(Sections)) << toString(Sections.takeError());
  Places.push_back({Object->getELFFile().getHeader().e_shoff,
                    Sections->size() * sizeof(object::ELF64LE::Shdr)});
  for (const object::ELF64LE::Shdr &S : *Sections)
    if ((S.sh_flags & ELF::SHF_ALLOC) && S.sh_type != ELF::SHT_NOBITS &&
        S.sh_size != 0)
      Places.push_back({S.sh_offset, S.sh_size});

  SmallString<128> Path;
  int Descriptor;
  ASSERT_FALSE(sys::fs::createTemporaryFile("damaged", "", Descriptor, Path));
  raw_fd_ostream Stream(Descriptor, /*shouldClose=*/true);
  Stream.close();
  std::mt19937_64 Random(1);
  size_t NumOpened = 0;
  for (unsigned Round = 0; Round != 20; ++Round) {
    std::string Bytes = (*Own)->getBuffer().str();
    for (unsigned I = 0, E = 1u << (Round % 8); I != E; ++I) {
      auto [Offset, Size] = Places[Random() % Places.size()];
      static constexpr uint8_t Values[] = {0, 1, 0x7f, 0x80, 0xff};
      Bytes[(Offset + Random() % Size) % Bytes.size()] =
          Random() % 2 ? Random() : Values[Random() % std::size(Values)];
    }
    std::error_code EC;
    raw_fd_ostream Out(Path, EC);
    ASSERT_FALSE(EC);
    Out << Bytes;
    Out.close();

    auto Binary = ProfiledBinary::open(Path);
    if (!Binary) {
      consumeError(Binary.takeError());
      continue;
    }
    auto Code = MachineCode::create(**Binary);
    if (!Code) {
      consumeError(Code.takeError());
      continue;
    }
    ++NumOpened;
    for (const FunctionRange &Range : (*Binary)->functions()) {
      Expected<MachineFunction> F = (*Code)->function(Range.Begin);
      if (F)
        checkFunction(*F, **Code);
      else
        consumeError(F.takeError());
    }
  }
  sys::fs::remove(Path);
  EXPECT_GT(NumOpened, 0u);
}

} // namespace
