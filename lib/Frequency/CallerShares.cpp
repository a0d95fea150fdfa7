//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adds up the samples of each callee by the call that led to it, as far as the
// code agrees that it did (CallSites.h).
//
//===----------------------------------------------------------------------===//

#include "CallerShares.h"
#include "CallSites.h"
#include "inlay/Object/ProfiledBinary.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace inlay {

namespace {

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
  CallSites Sites;
  const ProfiledBinary &Binary;
};

} // namespace

static std::vector<const MachineFunction *>
codeOf(const SampledFunctions &Sampled) {
  std::vector<const MachineFunction *> Functions;
  for (const SampledFunction &Function : Sampled.Functions)
    Functions.push_back(&Function.Code);
  return Functions;
}

ShareCounter::ShareCounter(const SampledFunctions &Sampled,
                           const ProfiledBinary &Binary, MachineCode &Code)
    : Tallies(Sampled.Functions.size()), Sites(codeOf(Sampled), Code),
      Binary(Binary) {}

void ShareCounter::add(const CallSamples &C) {
  std::optional<uint64_t> Address = Binary.addressOf(C.Callee);
  // A return address may be the first byte behind its function.
  std::optional<uint32_t> Callee =
      Address ? Sites.functionAt(*Address - !C.IsLeaf) : std::nullopt;
  if (!Callee)
    return;
  std::optional<uint64_t> Return =
      C.Return ? Binary.addressOf(*C.Return) : std::nullopt;
  std::optional<SiteIndex> Outer =
      Return ? Sites.siteBefore(*Return) : std::nullopt;
  const double Samples = double(C.Samples);
  Tally &T = Tallies[*Callee];

  if (C.IsLeaf && !C.IsComplete && !Sites.hasFrame(*Callee, *Address)) {
    std::optional<uint32_t> Caller =
        Outer ? Sites.calleeOf(Sites.call(*Outer)) : std::nullopt;
    if (Caller && Caller != Callee)
      if (std::optional<SiteIndex> Site = Sites.onlySite(*Caller, *Callee))
        T.BySite[*Site] += Samples;
    return;
  }
  const double Weight = Samples * (C.IsLeaf ? 1 : WeightOfCallees);
  if (Outer && Sites.mayCall(Sites.call(*Outer), *Callee))
    T.BySite[*Outer] += Weight;
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
