//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum looks to the estimators like a recording.
//
//===----------------------------------------------------------------------===//

#include "SumEstimation.h"
#include "VirtualCounts.h"

using namespace llvm;

namespace inlay {

Expected<MachineFrequencies> estimateSum(const SummedSamples &Sum,
                                         ProfiledBinary &Binary,
                                         const EstimatorRequest &Request,
                                         DiagnosticSink &Diagnostics) {
  RawProfile Recorded;
  Recorded.Arch = Sum.Arch;
  Recorded.CpuDesc = Sum.CpuDesc;
  Recorded.CpuID = Sum.CpuID;
  EventSamples Event;
  Event.Attr = Sum.Event;
  Event.Total = Sum.Samples.Total;
  if (!Sum.Samples.Ranges.empty() || !Sum.Samples.Branches.empty())
    Event.SamplesWithBranchStack = std::max<uint64_t>(Event.Total, 1);
  Expected<EstimationOptions> Options =
      chooseEstimation(Recorded, Event, Request, Diagnostics);
  if (!Options)
    return Options.takeError();
  BinarySamples Samples = Sum.Samples;
  addVirtualCounts(Sum.VirtualCounts, Binary, Samples);
  return estimateOrFallBack(Samples, Binary, *Options, Request, Diagnostics,
                            Sum.Calls);
}

} // namespace inlay
