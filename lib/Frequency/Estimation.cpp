//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The choice of the estimator.
//
//===----------------------------------------------------------------------===//

#include "BranchFlow.h"
#include "Branches.h"
#include "Max.h"
#include "Mean.h"
#include "Model.h"
#include "inlay/Sampling/RawProfile.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace inlay {

/// A block of the usual size was hit once for so many executions.
static void setScale(double ExecutionsPerSample, MachineFrequencies &Result) {
  constexpr double InstructionsOfBlock = 5;
  Result.ExecutionsPerSample = ExecutionsPerSample;
  if (ExecutionsPerSample > 1)
    Result.Resolution =
        std::max(1.0, ExecutionsPerSample / InstructionsOfBlock);
}

MachineFrequencies estimateFrequencies(const BinarySamples &Samples,
                                       ProfiledBinary &Binary,
                                       MachineCode &Code,
                                       const EstimationOptions &Options,
                                       ArrayRef<CallSamples> Calls,
                                       function_ref<void(double)> OnProgress) {
  if (Options.Kind == EstimatorKind::Max)
    return estimateMax(Samples, Binary);

  const bool UseBranches =
      Options.Kind == EstimatorKind::Branches ||
      (Options.Kind == EstimatorKind::Model && !Samples.Ranges.empty());
  // What disassembling takes of the whole, more or less.
  constexpr double OfSampled = 0.4, OfOthers = 0.5;
  EstimationProgress Progress(OnProgress);
  SampledFunctions Sampled =
      collectSampledFunctions(Samples, Binary, Code, Progress, OfSampled);
  if (UseBranches)
    addBranchCounts(Samples, Binary, Code, Sampled, Progress, OfOthers);
  MachineFrequencies Result;
  Result.SamplesOutsideFunctions = Sampled.SamplesOutsideFunctions;
  Result.SamplesOutsideText = Sampled.SamplesOutsideText;
  Result.SamplesInsideInstructions = Sampled.SamplesInsideInstructions;
  Result.BranchRecords = Sampled.BranchRecords;
  Result.ImpossibleBranchRecords = Sampled.ImpossibleBranchRecords;
  switch (Options.Kind) {
  case EstimatorKind::Max:
    llvm_unreachable("needs no code");
  case EstimatorKind::Mean:
  case EstimatorKind::MeanFlow:
    setScale(Options.ExecutionsPerSample, Result);
    estimateMean(Sampled, Code, Options.Kind == EstimatorKind::MeanFlow,
                 Result);
    break;
  case EstimatorKind::Model:
    if (UseBranches) {
      estimateBranchFlow(Samples, Sampled, Code, Options, Progress, Result);
      break;
    }
    setScale(Options.ExecutionsPerSample, Result);
    estimateModel(Sampled, CallerShares(Sampled, Calls, Binary, Code), Code,
                  Options, Progress, Result);
    break;
  case EstimatorKind::Branches:
    estimateBranches(Sampled, Code, Result);
    break;
  }
  Progress.end();
  llvm::sort(Result.Functions,
             [](const FunctionFrequencies &A, const FunctionFrequencies &B) {
               return A.Begin < B.Begin;
             });
  return Result;
}

Expected<MachineFrequencies>
estimateFrequencies(const BinarySamples &Samples, ProfiledBinary &Binary,
                    const EstimationOptions &Options,
                    ArrayRef<CallSamples> Calls,
                    function_ref<void(double)> OnProgress) {
  if (Options.Kind == EstimatorKind::Max)
    return estimateMax(Samples, Binary);
  Expected<std::unique_ptr<MachineCode>> CodeOrErr =
      MachineCode::create(Binary);
  if (!CodeOrErr)
    return CodeOrErr.takeError();
  return estimateFrequencies(Samples, Binary, **CodeOrErr, Options, Calls,
                             OnProgress);
}

} // namespace inlay
