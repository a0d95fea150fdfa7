//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The spool keeps what it was given, in order and within its bound, and
// survives what it finds.
//
//===----------------------------------------------------------------------===//

#include "inlay/Store/Spool.h"
#include "StoreTest.h"
#include "inlay/Store/Aggregation.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace inlay;
using namespace llvm;

namespace {

/// A directory that goes with the test.
class TempDir {
public:
  TempDir() { EXPECT_FALSE(sys::fs::createUniqueDirectory("spool", Path)); }
  ~TempDir() { sys::fs::remove_directories(Path); }
  StringRef path() const { return Path; }
  std::string path(const Twine &Name) const {
    return (Path + "/" + Name).str();
  }

private:
  SmallString<128> Path;
};

class Messages final : public DiagnosticSink {
public:
  std::vector<std::string> Warnings;
  void warning(const Twine &Message) override {
    Warnings.push_back(Message.str());
  }
};

} // namespace

static Capture numbered(unsigned Number) {
  Capture C = makeCapture("content" + std::to_string(Number),
                          [&](BinarySamples &Samples) {
                            Samples.Counts = {{Number, 1}};
                            Samples.Ranges = {{{1, 2}, 3}};
                          });
  C.Started += Number;
  return C;
}

TEST(SpoolTest, DeliversOnceAndInOrder) {
  TempDir Directory;
  Messages Said;
  auto DB = makeStore();
  {
    auto Waiting = Spool::open(Directory.path(), 1 << 20);
    ASSERT_TRUE(succeeded(Waiting));
    for (unsigned Number : {2, 1, 3})
      ASSERT_TRUE(succeeded(Waiting->put(numbered(Number), Said)));
  }
  // Another process, later.
  auto Waiting = Spool::open(Directory.path(), 1 << 20);
  ASSERT_TRUE(succeeded(Waiting));
  EXPECT_TRUE(hasValue(Waiting->size(), 3u));
  // One of them had been delivered when the first process ended.
  ASSERT_TRUE(hasValue(CaptureWriter(*DB).deliver(numbered(1)), true));
  EXPECT_TRUE(hasValue(Waiting->deliverTo(*DB, Said), 3u));
  EXPECT_TRUE(hasValue(Waiting->size(), 0u));
  std::string Starts;
  ASSERT_TRUE(
      succeeded(DB->query("SELECT started - $1 FROM capture ORDER BY started",
                          {tenDaysAgo()}, [&](const SQLRow &Row) {
                            Starts += Row.text(0).str() + " ";
                            return Error::success();
                          })));
  EXPECT_EQ(Starts, "1 2 3 ");
  EXPECT_TRUE(Said.Warnings.empty());
}

TEST(SpoolTest, OldestMakeRoom) {
  TempDir Directory;
  Messages Said;
  auto Waiting = Spool::open(Directory.path(), 2500);
  ASSERT_TRUE(succeeded(Waiting));
  for (unsigned Number = 1; Number <= 50; ++Number)
    ASSERT_TRUE(succeeded(Waiting->put(numbered(Number), Said)));
  auto Left = Waiting->size();
  ASSERT_TRUE(succeeded(Left));
  EXPECT_LT(*Left, 20u);
  EXPECT_GT(*Left, 2u);
  EXPECT_EQ(Said.Warnings.size(), 50 - *Left);
  auto DB = makeStore();
  ASSERT_TRUE(succeeded(Waiting->deliverTo(*DB, Said)));
  auto Oldest =
      DB->queryValue("SELECT MIN(started) - $1 FROM capture", {tenDaysAgo()});
  ASSERT_TRUE(succeeded(Oldest));
  EXPECT_EQ(Oldest->integer(), 51 - *Left);
}

TEST(SpoolTest, IsForOneProcess) {
  TempDir Directory;
  auto First = Spool::open(Directory.path(), 1 << 20);
  ASSERT_TRUE(succeeded(First));
  EXPECT_TRUE(failed(Spool::open(Directory.path(), 1 << 20)));
}

TEST(SpoolTest, DamagedFilesAreSetAside) {
  TempDir Directory;
  Messages Said;
  auto Waiting = Spool::open(Directory.path(), 1 << 20);
  ASSERT_TRUE(succeeded(Waiting));
  ASSERT_TRUE(succeeded(Waiting->put(numbered(5), Said)));
  const StringRef Damaged[] = {
      "", "\n", "{}\n", "[1]\nx",
      "{\"application\":\"a\",\"version\":\"\",\"host\":\"h\",\"started\":1,"
      "\"duration\":1,\"content\":\"c\"}\nInlayRaw"};
  for (size_t Index = 0; Index < std::size(Damaged); ++Index) {
    std::string Path =
        Directory.path("000000000" + std::to_string(Index) + ".capture");
    std::error_code EC;
    raw_fd_ostream(Path, EC) << Damaged[Index];
    ASSERT_FALSE(EC);
  }
  auto DB = makeStore();
  EXPECT_TRUE(hasValue(Waiting->deliverTo(*DB, Said), 1u));
  EXPECT_EQ(Said.Warnings.size(), std::size(Damaged));
  EXPECT_TRUE(hasValue(Waiting->size(), 0u));
}
