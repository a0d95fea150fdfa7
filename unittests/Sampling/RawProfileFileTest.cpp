//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// That a raw profile comes back from its file as it was, that its bytes depend
// on nothing but the profile, that a damaged or malicious file is an error and
// nothing worse, and that profiles add up.
//
//===----------------------------------------------------------------------===//

#include "inlay/Sampling/RawProfileFile.h"
#include "RawProfileFormat.h"
#include "SampleOrder.h"
#include "inlay/Sampling/MergeRawProfiles.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <random>

using namespace inlay;
using namespace llvm;

static RawProfile example() {
  RawProfile P;
  P.Arch = "x86_64";
  P.CpuDesc = "A CPU";
  P.CpuID = "Vendor,1,2,3";
  P.LostEvents = 5;
  EventSamples &E = P.Events.emplace_back();
  E.Attr.Name = "cycles:upp";
  E.Attr.Type = 0;
  E.Attr.Config = 0x1234;
  E.Attr.BranchSampleType = 9;
  E.Attr.SamplePeriodOrFrequency = 999;
  E.Attr.IsFrequency = true;
  E.Attr.PreciseIP = 2;
  E.Total = 400;
  E.KernelSamples = 30;
  E.UnmappedSamples = 70;
  E.SamplesWithStack = 12;
  E.SamplesWithBranchStack = 300;
  E.IgnoredBranchRecords = 2;
  BinarySamples &A = E.Binaries.emplace_back();
  A.Path = "/bin/app";
  A.BuildID = {1, 2, 3, 0, 255};
  A.Counts = {{0x1000, 100}, {0, 150}, {uint64_t(INT64_MAX), 20}};
  A.Total = 270;
  A.TotalPeriod = ~uint64_t(0);
  A.Branches = {{{0x100, 0x50}, 7}, {{0x100, 0x150}, 8}, {{0x10, 0x10}, 9}};
  A.BranchesIn = {{0x50, 1}};
  A.BranchesOut = {{0x60, 2}, {0x70, 3}};
  A.Ranges = {{{0x50, 0x100}, 6}};
  BinarySamples &K = E.Binaries.emplace_back();
  K.Path = "[kernel.kallsyms]_text";
  K.Kind = CodeKind::Kernel;
  K.Counts = {{0x77, 30}};
  K.Total = 30;
  K.TotalPeriod = 30;
  //  0x10 -> 0x20 -> 0x30 (4 samples)
  //               -> in 1: 0x5 (3)
  //  0x20 (5)
  auto Frame = [&](uint32_t Caller, uint32_t Binary, uint64_t Offset,
                   uint64_t Samples) {
    StackNode N;
    N.Caller = Caller;
    N.Binary = Binary;
    N.Offset = Offset;
    N.Samples = Samples;
    N.IsLeaf = Samples;
    E.Stacks.push_back(N);
  };
  Frame(StackNode::Root, 0, 0x10, 0);
  Frame(0, 0, 0x20, 0);
  Frame(1, 0, 0x30, 4);
  Frame(1, 1, 0x5, 3);
  Frame(StackNode::Root, 0, 0x20, 5);
  EventSamples &None = P.Events.emplace_back();
  None.Attr.Name = "dummy:HG";
  None.Attr.SamplePeriodOrFrequency = 1;
  return P;
}

static std::string write(const RawProfile &P) {
  std::string Bytes;
  raw_string_ostream OS(Bytes);
  writeRawProfile(P, OS);
  return Bytes;
}

static Expected<RawProfile> read(StringRef Bytes) {
  return readRawProfile(MemoryBufferRef(Bytes, "file"));
}

/// \p Bytes with a header that fits what follows it.
static std::string sealed(std::string Bytes) {
  StringRef Body = StringRef(Bytes).drop_front(RawProfileHeaderSize);
  support::endian::write64le(Bytes.data() + 16, Body.size());
  support::endian::write64le(Bytes.data() + 24,
                             xxh3_64bits(arrayRefFromStringRef(Body)));
  return Bytes;
}

TEST(RawProfileFileTest, ComesBackAsItWas) {
  const RawProfile P = example();
  Expected<RawProfile> Q = read(write(P));
  ASSERT_TRUE(bool(Q)) << toString(Q.takeError());
  EXPECT_EQ(Q->Arch, P.Arch);
  EXPECT_EQ(Q->CpuDesc, P.CpuDesc);
  EXPECT_EQ(Q->CpuID, P.CpuID);
  EXPECT_EQ(Q->LostEvents, P.LostEvents);
  ASSERT_EQ(Q->Events.size(), P.Events.size());
  for (size_t I = 0; I != P.Events.size(); ++I) {
    const EventSamples &E = P.Events[I], &F = Q->Events[I];
    EXPECT_TRUE(isSameEvent(E.Attr, F.Attr));
    EXPECT_EQ(E.Total, F.Total);
    EXPECT_EQ(E.KernelSamples, F.KernelSamples);
    EXPECT_EQ(E.UnmappedSamples, F.UnmappedSamples);
    EXPECT_EQ(E.SamplesWithStack, F.SamplesWithStack);
    EXPECT_EQ(E.SamplesWithBranchStack, F.SamplesWithBranchStack);
    EXPECT_EQ(E.IgnoredBranchRecords, F.IgnoredBranchRecords);
    ASSERT_EQ(E.Binaries.size(), F.Binaries.size());
    for (size_t J = 0; J != E.Binaries.size(); ++J) {
      const BinarySamples &B = E.Binaries[J], &C = F.Binaries[J];
      EXPECT_EQ(B.Path, C.Path);
      EXPECT_EQ(B.BuildID, C.BuildID);
      EXPECT_EQ(B.Kind, C.Kind);
      EXPECT_EQ(B.Counts, C.Counts);
      EXPECT_EQ(B.Total, C.Total);
      EXPECT_EQ(B.TotalPeriod, C.TotalPeriod);
      EXPECT_EQ(B.Branches, C.Branches);
      EXPECT_EQ(B.BranchesIn, C.BranchesIn);
      EXPECT_EQ(B.BranchesOut, C.BranchesOut);
      EXPECT_EQ(B.Ranges, C.Ranges);
    }
    ASSERT_EQ(E.Stacks.size(), F.Stacks.size());
  }
  // Each followed by its callees, leaves behind callers.
  EXPECT_EQ(Q->Events[0].Stacks[2].Offset, 0x30u);
  EXPECT_EQ(Q->Events[0].Stacks[2].Caller, 1u);
  EXPECT_EQ(Q->Events[0].Stacks[2].Samples, 4u);
  EXPECT_EQ(Q->Events[0].Stacks[3].Binary, 1u);
  EXPECT_EQ(Q->Events[0].Stacks[3].Caller, 1u);
  EXPECT_EQ(Q->Events[0].Stacks[4].Caller, StackNode::Root);
  EXPECT_TRUE(Q->Events[0].Stacks[4].IsLeaf);
}

TEST(RawProfileFileTest, BytesDependOnTheProfileAlone) {
  const RawProfile P = example();
  RawProfile Q = P;
  EventSamples &E = Q.Events[0];
  std::swap(E.Binaries[0], E.Binaries[1]);
  for (StackNode &N : E.Stacks)
    N.Binary = 1 - N.Binary;
  // Nodes in another order: 0x20 (5) first.
  std::rotate(E.Stacks.begin(), E.Stacks.begin() + 4, E.Stacks.end());
  for (StackNode &N : E.Stacks)
    N.Caller += N.Caller != StackNode::Root;
  E.Binaries[1].Counts.clear();
  for (uint64_t Offset : {uint64_t(INT64_MAX), uint64_t(0), uint64_t(0x1000)})
    E.Binaries[1].Counts[Offset] =
        P.Events[0].Binaries[0].Counts.lookup(Offset);
  E.Binaries[1].Counts[0x5555] = 0; // looked up, never counted
  EXPECT_EQ(write(P), write(Q));
  EXPECT_EQ(write(P), write(cantFail(read(write(P)))));
}

TEST(RawProfileFileTest, EveryTruncationIsAnError) {
  const std::string Bytes = write(example());
  for (size_t Size = 0; Size != Bytes.size(); ++Size) {
    std::string Cut = Bytes.substr(0, Size);
    EXPECT_TRUE(errorToBool(read(Cut).takeError()));
    if (Size >= RawProfileHeaderSize) {
      Cut = sealed(Cut);
      EXPECT_TRUE(errorToBool(read(Cut).takeError()));
    }
  }
  EXPECT_TRUE(errorToBool(read(sealed(Bytes + '\0')).takeError()));
}

TEST(RawProfileFileTest, EveryFlippedBitIsAnError) {
  const std::string Bytes = write(example());
  for (size_t I = 0; I != Bytes.size(); ++I)
    for (unsigned Bit = 0; Bit != 8; ++Bit) {
      std::string Damaged = Bytes;
      Damaged[I] ^= 1 << Bit;
      EXPECT_TRUE(errorToBool(read(Damaged).takeError())) << I;
    }
}

TEST(RawProfileFileTest, MaliciousFilesDoNoHarm) {
  // With a right checksum the numbers are what they are; sanitizers watch.
  const std::string Bytes = write(example());
  std::mt19937 Random(1);
  for (unsigned I = 0; I != 20000; ++I) {
    std::string Bad = Bytes;
    for (unsigned N = 1 + Random() % 3; N; --N) {
      size_t At =
          RawProfileHeaderSize + Random() % (Bad.size() - RawProfileHeaderSize);
      Bad[At] = Random() % 3 ? Random() : 0xff;
    }
    Bad = sealed(Bad);
    Expected<RawProfile> P = read(Bad);
    if (P) // it says something else now, and says it again
      EXPECT_EQ(write(cantFail(read(write(*P)))), write(*P));
    else
      consumeError(P.takeError());
  }
}

TEST(RawProfileFileTest, SizesAreNotBelieved) {
  // A list that claims to be as long as a file could be: an error that says
  // where, and no attempt to make room for it.
  std::string Bytes(RawProfileHeaderSize, '\0');
  std::copy(RawProfileMagic.begin(), RawProfileMagic.end(), Bytes.begin());
  Bytes[8] = RawProfileVersion;
  Bytes.append(4, '\0');   // strings, lost events
  Bytes.append(8, '\xff'); // events
  Bytes += '\x01';
  Bytes = sealed(Bytes);
  EXPECT_EQ(toString(read(Bytes).takeError()),
            "file: at offset 0x2d: a list that is longer than the rest of the "
            "file; convert the recording again");
}

TEST(RawProfileFileTest, ALengthDoesNotCountItself) {
  // A string of one byte, of which there is nothing but the length.
  std::string Bytes = write(RawProfile()).substr(0, RawProfileHeaderSize);
  Bytes = sealed(Bytes + '\x01');
  EXPECT_EQ(toString(read(Bytes).takeError()),
            "file: at offset 0x21: a list that is longer than the rest of the "
            "file; convert the recording again");
}

TEST(RawProfileFileTest, NumbersHaveTenBytesAtMost) {
  // More would add nothing but a shift that is undefined.
  std::string Bytes = write(RawProfile()).substr(0, RawProfileHeaderSize);
  for (unsigned Size = 1; Size != 14; ++Size) {
    std::string Zero = std::string(Size - 1, '\x80') + '\0';
    Expected<RawProfile> P = read(sealed(Bytes + Zero + std::string(4, '\0')));
    EXPECT_EQ(bool(P), Size <= 10);
    if (!P)
      EXPECT_EQ(toString(P.takeError()),
                "file: at offset 0x20: a number that does not end or is too "
                "large; convert the recording again");
  }
}

TEST(RawProfileFileTest, BinariesOfOneNameKeepTheirOrder) {
  // Nothing tells them apart but what happened in them.
  RawProfile P = example();
  EventSamples &E = P.Events.front();
  for (uint64_t I = 0; I != 100; ++I) {
    E.Binaries.push_back(E.Binaries.front());
    E.Binaries.back().BranchesIn[I] = 1;
  }
  const std::string Bytes = write(P);
  EXPECT_EQ(write(cantFail(read(Bytes))), Bytes);
}

TEST(RawProfileFileTest, NamesWhatIsWrong) {
  const std::string Bytes = write(example());
  EXPECT_EQ(toString(read("PERFILE2").takeError()),
            "file: is not a raw profile: it does not begin with 'InlayRaw'");
  EXPECT_EQ(toString(read("InlayRaw").takeError()),
            "file: ends within its header; copy or convert it again");
  std::string Newer = Bytes;
  Newer[8] = 2;
  EXPECT_EQ(
      toString(read(Newer).takeError()),
      "file: is a raw profile of version 2, but this program reads "
      "version 1; use the program that wrote it, or convert the recording "
      "again");
  std::string Damaged = Bytes;
  Damaged.back() ^= 1;
  EXPECT_EQ(
      toString(read(Damaged).takeError()),
      "file: is damaged: its checksum is wrong; copy or convert it again");
}

TEST(MergeRawProfilesTest, CountsAddUp) {
  RawProfile P = example();
  cantFail(mergeRawProfiles(P, example()));
  const EventSamples &E = P.Events[0];
  EXPECT_EQ(P.Events.size(), 2u);
  EXPECT_EQ(P.LostEvents, 10u);
  EXPECT_EQ(E.Total, 800u);
  EXPECT_EQ(E.SamplesWithStack, 24u);
  ASSERT_EQ(E.Binaries.size(), 2u);
  EXPECT_EQ(E.Binaries[0].Total, 540u);
  EXPECT_EQ(E.Binaries[0].Counts.lookup(0x1000), 200u);
  EXPECT_EQ(E.Binaries[0].TotalPeriod, ~uint64_t(0));
  EXPECT_EQ(E.Binaries[0].Branches.lookup({0x100, 0x50}), 14u);
  EXPECT_EQ(E.Binaries[0].Ranges.lookup({0x50, 0x100}), 12u);
  EXPECT_EQ(E.Binaries[0].BranchesIn.lookup(0x50), 2u);
  EXPECT_EQ(E.Binaries[0].BranchesOut.lookup(0x70), 6u);
  ASSERT_EQ(E.Stacks.size(), 5u);
  EXPECT_EQ(E.Stacks[2].Samples, 8u);
}

TEST(MergeRawProfilesTest, EventsOfSeveralCPUsBecomeOne) {
  RawProfile P, Q = example();
  P.Arch = Q.Arch;
  P.CpuDesc = Q.CpuDesc;
  P.CpuID = Q.CpuID;
  Q.Events.push_back(Q.Events[0]);
  Q.Events.push_back(Q.Events[0]);
  cantFail(mergeRawProfiles(P, Q));
  ASSERT_EQ(P.Events.size(), 2u);
  EXPECT_EQ(P.Events[0].Total, 1200u);
  EXPECT_EQ(P.Events[0].SamplesWithStack, 36u);
  ASSERT_EQ(P.Events[0].Binaries.size(), 2u);
  EXPECT_EQ(P.Events[0].Binaries[0].Counts.lookup(0x1000), 300u);
  ASSERT_EQ(P.Events[0].Stacks.size(), 5u);
  EXPECT_EQ(P.Events[0].Stacks[2].Samples, 12u);
}

TEST(MergeRawProfilesTest, BinariesAreKnownByBuildIDOrPath) {
  RawProfile P = example(), Q = example();
  Q.Events[0].Binaries[0].Path = "/bin/a-copy"; // the same build ID
  Q.Events[0].Binaries[1].Path = "[guest.kernel.kallsyms]_text";
  cantFail(mergeRawProfiles(P, Q));
  const EventSamples &E = P.Events[0];
  ASSERT_EQ(E.Binaries.size(), 3u);
  EXPECT_EQ(E.Binaries[0].Path, "/bin/a-copy");
  EXPECT_EQ(E.Binaries[0].Total, 540u);
  EXPECT_EQ(E.Binaries[1].Path, "[guest.kernel.kallsyms]_text");
  EXPECT_EQ(E.Binaries[2].Path, "[kernel.kallsyms]_text");
  // The frame in the kernel is one in another binary now.
  EXPECT_EQ(E.Stacks.size(), 6u);
}

TEST(MergeRawProfilesTest, OrderDoesNotMatter) {
  RawProfile A = example(), B = example(), C;
  B.Events[0].Binaries[0].Counts[0x2000] = 9;
  B.Events[0].Binaries[0].Total += 9;
  B.Events[0].Stacks[2].Offset = 0x35;
  C = B;
  cantFail(mergeRawProfiles(C, A));
  cantFail(mergeRawProfiles(A, B));
  EXPECT_EQ(write(A), write(C));
}

TEST(MergeRawProfilesTest, EventsAndProcessorsAreKeptApart) {
  RawProfile P = example(), Q = example();
  Q.Events[0].Attr.SamplePeriodOrFrequency = 99;
  cantFail(mergeRawProfiles(P, Q));
  ASSERT_EQ(P.Events.size(), 3u);
  EXPECT_EQ(P.Events[0].Total, 400u);
  EXPECT_EQ(P.Events[2].Total, 400u);
  Q.CpuID = "Vendor,1,2,4";
  const std::string Before = write(P);
  EXPECT_EQ(toString(mergeRawProfiles(P, Q)),
            "profiles of different processors are not added: 'x86_64 A CPU "
            "Vendor,1,2,3' and 'x86_64 A CPU Vendor,1,2,4'");
  EXPECT_EQ(write(P), Before);
}

/// example() with its binaries twice, the second time under other paths, and
/// each stack in both.
static EventSamples twice() {
  EventSamples E = example().Events[0];
  const size_t NumBinaries = E.Binaries.size(), NumNodes = E.Stacks.size();
  for (size_t I = 0; I != NumBinaries; ++I) {
    BinarySamples Copy = E.Binaries[I];
    Copy.Path += "-copy";
    E.Binaries.push_back(std::move(Copy));
  }
  for (size_t I = 0; I != NumNodes; ++I) {
    StackNode Copy = E.Stacks[I];
    Copy.Binary += NumBinaries;
    Copy.Caller += Copy.Caller == StackNode::Root ? 0 : NumNodes;
    E.Stacks.push_back(Copy);
  }
  E.SamplesWithStack *= 2;
  return E;
}

TEST(UniteBinariesTest, CountsAddUp) {
  EventSamples E = twice();
  uniteBinaries(E);
  EXPECT_EQ(E.SamplesWithStack, 24u);
  // The kernel has no build ID, and so is another one under another path.
  ASSERT_EQ(E.Binaries.size(), 3u);
  EXPECT_EQ(E.Binaries[0].Path, "/bin/app");
  EXPECT_EQ(E.Binaries[0].Total, 540u);
  EXPECT_EQ(E.Binaries[0].Counts.lookup(0x1000), 200u);
  EXPECT_EQ(E.Binaries[0].TotalPeriod, ~uint64_t(0));
  EXPECT_EQ(E.Binaries[0].Branches.lookup({0x100, 0x50}), 14u);
  EXPECT_EQ(E.Binaries[0].Ranges.lookup({0x50, 0x100}), 12u);
  EXPECT_EQ(E.Binaries[0].BranchesIn.lookup(0x50), 2u);
  EXPECT_EQ(E.Binaries[0].BranchesOut.lookup(0x70), 6u);
  EXPECT_EQ(E.Binaries[1].Path, "[kernel.kallsyms]_text");
  EXPECT_EQ(E.Binaries[2].Path, "[kernel.kallsyms]_text-copy");
  // The frame in the kernel is there twice, and the others once.
  ASSERT_EQ(E.Stacks.size(), 6u);
  EXPECT_EQ(E.Stacks[2].Samples, 8u);
}

TEST(UniteBinariesTest, OrderDoesNotMatter) {
  RawProfile P, Q;
  P.Events.push_back(twice());
  Q = P;
  EventSamples &E = Q.Events[0];
  std::swap(E.Binaries[0], E.Binaries[2]);
  for (StackNode &N : E.Stacks)
    N.Binary ^= N.Binary % 2 ? 0 : 2;
  uniteBinaries(P.Events[0]);
  uniteBinaries(Q.Events[0]);
  EXPECT_EQ(write(P), write(Q));
}
