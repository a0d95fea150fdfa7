//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What AddressSpaces says of mappings that overlap, and of processes that fork,
// exec and reuse pids; and that it agrees with a simple model on random input.
//
//===----------------------------------------------------------------------===//

#include "AddressSpaces.h"
#include "gtest/gtest.h"
#include <map>
#include <optional>
#include <random>

using namespace inlay;

/// File offset + 1000 * binary at \p Address, or -1.
static int64_t at(AddressSpaces &Spaces, int32_t Pid, uint64_t Address) {
  const Mapping *M = Spaces.find(Pid, Address);
  if (!M)
    return -1;
  EXPECT_LE(M->Begin, Address);
  EXPECT_LT(Address, M->End);
  return Address - M->Begin + M->FileOffset + 1000 * M->Binary;
}

TEST(AddressSpacesTest, LaterMappingHidesEarlier) {
  AddressSpaces S;
  S.map(1, {100, 200, 0, 1});
  S.map(1, {120, 140, 50, 2});
  EXPECT_EQ(at(S, 1, 99), -1);
  EXPECT_EQ(at(S, 1, 100), 1000);
  EXPECT_EQ(at(S, 1, 119), 1019);
  EXPECT_EQ(at(S, 1, 120), 2050);
  EXPECT_EQ(at(S, 1, 139), 2069);
  EXPECT_EQ(at(S, 1, 140), 1040);
  EXPECT_EQ(at(S, 1, 199), 1099);
  EXPECT_EQ(at(S, 1, 200), -1);
  EXPECT_EQ(at(S, 2, 100), -1);
}

TEST(AddressSpacesTest, ForkInheritsUntilEitherChanges) {
  AddressSpaces S;
  S.map(1, {100, 200, 0, 1});
  S.fork(2, 1, /*InheritsMappings=*/true);
  EXPECT_EQ(at(S, 2, 150), 1050);
  S.map(2, {100, 200, 0, 2});
  S.map(1, {300, 400, 0, 3});
  EXPECT_EQ(at(S, 1, 150), 1050);
  EXPECT_EQ(at(S, 2, 150), 2050);
  EXPECT_EQ(at(S, 2, 350), -1);
  S.fork(3, 1, /*InheritsMappings=*/false);
  EXPECT_EQ(at(S, 3, 150), -1);
}

TEST(AddressSpacesTest, ThreadsShareTheProcess) {
  AddressSpaces S;
  S.map(1, {100, 200, 0, 1});
  S.fork(1, 1, /*InheritsMappings=*/true);
  EXPECT_EQ(at(S, 1, 150), 1050);
}

TEST(AddressSpacesTest, ExecAndPidReuseForget) {
  AddressSpaces S;
  S.map(1, {100, 200, 0, 1});
  S.fork(2, 1, true);
  S.exec(2);
  EXPECT_EQ(at(S, 2, 150), -1);
  EXPECT_EQ(at(S, 1, 150), 1050);
  S.exit(1);
  EXPECT_EQ(at(S, 1, 150), 1050); // its last samples may come late
  S.fork(1, 77, true);
  EXPECT_EQ(at(S, 1, 150), -1);
}

TEST(AddressSpacesTest, ExtremeAddressesAndPids) {
  AddressSpaces S;
  for (int32_t Pid : {INT32_MIN, -1, 0, INT32_MAX}) {
    S.map(Pid, {~uint64_t(0) - 10, ~uint64_t(0), 0, 0});
    EXPECT_EQ(at(S, Pid, ~uint64_t(0) - 1), 9);
    EXPECT_EQ(at(S, Pid, ~uint64_t(0)), -1);
    S.map(Pid, {0, ~uint64_t(0), 0, 1});
    EXPECT_EQ(at(S, Pid, 5), 1005);
  }
}

TEST(AddressSpacesTest, MappingsOfAProcessAreBounded) {
  AddressSpaces S;
  for (uint64_t I = 0; I != AddressSpaces::MaxMappingsOfProcess + 10; ++I)
    S.map(1, {I * 10, I * 10 + 5, 0, 0});
  EXPECT_GT(S.ignoredMappings(), 0u);
  EXPECT_LT(S.ignoredMappings(), 20u);
  EXPECT_EQ(at(S, 1, 3), 3);
}

TEST(AddressSpacesTest, ExitedProcessesMakeRoom) {
  constexpr uint64_t MaxMappings = 10000, PerProcess = 4000;
  AddressSpaces S(MaxMappings);
  for (int32_t Pid = 1; Pid <= 10; ++Pid) {
    for (uint64_t I = 0; I != PerProcess; ++I)
      S.map(Pid, {I * 10, I * 10 + 5, I, 0});
    S.exit(Pid);
  }
  EXPECT_EQ(S.ignoredMappings(), 0u);
  EXPECT_EQ(at(S, 10, 0), 0);
  EXPECT_EQ(at(S, 1, 0), -1);
}

TEST(AddressSpacesTest, ReusedPidIsNotForgotten) {
  constexpr uint64_t MaxMappings = 10000;
  for (bool IsExec : {false, true}) {
    AddressSpaces S(MaxMappings);
    S.map(1, {0, 5, 0, 0});
    S.exit(1);
    if (IsExec)
      S.exec(1);
    else
      S.fork(1, 7, /*InheritsMappings=*/false);
    S.map(1, {0, 5, 3, 0});
    for (uint64_t I = 0; I != MaxMappings; ++I)
      S.map(2, {I * 10, I * 10 + 5, I, 0});
    EXPECT_GT(S.ignoredMappings(), 0u);
    EXPECT_EQ(at(S, 1, 0), 3);
  }
}

TEST(AddressSpacesTest, AllMappingsTogetherAreBounded) {
  constexpr uint64_t MaxMappings = 10000, PerProcess = 4000;
  AddressSpaces S(MaxMappings);
  for (int32_t Pid = 1; Pid <= 10; ++Pid)
    for (uint64_t I = 0; I != PerProcess; ++I)
      S.map(Pid, {I * 10, I * 10 + 5, I, 0});
  EXPECT_GE(S.ignoredMappings(), 10 * PerProcess - MaxMappings);
  EXPECT_EQ(at(S, 1, 0), 0);
  EXPECT_EQ(at(S, 10, 0), -1);
}

TEST(AddressSpacesTest, ManyMappingsAgreeWithAModel) {
  // Small mappings at random places, and now and then a large one that hides
  // many of them.
  constexpr uint64_t Size = 20000;
  std::mt19937 Random(7);
  AddressSpaces S;
  std::vector<int64_t> Model(Size, -1);
  for (unsigned Step = 0; Step != 20000; ++Step) {
    uint64_t Begin = Random() % Size;
    uint64_t Length = Step % 500 ? 1 + Random() % 3 : 1 + Random() % 5000;
    uint64_t End = std::min(Begin + Length, Size);
    S.map(1, {Begin, End, Begin, Step});
    for (uint64_t A = Begin; A != End; ++A)
      Model[A] = A + 1000 * int64_t(Step);
    if (Step % 1000 != 999)
      continue;
    for (uint64_t A = 0; A != Size; ++A) {
      ASSERT_EQ(at(S, 1, A), Model[A]) << "step " << Step << " address " << A;
    }
  }
}

TEST(AddressSpacesTest, AgreesWithAModel) {
  constexpr uint64_t Size = 64;
  constexpr int32_t Pids = 4;
  using Model = std::map<int32_t, std::array<int64_t, Size>>;
  std::array<int64_t, Size> Empty;
  Empty.fill(-1);
  for (unsigned Seed = 0; Seed != 50; ++Seed) {
    std::mt19937 Random(Seed);
    AddressSpaces S;
    Model M;
    for (int32_t Pid = 0; Pid != Pids; ++Pid)
      M[Pid] = Empty;
    for (unsigned Step = 0; Step != 200; ++Step) {
      int32_t Pid = Random() % Pids;
      if (unsigned Kind = Random() % 16; Kind == 0) {
        S.exec(Pid);
        M[Pid] = Empty;
      } else if (Kind == 1) {
        int32_t Parent = Random() % Pids;
        if (Parent != Pid)
          M[Pid] = M[Parent];
        S.fork(Pid, Parent, true);
      } else {
        uint64_t Begin = Random() % Size;
        uint64_t End = Begin + 1 + Random() % (Size - Begin);
        uint64_t Offset = Random() % 100;
        uint32_t Binary = Step;
        S.map(Pid, {Begin, End, Offset, Binary});
        for (uint64_t A = Begin; A != End; ++A)
          M[Pid][A] = A - Begin + Offset + 1000 * Binary;
      }
      for (int32_t P = 0; P != Pids; ++P)
        for (uint64_t A = 0; A != Size; ++A)
          ASSERT_EQ(at(S, P, A), M[P][A])
              << "seed " << Seed << " step " << Step << " address " << A;
    }
  }
}
