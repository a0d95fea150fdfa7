//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See CallSites.h.
//
//===----------------------------------------------------------------------===//

#include "CallSites.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inlay {

CallSites::CallSites(std::vector<const MachineFunction *> List,
                     MachineCode &Code)
    : Functions(std::move(List)), Code(Code) {
  for (auto [Index, Function] : enumerate(Functions)) {
    IndexOf[Function->Entry] = Index;
    Frames.push_back(findFrameSetUp(*Function));
    for (auto [CallIndex, Call] : enumerate(Function->Calls)) {
      const MachineInstruction &I = Function->Instructions[Call.Instruction];
      if (!Call.IsTail)
        SitesBy[I.Address + I.Size] =
            SitesBy[I.Address + 1] = {Index, CallIndex};
    }
  }
}

std::optional<uint32_t> CallSites::functionAt(uint64_t Address) {
  std::optional<uint64_t> Entry = Code.entryOf(Address);
  auto It = Entry ? IndexOf.find(*Entry) : IndexOf.end();
  return It == IndexOf.end() ? std::nullopt : std::optional(It->second);
}

std::optional<SiteIndex> CallSites::siteBefore(uint64_t ReturnAddress) const {
  auto It = SitesBy.find(ReturnAddress);
  return It == SitesBy.end() ? std::nullopt : std::optional(It->second);
}

std::optional<uint32_t> CallSites::calleeOf(const MachineCall &Call) {
  std::optional<uint64_t> Entry =
      Call.Target ? Code.calleeEntry(*Call.Target) : std::nullopt;
  return Entry ? functionAt(*Entry) : std::nullopt;
}

bool CallSites::mayCall(const MachineCall &Call, uint32_t Callee) {
  if (Call.Target)
    return calleeOf(Call) == Callee;
  return Call.TargetName.empty() && Code.isAddressTaken(code(Callee).Entry);
}

std::optional<SiteIndex> CallSites::onlySite(uint32_t Caller, uint32_t Callee) {
  auto [It, IsNew] = OnlySites.try_emplace({Caller, Callee});
  if (!IsNew)
    return It->second;
  for (auto [Index, Call] : enumerate(code(Caller).Calls)) {
    if (!mayCall(Call, Callee))
      continue;
    if (It->second)
      return It->second = std::nullopt;
    It->second = {Caller, uint32_t(Index)};
  }
  return It->second;
}

} // namespace inlay
