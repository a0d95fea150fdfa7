//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts between two moments. What was allocated before and is freed between
// them makes the number negative, which is why it is signed.
//
//===----------------------------------------------------------------------===//

#include "Allocations.h"
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <sanitizer/allocator_interface.h>

namespace {
bool IsCounting = false;
int64_t Live = 0, Peak = 0;

void onMalloc(const volatile void *, size_t Size) {
  if (!IsCounting)
    return;
  Live += int64_t(Size);
  if (Live > Peak)
    Peak = Live;
}

void onFree(const volatile void *Memory) {
  if (IsCounting && Memory)
    Live -= int64_t(
        __sanitizer_get_allocated_size(const_cast<const void *>(Memory)));
}
} // namespace

void inlay::fuzz::runWithin(MemoryBound Bound, uint64_t InputSize,
                            llvm::function_ref<void()> Code) {
  static const bool IsInstalled =
      __sanitizer_install_malloc_and_free_hooks(onMalloc, onFree) != 0;
  if (!IsInstalled) {
    std::fputs("no room for hooks of allocations\n", stderr);
    std::abort();
  }
  Live = Peak = 0;
  IsCounting = true;
  Code();
  IsCounting = false;
  const uint64_t Most = Bound.PerByte * InputSize + Bound.Constant;
  if (uint64_t(Peak) <= Most)
    return;
  std::fprintf(stderr,
               "memory: %lld bytes for an input of %llu bytes, of which at "
               "most %llu were promised\n",
               static_cast<long long>(Peak),
               static_cast<unsigned long long>(InputSize),
               static_cast<unsigned long long>(Most));
  std::abort();
}
