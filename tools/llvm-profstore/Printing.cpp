//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the tool writes numbers.
//
//===----------------------------------------------------------------------===//

#include "Printing.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inlay {

std::string percentage(uint64_t Part, uint64_t Whole) {
  double Percent =
      Whole ? 100.0 * static_cast<double>(Part) / static_cast<double>(Whole)
            : 0.0;
  std::string Text;
  raw_string_ostream(Text) << format("%.1f %%", Percent);
  return Text;
}

std::string counted(uint64_t Number, StringRef What) {
  return std::to_string(Number) + " " + What.str() + (Number == 1 ? "" : "s");
}

} // namespace inlay
