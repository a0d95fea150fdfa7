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

using namespace llvm;
using namespace inlay;

/// A module flag: it survives into bitcode, so that a post-link run of the same
/// pipeline sees it.
static constexpr StringLiteral AnnotatedFlag = "inlay-annotated";

bool inlay::isAnnotatedByInlay(const Module &M) {
  return M.getModuleFlag(AnnotatedFlag) != nullptr;
}

void inlay::attachSummary(Module &M, const ModuleProfile &Profile) {
  ProfileSummary &Sampled = *Profile.File.Summary;
  SummaryEntryVector Entries;
  for (const ProfileSummaryEntry &Entry : Sampled.getDetailedSummary())
    Entries.emplace_back(Entry.Cutoff, Profile.scaled(Entry.MinCount),
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
