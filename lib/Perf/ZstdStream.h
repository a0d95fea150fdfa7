//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decompresses one zstd stream piece by piece, as it comes and as there is room
// for it.
//
// LLVM's wrapper of the library wants to see the whole stream at once and to be
// told its size; perf's is as long as the recording, and only flushed at the
// ends of records.
//
// Memory: what zstd itself allocates for the stream's window, at most 128 MiB
// (its default limit; perf's own levels need at most as much).
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PERF_ZSTDSTREAM_H
#define INLAY_LIB_PERF_ZSTDSTREAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

struct ZSTD_DCtx_s;

namespace inlay {

class ZstdStream {
public:
  /// Whether Inlay was built with libzstd; nothing else may be called if not.
  static bool isAvailable();

  ZstdStream() = default;
  ZstdStream(ZstdStream &&Other);
  ZstdStream &operator=(ZstdStream &&) = delete;
  ~ZstdStream();

  /// More of the compressed stream. All that was set before must have been used
  /// up: read() returned less than there was room for.
  void setInput(llvm::ArrayRef<uint8_t> Bytes) { Input = Bytes; }

  /// Fills \p Output as far as the input goes; says how far that is. The error
  /// is zstd's own message.
  llvm::Expected<size_t> read(llvm::MutableArrayRef<uint8_t> Output);

private:
  ZSTD_DCtx_s *Context = nullptr;
  llvm::ArrayRef<uint8_t> Input;
};

} // namespace inlay

#endif
