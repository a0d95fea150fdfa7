//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm-profstore ingest: files (perf.data, raw profiles, pprof) that were
// recorded elsewhere become captures.
//
//===----------------------------------------------------------------------===//

#include "Folding.h"
#include "Printing.h"
#include "Subcommands.h"
#include "inlay/Store/CaptureFile.h"
#include "inlay/Store/Schema.h"
#include "inlay/Store/TimeText.h"
#include <ctime>

using namespace llvm;

namespace inlay {

cl::SubCommand IngestCommand("ingest", "Put profiles into the store");

#define INGEST_OPTION cl::cat(ProfstoreCategory), cl::sub(IngestCommand)

static cl::list<std::string>
    InputPaths(cl::Positional, INGEST_OPTION,
               cl::desc("perf.data, raw profiles, pprof..."));
static cl::opt<std::string>
    Application("app", INGEST_OPTION, cl::value_desc("name"),
                cl::desc("The application that was recorded"));
static cl::opt<std::string>
    Label("version", INGEST_OPTION, cl::value_desc("label"),
          cl::desc("Which version of it ran: any text. Default: none"));
static cl::opt<std::string>
    Host("host", INGEST_OPTION, cl::value_desc("name"),
         cl::desc("Where it ran. Default: as the file says, or this machine"));
static cl::opt<std::string> Started(
    "started", INGEST_OPTION, cl::value_desc("time"),
    cl::desc("When it began: 2026-01-31T12:00:00Z, or 3d for three days "
             "ago. Default: as the file says, or when it was written"));
static cl::opt<std::string>
    Duration("duration", INGEST_OPTION, cl::value_desc("time"),
             cl::desc("How long it lasted, such as 10s"));

Error ingest() {
  StderrDiagnostics Diagnostics(ToolName, isQuiet());
  Expected<std::string> URL = storeURL();
  if (!URL)
    return URL.takeError();
  if (Application.empty())
    return createStringError(inconvertibleErrorCode(),
                             "no application; say --app NAME");
  if (InputPaths.empty())
    return createStringError(inconvertibleErrorCode(),
                             "no input file; usage: llvm-profstore ingest "
                             "--store URL --app NAME perf.data...");
  CaptureOrigin Origin;
  Origin.Application = Application;
  Origin.Version = Label;
  Origin.Host = Host;
  if (!Started.empty()) {
    Expected<int64_t> Time =
        parseTime(Started, std::time(nullptr), "--started");
    if (!Time)
      return Time.takeError();
    Origin.Started = *Time;
  }
  if (!Duration.empty()) {
    Expected<int64_t> Time = parseDuration(Duration, "--duration");
    if (!Time)
      return Time.takeError();
    Origin.Duration = *Time;
  }
  Expected<std::unique_ptr<Database>> DB =
      openStore(*URL, DatabaseAccess::Create);
  if (!DB)
    return DB.takeError();
  CaptureWriter Writer(**DB);
  unsigned NumStored = 0;
  for (const std::string &Path : InputPaths) {
    Expected<Capture> C = readCapture(Path, Origin, Diagnostics);
    if (!C)
      return C.takeError();
    if (keptSamples(*C) == 0)
      return fileError(Path, "holds no samples in binaries that are known");
    Expected<bool> IsNew = Writer.deliver(*C);
    if (!IsNew)
      return IsNew.takeError();
    Diagnostics.note(
        Path + (*IsNew ? ": stored " + counted(keptSamples(*C), "sample") +
                             " of " + C->Application + " on " + C->Host
                       : ": is in the store already"));
    if (*IsNew && ++NumStored % MostWaitingCaptures == 0)
      foldDelivered(**DB, Diagnostics);
  }
  if (NumStored)
    foldDelivered(**DB, Diagnostics);
  return Error::success();
}

} // namespace inlay
