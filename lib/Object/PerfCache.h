//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where perf keeps the binaries that it recorded: `perf record' and `perf
// buildid-cache' put copies there, so that they outlive the next build.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_OBJECT_PERFCACHE_H
#define INLAY_LIB_OBJECT_PERFCACHE_H

#include <string>

namespace inlay {

/// The directory that has .build-id/xx/yyyy/elf: what buildid.dir in the user's
/// configuration (the file that PERF_CONFIG names, or ~/.perfconfig) says, or
/// else ~/.debug. Empty if there is no home.
std::string perfCacheDirectory();

} // namespace inlay

#endif
