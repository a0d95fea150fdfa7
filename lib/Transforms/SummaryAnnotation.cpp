//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SummaryAnnotation.h. The bytes depend on the profile alone: modules whose
// summaries differ do not link under LTO.
//
//===----------------------------------------------------------------------===//

#include "SummaryAnnotation.h"
#include "inlay/Transforms/InlayPass.h"
#include "llvm/IR/Module.h"
#include "llvm/ProfileData/ProfileCommon.h"

using namespace llvm;
using namespace inlay;

/// A module flag: it survives into bitcode, so that a post-link run of the same
/// pipeline sees it.
static constexpr StringLiteral AnnotatedFlag = "inlay-annotated";

/// Less than the flow of whatever must have run (FlowGraph::Resolution).
static constexpr uint64_t ColdPart = 32;

/// LLVM's profile-summary-cutoff-hot.
static constexpr uint64_t HotPercentile = 990000;

bool inlay::isAnnotatedByInlay(const Module &M) {
  return M.getModuleFlag(AnnotatedFlag) != nullptr;
}

/// LLVM takes for cold what has no more than the least count. Where one sample
/// is the least there is, that is what may well run and was not hit: only what
/// no flow at all passes through shall be cold. And in a program that does one
/// thing only, whose every line is as hot as the next, the flow may be a little
/// less than any line's count: cold is far from hot.
static uint64_t leastCount(const ProfileSummaryEntry &Entry,
                           const ModuleProfile &Profile) {
  uint64_t MinCount = Profile.scaled(Entry.MinCount);
  if (Entry.Cutoff <= HotPercentile)
    return std::max(MinCount, Profile.LeastHotCount);
  if (MinCount <= Profile.Resolution)
    return std::min(MinCount, Profile.Resolution / ColdPart);
  if (Entry.Cutoff < ColdPercentile)
    return MinCount;
  uint64_t Hot = Profile.scaled(
      ProfileSummaryBuilder::getEntryForPercentile(
          Profile.File.Summary->getDetailedSummary(), HotPercentile)
          .MinCount);
  return std::min(MinCount, Hot / ColdPart);
}

uint64_t inlay::coldCount(const ModuleProfile &Profile) {
  const SummaryEntryVector &Entries =
      Profile.File.Summary->getDetailedSummary();
  if (Entries.empty())
    return 0;
  return leastCount(
      ProfileSummaryBuilder::getEntryForPercentile(Entries, ColdPercentile),
      Profile);
}

void inlay::attachSummary(Module &M, const ModuleProfile &Profile) {
  ProfileSummary &Sampled = *Profile.File.Summary;
  SummaryEntryVector Entries;
  for (const ProfileSummaryEntry &Entry : Sampled.getDetailedSummary())
    Entries.emplace_back(Entry.Cutoff, leastCount(Entry, Profile),
                         Entry.NumCounts);
  uint64_t Max = Profile.scaled(Sampled.getMaxCount());
  ProfileSummary Summary(ProfileSummary::PSK_Instr, Entries,
                         Profile.scaled(Sampled.getTotalCount()), Max, Max,
                         Profile.scaled(Sampled.getMaxFunctionCount()),
                         Sampled.getNumCounts(), Sampled.getNumFunctions());
  M.setProfileSummary(Summary.getMD(M.getContext()), ProfileSummary::PSK_Instr);
  if (!isAnnotatedByInlay(M))
    M.addModuleFlag(Module::Max, AnnotatedFlag, 1);
}
