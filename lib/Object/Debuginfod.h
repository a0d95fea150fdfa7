//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fetches binaries and debug files from debuginfod servers.
//
// LLVM's client does it: its program, llvm-debuginfod-find, rather than its
// library. The library needs libcurl, and a program that links libcurl loads
// some twenty libraries at each start for what few ever use.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_OBJECT_DEBUGINFOD_H
#define INLAY_LIB_OBJECT_DEBUGINFOD_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace inlay {

/// The user's environment names servers, in DEBUGINFOD_URLS. Without them
/// nothing is ever sent anywhere.
bool isDebuginfodEnabled();

enum class DebuginfodFile { Executable, DebugInfo };

/// The path of the file in the client's cache. DEBUGINFOD_CACHE_PATH and
/// DEBUGINFOD_TIMEOUT apply, which bound what a server can make us wait.
llvm::Expected<std::string> fetchFromDebuginfod(llvm::ArrayRef<uint8_t> BuildID,
                                                DebuginfodFile Kind);

} // namespace inlay

#endif
