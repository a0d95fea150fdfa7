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
#include <string>
#include <tuple>

namespace inlay {
/// From 22 on a sample profile may hold the types of virtual tables, and this
/// flag of its summary says so; an older reader takes them for something else.
constexpr uint64_t VTableProfileFlag = uint64_t(1) << (32 + 5);
constexpr bool ReaderKnowsVTableProfiles = LLVM_VERSION_MAJOR >= 22;

// From 22 on the MC layer takes an llvm::Triple where it took its string.
template <typename Target, typename Triple>
auto *createMCRegisterInfo(const Target &T, const Triple &TT) {
  if constexpr (requires { T.createMCRegInfo(TT); })
    return T.createMCRegInfo(TT);
  else
    return T.createMCRegInfo(TT.str());
}
template <typename Target, typename RegisterInfo, typename Triple,
          typename Options>
auto *createMCAsmInfo(const Target &T, const RegisterInfo &MRI,
                      const Triple &TT, const Options &O) {
  if constexpr (requires { T.createMCAsmInfo(MRI, TT, O); })
    return T.createMCAsmInfo(MRI, TT, O);
  else
    return T.createMCAsmInfo(MRI, TT.str(), O);
}
template <typename Target, typename Triple, typename String>
auto *createMCSubtargetInfo(const Target &T, const Triple &TT, String CPU,
                            String Features) {
  if constexpr (requires { T.createMCSubtargetInfo(TT, CPU, Features); })
    return T.createMCSubtargetInfo(TT, CPU, Features);
  else
    return T.createMCSubtargetInfo(TT.str(), CPU, Features);
}
template <typename Registry, typename Triple>
const auto *lookupMCTarget(const Triple &TT, std::string &Message) {
  if constexpr (requires { Registry::lookupTarget(TT, Message); })
    return Registry::lookupTarget(TT, Message);
  else
    return Registry::lookupTarget(TT.str(), Message);
}

// From 20 on decoded pseudo probes lie in a vector, before in lists by address,
// and inlined functions tell their call site by a method. Descriptions of
// functions lie in a vector, before in a map.
template <typename Decoder, typename Visitor>
void forEachProbe(const Decoder &D, Visitor Visit) {
  for (const auto &Entry : D.getAddress2ProbesMap()) {
    if constexpr (requires { Entry.second; })
      for (const auto &Probe : Entry.second)
        Visit(Probe);
    else
      Visit(Entry.get());
  }
}
template <typename InlineTree>
uint32_t probeOfCallSite(const InlineTree &Node) {
  if constexpr (requires { Node.getInlineSite(); })
    return std::get<1>(Node.getInlineSite());
  else
    return std::get<1>(Node.ISite);
}
template <typename Entry> const auto &probeDescription(const Entry &E) {
  if constexpr (requires { E.second; })
    return E.second;
  else
    return E;
}
} // namespace inlay

#endif
