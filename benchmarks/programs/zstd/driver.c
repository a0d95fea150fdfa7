//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compresses and decompresses data made up here, at any of zstd's levels. Each
// argument names one job, LEVEL:KIND:BYTES:SEED, where KIND is
//
//   text      words of a made-up language, some much more frequent
//   records   binary structures: counters, small numbers, flags, few strings
//   log       lines with times, levels, addresses and messages
//   noise     bytes with nothing in common
//
// Printed are, for each job, the compressed size and a checksum of the
// compressed data, which are the same in every run.
//
//===----------------------------------------------------------------------===//

#include "zstd.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t RandomState;

/* xorshift64*, whose upper bits are good. */
static uint32_t random32(void) {
  RandomState ^= RandomState >> 12;
  RandomState ^= RandomState << 25;
  RandomState ^= RandomState >> 27;
  return (uint32_t)((RandomState * 2685821657736338717ull) >> 32);
}

static uint32_t randomBelow(uint32_t Bound) { return random32() % Bound; }

/* Small numbers more often: the least of three. */
static uint32_t skewedBelow(uint32_t Bound) {
  uint32_t A = randomBelow(Bound), B = randomBelow(Bound),
           C = randomBelow(Bound);
  uint32_t Least = A < B ? A : B;
  return Least < C ? Least : C;
}

enum { MostWords = 3000, LongestWord = 14 };

struct Dictionary {
  unsigned Count;
  char Words[MostWords][LongestWord + 1];
};

static struct Dictionary TheDictionary;

static void makeDictionary(void) {
  static const char Consonants[] = "ttnnsrhhdlcmfpgwybvk";
  static const char Vowels[] = "eeeaaooiiu";
  struct Dictionary *D = &TheDictionary;
  D->Count = 500 + randomBelow(MostWords - 500);
  for (unsigned I = 0; I < D->Count; ++I) {
    unsigned Length = 1 + skewedBelow(LongestWord);
    for (unsigned K = 0; K < Length; ++K)
      D->Words[I][K] = K % 2 == I % 2
                           ? Consonants[randomBelow(sizeof(Consonants) - 1)]
                           : Vowels[randomBelow(sizeof(Vowels) - 1)];
    D->Words[I][Length] = 0;
  }
}

/* Each appends one piece at Out, at most 256 bytes, and returns its end. */

static char *addText(char *Out) {
  const char *Word = TheDictionary.Words[skewedBelow(TheDictionary.Count)];
  size_t Length = strlen(Word);
  memcpy(Out, Word, Length);
  Out += Length;
  uint32_t After = randomBelow(40);
  if (After == 0)
    *Out++ = '.';
  else if (After < 3)
    *Out++ = ',';
  *Out++ = After == 0 && randomBelow(4) == 0 ? '\n' : ' ';
  return Out;
}

static char *addRecord(char *Out) {
  static uint32_t Number;
  struct {
    uint32_t Number, Owner;
    uint16_t Kind, Flags;
    int32_t Position[3];
    char Label[8];
  } Record;
  memset(&Record, 0, sizeof(Record));
  Record.Number = Number++;
  Record.Owner = skewedBelow(5000);
  Record.Kind = (uint16_t)skewedBelow(12);
  Record.Flags = (uint16_t)(1u << randomBelow(4));
  for (int I = 0; I < 3; ++I)
    Record.Position[I] = (int32_t)(Record.Owner * 16 + randomBelow(64));
  strncpy(Record.Label, TheDictionary.Words[Record.Kind],
          sizeof(Record.Label) - 1);
  memcpy(Out, &Record, sizeof(Record));
  return Out + sizeof(Record);
}

static char *addLog(char *Out) {
  static const char *const Levels[] = {"INFO", "INFO", "DEBUG", "WARN",
                                       "ERROR"};
  static uint32_t Seconds;
  Seconds += randomBelow(3);
  Out += sprintf(Out, "%02u:%02u:%02u %s [%s] %s %s from 10.0.%u.%u:%u: ",
                 Seconds / 3600 % 24, Seconds / 60 % 60, Seconds % 60,
                 Levels[skewedBelow(5)], TheDictionary.Words[skewedBelow(20)],
                 TheDictionary.Words[skewedBelow(60)],
                 TheDictionary.Words[20 + skewedBelow(60)], randomBelow(4),
                 skewedBelow(250), 1024 + randomBelow(60000));
  return Out + sprintf(Out, "status=%u size=%u id=%08x\n",
                       200 + 100 * (skewedBelow(4)), skewedBelow(100000),
                       random32());
}

static char *addNoise(char *Out) {
  for (int I = 0; I < 16; ++I, Out += 4) {
    uint32_t Word = random32();
    memcpy(Out, &Word, 4);
  }
  return Out;
}

static const struct {
  const char *Name;
  char *(*Add)(char *Out);
} Kinds[] = {{"text", addText},
             {"records", addRecord},
             {"log", addLog},
             {"noise", addNoise}};

static void fail(const char *What) {
  fprintf(stderr, "zstd driver: %s\n", What);
  exit(1);
}

static void run(int Level, char *(*Add)(char *Out), size_t Size) {
  size_t Bound = ZSTD_compressBound(Size);
  char *Data = malloc(Size + 256), *Compressed = malloc(Bound),
       *Again = malloc(Size);
  if (!Data || !Compressed || !Again)
    fail("out of memory");
  for (char *Out = Data; Out < Data + Size;)
    Out = Add(Out);
  size_t Written = ZSTD_compress(Compressed, Bound, Data, Size, Level);
  if (ZSTD_isError(Written))
    fail(ZSTD_getErrorName(Written));
  size_t Read = 0;
  // Data are read more often than written.
  for (int I = 0; I < 3; ++I)
    Read = ZSTD_decompress(Again, Size, Compressed, Written);
  if (Read != Size || memcmp(Data, Again, Size) != 0)
    fail("what was decompressed is not what was compressed");
  uint64_t Checksum = 0;
  for (size_t I = 0; I < Written; ++I)
    Checksum = Checksum * 31 + (unsigned char)Compressed[I];
  printf("%zu bytes, checksum %016llx\n", Written,
         (unsigned long long)Checksum);
  free(Data);
  free(Compressed);
  free(Again);
}

int main(int Count, char **Arguments) {
  for (int I = 1; I < Count; ++I) {
    int Level;
    char Kind[16];
    unsigned long long Size, Seed;
    if (sscanf(Arguments[I], "%d:%15[a-z]:%llu:%llu", &Level, Kind, &Size,
               &Seed) != 4 ||
        !Size || !Seed)
      fail("a job is LEVEL:KIND:BYTES:SEED");
    char *(*Add)(char *Out) = NULL;
    for (size_t K = 0; K < sizeof(Kinds) / sizeof(*Kinds); ++K)
      if (!strcmp(Kind, Kinds[K].Name))
        Add = Kinds[K].Add;
    if (!Add)
      fail("KIND is text, records, log or noise");
    RandomState = Seed * 0x9e3779b97f4a7c15ull;
    makeDictionary();
    printf("%s: ", Arguments[I]);
    run(Level, Add, Size);
  }
}
