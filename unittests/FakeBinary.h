//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A ProfiledBinary whose every answer a test writes down: for tests of what
// stands to the right of Object.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_FAKEBINARY_H
#define INLAY_UNITTESTS_FAKEBINARY_H

#include "inlay/Object/ProfiledBinary.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace inlay {

class FakeBinary final : public ProfiledBinary {
public:
  /// The executable segment: file offsets [0x1000, 0x2000) at this address.
  uint64_t SegmentAddress = 0x401000;
  std::vector<FunctionRange> Functions;
  /// Each inline stack holds up to the next address.
  std::map<uint64_t, InlineStack> Stacks;
  DebugInfoKind Kind = DebugInfoKind::Functions;

  llvm::StringRef path() const override { return "fake"; }
  llvm::ArrayRef<uint8_t> buildID() const override { return {}; }
  llvm::StringRef debugPath() const override { return "fake"; }
  bool hasSymbols() const override { return true; }
  bool isStripped() const override { return false; }
  bool hasDebugInfo() const override { return true; }
  std::optional<uint64_t> addressOf(uint64_t FileOffset) const override {
    if (FileOffset < 0x1000 || FileOffset >= 0x2000)
      return std::nullopt;
    return FileOffset - 0x1000 + SegmentAddress;
  }
  llvm::ArrayRef<FunctionRange> functions() const override { return Functions; }
  const FunctionRange *functionAt(uint64_t Address) const override {
    for (const FunctionRange &Function : Functions)
      if (Address >= Function.Begin && Address < Function.End)
        return &Function;
    return nullptr;
  }
  InlineStack inlineStackAt(uint64_t Address) override {
    auto It = Stacks.upper_bound(Address);
    return It == Stacks.begin() ? InlineStack() : std::prev(It)->second;
  }
  DebugInfoKind debugInfoAt(uint64_t Address) override {
    return inlineStackAt(Address).empty() ? DebugInfoKind::None : Kind;
  }
  std::vector<uint64_t> locationBoundaries(uint64_t Begin,
                                           uint64_t End) override {
    std::vector<uint64_t> Boundaries = {Begin};
    for (const auto &[Address, Stack] : Stacks)
      if (Address > Begin && Address < End)
        Boundaries.push_back(Address);
    return Boundaries;
  }
  llvm::ArrayRef<std::string> debugInfoWarnings() const override { return {}; }
};

} // namespace inlay

#endif
