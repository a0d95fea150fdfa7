//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles and runs a calibration program, once under perf for samples and once
// under callgrind for exact counts.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_CALIBRATION_MEASUREMENT_H
#define INLAY_CALIBRATION_MEASUREMENT_H

#include "inlay/Calibration/CalibrationPrograms.h"
#include "llvm/Support/Error.h"
#include <string>

namespace inlay {

/// Absolute paths of the programs that measuring takes.
struct MeasuringTools {
  std::string CCompiler, CXXCompiler;
  std::string Perf, Valgrind;

  /// Looks for them on PATH. \p Compiler: the name or path of a C compiler, its
  /// C++ compiler's is derived from it; empty: clang, else gcc, else cc. Errors
  /// say what to install.
  static llvm::Expected<MeasuringTools> find(llvm::StringRef Compiler);
};

struct MeasuringOptions {
  std::string Directory;     ///< of all files made; exists
  std::string Event;         ///< as perf record -e takes it
  unsigned Frequency = 9973; ///< samples a second
  double Seconds = 4;        ///< that each program is recorded for, about
};

struct ProgramMeasurement {
  std::string Binary, PerfData, Callgrind; ///< paths
  /// Rounds that were recorded for each one that was counted.
  unsigned Rounds = 1;
};

/// Fails if a command does, with the end of what it printed.
llvm::Expected<ProgramMeasurement> measure(const CalibrationProgram &Program,
                                           const MeasuringTools &Tools,
                                           const MeasuringOptions &Options);

} // namespace inlay

#endif
