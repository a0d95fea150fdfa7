//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which object of a callgrind profile is which binary.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SELECTION_COUNTEDBINARY_H
#define INLAY_SELECTION_COUNTEDBINARY_H

#include "inlay/Exact/CallgrindProfile.h"
#include "inlay/Exact/ExactFrequencies.h"
#include "inlay/Object/MachineCFG.h"
#include "inlay/Object/ProfiledBinary.h"
#include "inlay/Support/Diagnostics.h"

namespace inlay {

/// A binary and the object that was executed, which the profile owns.
struct CountedBinary {
  std::unique_ptr<ProfiledBinary> Binary;
  CallgrindObject *Object;
};

struct CountedBinaryOptions {
  llvm::StringRef CallgrindPath;                ///< for messages
  llvm::ArrayRef<std::string> Binaries;         ///< --binary
  llvm::ArrayRef<std::string> DebugDirectories; ///< --debug-dir
  bool IgnoreBuildID = false;
  /// Without --binary: all objects that can be converted rather than the
  /// program.
  bool TakeAll = false;
};

/// Reads \p Paths, with progress on a terminal.
llvm::Expected<CallgrindProfile> readCounts(llvm::ArrayRef<std::string> Paths,
                                            DiagnosticSink &Diagnostics);

/// The object that \p Binary is, or was before it was stripped: the one of the
/// same build ID, else of the same name, else the program that was run.
llvm::Expected<CallgrindObject *>
findObject(CallgrindProfile &Profile, const ProfiledBinary &Binary,
           const CountedBinaryOptions &Options, DiagnosticSink &Diagnostics);

/// At least one binary, with what attribution needs.
llvm::Expected<std::vector<CountedBinary>>
chooseCountedBinaries(CallgrindProfile &Profile,
                      const CountedBinaryOptions &Options,
                      DiagnosticSink &Diagnostics);

/// exactFrequencies() after adoptUnknownCode(), and an error if the counts are
/// not of this binary.
llvm::Expected<MachineFrequencies>
countFrequencies(CallgrindProfile &Profile, CallgrindObject &Object,
                 const ProfiledBinary &Binary, MachineCode &Code,
                 DiagnosticSink &Diagnostics);

} // namespace inlay

#endif
