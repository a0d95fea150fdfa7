//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chain made by following frame pointers lacks the caller where the innermost
// function has not set up its frame yet, or has left it, or never makes one.
// What seems to be its caller is its caller's. The code tells where that is so.
// If the outer call is a direct one, it names the caller that is missing, which
// may have but one call that can have led on.
//
// A direct call says whom it calls: another callee above it was reached by a
// tail call. So was one above an indirect call whose address nobody takes.
//
//===----------------------------------------------------------------------===//

#include "CallerShares.h"
#include "FrameSetUp.h"
#include "inlay/Object/ProfiledBinary.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace inlay {

namespace {

/// The weight of samples in what a function calls, beside that of its own: of
/// these the time for each call varies less.
constexpr double WeightOfCallees = 0.1;

/// (index of the caller, index of the call).
using SiteIndex = std::pair<uint32_t, uint32_t>;

/// Samples of a callee, weighed, under some call.
struct Tally {
  std::map<SiteIndex, double> BySite;
  double Elsewhere = 0;
};

class ShareCounter {
public:
  ShareCounter(const SampledFunctions &Sampled, const ProfiledBinary &Binary,
               MachineCode &Code);
  void add(const CallSamples &Call);

  std::vector<Tally> Tallies; ///< by callee

private:
  std::optional<uint32_t> functionAt(uint64_t Address);
  const MachineFunction &code(uint32_t Function) const {
    return Sampled.Functions[Function].Code;
  }
  /// The function that \p Call calls for sure.
  std::optional<uint32_t> calleeOf(const MachineCall &Call);
  /// Whether \p Call may lead to \p Callee.
  bool mayCall(const MachineCall &Call, uint32_t Callee);
  /// The call of \p Caller that leads to \p Callee, if there is but one.
  std::optional<SiteIndex> onlySite(uint32_t Caller, uint32_t Callee);

  const SampledFunctions &Sampled;
  const ProfiledBinary &Binary;
  MachineCode &Code;
  std::vector<FrameSetUp> Frames;       ///< by function
  DenseMap<uint64_t, uint32_t> IndexOf; ///< by entry
  DenseMap<uint64_t, SiteIndex> SiteOf; ///< by return address
  /// By caller and callee.
  DenseMap<std::pair<uint32_t, uint32_t>, std::optional<SiteIndex>> OnlySites;
};

} // namespace

ShareCounter::ShareCounter(const SampledFunctions &Sampled,
                           const ProfiledBinary &Binary, MachineCode &Code)
    : Tallies(Sampled.Functions.size()), Sampled(Sampled), Binary(Binary),
      Code(Code) {
  for (auto [Index, Function] : enumerate(Sampled.Functions)) {
    IndexOf[Function.Code.Entry] = Index;
    Frames.push_back(findFrameSetUp(Function.Code));
    for (auto [CallIndex, Call] : enumerate(Function.Code.Calls)) {
      const MachineInstruction &I =
          Function.Code.Instructions[Call.Instruction];
      if (!Call.IsTail)
        SiteOf[I.Address + I.Size] = {Index, CallIndex};
    }
  }
}

std::optional<uint32_t> ShareCounter::functionAt(uint64_t Address) {
  std::optional<uint64_t> Entry = Code.entryOf(Address);
  auto It = Entry ? IndexOf.find(*Entry) : IndexOf.end();
  return It == IndexOf.end() ? std::nullopt : std::optional(It->second);
}

std::optional<uint32_t> ShareCounter::calleeOf(const MachineCall &Call) {
  std::optional<uint64_t> Entry =
      Call.Target ? Code.calleeEntry(*Call.Target) : std::nullopt;
  return Entry ? functionAt(*Entry) : std::nullopt;
}

bool ShareCounter::mayCall(const MachineCall &Call, uint32_t Callee) {
  if (Call.Target)
    return calleeOf(Call) == Callee;
  return Call.TargetName.empty() && Code.isAddressTaken(code(Callee).Entry);
}

std::optional<SiteIndex> ShareCounter::onlySite(uint32_t Caller,
                                                uint32_t Callee) {
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

void ShareCounter::add(const CallSamples &C) {
  std::optional<uint64_t> Address = Binary.addressOf(C.Callee);
  // A return address may be the first byte behind its function.
  std::optional<uint32_t> Callee =
      Address ? functionAt(*Address - !C.IsLeaf) : std::nullopt;
  if (!Callee)
    return;
  std::optional<uint64_t> Return =
      C.Return ? Binary.addressOf(*C.Return) : std::nullopt;
  auto Outer = Return ? SiteOf.find(*Return) : SiteOf.end();
  const MachineCall *Call =
      Outer == SiteOf.end()
          ? nullptr
          : &code(Outer->second.first).Calls[Outer->second.second];
  const double Samples = double(C.Samples);
  Tally &T = Tallies[*Callee];

  if (C.IsLeaf && !Frames[*Callee].isSetUpAt(*Address, code(*Callee))) {
    std::optional<uint32_t> Caller = Call ? calleeOf(*Call) : std::nullopt;
    if (Caller && Caller != Callee)
      if (std::optional<SiteIndex> Site = onlySite(*Caller, *Callee))
        T.BySite[*Site] += Samples;
    return;
  }
  const double Weight = Samples * (C.IsLeaf ? 1 : WeightOfCallees);
  if (Call && mayCall(*Call, *Callee))
    T.BySite[Outer->second] += Weight;
  else
    T.Elsewhere += Weight;
}

CallerShares::CallerShares(const SampledFunctions &Sampled,
                           ArrayRef<CallSamples> Calls,
                           const ProfiledBinary &Binary, MachineCode &Code)
    : Sites(Sampled.Functions.size()) {
  if (Calls.empty())
    return;
  ShareCounter Counter(Sampled, Binary, Code);
  for (const CallSamples &Call : Calls)
    Counter.add(Call);
  for (auto [Tally, Sites] : zip_equal(Counter.Tallies, Sites)) {
    double Total = Tally.Elsewhere;
    for (const auto &[Site, Samples] : Tally.BySite)
      Total += Samples;
    for (const auto &[Site, Samples] : Tally.BySite)
      Sites.push_back({Site.first, Site.second, Samples, Samples / Total});
  }
}

} // namespace inlay
