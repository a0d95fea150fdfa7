//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compilers run side by side and share one report: each line is written with a
// single call to a file that is open for appending.
//
//===----------------------------------------------------------------------===//

#include "StaleReport.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include <cmath>

#define DEBUG_TYPE "inlay"

using namespace llvm;
using namespace inlay;

static unsigned percent(double Share) {
  return static_cast<unsigned>(std::lround(100 * Share));
}

static void remark(const StaleMatch::ChangedFunction &Changed) {
  Function &F = *Changed.F;
  OptimizationRemarkEmitter(&F).emit([&] {
    OptimizationRemarkAnalysis R(DEBUG_TYPE, "StaleFunction", F.getSubprogram(),
                                 &F.getEntryBlock());
    R << ore::NV("Function", &F);
    if (Changed.IsRenamed)
      R << " takes the profile of " << ore::NV("OldName", Changed.OldName)
        << ", which is not in this module: ";
    else
      R << " has changed since the profile: moved "
        << ore::NV("LinesMoved", Changed.LinesMoved) << " of "
        << ore::NV("Lines", Changed.Lines) << " lines, dropped "
        << ore::NV("LinesDropped", Changed.LinesDropped) << "; ";
    R << ore::NV("Similarity", percent(Changed.Similarity)) << "% alike";
    return R;
  });
}

static void remark(const StaleMatch &Match, const ModuleProfile &Profile) {
  Function &F = *Match.Changed.front().F;
  auto NV = [&](StringRef Name, uint64_t Count) {
    return ore::NV(Name, Profile.unscaled(Count));
  };
  OptimizationRemarkEmitter(&F).emit([&] {
    return OptimizationRemarkAnalysis(DEBUG_TYPE, "StaleProfile",
                                      F.getSubprogram(), &F.getEntryBlock())
           << "the profile is of older source: of its counts for this module "
           << NV("SamplesMatched", Match.SamplesMatched)
           << " are where they were, "
           << NV("SamplesRecovered", Match.SamplesRecovered)
           << " were recovered, " << NV("SamplesDropped", Match.SamplesDropped)
           << " dropped (functions that have changed: "
           << ore::NV("FunctionsChanged", Match.Changed.size()) << ")";
  });
}

static json::Value toJSON(const StaleMatch &Match, const Module &M,
                          const ModuleProfile &Profile) {
  json::Array Functions;
  for (const StaleMatch::ChangedFunction &Changed : Match.Changed) {
    json::Object Function{
        {"name", json::fixUTF8(Changed.F->getName())},
        {"similarity", Changed.Similarity},
        {"lines", static_cast<int64_t>(Changed.Lines)},
        {"moved", static_cast<int64_t>(Changed.LinesMoved)},
        {"dropped", static_cast<int64_t>(Changed.LinesDropped)}};
    if (Changed.IsRenamed)
      Function["old_name"] = json::fixUTF8(Changed.OldName);
    Functions.push_back(std::move(Function));
  }
  return json::Object{{"module", json::fixUTF8(M.getName())},
                      {"matched", Profile.unscaled(Match.SamplesMatched)},
                      {"recovered", Profile.unscaled(Match.SamplesRecovered)},
                      {"dropped", Profile.unscaled(Match.SamplesDropped)},
                      {"functions", std::move(Functions)}};
}

Error inlay::reportStaleMatch(const StaleMatch &Match, Module &M,
                              const ModuleProfile &Profile,
                              const Options &Opts) {
  for (const StaleMatch::ChangedFunction &Changed : Match.Changed)
    remark(Changed);
  if (!Match.Changed.empty())
    remark(Match, Profile);
  if (Opts.StaleReportPath.empty())
    return Error::success();
  std::string Line;
  raw_string_ostream(Line) << toJSON(Match, M, Profile) << '\n';
  std::error_code EC;
  raw_fd_ostream OS(Opts.StaleReportPath, EC, sys::fs::OF_Append);
  if (EC)
    return createFileError(Opts.StaleReportPath, EC);
  OS.SetUnbuffered();
  OS << Line;
  OS.close();
  if (OS.has_error()) {
    EC = OS.error();
    OS.clear_error();
    return createFileError(Opts.StaleReportPath, EC);
  }
  return Error::success();
}
