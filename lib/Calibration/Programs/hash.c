//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calibration: hash tables of strings, one with open addressing and one with
// chains; most lookups miss the cache.
//
//===----------------------------------------------------------------------===//

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Slots = 1 << 18, Keys = 100000, KeyBytes = 24 };

static char KeyText[Keys][KeyBytes];

static uint32_t hash(const char *Text) {
  uint32_t H = 2166136261u;
  for (; *Text; ++Text)
    H = (H ^ (unsigned char)*Text) * 16777619u;
  return H;
}

static uint32_t nextRandom(uint32_t *State) {
  *State ^= *State << 13;
  *State ^= *State >> 17;
  *State ^= *State << 5;
  return *State;
}

static void makeKeys(uint32_t Seed) {
  for (int I = 0; I < Keys; ++I) {
    int Length = 4 + nextRandom(&Seed) % (KeyBytes - 5);
    for (int C = 0; C < Length; ++C)
      KeyText[I][C] = 'a' + nextRandom(&Seed) % 26;
    KeyText[I][Length] = 0;
  }
}

struct Slot {
  const char *Key;
  uint32_t Hash;
  int Value;
};
static struct Slot Open[Slots];

static __attribute__((noinline)) struct Slot *findSlot(const char *Key,
                                                       uint32_t Hash) {
  uint32_t At = Hash & (Slots - 1);
  while (Open[At].Key) {
    if (Open[At].Hash == Hash && strcmp(Open[At].Key, Key) == 0)
      break;
    At = (At + 1) & (Slots - 1);
  }
  return &Open[At];
}

static long countWithOpenAddressing(uint32_t Seed) {
  memset(Open, 0, sizeof(Open));
  long New = 0;
  for (int I = 0; I < 3 * Keys; ++I) {
    const char *Key = KeyText[nextRandom(&Seed) % Keys];
    uint32_t H = hash(Key);
    struct Slot *S = findSlot(Key, H);
    if (!S->Key) {
      S->Key = Key;
      S->Hash = H;
      ++New;
    }
    S->Value += I & 7;
  }
  return New;
}

struct Node {
  struct Node *Next;
  const char *Key;
  int Value;
};
static struct Node *Buckets[Slots / 4];
static struct Node Pool[Keys];

static long countWithChains(uint32_t Seed) {
  memset(Buckets, 0, sizeof(Buckets));
  int Used = 0;
  long Sum = 0;
  for (int I = 0; I < 2 * Keys; ++I) {
    const char *Key = KeyText[nextRandom(&Seed) % Keys];
    struct Node **Head = &Buckets[hash(Key) % (Slots / 4)];
    struct Node *N = *Head;
    while (N && strcmp(N->Key, Key))
      N = N->Next;
    if (N) {
      Sum += N->Value++;
      continue;
    }
    N = &Pool[Used++];
    N->Key = Key;
    N->Value = 1;
    N->Next = *Head;
    *Head = N;
    if (Used == Keys - 1)
      break;
  }
  return Sum + Used;
}

int main(int ArgCount, char **Arguments) {
  int Rounds = ArgCount > 1 ? atoi(Arguments[1]) : 1;
  long Sum = 0;
  for (int Round = 0; Round < Rounds; ++Round) {
    makeKeys(12345);
    Sum += countWithOpenAddressing(1) + countWithChains(2);
  }
  printf("%ld\n", Sum);
  return 0;
}
