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
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_SAMPLING_FLATCOUNTS_H
#define INLAY_LIB_SAMPLING_FLATCOUNTS_H

#include "llvm/ADT/STLFunctionalExtras.h"
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

  void forEach(llvm::function_ref<void(uint64_t Key, uint64_t Count)> F) const {
    for (const Entry &E : Table)
      if (E.Count)
        F(E.Key, E.Count);
  }

private:
  struct Entry {
    uint64_t Key = 0;
    uint64_t Count = 0; ///< 0: free
  };

  /// The high bits of a product with 2^64 / golden ratio.
  size_t slotOf(uint64_t Key) const {
    return Key * 0x9e3779b97f4a7c15 >> (64 - LogSize);
  }
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
