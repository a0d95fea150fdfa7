//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass, from top to bottom: read the profile, visit functions callers
// first, in each inline the hot contexts, merge the others into their callees,
// solve the flow, annotate; at the end attach the summary and say how much of
// the profile was used.
//
//===----------------------------------------------------------------------===//

#include "inlay/Transforms/InlayPass.h"
#include "ContextInliner.h"
#include "CrossModuleContexts.h"
#include "EntryEstimation.h"
#include "Flattening.h"
#include "FlowAnnotation.h"
#include "ProbeChecksums.h"
#include "StaleReport.h"
#include "SummaryAnnotation.h"
#include "TopDownOrder.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ProfileSummaryInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#define DEBUG_TYPE "inlay"

using namespace llvm;
using namespace inlay;

/// Reports through the compiler's own diagnostics: an error fails the compile.
static void diagnose(Module &M, const Options &Opts, const Twine &Message,
                     DiagnosticSeverity Severity) {
  M.getContext().diagnose(
      DiagnosticInfoSampleProfile(Opts.ProfilePath, Message, Severity));
}

/// Only with debug information can a count find its instruction.
static bool hasDebugInfo(const Module &M) {
  return any_of(M, [](const Function &F) { return F.getSubprogram(); });
}

namespace {
/// One run over one module.
class ModuleAnnotator {
public:
  ModuleAnnotator(Module &M, ModuleAnalysisManager &MAM, const Options &Opts,
                  ModuleProfile &Profile)
      : M(M), MAM(MAM),
        FAM(MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager()),
        Opts(Opts), Profile(Profile) {}

  void run();

private:
  void matchStale();
  void annotate(Function &F);
  void noteUnknownCalls(const Function &Caller);
  void leaveEntriesForUnknownCalls(Function &F, uint64_t EntryCount);
  void countUsedSamples();
  void emitSummaryRemark();
  void warnIfOfAnotherProgram();

  Module &M;
  ModuleAnalysisManager &MAM;
  FunctionAnalysisManager &FAM;
  const Options &Opts;
  ModuleProfile &Profile;
  UsedLines Used;
  std::set<FunctionId> Defined;
  /// Functions that one calls of which the profile does not know how often it
  /// ran, and whether.
  SmallPtrSet<const Function *, 16> CalledByUnknown;
  KnownCalls Calls;
  ModuleStatistics Statistics;
};
} // namespace

void ModuleAnnotator::run() {
  warnIfOfAnotherProgram();
  // Probes of a function that has changed are others in any case.
  if (Opts.MatchStale || Profile.map().IsProbeBased)
    matchStale();
  adoptContexts(M, Profile.map());
  Profile.Difference.emplace(Profile.map());
  estimateContextEntries(M, Profile, Opts, FAM);
  Statistics.InstructionsLeft = std::max<uint64_t>(
      uint64_t(M.getInstructionCount()) * Opts.ModuleGrowth, Opts.GrowthMax);
  Defined = definitions(M, Profile.map());
  for (Function *F : topDownOrder(M, Profile.map()))
    annotate(*F);
  attachSummary(M, Profile);
  if (auto *PSI = MAM.getCachedResult<ProfileSummaryAnalysis>(M))
    PSI->refresh();
  countUsedSamples();
  emitSummaryRemark();
}

void ModuleAnnotator::matchStale() {
  StaleMatch Match = matchStaleProfile(M, Profile.File, Opts);
  // They are counts that the profile has, and met no instruction.
  Statistics.SamplesTotal = Match.SamplesDropped;
  if (Error E = reportStaleMatch(Match, M, Profile, Opts))
    diagnose(M, Opts, "Inlay: " + toString(std::move(E)), DS_Error);
}

void ModuleAnnotator::annotate(Function &F) {
  FunctionId Id = Profile.map().idOf(profileName(F));
  ContextNode *Root = Profile.map().findRoot(Id);
  if (!Root) {
    if (Profile.File.NeverRan.count(FunctionId(profileName(F))))
      F.setEntryCount(Function::ProfileCount(0, Function::PCT_Real));
    else
      noteUnknownCalls(F);
    return;
  }
  ++Statistics.FunctionsProfiled;
  OptimizationRemarkEmitter ORE(&F);
  ContextLookup Contexts(Profile.map(), Root);
  InlinedContexts Inlined;
  PromotedCalls Promoted;
  const ImportedFunctions Imports =
      hotFunctionsElsewhere(*Root, Defined, Profile.HotCount);
  if (Opts.InlineContexts && !F.hasOptNone())
    inlineHotContexts(F, Contexts, Profile, Opts, FAM, ORE, Inlined, Promoted,
                      Statistics);
  Statistics.ContextsMerged +=
      mergeContextsNotInlined(*Root, Profile.map(), Inlined);
  Contexts.clear();

  // Inlining has changed the CFG: whatever was computed for F is stale.
  FAM.invalidate(F, PreservedAnalyses::none());
  AnnotationResult Result =
      annotateFlow(F, Contexts, Profile, Opts, FAM, Promoted, Used, Calls);
  annotateCallTargets(F, Contexts, Profile, Promoted);
  FAM.invalidate(F, PreservedAnalyses::none());
  if (!Result.Annotated) {
    noteUnknownCalls(F);
    ORE.emit([&] {
      return OptimizationRemarkMissed(DEBUG_TYPE, "NoEvidence",
                                      F.getSubprogram(), &F.getEntryBlock())
             << ore::NV("Function", &F)
             << " is in the profile, but no count meets an instruction";
    });
    return;
  }
  ++Statistics.FunctionsAnnotated;
  leaveEntriesForUnknownCalls(F, Result.EntryCount);
  recordImports(F, Imports);
  ORE.emit([&] {
    return OptimizationRemarkAnalysis(DEBUG_TYPE, "Annotated",
                                      F.getSubprogram(), &F.getEntryBlock())
           << "annotated " << ore::NV("Function", &F) << ": entry count "
           << ore::NV("EntryCount", Result.EntryCount) << ", evidence in "
           << ore::NV("BlocksWithEvidence", Result.BlocksWithEvidence) << " of "
           << ore::NV("Blocks", Result.Blocks) << " blocks";
  });
}

void ModuleAnnotator::noteUnknownCalls(const Function &Caller) {
  for (const Instruction &I : instructions(Caller))
    if (const auto *Call = dyn_cast<CallBase>(&I))
      if (const Function *Callee = Call->getCalledFunction();
          Callee && !Callee->isDeclaration())
        CalledByUnknown.insert(Callee);
}

/// LLVM's inliner takes each call that it inlines from the callee's entries. If
/// the profile knows of no others, none is left, and the callee is cold for the
/// callers that the profile does not know, which are compiled worse than
/// without a profile. So there are to be more entries than known calls, of
/// which the callee's own flow knows too few where samples are few; and more by
/// far: the frequencies that the inliner goes by have been through other passes
/// and may be twice what our flow was.
void ModuleAnnotator::leaveEntriesForUnknownCalls(Function &F,
                                                  uint64_t EntryCount) {
  // Nobody would inline a larger one.
  constexpr unsigned MaxInstructions = 100;
  if (!CalledByUnknown.contains(&F) ||
      F.getInstructionCount() > MaxInstructions)
    return;
  constexpr uint64_t Plenty = 4;
  EntryCount = std::max(EntryCount, Calls.lookup(&F));
  uint64_t NotCold = SaturatingAdd<uint64_t>(coldCount(Profile), 1);
  F.setEntryCount(Function::ProfileCount(
      SaturatingMultiplyAdd<uint64_t>(EntryCount, Plenty, NotCold),
      Function::PCT_Real));
}

/// Adds up the line counts below \p Node, and those that met an instruction.
static void addUse(const ContextNode &Node, const UsedLines &Used,
                   ModuleStatistics &Statistics) {
  for (const auto &[Location, Counts] : Node.Lines) {
    // Prologues are on the first line, but no instruction of the IR is.
    Statistics.LinesCounted += Counts.Recorded && Location.LineOffset;
    Statistics.SamplesTotal =
        SaturatingAdd(Statistics.SamplesTotal, Counts.Recorded);
    if (Used.contains(&Counts))
      Statistics.SamplesUsed =
          SaturatingAdd(Statistics.SamplesUsed, Counts.Recorded);
  }
  for (const auto &[CallSite, Children] : Node.Callees)
    for (const auto &[Callee, Child] : Children)
      addUse(*Child, Used, Statistics);
}

void ModuleAnnotator::countUsedSamples() {
  for (Function &F : M)
    if (!F.isDeclaration())
      if (const ContextNode *Root =
              Profile.map().findRoot(Profile.map().idOf(profileName(F))))
        addUse(*Root, Used, Statistics);
}

void ModuleAnnotator::emitSummaryRemark() {
  Function *First = nullptr;
  for (Function &F : M)
    if (!F.isDeclaration()) {
      First = &F;
      break;
    }
  if (!First)
    return;
  OptimizationRemarkEmitter ORE(First);
  const ModuleStatistics &S = Statistics;
  if (S.FunctionsProfiled == 0) {
    ORE.emit([&] {
      return OptimizationRemarkMissed(DEBUG_TYPE, "ProfileNotUsed",
                                      First->getSubprogram(),
                                      &First->getEntryBlock())
             << "no function of " << ore::NV("Module", M.getName())
             << " is in the profile " << ore::NV("Profile", Opts.ProfilePath);
    });
    return;
  }
  // A line or two may have been optimized differently; not all of them.
  constexpr unsigned ManyLines = 4;
  if (S.LinesCounted >= ManyLines && !S.SamplesUsed && hasDebugInfo(M))
    diagnose(M, Opts,
             "Inlay: the profile has counts for " + Twine(S.FunctionsProfiled) +
                 " functions of this module, but none meets an instruction: "
                 "was it made from this program?",
             DS_Warning);
  std::string Percent;
  raw_string_ostream(Percent) << format(
      "%.1f", S.SamplesTotal ? 100.0 * S.SamplesUsed / S.SamplesTotal : 0.0);
  ORE.emit([&] {
    return OptimizationRemark(DEBUG_TYPE, "ProfileUsed", First->getSubprogram(),
                              &First->getEntryBlock())
           << "used " << ore::NV("SamplesUsed", Profile.unscaled(S.SamplesUsed))
           << " of "
           << ore::NV("SamplesTotal", Profile.unscaled(S.SamplesTotal))
           << " counts (" << ore::NV("PercentUsed", Percent) << "%) that "
           << ore::NV("Profile", Opts.ProfilePath)
           << " has for this module: annotated "
           << ore::NV("FunctionsAnnotated", S.FunctionsAnnotated) << " of "
           << ore::NV("FunctionsProfiled", S.FunctionsProfiled)
           << " profiled functions, inlined "
           << ore::NV("ContextsInlined", S.ContextsInlined)
           << " hot contexts, merged "
           << ore::NV("ContextsMerged", S.ContextsMerged)
           << " others, promoted " << ore::NV("CallsPromoted", S.CallsPromoted)
           << " indirect calls";
  });
}

/// A module that never ran is not in the profile, and that is no reason to say
/// anything but a remark. But the module with main() calls, if not runs, what
/// the profile is about. And if functions have counts of which not one meets an
/// instruction, the profile knows other functions by these names.
void ModuleAnnotator::warnIfOfAnotherProgram() {
  if (!hasDebugInfo(M))
    return; // a warning of its own
  if (Profile.File.Summary->getMaxCount() == 0) {
    diagnose(M, Opts, "Inlay: the profile holds no counts", DS_Warning);
    return;
  }
  const Function *Main = M.getFunction("main");
  if (!Main || Main->isDeclaration())
    return;
  auto IsInProfile = [&](const Function &F) {
    StringRef Name = profileName(F);
    return Profile.map().findRoot(Profile.map().idOf(Name)) ||
           (Profile.File.SymbolList && Profile.File.SymbolList->contains(Name));
  };
  if (none_of(M, IsInProfile))
    diagnose(M, Opts,
             "Inlay: the profile has none of the functions that the module of "
             "main() defines or calls: was it made from this program?",
             DS_Warning);
}

/// The profile for \p M; nullopt after an error was reported.
static std::optional<ProfileFile> loadProfile(Module &M, const Options &Opts) {
  Expected<ProfileFile> File = readProfile(
      Opts.ProfilePath, &M,
      Opts.IsBeforeLink ? ProfileExtent::Program : ProfileExtent::Module);
  if (!File) {
    std::string Message = toString(File.takeError());
    // The diagnostic names the file and line itself.
    StringRef Text = Message;
    unsigned Line = 0;
    if (Text.consume_front(Opts.ProfilePath) && Text.consume_front(":") &&
        !Text.consumeInteger(10, Line))
      Text.consume_front(":");
    Text = Text.ltrim();
    M.getContext().diagnose(DiagnosticInfoSampleProfile(
        Opts.ProfilePath, Line, "Inlay: " + Text, DS_Error));
    return std::nullopt;
  }
  return std::move(*File);
}

PreservedAnalyses InlayPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (Opts.ProfilePath.empty() || isAnnotatedByInlay(M))
    return PreservedAnalyses::all();
  if (M.getProfileSummary(/*IsCS=*/false)) {
    diagnose(M, Opts,
             "Inlay: the module already carries a profile (-fprofile-use or "
             "-fprofile-sample-use?); it is left alone",
             DS_Warning);
    return PreservedAnalyses::all();
  }
  std::optional<ProfileFile> File = loadProfile(M, Opts);
  if (!File)
    return PreservedAnalyses::all();
  const bool HasFunctions =
      any_of(M, [](const Function &F) { return !F.isDeclaration(); });
  if (File->Map.IsProbeBased && HasFunctions && probeChecksums(M).empty()) {
    diagnose(M, Opts,
             "Inlay: the profile is based on pseudo probes, and the module has "
             "none, so that it is left alone; add "
             "-fpseudo-probe-for-profiling, or make a profile of lines "
             "(llvm-profconv --anchors=lines)",
             DS_Warning);
    return PreservedAnalyses::all();
  }
  if (!hasDebugInfo(M) && HasFunctions)
    diagnose(M, Opts,
             "Inlay: the module has no debug information, so that the profile "
             "cannot be used; add -gmlt -fdebug-info-for-profiling",
             DS_Warning);
  ModuleProfile Profile(std::move(*File), Opts);
  ModuleAnnotator(M, MAM, Opts, Profile).run();
  return PreservedAnalyses::none();
}

PreservedAnalyses InlayContextsPrinterPass::run(Module &M,
                                                ModuleAnalysisManager &) {
  if (Opts.ProfilePath.empty()) {
    diagnose(M, Opts, "Inlay: no profile given: use -inlay-profile=FILE",
             DS_Error);
    return PreservedAnalyses::all();
  }
  if (std::optional<ProfileFile> File = loadProfile(M, Opts)) {
    if (Opts.MatchStale || File->Map.IsProbeBased)
      matchStaleProfile(M, *File, Opts);
    auto &Roots = File->Map.roots();
    for (auto It = Roots.begin(); It != Roots.end();) {
      bool IsDefined = any_of(M, [&](const Function &F) {
        return !F.isDeclaration() &&
               File->Map.idOf(profileName(F)) == It->first;
      });
      It = IsDefined ? std::next(It) : Roots.erase(It);
    }
    File->Map.print(OS);
  }
  return PreservedAnalyses::all();
}
