//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts by file offset, or by pairs of them: a sorted array.
//
// Offsets are chosen by whoever wrote the file. In a hash table they could be
// such that all fall into one bucket, and reading would take time in proportion
// to their square; nothing can be arranged about an array that is sorted. It is
// also small, has one order, and is what goes into files.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SAMPLING_OFFSETCOUNTS_H
#define INLAY_SAMPLING_OFFSETCOUNTS_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace inlay {

template <typename Key> class OffsetCounts {
public:
  using value_type = std::pair<Key, uint64_t>;
  using const_iterator = typename std::vector<value_type>::const_iterator;

  OffsetCounts() = default;
  /// \p Counts in any order; those of one key are summed up, saturating.
  explicit OffsetCounts(std::vector<value_type> Counts)
      : Sorted(std::move(Counts)) {
    llvm::sort(Sorted);
    unite();
  }
  OffsetCounts(std::initializer_list<value_type> Counts)
      : OffsetCounts(std::vector<value_type>(Counts)) {}

  /// By key.
  const_iterator begin() const { return Sorted.begin(); }
  const_iterator end() const { return Sorted.end(); }
  size_t size() const { return Sorted.size(); }
  bool empty() const { return Sorted.empty(); }
  bool operator==(const OffsetCounts &O) const { return Sorted == O.Sorted; }

  /// 0 if it is not there.
  uint64_t lookup(const Key &K) const {
    auto It = lowerBound(Sorted, K);
    return It != Sorted.end() && It->first == K ? It->second : 0;
  }

  void clear() { Sorted.clear(); }
  void reserve(size_t Size) { Sorted.reserve(Size); }
  /// \p K is greater than all that are there.
  void append(const Key &K, uint64_t Count) {
    assert((empty() || Sorted.back().first < K) && "not in order");
    Sorted.emplace_back(K, Count);
  }
  /// Added if it is not there, which is cheap for the greatest one only: what
  /// comes in no order goes to the constructor or to add().
  uint64_t &operator[](const Key &K) {
    if (empty() || Sorted.back().first < K)
      return Sorted.emplace_back(K, 0).second;
    auto It = lowerBound(Sorted, K);
    if (It->first != K)
      It = Sorted.insert(It, {K, 0});
    return It->second;
  }
  /// Sums saturate.
  void add(const OffsetCounts &Other) {
    if (Other.empty())
      return;
    std::vector<value_type> Own = std::move(Sorted);
    Sorted = std::vector<value_type>();
    Sorted.reserve(Own.size() + Other.size());
    std::merge(Own.begin(), Own.end(), Other.begin(), Other.end(),
               std::back_inserter(Sorted));
    unite();
  }

private:
  template <typename Vector> static auto lowerBound(Vector &In, const Key &K) {
    return llvm::lower_bound(
        In, K, [](const value_type &A, const Key &B) { return A.first < B; });
  }
  void unite() {
    auto Last = Sorted.begin();
    for (auto It = Sorted.begin(); It != Sorted.end(); ++It) {
      if (It == Last)
        continue;
      if (It->first == Last->first)
        Last->second = llvm::SaturatingAdd(Last->second, It->second);
      else
        *++Last = *It;
    }
    if (Last != Sorted.end())
      Sorted.erase(std::next(Last), Sorted.end());
  }

  std::vector<value_type> Sorted;
};

} // namespace inlay

#endif
