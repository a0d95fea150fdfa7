//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sources are compiled in, so that an installed tool needs no files.
//
//===----------------------------------------------------------------------===//

#include "inlay/Calibration/CalibrationPrograms.h"

using namespace llvm;

namespace inlay {

static const CalibrationProgram Programs[] = {
#include "CalibrationPrograms.inc"
};

ArrayRef<CalibrationProgram> calibrationPrograms() { return Programs; }

} // namespace inlay
