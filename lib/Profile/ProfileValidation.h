//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands between a file and LLVM's sample-profile reader.
//
// That reader trusts what it reads: it follows section offsets out of the file,
// reserves memory for as many names as a header claims, decompresses to any
// size, and recurses as deep as inlined calls nest. A compiler must not crash
// because a download was cut short. So every number that the reader will trust
// is checked first, by a walk over the same grammar that keeps nothing.
//
// Bounds: an inline stack or calling context has at most MaxInlineDepth levels;
// compressed sections grow by at most MaxExpansion together; all sections
// together are no larger than the file. Time is proportional to the size of the
// profile, and memory to its uncompressed size.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PROFILE_PROFILEVALIDATION_H
#define INLAY_LIB_PROFILE_PROFILEVALIDATION_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>

namespace inlay {

/// Compilers inline some tens of levels deep.
constexpr unsigned MaxInlineDepth = 1024;

/// A profile shrinks to a third or a fifth; a small one may do better.
constexpr uint64_t MaxExpansion = 32;
constexpr uint64_t MinExpandedSize = uint64_t(1) << 20;

/// Characters are searched for the end of a name at each of its colons.
constexpr unsigned MaxColonsInWord = 1000;

struct ValidProfile {
  /// Without compressed sections; they are expanded into a new buffer.
  std::unique_ptr<llvm::MemoryBuffer> Buffer;
  /// Single functions can be found in it.
  bool HasFunctionOffsets = false;
  /// ContextSummaryMap::Resolution, where the file tells it.
  std::optional<uint64_t> Resolution;
};

/// The section of extended binary profiles, one ULEB128, and the comment on top
/// of those in text that tell the resolution. LLVM's readers skip both; its
/// tools drop them.
constexpr uint64_t ResolutionSection = 0x494e4c59; // "INLY"
constexpr llvm::StringLiteral ResolutionComment = "# resolution: ";

/// Errors name \p Buffer's file. What text says is left to LLVM's reader, whose
/// errors name the line.
llvm::Expected<ValidProfile>
validateProfile(std::unique_ptr<llvm::MemoryBuffer> Buffer);

} // namespace inlay

#endif
