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
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace inlay;

cl::OptionCategory inlay::ProfconvCategory("Options");

static const char Overview[] =
    "Converts a perf.data file, or exact counts of callgrind, into a sample "
    "profile for clang.\n";

static cl::extrahelp
    Examples("\nEXAMPLES:\n"
             "  clang -O2 -gmlt -fdebug-info-for-profiling app.c -o app\n"
             "  perf record -o perf.data ./app\n"
             "  llvm-profconv perf.data -o app.prof\n"
             "      finds the sampled binary by its build ID and its path\n"
             "  llvm-profconv perf.data --binary=build/app -o app.prof\n"
             "      the binary has moved since\n"
             "  llvm-profconv perf.data --output-dir=profiles\n"
             "      a profile for each sampled binary with debug information\n"
             "  llvm-profconv callgrind.out.123 --binary=app -o app.prof\n"
             "      exact counts, from valgrind --tool=callgrind\n"
             "      --dump-instr=yes --collect-jumps=yes\n"
             "  llvm-profconv show perf.data\n"
             "      what was sampled, and which of it can be converted\n"
             "  llvm-profconv accuracy --exact callgrind.out.123 perf.data\n"
             "      how near the counts made of samples come to exact ones\n");

static void printVersion(raw_ostream &OS) {
  OS << ToolName << " (Inlay) " << INLAY_VERSION << ", LLVM "
     << LLVM_VERSION_STRING << '\n';
}

int main(int ArgCount, const char **Arguments) {
  InitLLVM X(ArgCount, Arguments);
  cl::SetVersionPrinter(printVersion);
  for (cl::SubCommand *Command :
       {&cl::SubCommand::getTopLevel(), &ConvertCommand, &ShowCommand,
        &AccuracyCommand, &CalibrateCommand})
    cl::HideUnrelatedOptions(ProfconvCategory, *Command);
  cl::ParseCommandLineOptions(ArgCount, Arguments, Overview);

  Error E = ShowCommand        ? show()
            : AccuracyCommand  ? accuracy()
            : CalibrateCommand ? calibrate()
                               : convert();
  return E ? reportError(ToolName, std::move(E)) : 0;
}
