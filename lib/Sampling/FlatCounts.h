//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts by key, for tables that do not fit into caches and are hit at random.
//
// An entry is 16 bytes, so that it lies in one line of the cache, and where a
// key's entry is can be told before it is touched: CountQueue asks for the
// line, and comes back for it when some dozens of other counts have passed.
// That hides most of what a miss costs, which is most of what counting costs.
//
// Whoever wrote the file chose the keys. Where they go in the table also
// depends on a number that is drawn anew in each process, so that nobody can
// choose them such that they all go to one place. No result depends on it: what
// a table holds is handed out sorted.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_SAMPLING_FLATCOUNTS_H
#define INLAY_LIB_SAMPLING_FLATCOUNTS_H

#include "inlay/Sampling/OffsetCounts.h"
#include "inlay/Support/SeededHash.h"
#include <array>
#include <cstdint>
#include <vector>

namespace inlay {

/// Open addressing with linear probing, never more than three quarters full.
class FlatCounts {
public:
  void prefetch(uint64_t Key) const {
    if (!Table.empty())
      __builtin_prefetch(&Table[slotOf(Key)], /*write*/ 1);
  }

  void increment(uint64_t Key) {
    if (Size * 4 >= Table.size() * 3)
      grow();
    Entry &E = find(Key);
    if (E.Count == 0) {
      E.Key = Key;
      ++Size;
    }
    ++E.Count;
  }

  size_t size() const { return Size; }

  /// All counts; none is left.
  OffsetCounts<uint64_t> take() {
    std::vector<std::pair<uint64_t, uint64_t>> Counts;
    Counts.reserve(Size);
    for (const Entry &E : Table)
      if (E.Count)
        Counts.emplace_back(E.Key, E.Count);
    *this = FlatCounts();
    return OffsetCounts<uint64_t>(std::move(Counts));
  }

  /// How far entries are from where they belong, summed up: what hostile keys
  /// would drive up.
  uint64_t displacement() const {
    uint64_t Sum = 0;
    for (const auto &[Slot, E] : llvm::enumerate(Table))
      if (E.Count)
        Sum += (Slot - slotOf(E.Key)) & (Table.size() - 1);
    return Sum;
  }

private:
  struct Entry {
    uint64_t Key = 0;
    uint64_t Count = 0; ///< 0: free
  };

  size_t slotOf(uint64_t Key) const { return Hash(Key) >> (64 - LogSize); }
  Entry &find(uint64_t Key) {
    size_t Slot = slotOf(Key);
    while (Table[Slot].Count && Table[Slot].Key != Key)
      Slot = (Slot + 1) & (Table.size() - 1);
    return Table[Slot];
  }
  void grow() {
    constexpr unsigned SmallestLogSize = 6;
    std::vector<Entry> Old = std::move(Table);
    LogSize = Old.empty() ? SmallestLogSize : LogSize + 1;
    Table.assign(size_t(1) << LogSize, Entry());
    for (const Entry &E : Old)
      if (E.Count)
        find(E.Key) = E;
  }

  SeededHash Hash;
  std::vector<Entry> Table;
  unsigned LogSize = 0;
  size_t Size = 0;
};

/// Increments that wait for the cache.
class CountQueue {
public:
  /// \p Counts must stay where it is until the queue is drained.
  void increment(FlatCounts &Counts, uint64_t Key) {
    Counts.prefetch(Key);
    Entry &E = Entries[Next++ % Entries.size()];
    if (E.Counts)
      E.Counts->increment(E.Key);
    E = {&Counts, Key};
  }

  void drain() {
    for (Entry &E : Entries) {
      if (E.Counts)
        E.Counts->increment(E.Key);
      E.Counts = nullptr;
    }
  }

private:
  struct Entry {
    FlatCounts *Counts = nullptr;
    uint64_t Key = 0;
  };
  std::array<Entry, 64> Entries;
  size_t Next = 0;
};

} // namespace inlay

#endif
