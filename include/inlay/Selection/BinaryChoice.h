//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which binaries a conversion is about.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SELECTION_BINARYCHOICE_H
#define INLAY_SELECTION_BINARYCHOICE_H

#include "inlay/Object/BinaryLocator.h"
#include "inlay/Sampling/RawProfile.h"
#include "inlay/Support/Diagnostics.h"

namespace inlay {

/// A binary and its samples, which the caller owns.
struct ChosenBinary {
  std::unique_ptr<ProfiledBinary> Binary;
  const BinarySamples *Samples;
};

struct BinaryChoiceOptions {
  llvm::StringRef PerfDataPath;                 ///< for messages
  llvm::ArrayRef<std::string> Binaries;         ///< --binary
  llvm::ArrayRef<std::string> DebugDirectories; ///< --debug-dir
  bool IgnoreBuildID = false;
  /// Without --binary: all that can be converted rather than the one with most
  /// samples.
  bool TakeAll = false;
  /// Then also kernels and their modules.
  bool TakeKernel = false;
};

/// What \p Samples say of their binary. Refers to them.
RecordedBinary recorded(const BinarySamples &Samples);

/// Success if \p Binary has what attribution needs; otherwise says what is
/// missing and where it might come from.
llvm::Error checkUsable(const ProfiledBinary &Binary);

/// At least one binary. \p Sampled is what sampledBinaries(\p Event) gave.
llvm::Expected<std::vector<ChosenBinary>>
chooseBinaries(const EventSamples &Event, llvm::ArrayRef<BinarySamples> Sampled,
               const BinaryChoiceOptions &Options, DiagnosticSink &Diagnostics);

} // namespace inlay

#endif
