//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the code tells of the frames in a call chain: which call a return
// address belongs to, whom that call may lead to, and whether the chain can be
// trusted where it was sampled.
//
// A chain made by following frame pointers lacks the caller where the innermost
// function has not set up its frame yet, or has left it, or never makes one.
// What seems to be its caller is its caller's. If that one's call is direct, it
// names the caller that is missing, which may have but one call that can have
// led on.
//
// A direct call says whom it calls: another callee above it was reached by a
// tail call. So was one above an indirect call whose address nobody takes.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FREQUENCY_CALLSITES_H
#define INLAY_LIB_FREQUENCY_CALLSITES_H

#include "FrameSetUp.h"
#include "inlay/Object/MachineCFG.h"
#include "llvm/ADT/DenseMap.h"

namespace inlay {

/// The weight of samples in what a function calls, beside that of its own, when
/// they tell how often it was called: of these the time for each call varies
/// less.
constexpr double WeightOfCallees = 0.1;

/// (index of the calling function, index into its MachineFunction::Calls).
using SiteIndex = std::pair<uint32_t, uint32_t>;

class CallSites {
public:
  /// Functions are known by their index in \p Functions, which outlive this,
  /// as does \p Code.
  CallSites(std::vector<const MachineFunction *> Functions, MachineCode &Code);

  const MachineFunction &code(uint32_t Function) const {
    return *Functions[Function];
  }
  const MachineCall &call(SiteIndex Site) const {
    return code(Site.first).Calls[Site.second];
  }
  size_t size() const { return Functions.size(); }

  std::optional<uint32_t> functionAt(uint64_t Address);
  /// The call, not a tail call, that returns to this address, or whose second
  /// byte is there.
  std::optional<SiteIndex> siteBefore(uint64_t ReturnAddress) const;
  /// The function that \p Call calls for sure.
  std::optional<uint32_t> calleeOf(const MachineCall &Call);
  /// Whether \p Call may lead to \p Callee.
  bool mayCall(const MachineCall &Call, uint32_t Callee);
  /// The call of \p Caller that leads to \p Callee, if there is but one.
  std::optional<SiteIndex> onlySite(uint32_t Caller, uint32_t Callee);
  /// Whether a chain sampled at \p Address in \p Function has its caller.
  bool hasFrame(uint32_t Function, uint64_t Address) const {
    return Frames[Function].isSetUpAt(Address, code(Function));
  }

private:
  std::vector<const MachineFunction *> Functions;
  MachineCode &Code;
  std::vector<FrameSetUp> Frames;             ///< by function
  llvm::DenseMap<uint64_t, uint32_t> IndexOf; ///< by entry
  /// By return address, and by that of the second byte.
  llvm::DenseMap<uint64_t, SiteIndex> SitesBy;
  /// By caller and callee.
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, std::optional<SiteIndex>>
      OnlySites;
};

} // namespace inlay

#endif
