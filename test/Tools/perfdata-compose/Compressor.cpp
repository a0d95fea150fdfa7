//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Compressor.h.
//
//===----------------------------------------------------------------------===//

#include "Compressor.h"
#include "llvm/Support/ErrorHandling.h"

#ifdef INLAY_HAVE_ZSTD
#include <zstd.h>
#endif

using namespace llvm;

namespace inlay::compose {

#ifdef INLAY_HAVE_ZSTD

bool Compressor::isAvailable() { return true; }

Compressor::~Compressor() { ZSTD_freeCCtx(Context); }

std::vector<uint8_t> Compressor::compress(ArrayRef<uint8_t> Bytes) {
  if (!Context)
    Context = ZSTD_createCCtx();
  std::vector<uint8_t> Result(ZSTD_compressBound(Bytes.size()) + 64);
  ZSTD_inBuffer In{Bytes.data(), Bytes.size(), 0};
  ZSTD_outBuffer Out{Result.data(), Result.size(), 0};
  size_t Left = ZSTD_compressStream2(Context, &Out, &In, ZSTD_e_flush);
  if (ZSTD_isError(Left) || Left != 0)
    report_fatal_error("zstd does not compress");
  Result.resize(Out.pos);
  return Result;
}

#else

bool Compressor::isAvailable() { return false; }
Compressor::~Compressor() = default;
std::vector<uint8_t> Compressor::compress(ArrayRef<uint8_t>) {
  llvm_unreachable("built without zstd");
}

#endif

} // namespace inlay::compose
