//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Damaged files of every container: truncated at every byte, with each byte
// changed, with random bytes overwritten, of nothing but random bytes, with
// absurd numbers in every field. Whatever comes, the reader and the aggregator
// end with an error that names the file, or with a result; under the sanitizers
// this also shows that they read nothing that is not there.
//
//===----------------------------------------------------------------------===//

#include "PerfDataBytes.h"
#include "inlay/Perf/PerfReader.h"
#include "inlay/Sampling/SampleAggregator.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <random>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace inlay;

namespace {

/// The files live in memory: writing each of them to a disk would take longer
/// than all of the tests.
class DamagedFilesTest : public testing::Test {
protected:
  void SetUp() override {
    Descriptor = memfd_create("damaged", 0);
    ASSERT_NE(Descriptor, -1);
    Path = "/proc/self/fd/" + std::to_string(Descriptor);
  }
  void TearDown() override { close(Descriptor); }

  void write(StringRef Bytes) {
    ASSERT_EQ(ftruncate(Descriptor, 0), 0);
    ASSERT_EQ(pwrite(Descriptor, Bytes.data(), Bytes.size(), 0),
              ssize_t(Bytes.size()));
  }

  Expected<RawProfile> read(StringRef Bytes) {
    write(Bytes);
    DiagnosticSink Silent;
    Expected<std::unique_ptr<PerfReader>> Reader =
        PerfReader::open(Path, Silent);
    if (!Reader)
      return Reader.takeError();
    return aggregateSamples(**Reader, Silent);
  }

  /// Reads \p Bytes; if that fails the message must name the file.
  bool succeeds(StringRef Bytes) {
    Expected<RawProfile> Profile = read(Bytes);
    if (Profile)
      return true;
    std::string Message = toString(Profile.takeError());
    EXPECT_TRUE(StringRef(Message).starts_with(Path)) << Message;
    return false;
  }

  int Descriptor = -1;
  std::string Path;
  std::string Good = PerfDataBytes::make();
};

/// What every undamaged container says.
void expectGood(Expected<RawProfile> Profile) {
  ASSERT_TRUE(bool(Profile)) << toString(Profile.takeError());
  ASSERT_EQ(Profile->Events.size(), 2u);
  EXPECT_EQ(Profile->LostEvents, 5u);
  for (const EventSamples &Event : Profile->Events) {
    EXPECT_EQ(Event.Total, 2u);
    ASSERT_EQ(Event.Binaries.size(), 1u);
    EXPECT_EQ(Event.Binaries[0].Path, "/bin/app");
    EXPECT_EQ(Event.Binaries[0].BuildID.size(), 8u);
    EXPECT_EQ(Event.Binaries[0].Total, 2u);
  }
  EXPECT_EQ(Profile->Events[0].Attr.Name, "instructions");
  EXPECT_EQ(Profile->Events[1].Attr.Name, "cycles");
}

class DamagedContainerTest
    : public DamagedFilesTest,
      public testing::WithParamInterface<PerfDataBytes::Kind> {
protected:
  void SetUp() override {
    DamagedFilesTest::SetUp();
    if (GetParam().IsCompressed && !compression::zstd::isAvailable())
      GTEST_SKIP() << "LLVM was built without zstd";
    Good = PerfDataBytes::make(GetParam());
  }
};

constexpr endianness Little = endianness::little, Big = endianness::big;
INSTANTIATE_TEST_SUITE_P(
    Containers, DamagedContainerTest,
    testing::Values(PerfDataBytes::Kind{false, false, Little},
                    PerfDataBytes::Kind{false, false, Big},
                    PerfDataBytes::Kind{false, true, Little},
                    PerfDataBytes::Kind{true, false, Little},
                    PerfDataBytes::Kind{true, false, Big},
                    PerfDataBytes::Kind{true, true, Little},
                    PerfDataBytes::Kind{true, true, Big}),
    [](const testing::TestParamInfo<PerfDataBytes::Kind> &Info) {
      const PerfDataBytes::Kind &K = Info.param;
      return std::string(K.Order == Little ? "Little" : "Big") +
             (K.IsCompressed ? "Compressed" : "") +
             (K.IsPipe ? "Pipe" : "File");
    });

TEST_P(DamagedContainerTest, UndamagedIsRead) { expectGood(read(Good)); }

TEST_P(DamagedContainerTest, UndamagedIsReadFromAPipe) {
  int Ends[2];
  ASSERT_EQ(pipe(Ends), 0);
  // Small enough for the kernel to keep until it is read.
  ASSERT_LT(Good.size(), 1u << 15);
  ASSERT_EQ(::write(Ends[1], Good.data(), Good.size()), ssize_t(Good.size()));
  close(Ends[1]);
  DiagnosticSink Silent;
  Expected<std::unique_ptr<PerfReader>> Reader =
      PerfReader::open("/proc/self/fd/" + std::to_string(Ends[0]), Silent);
  EXPECT_EQ(bool(Reader), GetParam().IsPipe);
  if (Reader)
    expectGood(aggregateSamples(**Reader, Silent));
  else
    consumeError(Reader.takeError());
  close(Ends[0]);
}

TEST_P(DamagedContainerTest, TruncatedAtEveryByte) {
  // A stream may end anywhere, once its first event is known.
  constexpr size_t FirstEventEnd = 16 + 8 + 128 + 8;
  for (size_t Size = 0; Size != Good.size(); ++Size)
    EXPECT_EQ(succeeds(StringRef(Good).take_front(Size)),
              GetParam().IsPipe && Size >= FirstEventEnd)
        << "cut at " << Size;
}

TEST_P(DamagedContainerTest, EachByteChanged) {
  for (size_t At = 0; At != Good.size(); ++At)
    for (uint8_t Change : {0x01, 0x80, 0xff}) {
      std::string Bad = Good;
      Bad[At] ^= Change;
      succeeds(Bad);
    }
}

TEST_F(DamagedFilesTest, InterruptedAtEveryByte) {
  // Without a data size, any end is one that a killed perf may have left.
  std::string Interrupted = Good;
  support::endian::write64le(&Interrupted[48], 0);
  uint64_t DataBegin = support::endian::read64le(&Good[40]);
  uint64_t DataEnd = DataBegin + support::endian::read64le(&Good[48]);
  for (size_t Size = DataBegin; Size <= DataEnd; ++Size)
    EXPECT_TRUE(succeeds(StringRef(Interrupted).take_front(Size)))
        << "cut at " << Size;
}

TEST_P(DamagedContainerTest, AbsurdNumbersEverywhere) {
  const uint64_t Absurd[] = {0,
                             1,
                             7,
                             0x7fffffff,
                             0xffffffff,
                             uint64_t(1) << 61,
                             ~uint64_t(0) >> 1,
                             ~uint64_t(0) - 7,
                             ~uint64_t(0)};
  for (size_t At = 8; At + 8 <= Good.size(); At += 4)
    for (uint64_t Number : Absurd) {
      std::string Bad = Good;
      support::endian::write64(&Bad[At], Number, GetParam().Order);
      succeeds(Bad);
    }
}

TEST_P(DamagedContainerTest, RandomBytesInAGoodFile) {
  std::mt19937 Random(2);
  unsigned Failures = 0;
  constexpr unsigned Rounds = 10000;
  for (unsigned I = 0; I != Rounds; ++I) {
    std::string Bad = Good;
    for (unsigned N = 1 + Random() % 8; N; --N)
      Bad[8 + Random() % (Bad.size() - 8)] = char(Random());
    Failures += !succeeds(Bad);
  }
  // Some damage must be noticed, and some does not matter.
  EXPECT_GT(Failures, 0u);
  EXPECT_LT(Failures, Rounds);
}

TEST_F(DamagedFilesTest, RandomBytesBehindTheMagic) {
  std::mt19937 Random(3);
  for (unsigned I = 0; I != 500; ++I) {
    std::string Bad = "PERFILE2";
    for (unsigned N = Random() % 4096; N; --N)
      Bad += char(Random());
    EXPECT_FALSE(succeeds(Bad));
  }
}

TEST_F(DamagedFilesTest, ShrinksWhileItIsRead) {
  // More than one window, so that the reader has to come back to the file.
  std::string Long = Good;
  uint64_t DataBegin = support::endian::read64le(&Good[40]);
  uint64_t DataSize = support::endian::read64le(&Good[48]);
  std::string Records = Good.substr(DataBegin, DataSize);
  Long.resize(DataBegin);
  while (Long.size() < (4 << 20))
    Long += Records;
  support::endian::write64le(&Long[48], 0);
  write(Long);
  DiagnosticSink Silent;
  Expected<std::unique_ptr<PerfReader>> Reader = PerfReader::open(Path, Silent);
  ASSERT_TRUE(bool(Reader)) << toString(Reader.takeError());
  Expected<RawProfile> Profile =
      aggregateSamples(**Reader, Silent, [&](uint64_t BytesRead) {
        ASSERT_EQ(ftruncate(Descriptor, 4096), 0);
      });
  ASSERT_FALSE(bool(Profile));
  std::string Message = toString(Profile.takeError());
  EXPECT_NE(Message.find("longer when it was opened"), std::string::npos)
      << Message;
}

TEST(DamagedDirectoryTest, EachByteOfADataFileChanged) {
  SmallString<128> Directory;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("damaged", Directory));
  auto Write = [&](StringRef Name, StringRef Bytes) {
    SmallString<128> Path(Directory);
    sys::path::append(Path, Name);
    std::error_code EC;
    raw_fd_ostream OS(Path, EC);
    ASSERT_FALSE(EC);
    OS << Bytes;
  };
  DiagnosticSink Silent;
  auto Read = [&]() -> Expected<RawProfile> {
    Expected<std::unique_ptr<PerfReader>> Reader =
        PerfReader::open(Directory, Silent);
    if (!Reader)
      return Reader.takeError();
    return aggregateSamples(**Reader, Silent);
  };
  Write("data", PerfDataBytes::make());
  const std::string Good = PerfDataBytes::makeRecords();
  Write("data.0", Good);
  Expected<RawProfile> Profile = Read();
  ASSERT_TRUE(bool(Profile)) << toString(Profile.takeError());
  EXPECT_EQ(Profile->Events[0].Total, 4u);
  EXPECT_EQ(Profile->Events[1].Total, 4u);
  for (size_t At = 0; At != Good.size(); ++At)
    for (uint8_t Change : {0x01, 0xff}) {
      std::string Bad = Good;
      Bad[At] ^= Change;
      Write("data.0", Bad);
      Profile = Read();
      if (Profile)
        continue;
      std::string Message = toString(Profile.takeError());
      EXPECT_TRUE(StringRef(Message).starts_with(Directory)) << Message;
    }
  sys::fs::remove_directories(Directory);
}

} // namespace
