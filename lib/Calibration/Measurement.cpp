//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Samples need seconds of the program at full speed; callgrind makes it fifty
// times slower. So one round is counted, and as many are recorded as take the
// time wanted. Binaries carry no debug information: not every valgrind reads
// what today's compilers write, and functions' symbols suffice.
//
//===----------------------------------------------------------------------===//

#include "inlay/Calibration/Measurement.h"
#include "inlay/Support/Diagnostics.h"
#include "inlay/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <algorithm>
#include <chrono>
#include <cmath>

using namespace llvm;

namespace inlay {

static Error plainError(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

/// clang-22 -> clang++-22, gcc -> g++, cc -> c++; in the last component of
/// \p Compiler.
static std::string cxxCompilerOf(StringRef Compiler) {
  StringRef Directory = sys::path::parent_path(Compiler);
  std::string Name = sys::path::filename(Compiler).str();
  for (auto [C, CXX] : {std::pair("clang", "clang++"), std::pair("gcc", "g++"),
                        std::pair("cc", "c++")}) {
    size_t At = Name.find(C);
    if (At == std::string::npos)
      continue;
    Name.replace(At, strlen(C), CXX);
    break;
  }
  if (Directory.empty())
    return Name;
  SmallString<128> Path(Directory);
  sys::path::append(Path, Name);
  return std::string(Path);
}

Expected<MeasuringTools> MeasuringTools::find(StringRef Compiler) {
  MeasuringTools Tools;
  SmallVector<StringRef, 3> Compilers = {"clang", "gcc", "cc"};
  if (!Compiler.empty())
    Compilers = {Compiler};
  for (StringRef C : Compilers) {
    ErrorOr<std::string> Path = sys::findProgramByName(C);
    ErrorOr<std::string> CXXPath = sys::findProgramByName(cxxCompilerOf(C));
    if (!Path || !CXXPath)
      continue;
    Tools.CCompiler = *Path;
    Tools.CXXCompiler = *CXXPath;
    break;
  }
  if (Tools.CCompiler.empty())
    return plainError("no C and C++ compiler was found (" +
                      join(Compilers, ", ") + "); name one by --compiler");
  auto Find = [](StringRef Name, StringRef Remedy) -> Expected<std::string> {
    if (ErrorOr<std::string> Path = sys::findProgramByName(Name))
      return *Path;
    return plainError(Name + " was not found on PATH; " + Remedy);
  };
  Expected<std::string> Perf =
      Find("perf", "install it (on Debian: apt install linux-perf)");
  if (!Perf)
    return Perf.takeError();
  Expected<std::string> Valgrind =
      Find("valgrind", "exact counts come from its callgrind: install it (on "
                       "Debian: apt install valgrind)");
  if (!Valgrind)
    return Valgrind.takeError();
  Tools.Perf = *Perf;
  Tools.Valgrind = *Valgrind;
  return Tools;
}

/// Runs \p Command; its output goes to \p LogPath, and its last lines into the
/// error. \p Statistics gets what it used.
static Error run(ArrayRef<std::string> Command, StringRef LogPath,
                 std::optional<sys::ProcessStatistics> *Statistics = nullptr) {
  SmallVector<StringRef, 16> Arguments(Command.begin(), Command.end());
  std::optional<StringRef> Redirects[] = {StringRef(), LogPath, LogPath};
  std::string Message;
  int Result =
      sys::ExecuteAndWait(Command.front(), Arguments, std::nullopt, Redirects,
                          /*SecondsToWait=*/600, /*MemoryLimit=*/0, &Message,
                          /*ExecutionFailed=*/nullptr, Statistics);
  if (Result == 0)
    return Error::success();
  std::string Output;
  if (ErrorOr<std::unique_ptr<MemoryBuffer>> Log =
          MemoryBuffer::getFile(LogPath))
    Output = (*Log)->getBuffer().take_back(2000).trim().str();
  return plainError(Twine("'") + join(Command, " ") + "' failed" +
                    (Message.empty() ? "" : ": ") + Message +
                    (Output.empty() ? "" : ":\n") + Output);
}

Expected<ProgramMeasurement> measure(const CalibrationProgram &Program,
                                     const MeasuringTools &Tools,
                                     const MeasuringOptions &Options) {
  auto PathOf = [&](const Twine &Name) {
    SmallString<128> Path(Options.Directory);
    sys::path::append(Path, Name);
    return std::string(Path);
  };
  ProgramMeasurement M;
  M.Binary = PathOf(Program.Name);
  M.PerfData = M.Binary + ".data";
  M.Callgrind = M.Binary + ".callgrind";
  std::string Source = M.Binary + "." + Program.Extension.str();
  std::string Log = M.Binary + ".log";

  if (Error E = writeOutputFile(Source, Program.Source))
    return E;
  StringRef Compiler =
      Program.Extension == "c" ? Tools.CCompiler : Tools.CXXCompiler;
  Error E = run({Compiler.str(), "-O2", "-o", M.Binary, Source, "-lm"}, Log);
  if (!E && !sys::fs::can_execute(M.Binary))
    E = plainError("it says nothing, but made no program");
  if (E)
    return plainError("the compiler " + Compiler +
                      " does not work; name another by --compiler: " +
                      toString(std::move(E)));

  // Time of its own: others may use the machine as well.
  constexpr unsigned TrialRounds = 3;
  std::optional<sys::ProcessStatistics> Trial;
  if (Error E = run({M.Binary, std::to_string(TrialRounds)}, Log, &Trial))
    return E;
  double RoundSeconds =
      Trial
          ? std::chrono::duration<double>(Trial->UserTime).count() / TrialRounds
          : 0.05;
  M.Rounds = unsigned(std::clamp(
      std::ceil(Options.Seconds / std::max(RoundSeconds, 1e-4)), 1.0, 1e5));

  if (Error E = run({Tools.Perf, "record", "-q", "-e", Options.Event, "-F",
                     std::to_string(Options.Frequency), "-o", M.PerfData, "--",
                     M.Binary, std::to_string(M.Rounds)},
                    Log))
    return E;
  if (Error E = run({Tools.Valgrind, "--tool=callgrind", "--dump-instr=yes",
                     "--collect-jumps=yes", "--skip-plt=no",
                     "--callgrind-out-file=" + M.Callgrind, M.Binary, "1"},
                    Log))
    return E;
  return M;
}

} // namespace inlay
