//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One line of a description: a keyword, and its arguments in any order.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TEST_TOOLS_PERFDATA_COMPOSE_LINE_H
#define INLAY_TEST_TOOLS_PERFDATA_COMPOSE_LINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace inlay::compose {

class Line {
public:
  /// nullopt for a line without a word. \p File is for messages.
  static std::optional<Line> parse(llvm::StringRef File, unsigned Number,
                                   llvm::StringRef Text);

  llvm::StringRef Keyword;
  llvm::SmallVector<llvm::StringRef, 4> Words; ///< arguments without '='

  llvm::Error error(const llvm::Twine &Message) const;

  std::optional<llvm::StringRef> find(llvm::StringRef Key) const;
  bool hasWord(llvm::StringRef Word) const {
    return llvm::is_contained(Words, Word);
  }
  llvm::Expected<llvm::StringRef> required(llvm::StringRef Key) const;

  /// Decimal or 0x.
  llvm::Expected<int64_t> number(llvm::StringRef Text) const;
  llvm::Expected<int64_t> number(llvm::StringRef Key, int64_t Default) const;
  /// Several at once: each field is set if its key is there.
  template <typename Field>
  llvm::Error numbers(
      std::initializer_list<std::pair<llvm::StringRef, Field *>> Fields) const {
    for (auto [Key, Where] : Fields) {
      llvm::Expected<int64_t> Value = number(Key, int64_t(*Where));
      if (!Value)
        return Value.takeError();
      *Where = Field(*Value);
    }
    return llvm::Error::success();
  }
  /// The number that must be the Index-th word.
  llvm::Expected<int64_t> wordNumber(size_t Index,
                                     const llvm::Twine &What) const;

  /// Numbers and names of bits, joined by '|'; the N-th name is bit N.
  llvm::Expected<uint64_t> bits(llvm::StringRef Key,
                                llvm::ArrayRef<llvm::StringLiteral> Names,
                                uint64_t Default) const;
  llvm::Expected<llvm::SmallVector<uint8_t, 0>>
  hexBytes(llvm::StringRef Text) const;
  llvm::Expected<llvm::SmallVector<uint64_t>>
  numberList(llvm::StringRef Key) const;
  /// perf_event_header.misc's mode, of the key `mode'.
  llvm::Expected<uint16_t> mode() const;

private:
  llvm::StringRef File;
  unsigned Number = 0;
  llvm::SmallVector<std::pair<llvm::StringRef, llvm::StringRef>, 8> Keys;
};

} // namespace inlay::compose

#endif
