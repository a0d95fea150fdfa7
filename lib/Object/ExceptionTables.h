//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the unwinder may enter a function: the landing pads of its exception
// table (.gcc_except_table), found through .eh_frame_hdr and .eh_frame.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_OBJECT_EXCEPTIONTABLES_H
#define INLAY_LIB_OBJECT_EXCEPTIONTABLES_H

#include "LoadedImage.h"
#include <cstdint>
#include <vector>

namespace inlay {

/// Landing pads of the code in [Begin, End), sorted. They may lie outside of it
/// (in a split-off part). What is corrupt in the tables has none.
std::vector<uint64_t> landingPads(const LoadedImage &Image, uint64_t Begin,
                                  uint64_t End);

} // namespace inlay

#endif
