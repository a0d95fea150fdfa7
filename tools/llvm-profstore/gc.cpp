//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm-profstore gc: fold captures into sums, and delete what is old.
//
//===----------------------------------------------------------------------===//

#include "Printing.h"
#include "Subcommands.h"
#include "inlay/Store/Housekeeping.h"
#include "inlay/Store/Schema.h"
#include "inlay/Store/SymbolizedProfiles.h"
#include "inlay/Store/TimeText.h"
#include "inlay/Support/Diagnostics.h"

using namespace llvm;

namespace inlay {

cl::SubCommand GCCommand("gc", "Fold captures into sums, delete old ones");

static cl::opt<std::string>
    Keep("keep", cl::cat(ProfstoreCategory), cl::sub(GCCommand),
         cl::value_desc("time"),
         cl::desc("Delete what is older than 30d, say. Default: delete "
                  "nothing"));

Error collectGarbage() {
  StderrDiagnostics Diagnostics(ToolName, isQuiet());
  Expected<std::string> URL = storeURL();
  if (!URL)
    return URL.takeError();
  int64_t KeepDays = 0;
  if (!Keep.empty()) {
    Expected<int64_t> Duration = parseDuration(Keep, "--keep");
    if (!Duration)
      return Duration.takeError();
    KeepDays = *Duration / (1000 * SecondsPerDay);
    if (KeepDays == 0)
      return createStringError(inconvertibleErrorCode(),
                               "--keep takes a day at least");
  }
  Expected<std::unique_ptr<Database>> DB =
      openStore(*URL, DatabaseAccess::Write);
  if (!DB)
    return DB.takeError();
  // First what needs not be folded any more.
  CollectedGarbage Deleted;
  std::optional<Day> Oldest;
  if (KeepDays) {
    Expected<Day> Now = today(**DB);
    if (!Now)
      return Now.takeError();
    Oldest = *Now - KeepDays;
    if (Error E = deleteBefore(**DB, *Oldest).moveInto(Deleted))
      return E;
  }
  Expected<uint64_t> Folded = foldCaptures(**DB);
  if (!Folded)
    return Folded.takeError();
  Expected<uint64_t> Profiles = deleteOldSymbolized(**DB, Oldest);
  if (!Profiles)
    return Profiles.takeError();
  Diagnostics.note("folded " + counted(*Folded, "capture") + "; deleted " +
                   counted(Deleted.Captures, "capture") + ", " +
                   counted(Deleted.Series, "sum") + ", " +
                   counted(Deleted.Names, "name") + " and " +
                   counted(*Profiles, "kept profile"));
  return Error::success();
}

} // namespace inlay
