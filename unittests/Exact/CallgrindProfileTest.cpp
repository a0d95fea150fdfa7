//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each form of line means, against counts that the test writes down.
//
//===----------------------------------------------------------------------===//

#include "CallgrindText.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace inlay;

namespace {

using CallgrindProfileTest = CallgrindTextTest;
using Instructions = std::vector<std::pair<uint64_t, uint64_t>>;

const std::string Header = "# callgrind format\n"
                           "version: 1\n"
                           "creator: callgrind-3.19.0\n"
                           "pid: 12\n"
                           "cmd:  ./app --fast\n"
                           "part: 1\n\n\n"
                           "desc: Trigger: Program termination\n\n"
                           "positions: instr line\n"
                           "events: Ir\n";

const CallgrindObject &object(const CallgrindProfile &Profile, StringRef Path) {
  for (const CallgrindObject &Object : Profile.Objects)
    if (Object.Path == Path)
      return Object;
  ADD_FAILURE() << "no object " << Path.str();
  static const CallgrindObject None;
  return None;
}

TEST_F(CallgrindProfileTest, PositionsAreRelativeToTheLineBefore) {
  auto Profile = cantFail(read(Header + "ob=(1) /bin/app\n"
                                        "fl=(1) app.c\n"
                                        "fn=(1) main\n"
                                        "0x1000 5 1\n"
                                        "+4 +1 2\n"
                                        "+16 * 3\n"
                                        "-8 -2 4\n"
                                        "* 9 5\n"
                                        "4096 5 6\n"
                                        "\ntotals: 21\n"));
  EXPECT_EQ(
      object(Profile, "/bin/app").Instructions,
      (Instructions{{0x1000, 7}, {0x1004, 2}, {0x100c, 4 + 5}, {0x1014, 3}}));
  EXPECT_EQ(Profile.Total, 21u);
  EXPECT_EQ(Profile.Command, "./app --fast");
  EXPECT_EQ(Profile.mainObject(), &object(Profile, "/bin/app"));
}

TEST_F(CallgrindProfileTest, TheCostOfACalleeIsNotTheCallers) {
  auto Profile = cantFail(read(Header + "ob=(1) /bin/app\n"
                                        "fn=(1) main\n"
                                        "0x1000 5 1\n"
                                        "cob=(2) /lib/libc.so\n"
                                        "cfi=(9) string.c\n"
                                        "cfn=(2) memcpy\n"
                                        "calls=7 0x8000 20\n"
                                        "+5 * 7000\n"
                                        "* * 7\n"
                                        "cfn=(3) f\n"
                                        "calls=2 -16 20\n"
                                        "+1 * 400\n"
                                        "ob=(2)\n"
                                        "fn=(2)\n"
                                        "0x8000 20 7\n"
                                        "\ntotals: 15\n"));
  const CallgrindObject &App = object(Profile, "/bin/app"),
                        &LibC = object(Profile, "/lib/libc.so");
  EXPECT_EQ(App.Instructions, (Instructions{{0x1000, 1}, {0x1005, 7}}));
  EXPECT_EQ(LibC.Instructions, (Instructions{{0x8000, 7}}));
  ASSERT_EQ(App.Calls.size(), 2u);
  EXPECT_EQ(App.Calls[0].Site, 0x1005u);
  EXPECT_EQ(App.Calls[0].Callee, 0x8000u);
  EXPECT_EQ(&Profile.Objects[App.Calls[0].CalleeObject], &LibC);
  EXPECT_EQ(Profile.Functions[App.Calls[0].CalleeName], "memcpy");
  EXPECT_EQ(App.Calls[0].Count, 7u);
  // Without cob= the callee is in the caller's object.
  EXPECT_EQ(App.Calls[1].Site, 0x1006u);
  EXPECT_EQ(App.Calls[1].Callee, 0x1005u - 16);
  EXPECT_EQ(&Profile.Objects[App.Calls[1].CalleeObject], &App);
  EXPECT_EQ(Profile.Functions[App.Calls[1].CalleeName], "f");
}

TEST_F(CallgrindProfileTest, JumpsAreCountedAsTaken) {
  auto Profile = cantFail(read(Header + "ob=/bin/app\n"
                                        "fn=main\n"
                                        "0x1000 5 10\n"
                                        "jcnd=3/10 +8 +1\n"
                                        "* *\n"
                                        "+2 * 7\n"
                                        "jfi=other.c\n"
                                        "jfn=(7) g\n"
                                        "jump=7 0x1000 5\n"
                                        "* *\n"
                                        "fn=(7)\n"
                                        "0x1000 5 1\n"
                                        "jcnd=1/1 +8 +1\n"
                                        "* *\n"
                                        "\ntotals: 18\n"));
  const CallgrindObject &App = object(Profile, "/bin/app");
  ASSERT_EQ(App.Jumps.size(), 2u);
  EXPECT_EQ(App.Jumps[0].From, 0x1000u);
  EXPECT_EQ(App.Jumps[0].To, 0x1008u);
  EXPECT_EQ(App.Jumps[0].Count, 3u + 1);
  EXPECT_EQ(App.Jumps[1].From, 0x1002u);
  EXPECT_EQ(App.Jumps[1].To, 0x1000u);
  EXPECT_EQ(App.Jumps[1].Count, 7u);
  EXPECT_TRUE(Profile.HasJumps);
  EXPECT_TRUE(Diagnostics.Warnings.empty());
}

TEST_F(CallgrindProfileTest, InstructionsAreFoundAmongOtherEvents) {
  // --dump-bb=yes, --cache-sim=yes; costs of 0 at the end are left out.
  auto Profile = cantFail(read("version: 1\n"
                               "creator: callgrind-3.19.0\n"
                               "positions: instr bb line\n"
                               "event: sysTime : sysTime (elapsed ms)\n"
                               "events: Dr Ir Dw\n"
                               "summary: 4 3 0\n"
                               "ob=/bin/app\n"
                               "fn=main\n"
                               "0x1000 0x1000 5 1 2\n"
                               "+4 * 5 3 1 9\n"
                               "+4 * 5\n"
                               "totals: 4 3\n"));
  EXPECT_EQ(object(Profile, "/bin/app").Instructions,
            (Instructions{{0x1000, 2}, {0x1004, 1}}));
}

TEST_F(CallgrindProfileTest, NamesMayBeUncompressed) {
  auto Profile = cantFail(read(Header + "ob=/bin/app\n"
                                        "fn=(anonymous namespace)::f(int)\n"
                                        "0x1000 5 1\n"
                                        "cfn=(anonymous namespace)::g(int)\n"
                                        "calls=1 0x2000 1\n"
                                        "* * 1\n"
                                        "totals: 1\n"));
  const CallgrindObject &App = object(Profile, "/bin/app");
  ASSERT_EQ(App.Calls.size(), 1u);
  EXPECT_EQ(Profile.Functions[App.Calls[0].CalleeName],
            "(anonymous namespace)::g(int)");
}

TEST_F(CallgrindProfileTest, DumpsAreAddedUp) {
  const std::string Body = "ob=(1) /bin/app\n"
                           "fn=(1) main\n"
                           "0x1000 5 1\n"
                           "jcnd=1/1 +8 +1\n"
                           "* *\n"
                           "totals: 1\n";
  const std::string Next = "\npart: 2\n"
                           "positions: instr line\n"
                           "events: Ir\n"
                           "ob=(1)\n"
                           "fn=(1)\n"
                           "+2 5 3\n" // positions begin at 0 again
                           "totals: 3\n";
  auto InOneFile = cantFail(read(Header + Body + Next));
  EXPECT_EQ(object(InOneFile, "/bin/app").Instructions,
            (Instructions{{2, 3}, {0x1000, 1}}));
  EXPECT_TRUE(Diagnostics.Warnings.empty());

  // Numbers of names hold for one file.
  auto InTwoFiles =
      cantFail(readCallgrind({file(Header + Body),
                              file("version: 1\npid: 12\n" + Next.substr(1, 7) +
                                   "\npositions: instr line\nevents: Ir\n"
                                   "ob=(1) /lib/b.so\nfn=(1) g\n0x10 1 4\n"
                                   "ob=(5) /bin/app\n0x1000 1 2\ntotals: 6\n"),
                              file("")},
                             Diagnostics));
  EXPECT_EQ(object(InTwoFiles, "/bin/app").Instructions,
            (Instructions{{0x1000, 3}}));
  EXPECT_EQ(object(InTwoFiles, "/lib/b.so").Instructions,
            (Instructions{{0x10, 4}}));
  EXPECT_TRUE(Diagnostics.Warnings.empty());
}

TEST_F(CallgrindProfileTest, WarnsOfWhatIsMissing) {
  auto Warning = [&](StringRef Parts, StringRef Jump) {
    Diagnostics.Warnings.clear();
    consumeError(read(("version: 1\npid: 12\n" + Parts +
                       "positions: instr line\nevents: Ir\n"
                       "ob=a\nfn=f\n0x1000 5 1\n" +
                       Jump + "totals: 1\n")
                          .str())
                     .takeError());
    return join(Diagnostics.Warnings, "\n");
  };
  const char *Jump = "jump=1 +8 +1\n* *\n";
  EXPECT_EQ(Warning("", Jump), "");
  EXPECT_NE(Warning("", "").find("--collect-jumps=yes"), std::string::npos);
  EXPECT_NE(Warning("part: 3\n", Jump).find("process 12 the dumps 1, 2 are"),
            std::string::npos);
  EXPECT_NE(Warning("part: 1\nthread: 1\n", Jump)
                .find("process 12 there is thread 1 alone"),
            std::string::npos);
  EXPECT_NE(Warning("part: 1\nthread: 3\n", Jump).find("threads 1, 2 are not"),
            std::string::npos);
  EXPECT_NE(Warning("part: 18446744073709551615\n", Jump)
                .find("1, 2, 3, 4, 5, ... are not"),
            std::string::npos);
}

TEST_F(CallgrindProfileTest, CountsSaturate) {
  const std::string Max = std::to_string(UINT64_MAX);
  auto Profile = cantFail(read(Header + "ob=a\nfn=f\n0x1000 5 " + Max +
                               "\n* * 5\ncfn=g\ncalls=" + Max +
                               " * *\n* *\ncfn=g\ncalls=4 * *\n* *\n"
                               "totals: " +
                               Max + "\n"));
  const CallgrindObject &A = object(Profile, "a");
  EXPECT_EQ(A.Instructions, (Instructions{{0x1000, UINT64_MAX}}));
  EXPECT_EQ(A.Calls.front().Count, UINT64_MAX);
  EXPECT_EQ(Profile.Total, UINT64_MAX);
}

TEST_F(CallgrindProfileTest, ErrorsTellTheLine) {
  const std::string Body = Header + "ob=a\nfn=f\n"; // 14 lines
  auto Expect = [&](const std::string &Text, StringRef Message) {
    std::string Error = error(Text);
    EXPECT_TRUE(StringRef(Error).starts_with(Message))
        << "got:      " << Error << "\nexpected: " << Message.str();
  };
  Expect("", ": is empty");
  Expect("\n", ": is not an output file of callgrind");
  Expect("PERFILE2\n", ":1: is not an output file of callgrind");
  Expect("version: 2\n", ":1: version '2' of callgrind's format is unknown");
  Expect("version: 1\npositions: line\n",
         ":2: holds no addresses of instructions (positions: 'line'); run "
         "valgrind --tool=callgrind --dump-instr=yes");
  Expect("version: 1\nevents: Dr\n", ":2: does not count instructions");
  Expect("version: 1\npart: x\n", ":2: 'part:' needs a number, not 'x'");
  Expect("version: 1\n0x1 1 1\n", ":2: a position before the line 'positions");
  Expect("version: 1\npositions: instr\nob=a\n0x1 1\n",
         ":4: a count before the line 'events:'");
  Expect(Header + "0x1 1 1\n", ":13: a count before the first 'ob='");
  Expect(Body + "ob=(3)\n", ":15: refers to name (3)");
  Expect(Body + "fn=(99999999999) f\n", ":15: the number (99999999999)");
  Expect(Body + "xy=1\n", ":15: 'xy='");
  Expect(Body + "\x01\xff\n", ":15: '\\01\\FF' is no line of callgrind's");
  Expect(Body + "0x1 1 z\n", ":15: 'z' is no count");
  Expect(Body + "0x1 1 -1\n", ":15: '-1' is no count");
  Expect(Body + "0x1 1 1 1\n", ":15: more counts than there are events");
  Expect(Body + "0x1\n", ":15: a position of 2 numbers");
  Expect(Body + "1z 1 1\n", ":15: '1z' is no position");
  Expect(Body + "-1 1 1\n", ":15: '-1' leads to no address");
  Expect(Body + "0xffffffffffffffff 1 1\n", ":15: '0xffffffffffffffff' leads");
  Expect(Body + "+0x7fffffffffffffff 1 1\n+1 1 1\n", ":16: '+1' leads");
  Expect(Body + "18446744073709551616 1 1\n", ":15: '18446744073709551616' is");
  Expect(Body + "calls=1 0x1 1\n", ":15: a call without its callee");
  Expect(Body + "cfn=g\ncalls=x 0x1 1\n", ":16: 'x' is no number of calls");
  Expect(Body + "cfn=g\ncalls=1 0x1 1\nfn=g\n",
         ":17: the position of the call in the line before is missing");
  Expect(Body + "jcnd=1 0x1 1\n", ":15: '1' is no number of jumps, taken/exe");
  Expect(Body + "jcnd=2/1 0x1 1\n", ":15: '2/1' is no number of jumps");
  Expect(Body + "jump=2/2 0x1 1\n", ":15: '2/2' is no number of jumps");
  Expect(Body + "0x1 1 1\ntotals: 2\n",
         ":16: the counts before this line add up to 1 instructions, not to 2");
  Expect(Body + "0x1 1 1\npart: 2\n", ":16: the dump before this one has no");
  Expect(Body + "0x1 1 1\n", ":15: the file ends without 'totals:'");
  Expect(Body + "0x1", ":15: the file ends in the middle of this line");
  Expect(Body + "totals: 0\n", ": counts no instructions");
  Expect(Body + std::string(2 << 20, 'a') + "\n", ":14: the line after this");
}

TEST_F(CallgrindProfileTest, RecognisesItsFiles) {
  EXPECT_TRUE(isCallgrindFile(file(Header)));
  EXPECT_TRUE(isCallgrindFile(file("version: 1\ncreator: callgrind-3.12\n")));
  EXPECT_FALSE(isCallgrindFile(file("version: 1\ncreator: xdebug\n")));
  EXPECT_FALSE(isCallgrindFile(file("PERFILE2")));
  EXPECT_FALSE(isCallgrindFile(file("")));
  EXPECT_FALSE(isCallgrindFile("/no/such/file"));
}

} // namespace
