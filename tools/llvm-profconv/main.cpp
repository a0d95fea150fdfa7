//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm-profconv: from perf.data to a profile that clang reads.
//
// The first argument names a subcommand; without one it is `convert'.
//
//===----------------------------------------------------------------------===//

#include "Subcommands.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

using namespace llvm;
using namespace inlay;

cl::OptionCategory inlay::ProfconvCategory("Options");

namespace {
struct Subcommand {
  cl::SubCommand &Command;
  const SubcommandHelp &Help;
  Error (*Run)();
};
} // namespace

/// The first is the default.
static const Subcommand Subcommands[] = {
    {ConvertCommand, ConvertHelp, convert},
    {ShowCommand, ShowHelp, show},
    {AccuracyCommand, AccuracyHelp, accuracy},
    {CalibrateCommand, CalibrateHelp, calibrate}};

static void printVersion(raw_ostream &OS) {
  OS << ToolName << " (Inlay) " << INLAY_VERSION << ", LLVM "
     << LLVM_VERSION_STRING << '\n';
}

/// LLVM takes an option that a subcommand lacks for one of the command without
/// a subcommand, which here is `convert', and nobody would ever look at it.
static Error checkOptions(const Subcommand &Chosen) {
  if (&Chosen.Command == &ConvertCommand)
    return Error::success();
  for (const auto &Entry : cl::getRegisteredOptions()) {
    const cl::Option &Option = *Entry.second;
    if (Option.getNumOccurrences() &&
        is_contained(Option.Subs, &ConvertCommand))
      return complain((Option.ArgStr.size() == 1 ? "-" : "--") + Option.ArgStr +
                      " is an option of convert; " + ToolName + " " +
                      Chosen.Command.getName() + " --help lists those of " +
                      Chosen.Command.getName());
  }
  return Error::success();
}

/// What went wrong with standard output; left unasked for, it would end the
/// program in a destructor.
static Error finishOutput() {
  outs().flush();
  std::error_code EC = outs().error();
  outs().clear_error();
  return EC ? fileError("standard output", "cannot write: " + EC.message())
            : Error::success();
}

int main(int ArgCount, const char **Arguments) {
  InitLLVM X(ArgCount, Arguments);
  const Subcommand *Chosen = &Subcommands[0];
  for (const Subcommand &Each : Subcommands)
    if (ArgCount > 1 && Each.Command.getName() == Arguments[1])
      Chosen = &Each;

  cl::SetVersionPrinter(printVersion);
  cl::extrahelp Examples(Chosen->Help.Examples);
  cl::HideUnrelatedOptions(ProfconvCategory);
  for (const Subcommand &Each : Subcommands)
    cl::HideUnrelatedOptions(ProfconvCategory, Each.Command);
  cl::ParseCommandLineOptions(ArgCount, Arguments, Chosen->Help.Overview);

  // From now on a closed pipe is an error that is reported like others.
  std::signal(SIGPIPE, SIG_IGN);
  Error E = checkOptions(*Chosen);
  if (!E)
    E = Chosen->Run();
  E = joinErrors(std::move(E), finishOutput());
  return E ? reportError(ToolName, std::move(E)) : 0;
}
