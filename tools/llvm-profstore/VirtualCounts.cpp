//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Program headers say which byte of the file an address shows.
//
//===----------------------------------------------------------------------===//

#include "VirtualCounts.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace llvm;

namespace inlay {

void addVirtualCounts(const OffsetCounts<uint64_t> &Counts,
                      const ProfiledBinary &Binary, BinarySamples &Samples) {
  const auto *Object = Binary.object();
  if (Counts.empty() || !Object)
    return;
  auto Headers = Object->getELFFile().program_headers();
  if (!Headers) {
    consumeError(Headers.takeError());
    return;
  }
  std::vector<std::pair<uint64_t, uint64_t>> ByOffset;
  for (auto [Address, Count] : Counts)
    for (const auto &Segment : *Headers)
      if (Segment.p_type == ELF::PT_LOAD && (Segment.p_flags & ELF::PF_X) &&
          Address >= Segment.p_vaddr &&
          Address - Segment.p_vaddr < Segment.p_filesz) {
        ByOffset.emplace_back(Address - Segment.p_vaddr + Segment.p_offset,
                              Count);
        break;
      }
  Samples.Counts.add(OffsetCounts<uint64_t>(std::move(ByOffset)));
}

} // namespace inlay
