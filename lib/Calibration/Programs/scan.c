//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calibration: a tokenizer, numbers, checksums and substring search over text;
// loads of bytes and branches on them.
//
//===----------------------------------------------------------------------===//

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TextBytes = 400000 };
static char Text[TextBytes + 1];

static uint32_t nextRandom(uint32_t *State) {
  *State ^= *State << 13;
  *State ^= *State >> 17;
  *State ^= *State << 5;
  return *State;
}

static void makeText(uint32_t Seed) {
  static const char *const Words[] = {"if",
                                      "while",
                                      "return",
                                      "counter",
                                      "x",
                                      "result_1",
                                      "(",
                                      ")",
                                      "+",
                                      "<=",
                                      "{",
                                      "}",
                                      ";\n",
                                      "\"a string\"",
                                      "/* comment */"};
  size_t At = 0;
  while (At < TextBytes - 32) {
    if (nextRandom(&Seed) % 4 == 0) {
      At += (size_t)sprintf(Text + At, "%u", nextRandom(&Seed) % 100000);
    } else {
      const char *Word =
          Words[nextRandom(&Seed) % (sizeof(Words) / sizeof(*Words))];
      size_t Length = strlen(Word);
      memcpy(Text + At, Word, Length);
      At += Length;
    }
    Text[At++] = ' ';
  }
  memset(Text + At, ' ', TextBytes - At);
}

struct Tokens {
  long Identifiers, Keywords, Numbers, Strings, Comments, Symbols, Lines;
  long NumberSum;
};

static int isLetter(char C) {
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || C == '_';
}
static int isDigit(char C) { return C >= '0' && C <= '9'; }

static __attribute__((noinline)) int isKeyword(const char *Word,
                                               size_t Length) {
  switch (Length) {
  case 2:
    return Word[0] == 'i' && Word[1] == 'f';
  case 5:
    return memcmp(Word, "while", 5) == 0;
  case 6:
    return memcmp(Word, "return", 6) == 0;
  default:
    return 0;
  }
}

static __attribute__((noinline)) struct Tokens tokenize(const char *P) {
  struct Tokens T = {0, 0, 0, 0, 0, 0, 0, 0};
  while (*P) {
    if (*P == ' ' || *P == '\n') {
      T.Lines += *P == '\n';
      ++P;
    } else if (isLetter(*P)) {
      const char *Begin = P;
      while (isLetter(*P) || isDigit(*P))
        ++P;
      if (isKeyword(Begin, (size_t)(P - Begin)))
        ++T.Keywords;
      else
        ++T.Identifiers;
    } else if (isDigit(*P)) {
      long Number = 0;
      while (isDigit(*P))
        Number = Number * 10 + (*P++ - '0');
      T.NumberSum += Number;
      ++T.Numbers;
    } else if (*P == '"') {
      for (++P; *P && *P != '"'; ++P)
        if (*P == '\\' && P[1])
          ++P;
      P += *P != 0;
      ++T.Strings;
    } else if (*P == '/' && P[1] == '*') {
      for (P += 2; *P && !(*P == '*' && P[1] == '/'); ++P)
        ;
      P += *P ? 2 : 0;
      ++T.Comments;
    } else {
      P += *P == '<' && P[1] == '=' ? 2 : 1;
      ++T.Symbols;
    }
  }
  return T;
}

static uint32_t Table[256];
static __attribute__((noinline)) uint32_t checksum(const char *P, size_t Size) {
  for (uint32_t I = 0; I < 256; ++I) {
    uint32_t C = I;
    for (int Bit = 0; Bit < 8; ++Bit)
      C = C & 1 ? 0xedb88320u ^ (C >> 1) : C >> 1;
    Table[I] = C;
  }
  uint32_t C = ~0u;
  for (size_t I = 0; I < Size; ++I)
    C = Table[(C ^ (unsigned char)P[I]) & 255] ^ (C >> 8);
  return ~C;
}

static __attribute__((noinline)) long find(const char *Haystack, size_t Size,
                                           const char *Needle) {
  size_t Length = strlen(Needle);
  size_t Skip[256];
  for (int I = 0; I < 256; ++I)
    Skip[I] = Length;
  for (size_t I = 0; I + 1 < Length; ++I)
    Skip[(unsigned char)Needle[I]] = Length - 1 - I;
  long Found = 0;
  for (size_t At = 0; At + Length <= Size;) {
    size_t I = Length;
    while (I > 0 && Haystack[At + I - 1] == Needle[I - 1])
      --I;
    Found += I == 0;
    At += Skip[(unsigned char)Haystack[At + Length - 1]];
  }
  return Found;
}

int main(int ArgCount, char **Arguments) {
  int Rounds = ArgCount > 1 ? atoi(Arguments[1]) : 1;
  long Sum = 0;
  for (int Round = 0; Round < Rounds; ++Round) {
    makeText(99);
    for (int Part = 0; Part < 12; ++Part) {
      struct Tokens T = tokenize(Text + Part);
      Sum += T.Identifiers + 2 * T.Keywords + T.NumberSum + T.Strings +
             T.Comments + T.Symbols + T.Lines;
      Sum += find(Text, TextBytes, "counter (");
      Sum += find(Text, TextBytes, "result_1 result_1");
    }
    for (int Part = 0; Part < 5; ++Part)
      Sum += checksum(Text, TextBytes - (size_t)Part);
  }
  printf("%ld\n", Sum);
  return 0;
}
