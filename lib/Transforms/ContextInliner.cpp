//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Call sites compete by benefit for size: the context that is entered most
// often for each instruction of its callee is inlined first, what it brings in
// competes with the rest, and a function stops growing at its budget, or the
// module at its own. A context is taken when
//   - its total reaches the hot threshold of the whole program,
//   - LLVM's cost analysis allows the inlining and puts it at no more than the
//     threshold, and
//   - the function and the module stay within their budgets.
// Where the profile tells callers apart that called and did not inline, this
// holds for a context that has a hot line, and that differs from the function's
// others (ContextDifference.h); else it is LLVM's inliner that decides.
// Replaying takes whatever the profiled binary had inlined, if LLVM allows it
// and the module stays within its budget. Every refusal is a remark that says
// which of these failed and by how much.
//
//===----------------------------------------------------------------------===//

#include "ContextInliner.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <queue>

#define DEBUG_TYPE "inlay"

using namespace llvm;
using namespace inlay;

namespace {
/// A call in F and the context node of one callee at it.
struct Candidate {
  CallBase *Call;
  ContextNode *Context;
  Function *Callee;
  bool IsIndirect;
  double Benefit;    ///< entries for each instruction that they cost
  unsigned Sequence; ///< decides among equals, for the same result every time

  bool operator<(const Candidate &Other) const {
    return std::tie(Benefit, Other.Sequence) <
           std::tie(Other.Benefit, Sequence);
  }
};

class ContextInliner {
public:
  ContextInliner(Function &F, ContextLookup &Contexts, ModuleProfile &Profile,
                 const Options &Opts, FunctionAnalysisManager &FAM,
                 OptimizationRemarkEmitter &ORE, InlinedContexts &Inlined,
                 PromotedCalls &Promoted, ModuleStatistics &Statistics)
      : F(F), Contexts(Contexts), Profile(Profile), Opts(Opts), FAM(FAM),
        ORE(ORE), Inlined(Inlined), Promoted(Promoted), Statistics(Statistics) {
  }

  void run();

private:
  void addCandidates(CallBase &Call);
  Function *definitionOf(FunctionId Id);
  bool tryInline(const Candidate &C);
  CallBase *promote(const Candidate &C);
  void refuse(const Candidate &C, StringRef Reason);

  Function &F;
  ContextLookup &Contexts;
  ModuleProfile &Profile;
  const Options &Opts;
  FunctionAnalysisManager &FAM;
  OptimizationRemarkEmitter &ORE;
  InlinedContexts &Inlined;
  PromotedCalls &Promoted;
  ModuleStatistics &Statistics;
  std::priority_queue<Candidate> Candidates;
  unsigned NextSequence = 0;
  unsigned Budget = 0;
};
} // namespace

void ContextInliner::run() {
  unsigned Size = F.getInstructionCount();
  Budget = std::clamp<uint64_t>(uint64_t(Size) * Opts.GrowthFactor,
                                Opts.GrowthMin, Opts.GrowthMax);
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      addCandidates(*Call);
  while (!Candidates.empty()) {
    Candidate C = Candidates.top();
    Candidates.pop();
    tryInline(C);
  }
}

Function *ContextInliner::definitionOf(FunctionId Id) {
  // With MD5 names an indirect target cannot be found by name; direct calls
  // know their callee anyway.
  if (!Id.isStringRef())
    return nullptr;
  Function *Callee = F.getParent()->getFunction(Id.stringRef());
  return Callee && !Callee->isDeclaration() ? Callee : nullptr;
}

/// Whether a copy of \p Callee runs as a whole as often as it is called: then
/// its context knows nothing that the call site does not.
static bool isStraight(const Function &Callee) {
  return Callee.size() == 1 &&
         none_of(Callee.front(), [](const Instruction &I) {
           return isa<CallBase>(I) && !isa<IntrinsicInst>(I);
         });
}

/// What is compared with the hot threshold. Of a call it is the line that \p
/// Node executes most often: what it called in its turn need not come along.
static uint64_t samplesOf(const ContextNode &Node) {
  if (!Node.IsCall)
    return Node.TotalSamples;
  uint64_t Greatest = 0;
  for (const auto &[Location, Counts] : Node.Lines)
    Greatest = std::max(Greatest, Counts.Count);
  return Greatest;
}

void ContextInliner::addCandidates(CallBase &Call) {
  const DILocation *Location = Call.getDebugLoc();
  if (!Location || isa<IntrinsicInst>(Call) || Call.isInlineAsm())
    return;
  ContextNode *Node = Contexts.nodeOf(Location);
  if (!Node)
    return;
  auto Site = Node->Callees.find(callSiteOf(*Location, Profile.map()));
  if (Site == Node->Callees.end())
    return;

  Function *Direct = Call.getCalledFunction();
  for (auto &[Id, Child] : Site->second) {
    if (Direct && Profile.map().idOf(profileName(*Direct)) != Id)
      continue;
    Function *Callee = Direct ? Direct : definitionOf(Id);
    if (!Callee || Callee->isDeclaration() || Callee == &F)
      continue;
    double Size = Callee->getInstructionCount() + 1;
    Candidate C{&Call,
                Child.get(),
                Callee,
                !Direct,
                double(Child->entryEstimate()) / Size,
                NextSequence++};
    if (Opts.Replay) {
      if (!Child->IsCall)
        Candidates.push(C);
      continue;
    }
    const uint64_t Samples = samplesOf(*Child);
    if (Samples < Profile.HotCount) {
      ORE.emit([&] {
        return OptimizationRemarkMissed(DEBUG_TYPE, "NotHot", &Call)
               << "context of " << ore::NV("Callee", Callee) << " in "
               << ore::NV("Caller", &F) << " is not inlined: "
               << ore::NV("Samples", Profile.unscaled(Samples))
               << " samples are below the hot threshold of "
               << ore::NV("HotCount", Profile.unscaled(Profile.HotCount));
      });
      continue;
    }
    if (Direct && isStraight(*Callee)) {
      refuse(C, "it is a single block without calls, which LLVM's inliner sees "
                "to");
      continue;
    }
    if (Child->IsCall) {
      const unsigned Difference = 100 * Profile.Difference->of(*Child);
      if (Difference < Opts.ContextDifference) {
        refuse(C, ("it was not inlined before, and differs from the function's "
                   "other contexts by " +
                   Twine(Difference) + " %, less than " +
                   Twine(Opts.ContextDifference) + " %")
                      .str());
        continue;
      }
    }
    Candidates.push(C);
  }
}

void ContextInliner::refuse(const Candidate &C, StringRef Reason) {
  ORE.emit([&] {
    return OptimizationRemarkMissed(DEBUG_TYPE, "NotInlined", C.Call)
           << (Opts.Replay ? "" : "hot ") << "context of "
           << ore::NV("Callee", C.Callee) << " in " << ore::NV("Caller", &F)
           << " ("
           << ore::NV("Samples", Profile.unscaled(samplesOf(*C.Context)))
           << " samples) is not inlined: " << Reason;
  });
}

/// Splits an indirect call into a comparison, a direct call, and the indirect
/// call for the rest. Returns the direct call.
CallBase *ContextInliner::promote(const Candidate &C) {
  const char *Reason = nullptr;
  if (!isLegalToPromote(*C.Call, C.Callee, &Reason)) {
    refuse(C, Reason ? Reason : "the call cannot be promoted");
    return nullptr;
  }
  ++Statistics.CallsPromoted;
  CallBase &Direct = promoteCallWithIfThenElse(*C.Call, C.Callee);
  Promoted[C.Call].push_back(C.Context->Function);
  return &Direct;
}

bool ContextInliner::tryInline(const Candidate &C) {
  // The cost analysis asks about direct calls only; an indirect one is judged
  // by what it will become.
  if (C.IsIndirect && !isLegalToPromote(*C.Call, C.Callee)) {
    refuse(C, "the indirect call cannot be promoted");
    return false;
  }
  InlineParams Params = getInlineParams();
  Params.ComputeFullInlineCost = true;
  auto GetAC = [&](Function &G) -> AssumptionCache & {
    return FAM.getResult<AssumptionAnalysis>(G);
  };
  auto GetTLI = [&](Function &G) -> const TargetLibraryInfo & {
    return FAM.getResult<TargetLibraryAnalysis>(G);
  };
  InlineCost Cost =
      getInlineCost(*C.Call, C.Callee, Params,
                    FAM.getResult<TargetIRAnalysis>(*C.Callee), GetAC, GetTLI);
  if (Cost.isNever()) {
    refuse(C, Cost.getReason() ? Cost.getReason() : "it never may be");
    return false;
  }
  const int CostLimit =
      C.Context->IsCall ? Opts.CallInlineCost : Opts.HotInlineCost;
  if (!Cost.isAlways() && !Opts.Replay && Cost.getCost() > CostLimit) {
    refuse(C, ("cost " + Twine(Cost.getCost()) + " exceeds " + Twine(CostLimit))
                  .str());
    return false;
  }
  unsigned CalleeSize = C.Callee->getInstructionCount();
  unsigned Size = F.getInstructionCount() + CalleeSize;
  if (!Cost.isAlways() && !Opts.Replay && Size > Budget) {
    refuse(C, ("the caller would grow to " + Twine(Size) +
               " instructions, more than its budget of " + Twine(Budget))
                  .str());
    return false;
  }
  if (!Cost.isAlways() && CalleeSize > Statistics.InstructionsLeft) {
    refuse(C, ("the module may grow by no more than " +
               Twine(Statistics.InstructionsLeft) + " instructions")
                  .str());
    return false;
  }

  CallBase *Call = C.Call;
  if (C.IsIndirect && !(Call = promote(C)))
    return false;
  // The call is gone after inlining: keep what the remark needs.
  DebugLoc Location = Call->getDebugLoc();
  BasicBlock *Block = Call->getParent();
  InlineFunctionInfo Info(GetAC);
  InlineResult Result = InlineFunction(*Call, Info, /*MergeAttributes=*/true);
  if (!Result.isSuccess()) {
    refuse({Call, C.Context, C.Callee, false, 0, 0}, Result.getFailureReason());
    return false;
  }
  ++Statistics.ContextsInlined;
  Statistics.InstructionsLeft -=
      std::min<uint64_t>(Statistics.InstructionsLeft, CalleeSize);
  Inlined.insert(C.Context);
  ORE.emit([&] {
    OptimizationRemark R(DEBUG_TYPE, "ContextInlined", Location, Block);
    R << "inlined " << (Opts.Replay ? "" : "hot ") << "context of "
      << ore::NV("Callee", C.Callee) << " into " << ore::NV("Caller", &F)
      << ": " << ore::NV("Samples", Profile.unscaled(samplesOf(*C.Context)));
    if (Opts.Replay)
      return R << " samples, as in the profiled binary";
    R << " samples reach the hot threshold of "
      << ore::NV("HotCount", Profile.unscaled(Profile.HotCount));
    if (!Cost.isAlways())
      R << ", cost " << ore::NV("Cost", Cost.getCost()) << " is within "
        << ore::NV("Threshold", CostLimit);
    return R;
  });
  for (CallBase *New : Info.InlinedCallSites)
    addCandidates(*New);
  return true;
}

void inlay::inlineHotContexts(Function &F, ContextLookup &Contexts,
                              ModuleProfile &Profile, const Options &Opts,
                              FunctionAnalysisManager &FAM,
                              OptimizationRemarkEmitter &ORE,
                              InlinedContexts &Inlined, PromotedCalls &Promoted,
                              ModuleStatistics &Statistics) {
  ContextInliner(F, Contexts, Profile, Opts, FAM, ORE, Inlined, Promoted,
                 Statistics)
      .run();
}
