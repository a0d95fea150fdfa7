//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ZstdStream.h.
//
//===----------------------------------------------------------------------===//

#include "ZstdStream.h"
#include "llvm/Support/ErrorHandling.h"
#include <utility>

#ifdef INLAY_HAVE_ZSTD
#include <zstd.h>
#endif

using namespace llvm;

namespace inlay {

ZstdStream::ZstdStream(ZstdStream &&Other)
    : Context(std::exchange(Other.Context, nullptr)), Input(Other.Input) {}

#ifdef INLAY_HAVE_ZSTD

bool ZstdStream::isAvailable() { return true; }

ZstdStream::~ZstdStream() { ZSTD_freeDCtx(Context); }

Expected<size_t> ZstdStream::read(MutableArrayRef<uint8_t> Output) {
  if (!Context)
    Context = ZSTD_createDCtx();
  if (!Context)
    return createStringError(std::errc::not_enough_memory, "out of memory");
  ZSTD_inBuffer In{Input.data(), Input.size(), 0};
  ZSTD_outBuffer Out{Output.data(), Output.size(), 0};
  // With no input left zstd may still hold output that it had no room for.
  while (Out.pos != Out.size) {
    const size_t InBefore = In.pos, OutBefore = Out.pos;
    size_t Result = ZSTD_decompressStream(Context, &Out, &In);
    if (ZSTD_isError(Result))
      return createStringError(inconvertibleErrorCode(),
                               ZSTD_getErrorName(Result));
    if (In.pos == InBefore && Out.pos == OutBefore)
      break;
  }
  if (Out.pos != Out.size && In.pos != In.size)
    return createStringError(inconvertibleErrorCode(), "the stream is stuck");
  Input = Input.drop_front(In.pos);
  return Out.pos;
}

#else

bool ZstdStream::isAvailable() { return false; }

ZstdStream::~ZstdStream() = default;

Expected<size_t> ZstdStream::read(MutableArrayRef<uint8_t>) {
  llvm_unreachable("built without zstd");
}

#endif

} // namespace inlay
