//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs `perf record' for a while.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TOOLS_LLVM_PROFSTORE_RECORDER_H
#define INLAY_TOOLS_LLVM_PROFSTORE_RECORDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace inlay {

using Milliseconds = std::chrono::milliseconds;

/// Signals that end a collector, from now on kept from it until it asks.
class StopSignals {
public:
  StopSignals();
  /// Waits for \p Time, or less if told to stop. True if told to stop, now or
  /// ever before.
  bool wait(Milliseconds Time);
  bool isRaised() { return wait(Milliseconds(0)); }

  /// Told by other means.
  void raise() { Raised = true; }

private:
  bool Raised = false;
};

/// What is recorded, and how.
struct Recording {
  /// As perf's -e and -j take them. No branches: empty.
  std::string Event, Branches;
  unsigned Frequency = 99;
  bool WithCallChains = false; ///< by frame pointers
  std::optional<int> Pid;      ///< nullopt: the whole machine
  Milliseconds Duration{10000};
};

class Recorder {
public:
  /// \p PerfPath as of --perf; empty: perf on PATH.
  static llvm::Expected<Recorder> create(llvm::StringRef PerfPath);

  /// The best event of this machine: branch records of cycles, cycles,
  /// cpu-clock, tried in this order by recording into \p ScratchPath. An error
  /// with perf's own words if none can be recorded.
  llvm::Error chooseEvent(Recording &What, llvm::StringRef ScratchPath,
                          StopSignals &Stop);

  /// Records to \p OutputPath. Told to stop, ends at once, and what was
  /// recorded by then is in the file. perf ends likewise if this process dies.
  llvm::Error record(const Recording &What, llvm::StringRef OutputPath,
                     StopSignals &Stop);

private:
  explicit Recorder(std::string Perf) : Perf(std::move(Perf)) {}
  std::vector<std::string> commandLine(const Recording &What,
                                       llvm::StringRef OutputPath) const;
  llvm::Error probe(const Recording &What, llvm::StringRef OutputPath,
                    StopSignals &Stop);
  llvm::Error run(llvm::ArrayRef<std::string> Arguments,
                  llvm::StringRef OutputPath, Milliseconds Duration,
                  StopSignals &Stop);

  std::string Perf;
};

} // namespace inlay

#endif
