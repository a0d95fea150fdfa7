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
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inlay {

static Expected<EstimationOptions> chooseFor(const SummedSamples &Sum,
                                             const EstimatorRequest &Request,
                                             DiagnosticSink &Diagnostics) {
  RawProfile Recorded;
  Recorded.Arch = Sum.Arch;
  Recorded.CpuDesc = Sum.CpuDesc;
  Recorded.CpuID = Sum.CpuID;
  EventSamples Event;
  Event.Attr = Sum.Event;
  Event.Total = Sum.Samples.Total;
  // Whether there are branch records of all types is asked of the binaries.
  Event.Binaries.emplace_back().Ranges = Sum.Samples.Ranges;
  if (!Sum.Samples.Ranges.empty() || !Sum.Samples.Branches.empty())
    Event.SamplesWithBranchStack = std::max<uint64_t>(Event.Total, 1);
  return chooseEstimation(Recorded, Event, Request, Diagnostics);
}

Expected<MachineFrequencies> estimateSum(const SummedSamples &Sum,
                                         ProfiledBinary &Binary,
                                         const EstimatorRequest &Request,
                                         DiagnosticSink &Diagnostics) {
  Expected<EstimationOptions> Options = chooseFor(Sum, Request, Diagnostics);
  if (!Options)
    return Options.takeError();
  BinarySamples Samples = Sum.Samples;
  addVirtualCounts(Sum.VirtualCounts, Binary, Samples);
  return estimateOrFallBack(Samples, Binary, *Options, Request, Diagnostics,
                            Sum.Calls);
}

Expected<std::string> describeEstimation(const SummedSamples &Sum,
                                         const EstimatorRequest &Request) {
  DiagnosticSink Nowhere;
  Expected<EstimationOptions> Options = chooseFor(Sum, Request, Nowhere);
  if (!Options)
    return Options.takeError();
  std::string Text;
  raw_string_ostream OS(Text);
  // Whether it may fall back, and all of EstimationOptions.
  OS << Request.Name.empty() << ' ' << static_cast<int>(Options->Kind) << ' '
     << Options->CountsBranches << ' ' << Options->SelfTrainingRounds << ' '
     << Options->CallRounds;
  for (double Number : {Options->ExecutionsPerSample, Options->LeastDeviation,
                        Options->NegligibleShare, Options->CallDeviation})
    OS << format(" %a", Number);
  OS << ' ' << formatRateTable(Options->Rates);
  return Text;
}

} // namespace inlay
