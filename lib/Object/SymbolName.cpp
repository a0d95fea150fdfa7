//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Suffixes are stripped from the end, one at a time, until none is left.
// LLVM's own FunctionSamples::getCanonicalFnName knows .llvm. and .part. only
// (what may be there when the profile is matched), and one of each.
//
//===----------------------------------------------------------------------===//

#include "inlay/Object/SymbolName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

static bool isNumber(StringRef S) { return !S.empty() && all_of(S, isDigit); }

/// Strips one suffix, if there is one.
static bool stripSuffix(StringRef &Name) {
  // What machine-function splitting and GCC call the cold blocks.
  StringRef Rest = Name;
  if (Rest.consume_back(".cold") && !Rest.empty()) {
    Name = Rest;
    return true;
  }

  auto [Prefix, Number] = Name.rsplit('.');
  if (!isNumber(Number))
    return false;
  auto [Base, Kind] = Prefix.rsplit('.');
  if (Base.empty())
    return false;
  static constexpr StringLiteral Kinds[] = {
      "llvm", "part", "isra", "constprop", "lto_priv", "cold", "__part"};
  if (!is_contained(Kinds, Kind))
    return false;
  Name = Base;
  return true;
}

StringRef inlay::canonicalFunctionName(StringRef Symbol) {
  while (stripSuffix(Symbol))
    ;
  return Symbol;
}
