//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Damaged files: cut at every byte, with bytes changed, of nothing but random
// bytes, made of lines in a random order. Whatever comes, the reader ends with
// an error that names the file, or with a profile; and what is cut is never
// taken for the whole.
//
//===----------------------------------------------------------------------===//

#include "CallgrindText.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <random>

using namespace llvm;
using namespace inlay;

namespace {

class DamagedCallgrindTest : public CallgrindTextTest {
protected:
  void SetUp() override {
    Descriptor = memfd_create("damaged", 0);
    ASSERT_NE(Descriptor, -1);
  }
  void TearDown() override { close(Descriptor); }

  /// The total of \p Text, or nullopt after an error that names the file.
  std::optional<uint64_t> total(StringRef Text) {
    EXPECT_EQ(ftruncate(Descriptor, 0), 0);
    EXPECT_EQ(pwrite(Descriptor, Text.data(), Text.size(), 0),
              ssize_t(Text.size()));
    std::string Path = "/proc/self/fd/" + std::to_string(Descriptor);
    Expected<CallgrindProfile> Profile = readCallgrind({Path}, Diagnostics);
    if (Profile)
      return Profile->Total;
    std::string Message = toString(Profile.takeError());
    EXPECT_TRUE(StringRef(Message).starts_with(Path)) << Message;
    return std::nullopt;
  }

  int Descriptor = -1;
  const std::string Good = "# callgrind format\n"
                           "version: 1\n"
                           "creator: callgrind-3.19.0\n"
                           "pid: 12\n"
                           "cmd:  ./app\n"
                           "part: 1\n"
                           "positions: instr line\n"
                           "events: Ir Dr\n"
                           "summary: 109 3\n"
                           "\n"
                           "ob=(1) /bin/app\n"
                           "fl=(1) app.c\n"
                           "fn=(1) main\n"
                           "0x1000 5 1\n"
                           "+4 +1 8 3\n"
                           "jcnd=3/8 +8 +1\n"
                           "* *\n"
                           "cob=(2) /lib/libc.so\n"
                           "cfi=(2) string.c\n"
                           "cfn=(2) memcpy\n"
                           "calls=7 0x8000 20\n"
                           "* -1 700 6\n"
                           "ob=(2)\n"
                           "fl=(2)\n"
                           "fn=(2)\n"
                           "0x8000 20 100\n"
                           "jump=4 -8 *\n"
                           "* *\n"
                           "\n"
                           "totals: 109 3\n";
  std::mt19937 Random{20};
};

TEST_F(DamagedCallgrindTest, UndamagedFileIsRead) {
  EXPECT_EQ(total(Good), 109u);
}

TEST_F(DamagedCallgrindTest, CutFilesAreErrors) {
  // The last line may lack its end, and its counts of other events.
  const size_t Whole = StringRef(Good).rfind("109") + 3;
  for (size_t Size = 0; Size < Whole; ++Size)
    EXPECT_EQ(total(StringRef(Good).take_front(Size)), std::nullopt) << Size;
  for (size_t Size = Whole; Size < Good.size(); ++Size)
    EXPECT_EQ(total(StringRef(Good).take_front(Size)), 109u) << Size;
}

TEST_F(DamagedCallgrindTest, ChangedBytes) {
  for (size_t Position = 0; Position < Good.size(); ++Position)
    for (unsigned char Mask : {0x01, 0x02, 0x04, 0x10, 0x20, 0x80}) {
      std::string Damaged = Good;
      Damaged[Position] ^= Mask;
      // Where it is read, all costs are still there.
      if (std::optional<uint64_t> Total = total(Damaged))
        EXPECT_EQ(*Total, 109u) << Position;
    }
}

TEST_F(DamagedCallgrindTest, LinesInAnyOrder) {
  SmallVector<StringRef> Lines;
  SplitString(Good, Lines, "\n");
  for (int Round = 0; Round < 2000; ++Round) {
    std::string Damaged = "version: 1\npositions: instr line\nevents: Ir\n";
    for (int I = 0; I < 40; ++I)
      Damaged += (Lines[Random() % Lines.size()] + "\n").str();
    total(Damaged);
  }
}

TEST_F(DamagedCallgrindTest, RandomBytes) {
  const StringRef Alphabet = "0123456789+-*x()=:/ \nobfncalsjmpi\0\xff";
  for (int Round = 0; Round < 2000; ++Round) {
    std::string Damaged = "version: 1\npositions: instr line\nevents: Ir\n";
    for (int I = 0; I < 300; ++I)
      Damaged += Alphabet[Random() % Alphabet.size()];
    EXPECT_EQ(total(Damaged), std::nullopt);
  }
}

} // namespace
