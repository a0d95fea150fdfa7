//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is left of a file when writing it fails, or is cut short at any moment.
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/OutputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <csignal>
#include <fcntl.h>
#include <random>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace inlay;

namespace {

class OutputFile : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("inlay-output", Directory));
  }
  void TearDown() override { sys::fs::remove_directories(Directory); }

  std::string in(StringRef Name) {
    SmallString<128> Path(Directory);
    sys::path::append(Path, Name);
    return std::string(Path);
  }
  std::vector<std::string> list() {
    std::vector<std::string> Names;
    std::error_code EC;
    for (sys::fs::directory_iterator I(Directory, EC), E; !EC && I != E;
         I.increment(EC))
      Names.push_back(sys::path::filename(I->path()).str());
    llvm::sort(Names);
    return Names;
  }

  SmallString<128> Directory;
};

std::string read(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  return Buffer ? (*Buffer)->getBuffer().str() : "no such file";
}

std::string messageOf(Error E) { return E ? toString(std::move(E)) : ""; }

using Names = std::vector<std::string>;

} // namespace

TEST_F(OutputFile, ReplacesAndKeepsPermissions) {
  std::string Path = in("a");
  EXPECT_EQ("", messageOf(writeOutputFile(Path, "old")));
  EXPECT_EQ("old", read(Path));
  ASSERT_EQ(0, ::chmod(Path.c_str(), 0640));
  EXPECT_EQ("", messageOf(writeOutputFile(Path, "new and longer")));
  EXPECT_EQ("new and longer", read(Path));
  EXPECT_EQ(0640u, unsigned(*sys::fs::getPermissions(Path)));
  EXPECT_EQ(Names{"a"}, list());
}

TEST_F(OutputFile, FollowsLinks) {
  ASSERT_FALSE(sys::fs::create_directories(in("d")));
  ASSERT_FALSE(sys::fs::create_link("d/real", in("link")));
  ASSERT_FALSE(sys::fs::create_link("link", in("twice")));
  // First the file that the link names does not exist.
  EXPECT_EQ("", messageOf(writeOutputFile(in("twice"), "1")));
  EXPECT_EQ("1", read(in("d/real")));
  EXPECT_EQ("", messageOf(writeOutputFile(in("twice"), "2")));
  EXPECT_EQ("2", read(in("d/real")));
  EXPECT_TRUE(sys::fs::is_symlink_file(in("twice")));
  EXPECT_TRUE(sys::fs::is_symlink_file(in("link")));
  EXPECT_EQ((Names{"d", "link", "twice"}), list());
}

TEST_F(OutputFile, LinksInACircleAreAnError) {
  ASSERT_FALSE(sys::fs::create_link("b", in("a")));
  ASSERT_FALSE(sys::fs::create_link("a", in("b")));
  // Either end of the circle may be replaced, but we must come back.
  consumeError(writeOutputFile(in("a"), "1"));
  EXPECT_EQ(2u, list().size());
}

TEST_F(OutputFile, TooLargeLeavesTheOldFile) {
  std::string Path = in("a");
  ASSERT_EQ("", messageOf(writeOutputFile(Path, "old")));
  rlimit Old;
  ASSERT_EQ(0, ::getrlimit(RLIMIT_FSIZE, &Old));
  rlimit Small = {1000, Old.rlim_max};
  ASSERT_EQ(0, ::setrlimit(RLIMIT_FSIZE, &Small));
  std::string ForOld = messageOf(writeOutputFile(Path, std::string(5000, 'x')));
  std::string ForNew =
      messageOf(writeOutputFile(in("b"), std::string(5000, 'x')));
  ASSERT_EQ(0, ::setrlimit(RLIMIT_FSIZE, &Old));
  EXPECT_EQ(Path + ": cannot write: File too large; the file that was there is "
                   "unchanged",
            ForOld);
  EXPECT_EQ(in("b") + ": cannot write: File too large; nothing was left behind",
            ForNew);
  EXPECT_EQ("old", read(Path));
  EXPECT_EQ(Names{"a"}, list());
}

TEST_F(OutputFile, FullDeviceIsAnError) {
  if (!sys::fs::exists("/dev/full"))
    GTEST_SKIP() << "no /dev/full";
  EXPECT_EQ("/dev/full: cannot write: No space left on device; the output is "
            "incomplete",
            messageOf(writeOutputFile("/dev/full", "x")));
  sys::fs::file_status Status;
  ASSERT_FALSE(sys::fs::status("/dev/full", Status));
  EXPECT_EQ(sys::fs::file_type::character_file, Status.type());
}

TEST_F(OutputFile, ClosedPipeIsAnError) {
  int Ends[2];
  ASSERT_EQ(0, ::pipe(Ends));
  std::string Path = "/dev/fd/" + itostr(Ends[1]);
  EXPECT_EQ("", messageOf(writeOutputFile(Path, "through")));
  char Buffer[16] = {};
  EXPECT_EQ(7, ::read(Ends[0], Buffer, sizeof(Buffer)));
  EXPECT_STREQ("through", Buffer);

  // What is written after the last reader has gone.
  int Writer = ::open(Path.c_str(), O_WRONLY);
  ASSERT_GE(Writer, 0);
  ::close(Ends[0]);
  std::string Message = messageOf(
      writeOutputFile("/dev/fd/" + itostr(Writer), std::string(100000, 'x')));
  EXPECT_TRUE(StringRef(Message).contains("Broken pipe")) << Message;
  ::close(Writer);
  ::close(Ends[1]);
}

TEST_F(OutputFile, WhatIsOpenIsNotTruncated) {
  std::string Path = in("log");
  ASSERT_EQ("", messageOf(writeOutputFile(Path, "old,")));
  int FD = ::open(Path.c_str(), O_WRONLY | O_APPEND);
  ASSERT_GE(FD, 0);
  int Stdout = ::dup(STDOUT_FILENO);
  ::dup2(FD, STDOUT_FILENO);
  std::string Message = messageOf(writeOutputFile("/dev/stdout", "new"));
  ::dup2(Stdout, STDOUT_FILENO);
  ::close(Stdout);
  ::close(FD);
  EXPECT_EQ("", Message);
  EXPECT_EQ("old,new", read(Path));
}

TEST_F(OutputFile, MissingDirectoryIsAnError) {
  std::string Path = in("none/a");
  EXPECT_EQ(Path + ": the directory " + in("none") +
                " does not exist; make it first",
            messageOf(checkOutputPath(Path, "-o")));
  EXPECT_EQ(Path +
                ": cannot write: No such file or directory; nothing was left "
                "behind",
            messageOf(writeOutputFile(Path, "x")));
}

/// A shell lets its background jobs ignore SIGINT. Before anything installs a
/// handler.
static const bool IsInterruptIgnored = [] {
  struct sigaction Action = {};
  sigaction(SIGINT, nullptr, &Action);
  return Action.sa_handler == SIG_IGN;
}();

/// A process that writes the same file for ever, 64 KiB of 'a' and of 'b' in
/// turn, is killed at random moments.
static void killWriters(const std::string &Path, int Signal, unsigned Times,
                        function_ref<void()> Check) {
  std::mt19937 Random(7);
  for (unsigned Run = 0; Run != Times; ++Run) {
    pid_t Writer = ::fork();
    ASSERT_GE(Writer, 0);
    if (Writer == 0) {
      std::string A(65536, 'a'), B(65536, 'b');
      for (bool IsA = true;; IsA = !IsA)
        if (Error E = writeOutputFile(Path, IsA ? A : B)) {
          consumeError(std::move(E));
          ::_exit(1);
        }
    }
    ::usleep(1000 + Random() % 15000);
    ::kill(Writer, Signal);
    int Status = 0;
    ASSERT_EQ(Writer, ::waitpid(Writer, &Status, 0));
    ASSERT_TRUE(WIFSIGNALED(Status)) << "the writer failed";
    EXPECT_EQ(Signal, WTERMSIG(Status));
    std::string Contents = read(Path);
    if (Contents != "old") {
      ASSERT_EQ(65536u, Contents.size());
      EXPECT_EQ(Contents, std::string(65536, Contents.front()));
    }
    Check();
  }
}

TEST_F(OutputFile, KilledAtAnyMoment) {
  std::string Path = in("a");
  ASSERT_EQ("", messageOf(writeOutputFile(Path, "old")));
  killWriters(Path, SIGKILL, 40, [] {});
}

TEST_F(OutputFile, AskedToEndAtAnyMoment) {
  std::string Path = in("a");
  ASSERT_EQ("", messageOf(writeOutputFile(Path, "old")));
  for (int Signal : {SIGINT, SIGTERM})
    if (Signal != SIGINT || !IsInterruptIgnored)
      killWriters(Path, Signal, 20, [&] { EXPECT_EQ(Names{"a"}, list()); });
}
