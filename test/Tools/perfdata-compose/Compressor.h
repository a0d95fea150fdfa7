//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A zstd stream that is flushed after each piece, as perf's is.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TEST_TOOLS_PERFDATA_COMPOSE_COMPRESSOR_H
#define INLAY_TEST_TOOLS_PERFDATA_COMPOSE_COMPRESSOR_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

struct ZSTD_CCtx_s;

namespace inlay::compose {

class Compressor {
public:
  static bool isAvailable();
  ~Compressor();
  /// The next bytes of the stream, from which all of \p Bytes can be had.
  std::vector<uint8_t> compress(llvm::ArrayRef<uint8_t> Bytes);

private:
  ZSTD_CCtx_s *Context = nullptr;
};

} // namespace inlay::compose

#endif
