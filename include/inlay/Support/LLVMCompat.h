//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything in which LLVM 19 to 22 differ as far as Inlay is concerned. No
// other file asks for LLVM_VERSION_MAJOR.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SUPPORT_LLVMCOMPAT_H
#define INLAY_SUPPORT_LLVMCOMPAT_H

#include "llvm/Config/llvm-config.h"

// 22 moved the header of the plugin interface.
#if __has_include("llvm/Plugins/PassPlugin.h")
#define INLAY_PASS_PLUGIN_HEADER "llvm/Plugins/PassPlugin.h"
#else
#define INLAY_PASS_PLUGIN_HEADER "llvm/Passes/PassPlugin.h"
#endif

#include <cstdint>

namespace inlay {
/// From 22 on a sample profile may hold the types of virtual tables, and this
/// flag of its summary says so; an older reader takes them for something else.
constexpr uint64_t VTableProfileFlag = uint64_t(1) << (32 + 5);
constexpr bool ReaderKnowsVTableProfiles = LLVM_VERSION_MAJOR >= 22;
} // namespace inlay

#endif
