//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The small programs from which a machine's rates are learned: each does
// another kind of work (lib/Calibration/Programs), takes the number of rounds
// as its argument, and does exactly the same in every round, so that executions
// counted in one tell those in many.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_CALIBRATION_CALIBRATIONPROGRAMS_H
#define INLAY_CALIBRATION_CALIBRATIONPROGRAMS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace inlay {

struct CalibrationProgram {
  llvm::StringLiteral Name;
  llvm::StringLiteral Extension; ///< "c" or "cpp"
  llvm::StringLiteral Source;
};

llvm::ArrayRef<CalibrationProgram> calibrationPrograms();

} // namespace inlay

#endif
