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

#include "Max.h"
#include "Mean.h"
#include "Model.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace inlay {

MachineFrequencies estimateFrequencies(const BinarySamples &Samples,
                                       ProfiledBinary &Binary,
                                       MachineCode &Code,
                                       const EstimationOptions &Options) {
  if (Options.Kind == EstimatorKind::Max)
    return estimateMax(Samples, Binary);

  SampledFunctions Sampled = collectSampledFunctions(Samples, Binary, Code);
  MachineFrequencies Result;
  Result.SamplesOutsideFunctions = Sampled.SamplesOutsideFunctions;
  Result.SamplesOutsideText = Sampled.SamplesOutsideText;
  Result.SamplesInsideInstructions = Sampled.SamplesInsideInstructions;
  Result.ExecutionsPerSample = Options.ExecutionsPerSample;
  if (Options.Kind == EstimatorKind::Model)
    estimateModel(Sampled, Code, Options, Result);
  else
    estimateMean(Sampled, Code, Options.Kind == EstimatorKind::MeanFlow,
                 Result);
  llvm::sort(Result.Functions,
             [](const FunctionFrequencies &A, const FunctionFrequencies &B) {
               return A.Begin < B.Begin;
             });
  return Result;
}

Expected<MachineFrequencies>
estimateFrequencies(const BinarySamples &Samples, ProfiledBinary &Binary,
                    const EstimationOptions &Options) {
  if (Options.Kind == EstimatorKind::Max)
    return estimateMax(Samples, Binary);
  Expected<std::unique_ptr<MachineCode>> CodeOrErr =
      MachineCode::create(Binary);
  if (!CodeOrErr)
    return CodeOrErr.takeError();
  return estimateFrequencies(Samples, Binary, **CodeOrErr, Options);
}

} // namespace inlay
