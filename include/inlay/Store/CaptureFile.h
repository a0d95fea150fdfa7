//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Captures from files that others recorded.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_STORE_CAPTUREFILE_H
#define INLAY_STORE_CAPTUREFILE_H

#include "inlay/Store/Capture.h"
#include "inlay/Support/Diagnostics.h"
#include <optional>

namespace inlay {

/// What a file does not say, or says wrongly.
struct CaptureOrigin {
  std::string Application, Version;
  std::string Host;               ///< empty: as the file says, or this one
  std::optional<int64_t> Started; ///< default: as the file says, or its mtime
  std::optional<int64_t> Duration;
};

/// Reads \p Path, whatever it is. There may be no samples in it.
llvm::Expected<Capture> readCapture(llvm::StringRef Path,
                                    const CaptureOrigin &Origin,
                                    DiagnosticSink &Diagnostics);

/// Samples in binaries that are known: what a store can keep.
uint64_t keptSamples(const Capture &C);

/// Name of this machine.
std::string localHost();

} // namespace inlay

#endif
