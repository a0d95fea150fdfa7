//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See CompressedSection.h.
//
//===----------------------------------------------------------------------===//

#include "CompressedSection.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/Compression.h"

using namespace llvm;
using namespace llvm::object;

namespace inlay {

static constexpr uint64_t MaxCompressionRatio = 1032;

/// Null if LLVM can decompress sections of this ELFCOMPRESS_ type.
static const char *reasonNotDecompressed(uint32_t Type) {
  switch (Type) {
  case ELF::ELFCOMPRESS_ZLIB:
    return compression::getReasonIfUnsupported(compression::Format::Zlib);
  case ELF::ELFCOMPRESS_ZSTD:
    return compression::getReasonIfUnsupported(compression::Format::Zstd);
  default:
    return "unknown kind of compression";
  }
}

Expected<uint64_t> decompressedSize(StringRef Name,
                                    ArrayRef<uint8_t> Contents) {
  if (Contents.size() < sizeof(ELF64LE::Chdr))
    return createStringError("compressed section " + Name +
                             " is shorter than its header");
  const auto &Header =
      *reinterpret_cast<const ELF64LE::Chdr *>(Contents.data());
  if (const char *Reason = reasonNotDecompressed(Header.ch_type))
    return createStringError("section " + Name +
                             " cannot be decompressed: " + Reason);
  const uint64_t Claimed = Header.ch_size;
  if (Claimed / MaxCompressionRatio > Contents.size())
    return createStringError("compressed section " + Name + " of " +
                             Twine(Contents.size()) + " bytes claims to hold " +
                             Twine(Claimed) + ": corrupt");
  return Claimed;
}

} // namespace inlay
