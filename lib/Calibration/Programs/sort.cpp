//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calibration: sorting and searching; comparisons that nobody can predict.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

struct Record {
  uint32_t Key;
  uint16_t Group;
  uint16_t Order;
  double Weight;
};

uint64_t State;
uint32_t nextRandom() {
  State = State * 6364136223846793005u + 1442695040888963407u;
  return State >> 33;
}

template <typename T>
__attribute__((noinline)) void heapSort(std::vector<T> &V) {
  auto Sift = [&](size_t Root, size_t End) {
    while (2 * Root + 1 < End) {
      size_t Child = 2 * Root + 1;
      if (Child + 1 < End && V[Child] < V[Child + 1])
        ++Child;
      if (!(V[Root] < V[Child]))
        return;
      std::swap(V[Root], V[Child]);
      Root = Child;
    }
  };
  for (size_t Root = V.size() / 2; Root-- > 0;)
    Sift(Root, V.size());
  for (size_t End = V.size(); End-- > 1;) {
    std::swap(V[0], V[End]);
    Sift(0, End);
  }
}

__attribute__((noinline)) void mergeSort(Record *Begin, Record *End,
                                         Record *Buffer) {
  long Size = End - Begin;
  if (Size <= 12) {
    for (Record *I = Begin + 1; I < End; ++I) {
      Record R = *I;
      Record *J = I;
      for (; J > Begin && R.Weight < J[-1].Weight; --J)
        *J = J[-1];
      *J = R;
    }
    return;
  }
  Record *Middle = Begin + Size / 2;
  mergeSort(Begin, Middle, Buffer);
  mergeSort(Middle, End, Buffer);
  Record *A = Begin, *B = Middle, *Out = Buffer;
  while (A < Middle && B < End)
    *Out++ = B->Weight < A->Weight ? *B++ : *A++;
  while (A < Middle)
    *Out++ = *A++;
  while (B < End)
    *Out++ = *B++;
  std::copy(Buffer, Out, Begin);
}

__attribute__((noinline)) long search(const std::vector<uint32_t> &Sorted,
                                      int Queries) {
  long Found = 0;
  for (int I = 0; I < Queries; ++I) {
    uint32_t Key = nextRandom();
    size_t Low = 0, High = Sorted.size();
    while (Low < High) {
      size_t Middle = (Low + High) / 2;
      if (Sorted[Middle] < Key)
        Low = Middle + 1;
      else
        High = Middle;
    }
    Found += Low;
  }
  return Found;
}

} // namespace

int main(int ArgCount, char **Arguments) {
  int Rounds = ArgCount > 1 ? std::atoi(Arguments[1]) : 1;
  long Sum = 0;
  for (int Round = 0; Round < Rounds; ++Round) {
    State = 42;
    std::vector<uint32_t> Numbers(150000), Heap(60000);
    for (uint32_t &N : Numbers)
      N = nextRandom();
    for (uint32_t &N : Heap)
      N = nextRandom() % 5000;
    std::vector<Record> Records(50000), Buffer(Records.size());
    for (Record &R : Records)
      R = {nextRandom(), uint16_t(nextRandom() % 50), uint16_t(nextRandom()),
           nextRandom() / 3.0};
    std::sort(Numbers.begin(), Numbers.end());
    heapSort(Heap);
    mergeSort(Records.data(), Records.data() + Records.size(), Buffer.data());
    std::sort(Records.begin(), Records.end(),
              [](const Record &A, const Record &B) {
                if (A.Group != B.Group)
                  return A.Group < B.Group;
                return A.Order < B.Order;
              });
    Sum += search(Numbers, 60000) + Heap[100] + Records[100].Key;
  }
  std::printf("%ld\n", Sum);
  return 0;
}
