//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Line.h.
//
//===----------------------------------------------------------------------===//

#include "Line.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace inlay::compose {

std::optional<Line> Line::parse(StringRef File, unsigned Number,
                                StringRef Text) {
  Line L;
  L.File = File;
  L.Number = Number;
  SmallVector<StringRef, 16> Tokens;
  SplitString(Text, Tokens);
  for (StringRef Token : Tokens) {
    if (Token.starts_with("#"))
      break;
    auto [Key, Value] = Token.split('=');
    if (L.Keyword.empty())
      L.Keyword = Token;
    else if (Key.size() != Token.size() && L.Keyword != "cmdline")
      L.Keys.push_back({Key, Value});
    else
      L.Words.push_back(Token);
  }
  if (L.Keyword.empty())
    return std::nullopt;
  return L;
}

Error Line::error(const Twine &Message) const {
  return createStringError(inconvertibleErrorCode(),
                           File + ":" + Twine(Number) + ": " + Message);
}

std::optional<StringRef> Line::find(StringRef Key) const {
  for (auto [K, V] : Keys)
    if (K == Key)
      return V;
  return std::nullopt;
}

Expected<StringRef> Line::required(StringRef Key) const {
  if (std::optional<StringRef> Text = find(Key))
    return *Text;
  return error("'" + Keyword + "' needs " + Key + "=");
}

Expected<int64_t> Line::number(StringRef Text) const {
  int64_t Signed;
  if (!Text.getAsInteger(0, Signed))
    return Signed;
  uint64_t Unsigned;
  if (!Text.getAsInteger(0, Unsigned))
    return int64_t(Unsigned);
  return error("'" + Text + "' is not a number");
}

Expected<int64_t> Line::number(StringRef Key, int64_t Default) const {
  if (std::optional<StringRef> Text = find(Key))
    return number(*Text);
  return Default;
}

Expected<int64_t> Line::wordNumber(size_t Index, const Twine &What) const {
  if (Index >= Words.size())
    return error("'" + Keyword + "' needs " + What);
  return number(Words[Index]);
}

Expected<uint64_t> Line::bits(StringRef Key, ArrayRef<StringLiteral> Names,
                              uint64_t Default) const {
  std::optional<StringRef> Text = find(Key);
  if (!Text)
    return Default;
  uint64_t Bits = 0;
  SmallVector<StringRef, 8> Parts;
  Text->split(Parts, '|', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    if (const auto *It = llvm::find(Names, Part); It != Names.end()) {
      Bits |= uint64_t(1) << (It - Names.begin());
      continue;
    }
    Expected<int64_t> Value = number(Part);
    if (!Value)
      return Value.takeError();
    Bits |= *Value;
  }
  return Bits;
}

Expected<SmallVector<uint8_t, 0>> Line::hexBytes(StringRef Text) const {
  std::string Bytes;
  if (!tryGetFromHex(Text, Bytes))
    return error("'" + Text + "' is not a sequence of hex digits");
  return SmallVector<uint8_t, 0>(Bytes.begin(), Bytes.end());
}

Expected<SmallVector<uint64_t>> Line::numberList(StringRef Key) const {
  SmallVector<uint64_t> List;
  std::optional<StringRef> Text = find(Key);
  if (!Text)
    return List;
  for (StringRef Part : split(*Text, ',')) {
    Expected<int64_t> Value = number(Part);
    if (!Value)
      return Value.takeError();
    List.push_back(*Value);
  }
  return List;
}

Expected<uint16_t> Line::mode() const {
  StringRef Text = find("mode").value_or("user");
  int Mode = StringSwitch<int>(Text)
                 .Case("unknown", 0)
                 .Case("kernel", 1)
                 .Case("user", 2)
                 .Case("hypervisor", 3)
                 .Case("guest-kernel", 4)
                 .Case("guest-user", 5)
                 .Default(-1);
  if (Mode < 0)
    return error("unknown mode '" + Text + "'");
  return Mode;
}

} // namespace inlay::compose
