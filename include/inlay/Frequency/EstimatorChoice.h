//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which estimator turns samples into frequencies, and what it goes by: the
// rates that suit the recording's CPU and event, and the absolute scale.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_FREQUENCY_ESTIMATORCHOICE_H
#define INLAY_FREQUENCY_ESTIMATORCHOICE_H

#include "inlay/Frequency/Estimation.h"
#include "inlay/Sampling/RawProfile.h"
#include "inlay/Support/Diagnostics.h"

namespace inlay {

/// What the command line says of it.
struct EstimatorRequest {
  /// --estimator: model, branches, max, mean, mean-flow; empty: model where it
  /// works, else max.
  llvm::StringRef Name;
  llvm::StringRef RatesPath; ///< --rates; empty: a compiled-in table
};

/// For cl::desc.
extern const char EstimatorHelp[], RatesHelp[];

/// An error if \p Request makes no sense: to be found before the work begins.
llvm::Error checkEstimatorRequest(const EstimatorRequest &Request);

/// Options for the samples of \p Event. Says which rates were chosen if they
/// were not made for the CPU.
llvm::Expected<EstimationOptions>
chooseEstimation(const RawProfile &Profile, const EventSamples &Event,
                 const EstimatorRequest &Request, DiagnosticSink &Diagnostics);

/// estimateFrequencies(); where nobody asked for a certain estimator and the
/// binary cannot be disassembled, with Max.
llvm::Expected<MachineFrequencies>
estimateOrFallBack(const BinarySamples &Samples, ProfiledBinary &Binary,
                   const EstimationOptions &Options,
                   const EstimatorRequest &Request, DiagnosticSink &Diagnostics,
                   llvm::ArrayRef<CallSamples> Calls = {});

/// A note on how sure \p Frequencies are, if the estimator knows.
void describeCertainty(const MachineFrequencies &Frequencies,
                       llvm::StringRef BinaryPath, DiagnosticSink &Diagnostics);

} // namespace inlay

#endif
