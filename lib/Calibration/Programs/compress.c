//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calibration: a compressor of the LZ77 kind, and a prefix code; match loops of
// a few iterations, shifts of bits.
//
//===----------------------------------------------------------------------===//

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Bytes = 1 << 18, HashBits = 14, Chain = 8 };

static uint8_t Input[Bytes], Packed[2 * Bytes], Output[Bytes];
static int32_t Head[1 << HashBits], Previous[Bytes];

static uint32_t nextRandom(uint32_t *State) {
  *State ^= *State << 13;
  *State ^= *State >> 17;
  *State ^= *State << 5;
  return *State;
}

static void makeInput(uint32_t Seed) {
  size_t At = 0;
  while (At < 64)
    Input[At++] = nextRandom(&Seed) % 32;
  while (At < Bytes) {
    if (nextRandom(&Seed) % 3) {
      size_t Length = 3 + nextRandom(&Seed) % 20;
      size_t From = nextRandom(&Seed) % At;
      for (; Length-- && At < Bytes; ++At, ++From)
        Input[At] = Input[From];
    } else {
      Input[At++] = nextRandom(&Seed) % 64;
    }
  }
}

static uint32_t hash(const uint8_t *P) {
  uint32_t V;
  memcpy(&V, P, 4);
  return (V & 0xffffff) * 2654435761u >> (32 - HashBits);
}

static __attribute__((noinline)) size_t matchLength(const uint8_t *A,
                                                    const uint8_t *B,
                                                    const uint8_t *End) {
  const uint8_t *Start = B;
  while (B < End && *A == *B)
    ++A, ++B;
  return (size_t)(B - Start);
}

static __attribute__((noinline)) size_t compress(void) {
  uint8_t *Out = Packed;
  memset(Head, 255, sizeof(Head));
  for (size_t At = 0; At < Bytes;) {
    size_t Best = 0, Offset = 0;
    if (At + 4 <= Bytes) {
      uint32_t H = hash(Input + At);
      int32_t Candidate = Head[H];
      for (int Tries = 0; Candidate >= 0 && Tries < Chain; ++Tries) {
        size_t Length =
            matchLength(Input + Candidate, Input + At, Input + Bytes);
        if (Length > Best) {
          Best = Length;
          Offset = At - (size_t)Candidate;
          if (Best >= 64)
            break;
        }
        Candidate = Previous[Candidate];
      }
      Previous[At] = Head[H];
      Head[H] = (int32_t)At;
    }
    if (Best < 4) {
      *Out++ = Input[At++];
      continue;
    }
    if (Best > 127)
      Best = 127;
    *Out++ = (uint8_t)(128 | Best);
    *Out++ = (uint8_t)Offset;
    *Out++ = (uint8_t)(Offset >> 8);
    *Out++ = (uint8_t)(Offset >> 16);
    At += Best;
  }
  return (size_t)(Out - Packed);
}

static __attribute__((noinline)) size_t decompress(size_t Size) {
  uint8_t *Out = Output;
  for (const uint8_t *P = Packed; P < Packed + Size;) {
    if (*P < 128) {
      *Out++ = *P++;
      continue;
    }
    size_t Length = *P & 127;
    size_t Offset = P[1] | P[2] << 8 | P[3] << 16;
    P += 4;
    const uint8_t *From = Out - Offset;
    while (Length--)
      *Out++ = *From++;
  }
  return (size_t)(Out - Output);
}

// Elias gamma codes of the bytes, and back.
static __attribute__((noinline)) long codeBits(size_t Size) {
  uint64_t Buffer = 0;
  int Bits = 0;
  uint8_t *Out = Output;
  for (size_t I = 0; I < Size && Out < Output + Bytes - 8; ++I) {
    uint32_t Value = Packed[I] + 1u;
    int Width = 0;
    while (Value >> Width > 1)
      ++Width;
    Buffer = Buffer << (2 * Width + 1) | Value;
    Bits += 2 * Width + 1;
    while (Bits >= 8) {
      Bits -= 8;
      *Out++ = (uint8_t)(Buffer >> Bits);
    }
  }
  const uint8_t *End = Out, *P = Output;
  long Sum = 0;
  Buffer = 0;
  Bits = 0;
  for (;;) {
    while (Bits <= 32 && P < End) {
      Buffer = Buffer << 8 | *P++;
      Bits += 8;
    }
    int Zeros = 0;
    while (Zeros < Bits && !(Buffer >> (Bits - 1 - Zeros) & 1))
      ++Zeros;
    if (2 * Zeros + 1 > Bits)
      return Sum;
    Bits -= 2 * Zeros + 1;
    Sum += Buffer >> Bits & ((2u << Zeros) - 1);
  }
}

int main(int ArgCount, char **Arguments) {
  int Rounds = ArgCount > 1 ? atoi(Arguments[1]) : 1;
  long Sum = 0;
  for (int Round = 0; Round < Rounds; ++Round) {
    makeInput(2024);
    for (int Part = 0; Part < 3; ++Part) {
      size_t Size = compress();
      Sum += decompress(Size) == Bytes && memcmp(Input, Output, Bytes) == 0;
      Sum += codeBits(Size);
    }
  }
  printf("%ld\n", Sum);
  return 0;
}
