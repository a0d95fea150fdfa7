//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Samples per second and nanoseconds per instruction make executions.
//
//===----------------------------------------------------------------------===//

#include "inlay/Frequency/Estimation.h"
#include "inlay/Perf/PerfEvents.h"
#include <algorithm>

using namespace llvm;

namespace inlay {

namespace {

constexpr double UsualNanosecondsPerInstruction = 0.25;
constexpr double UsualNanosecondsPerCycle = 1 / 3.0;
constexpr double UsualFrequency = 4000; ///< of perf record

} // namespace

ExecutionScale executionScale(const PerfEventAttr &Attr,
                              const RateTable &Rates) {
  ExecutionScale Scale;
  double Period = double(Attr.SamplePeriodOrFrequency);
  double PerInstruction =
      Rates.NanosecondsPerInstruction.value_or(UsualNanosecondsPerInstruction);
  Scale.IsAssumed = !Rates.NanosecondsPerInstruction;
  if (Period == 0) {
    Scale.IsAssumed = true;
    Scale.ExecutionsPerSample = 1e9 / UsualFrequency / PerInstruction;
  } else if (Attr.IsFrequency) {
    // Whatever the event counts, perf adapts its period to this.
    Scale.ExecutionsPerSample = 1e9 / Period / PerInstruction;
  } else {
    switch (sampledEventOf(Attr).value_or(SampledEvent::Timer)) {
    case SampledEvent::Timer: // counts nanoseconds
      Scale.ExecutionsPerSample = Period / PerInstruction;
      break;
    case SampledEvent::Cycles:
      Scale.IsAssumed = true;
      Scale.ExecutionsPerSample =
          Period * UsualNanosecondsPerCycle / PerInstruction;
      break;
    case SampledEvent::Instructions:
      Scale.IsAssumed = false;
      Scale.ExecutionsPerSample = Period;
      break;
    }
  }
  // An hour for each sample is no use to anybody, nor is less than one
  // execution: it would round away what was seen.
  Scale.ExecutionsPerSample = std::clamp(Scale.ExecutionsPerSample, 1.0, 1e13);
  return Scale;
}

} // namespace inlay
