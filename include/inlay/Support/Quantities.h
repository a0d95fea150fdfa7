//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How counts and shares read in messages.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SUPPORT_QUANTITIES_H
#define INLAY_SUPPORT_QUANTITIES_H

#include <cstdint>
#include <string>

namespace inlay {

/// "12.3 %"; "0.0 %" of nothing.
std::string percentage(uint64_t Part, uint64_t Whole);

/// "1 sample", "2 samples".
std::string samples(uint64_t Count);

} // namespace inlay

#endif
