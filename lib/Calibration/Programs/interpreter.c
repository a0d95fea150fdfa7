//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calibration: two interpreters, one that switches on the operation and one
// that jumps from each operation to the next; indirect jumps, short blocks.
//
//===----------------------------------------------------------------------===//

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum Operation {
  Push,
  Add,
  Subtract,
  Multiply,
  Remainder,
  LoadLocal,
  StoreLocal,
  LoadArray,
  StoreArray,
  Less,
  JumpIfZero,
  Jump,
  Duplicate,
  Halt
};

struct Instruction {
  uint8_t Operation;
  int32_t Operand;
};

// for (i = 2; i < n; ++i) { if (!a[i]) { ++primes;
//   for (j = i * i; j < n; j += i) a[j] = 1; } sum = (sum * 31 + i) % 65521; }
static const struct Instruction Sieve[] = {
    {Push, 2},      {StoreLocal, 0},                                     // 0
    {LoadLocal, 0}, {LoadLocal, 1},  {Less, 0},        {JumpIfZero, 39}, // 2
    {LoadLocal, 0}, {LoadArray, 0},  {JumpIfZero, 11}, {Jump, 28},       // 6
    {Halt, 0},                                                           // 10
    {LoadLocal, 2}, {Push, 1},       {Add, 0},         {StoreLocal, 2},  // 11
    {LoadLocal, 0}, {Duplicate, 0},  {Multiply, 0},    {StoreLocal, 3},  // 15
    {LoadLocal, 3}, {LoadLocal, 1},  {Less, 0},        {JumpIfZero, 28}, // 19
    {LoadLocal, 3}, {StoreArray, 1},                                     // 23
    {LoadLocal, 3}, {LoadLocal, 0},  {Jump, 40},                         // 25
    {LoadLocal, 4}, {Push, 31},      {Multiply, 0},    {LoadLocal, 0},   // 28
    {Add, 0},       {Push, 65521},   {Remainder, 0},   {StoreLocal, 4},  // 32
    {LoadLocal, 0}, {Push, 1},       {Jump, 43},                         // 36
    {Halt, 0},                                                           // 39
    {Add, 0},       {StoreLocal, 3}, {Jump, 19},                         // 40
    {Add, 0},       {StoreLocal, 0}, {Jump, 2},                          // 43
};

enum { Size = 20000 };
static uint8_t Array[Size];

static __attribute__((noinline)) long runSwitch(const struct Instruction *Code,
                                                long Limit) {
  long Stack[16], Locals[8] = {0, Limit};
  long *Top = Stack;
  for (int At = 0;;) {
    struct Instruction I = Code[At++];
    switch (I.Operation) {
    case Push:
      *Top++ = I.Operand;
      break;
    case Add:
      --Top;
      Top[-1] += Top[0];
      break;
    case Subtract:
      --Top;
      Top[-1] -= Top[0];
      break;
    case Multiply:
      --Top;
      Top[-1] *= Top[0];
      break;
    case Remainder:
      --Top;
      Top[-1] %= Top[0];
      break;
    case LoadLocal:
      *Top++ = Locals[I.Operand];
      break;
    case StoreLocal:
      Locals[I.Operand] = *--Top;
      break;
    case LoadArray:
      Top[-1] = Array[Top[-1]];
      break;
    case StoreArray:
      Array[*--Top] = I.Operand;
      break;
    case Less:
      --Top;
      Top[-1] = Top[-1] < Top[0];
      break;
    case JumpIfZero:
      if (*--Top == 0)
        At = I.Operand;
      break;
    case Jump:
      At = I.Operand;
      break;
    case Duplicate:
      *Top = Top[-1];
      ++Top;
      break;
    case Halt:
      return Locals[2] * 65536 + Locals[4];
    }
  }
}

static __attribute__((noinline)) long
runThreaded(const struct Instruction *Code, long Limit) {
  static void *const Labels[] = {&&DoPush,       &&DoAdd,        &&DoSubtract,
                                 &&DoMultiply,   &&DoRemainder,  &&DoLoadLocal,
                                 &&DoStoreLocal, &&DoLoadArray,  &&DoStoreArray,
                                 &&DoLess,       &&DoJumpIfZero, &&DoJump,
                                 &&DoDuplicate,  &&DoHalt};
  long Stack[16], Locals[8] = {0, Limit};
  long *Top = Stack;
  const struct Instruction *I = Code;
#define NEXT goto *Labels[I->Operation]
  NEXT;
DoPush:
  *Top++ = I++->Operand;
  NEXT;
DoAdd:
  --Top, ++I;
  Top[-1] += Top[0];
  NEXT;
DoSubtract:
  --Top, ++I;
  Top[-1] -= Top[0];
  NEXT;
DoMultiply:
  --Top, ++I;
  Top[-1] *= Top[0];
  NEXT;
DoRemainder:
  --Top, ++I;
  Top[-1] %= Top[0];
  NEXT;
DoLoadLocal:
  *Top++ = Locals[I++->Operand];
  NEXT;
DoStoreLocal:
  Locals[I++->Operand] = *--Top;
  NEXT;
DoLoadArray:
  ++I;
  Top[-1] = Array[Top[-1]];
  NEXT;
DoStoreArray:
  Array[*--Top] = I++->Operand;
  NEXT;
DoLess:
  --Top, ++I;
  Top[-1] = Top[-1] < Top[0];
  NEXT;
DoJumpIfZero:
  if (*--Top == 0)
    I = Code + I->Operand;
  else
    ++I;
  NEXT;
DoJump:
  I = Code + I->Operand;
  NEXT;
DoDuplicate:
  *Top = Top[-1];
  ++Top, ++I;
  NEXT;
DoHalt:
  return Locals[2] * 65536 + Locals[4];
}

int main(int ArgCount, char **Arguments) {
  int Rounds = ArgCount > 1 ? atoi(Arguments[1]) : 1;
  long Sum = 0;
  for (int Round = 0; Round < Rounds; ++Round)
    for (int Part = 0; Part < 24; ++Part) {
      for (int I = 0; I < Size; ++I)
        Array[I] = 0;
      Sum +=
          Part % 2 ? runSwitch(Sieve, Size) : runThreaded(Sieve, Size - Part);
    }
  printf("%ld\n", Sum);
  return 0;
}
