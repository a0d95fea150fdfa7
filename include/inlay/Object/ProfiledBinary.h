//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An ELF binary that was profiled, and what each of its addresses means in the
// source: the inline stack.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_OBJECT_PROFILEDBINARY_H
#define INLAY_OBJECT_PROFILEDBINARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace inlay {

/// One frame of an inline stack.
struct InlineFrame {
  llvm::StringRef Function; ///< linkage name; lives as long as the binary
  /// (line - first line of the function's declaration) & 0xffff.
  uint32_t LineOffset = 0;
  /// Base discriminator: what clang's loader and ours match.
  uint32_t Discriminator = 0;
  /// How often the instruction's block was duplicated (unrolling), from the
  /// discriminator; at least 1. Of interest in the innermost frame only.
  uint32_t DuplicationFactor = 1;
};

/// Innermost frame first.
using InlineStack = llvm::SmallVector<InlineFrame, 4>;

/// [Begin, End) in virtual addresses.
struct FunctionRange {
  uint64_t Begin = 0;
  uint64_t End = 0;
  /// Symbol name without .llvm.<hash>, .cold, .part.N and the like.
  llvm::StringRef Name;
};

class ProfiledBinary {
public:
  /// Fails on files that are not ELF executables or shared libraries.
  static llvm::Expected<std::unique_ptr<ProfiledBinary>>
  open(llvm::StringRef Path);

  virtual ~ProfiledBinary();

  virtual llvm::StringRef path() const = 0;
  virtual llvm::ArrayRef<uint8_t> buildID() const = 0;
  virtual bool hasSymbols() const = 0;
  virtual bool hasDebugInfo() const = 0; ///< line tables and subprograms

  /// Virtual address of a byte of the file that lies in an executable segment.
  virtual std::optional<uint64_t> addressOf(uint64_t FileOffset) const = 0;

  /// Function symbols sorted by Begin, not overlapping.
  virtual llvm::ArrayRef<FunctionRange> functions() const = 0;
  virtual const FunctionRange *functionAt(uint64_t Address) const = 0;

  /// The inline stack of the instruction at \p Address; empty when there is no
  /// usable debug information (no line, or no declaration line).
  virtual InlineStack inlineStackAt(uint64_t Address) = 0;

  /// Addresses in [Begin, End) at which the inline stack may change: the rows
  /// of the line table and the ends of inlined ranges. Sorted, Begin included.
  virtual std::vector<uint64_t> locationBoundaries(uint64_t Begin,
                                                   uint64_t End) = 0;
};

} // namespace inlay

#endif
