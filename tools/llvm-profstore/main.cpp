//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm-profstore: the profiles of a fleet, kept in a database and handed to the
// build as one.
//
//===----------------------------------------------------------------------===//

#include "Subcommands.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

using namespace llvm;
using namespace inlay;

cl::OptionCategory inlay::ProfstoreCategory("Options");

static cl::opt<std::string>
    StoreURL("store", cl::sub(cl::SubCommand::getAll()),
             cl::cat(ProfstoreCategory), cl::value_desc("URL"),
             cl::desc("The store: sqlite:FILE or postgresql://HOST/DATABASE. "
                      "Default: INLAY_STORE of the environment"));
static cl::opt<bool> Quiet("quiet", cl::sub(cl::SubCommand::getAll()),
                           cl::cat(ProfstoreCategory),
                           cl::desc("Print errors and results only"));

static const char Overview[] =
    "Keeps the profiles of a fleet and hands the build one of them all.\n";

static cl::extrahelp Examples(
    "\nEXAMPLES:\n"
    "  llvm-profstore ingest --store sqlite:profiles.db --app shop perf.data\n"
    "  llvm-profstore list --store sqlite:profiles.db\n"
    "  llvm-profstore export --store sqlite:profiles.db --app shop --since 7d\n"
    "      --half-life 2d --debug-dir /srv/binaries -o shop.prof\n"
    "  llvm-profstore collect --store postgresql://db/profiles --app shop\n"
    "      --all --frequency 99 --duration 10s --every 5m\n"
    "\nEach subcommand has its own --help.\n");

Expected<std::string> inlay::storeURL() {
  if (!StoreURL.empty())
    return StoreURL;
  if (std::optional<std::string> URL = sys::Process::GetEnv("INLAY_STORE");
      URL && !URL->empty())
    return *URL;
  return createStringError(
      inconvertibleErrorCode(),
      "no store; say --store sqlite:profiles.db or --store "
      "postgresql://HOST/DATABASE");
}

bool inlay::isQuiet() { return Quiet; }

static void printVersion(raw_ostream &OS) {
  OS << ToolName << " (Inlay) " << INLAY_VERSION << ", LLVM "
     << LLVM_VERSION_STRING << '\n';
}

namespace {

struct Subcommand {
  cl::SubCommand &Name;
  Error (&Run)();
};

} // namespace

static const Subcommand Subcommands[] = {
    {InitCommand, initialize},   {MigrateCommand, initialize},
    {IngestCommand, ingest},     {ExportCommand, exportProfile},
    {ListCommand, inlay::list},  {ShowCommand, show},
    {GCCommand, collectGarbage}, {CheckCommand, check},
    {CollectCommand, collect},   {StatsCommand, stats},
};

int main(int ArgCount, const char **Arguments) {
  InitLLVM X(ArgCount, Arguments);
  // A file that may not grow (ulimit -f) is an error like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  cl::SetVersionPrinter(printVersion);
  cl::HideUnrelatedOptions(ProfstoreCategory, cl::SubCommand::getTopLevel());
  for (const Subcommand &Command : Subcommands)
    cl::HideUnrelatedOptions(ProfstoreCategory, Command.Name);
  cl::ParseCommandLineOptions(ArgCount, Arguments, Overview);
  for (const Subcommand &Command : Subcommands)
    if (Command.Name) {
      Error E = Command.Run();
      return E ? reportError(ToolName, std::move(E)) : 0;
    }
  return reportError(ToolName,
                     createStringError(inconvertibleErrorCode(),
                                       "no subcommand; --help lists them all"));
}
