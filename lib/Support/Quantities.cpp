//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Quantities.h.
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/Quantities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inlay {

std::string percentage(uint64_t Part, uint64_t Whole) {
  double Share = Whole ? double(Part) / double(Whole) : 0;
  std::string Text;
  raw_string_ostream(Text) << format("%.1f %%", 100 * Share);
  return Text;
}

std::string samples(uint64_t Count) {
  return utostr(Count) + (Count == 1 ? " sample" : " samples");
}

} // namespace inlay
