//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calibration: pointers; lists in random order, a search tree, breadth-first
// search of a graph. Loads wait for loads, many of them for memory.
//
//===----------------------------------------------------------------------===//

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Nodes = 1 << 16, Degree = 5, Keys = 30000 };

static uint32_t nextRandom(uint32_t *State) {
  *State ^= *State << 13;
  *State ^= *State >> 17;
  *State ^= *State << 5;
  return *State;
}

struct Link {
  struct Link *Next;
  long Value;
  long Padding[2];
};
static struct Link Links[Nodes];
static uint32_t Order[Nodes];

static struct Link *makeList(uint32_t Seed, uint32_t Count) {
  for (uint32_t I = 0; I < Count; ++I)
    Order[I] = I;
  for (uint32_t I = Count - 1; I > 0; --I) {
    uint32_t J = nextRandom(&Seed) % (I + 1), T = Order[I];
    Order[I] = Order[J];
    Order[J] = T;
  }
  for (uint32_t I = 0; I < Count; ++I) {
    Links[Order[I]].Value = I % 1000;
    Links[Order[I]].Next = I + 1 < Count ? &Links[Order[I + 1]] : NULL;
  }
  return &Links[Order[0]];
}

static __attribute__((noinline)) long sumList(const struct Link *L) {
  long Sum = 0;
  for (; L; L = L->Next) {
    if (L->Value > 900)
      Sum += 3;
    else
      Sum += L->Value;
  }
  return Sum;
}

static __attribute__((noinline)) struct Link *reverse(struct Link *L) {
  struct Link *Result = NULL;
  while (L) {
    struct Link *Next = L->Next;
    L->Next = Result;
    Result = L;
    L = Next;
  }
  return Result;
}

struct Tree {
  struct Tree *Left, *Right;
  uint32_t Key, Count;
};
static struct Tree Pool[Keys];

static __attribute__((noinline)) long growTree(uint32_t Seed, uint32_t Count) {
  struct Tree *Root = NULL;
  uint32_t Used = 0;
  for (uint32_t I = 0; I < Count; ++I) {
    uint32_t Key = nextRandom(&Seed) % (Keys * 2);
    struct Tree **At = &Root;
    while (*At && (*At)->Key != Key)
      At = Key < (*At)->Key ? &(*At)->Left : &(*At)->Right;
    if (*At) {
      ++(*At)->Count;
    } else if (Used < Keys) {
      struct Tree *T = &Pool[Used++];
      T->Left = T->Right = NULL;
      T->Key = Key;
      T->Count = 1;
      *At = T;
    }
  }
  return Used;
}

static long depth(const struct Tree *T) {
  if (!T)
    return 0;
  long L = depth(T->Left), R = depth(T->Right);
  return 1 + (L > R ? L : R);
}

static uint32_t Edges[Nodes][Degree], Queue[Nodes];
static uint8_t Distance[Nodes];

static __attribute__((noinline)) long search(uint32_t Start) {
  memset(Distance, 255, sizeof(Distance));
  uint32_t Head = 0, Tail = 0;
  Queue[Tail++] = Start;
  Distance[Start] = 0;
  long Sum = 0;
  while (Head < Tail) {
    uint32_t At = Queue[Head++];
    for (int I = 0; I < Degree; ++I) {
      uint32_t To = Edges[At][I];
      if (Distance[To] != 255)
        continue;
      Distance[To] = Distance[At] + 1;
      Sum += Distance[To];
      Queue[Tail++] = To;
    }
  }
  return Sum;
}

int main(int ArgCount, char **Arguments) {
  int Rounds = ArgCount > 1 ? atoi(Arguments[1]) : 1;
  long Sum = 0;
  for (int Round = 0; Round < Rounds; ++Round) {
    uint32_t Seed = 4711;
    struct Link *Long = makeList(1, Nodes);
    for (int Part = 0; Part < 4; ++Part) {
      Sum += sumList(Long);
      Long = reverse(Long);
    }
    struct Link *Short = makeList(2, 400);
    for (int Part = 0; Part < 1500; ++Part)
      Sum += sumList(Short);
    Sum += growTree(3, 60000);
    Sum += depth(&Pool[0]);
    for (int I = 0; I < Nodes; ++I)
      for (int J = 0; J < Degree; ++J)
        Edges[I][J] = nextRandom(&Seed) % Nodes;
    Sum += search(1) + search(2);
  }
  printf("%ld\n", Sum);
  return 0;
}
