//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The typed events that a perf.data file holds, as the rest of Inlay sees them:
// host byte order, sizes checked, nothing of the file's layout left. The
// names follow linux/perf_event.h and perf.data-file-format.txt of the kernel's
// tools/perf.
//
// StringRefs and ArrayRefs in an event point into the reader's window and are
// valid only during the callback.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PERF_PERFEVENTS_H
#define INLAY_PERF_PERFEVENTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>

namespace inlay {

/// One event that was recorded: a perf_event_attr and its name.
struct PerfEventAttr {
  uint32_t Type = 0;       ///< PERF_TYPE_HARDWARE, PERF_TYPE_SOFTWARE, ...
  uint64_t Config = 0;     ///< e.g. PERF_COUNT_SW_CPU_CLOCK
  uint64_t SampleType = 0; ///< PERF_SAMPLE_* bits
  uint64_t ReadFormat = 0; ///< PERF_FORMAT_* bits
  uint64_t BranchSampleType = 0; ///< PERF_SAMPLE_BRANCH_* bits
  uint64_t SampleRegsUser = 0;
  uint64_t SampleRegsIntr = 0;
  uint32_t SampleStackUser = 0;
  /// Events per sample, or samples per second if IsFrequency.
  uint64_t SamplePeriodOrFrequency = 0;
  bool IsFrequency = false;
  bool SampleIdAll = false;
  /// attr.precise_ip: 0 arbitrary skid ... 3 must have 0 skid.
  unsigned PreciseIP = 0;
  /// As `perf record -e` named it ("cpu-clock:u"); when the file does not say,
  /// a name made from Type and Config ("cpu-clock", "raw:0x20c4").
  std::string Name;
  /// The sample ids (PERF_SAMPLE_ID*) that belong to this event.
  llvm::SmallVector<uint64_t, 4> Ids;
};

/// Time stamps are the file's own clock in ns; nullopt if not recorded.
using PerfTime = std::optional<uint64_t>;

/// Where code ran: the low bits of perf_event_header.misc.
enum class CpuMode : uint8_t {
  Unknown,
  Kernel,
  User,
  Hypervisor,
  GuestKernel,
  GuestUser
};

/// PERF_RECORD_MMAP and MMAP2. [Address, Address + Length) of process Pid shows
/// \p Path from byte FileOffset on.
struct MmapEvent {
  int32_t Pid = 0; ///< -1 for the kernel
  int32_t Tid = 0;
  uint64_t Address = 0;
  uint64_t Length = 0;
  uint64_t FileOffset = 0;
  /// MMAP2 says so by PROT_EXEC; MMAP by the absence of MISC_MMAP_DATA.
  bool IsExecutable = false;
  CpuMode Mode = CpuMode::User;
  llvm::StringRef Path;
  /// From MISC_MMAP_BUILD_ID or from the file's build-ID table; else empty.
  llvm::ArrayRef<uint8_t> BuildID;
  PerfTime Time;
};

struct CommEvent {
  int32_t Pid = 0;
  int32_t Tid = 0;
  bool IsExec = false; ///< the process image was replaced: old mappings end
  llvm::StringRef Name;
  PerfTime Time;
};

/// Also for new threads: then Pid == ParentPid.
struct ForkEvent {
  int32_t Pid = 0;
  int32_t ParentPid = 0;
  int32_t Tid = 0;
  int32_t ParentTid = 0;
  /// False when perf made the record up for a process that ran already: all of
  /// its mappings follow.
  bool InheritsMappings = true;
  PerfTime Time;
};

struct ExitEvent {
  int32_t Pid = 0;
  int32_t Tid = 0;
  PerfTime Time;
};

/// One entry of a branch stack, newest first.
struct BranchRecord {
  uint64_t From;
  uint64_t To;
  uint64_t Flags; ///< perf_branch_entry's bit field: mispred, predicted, ...
};

struct SampleEvent {
  const PerfEventAttr *Attr = nullptr; ///< never null
  CpuMode Mode = CpuMode::Unknown;
  uint64_t IP = 0;
  int32_t Pid = -1;
  int32_t Tid = -1;
  uint64_t Period = 1; ///< events that this sample stands for
  PerfTime Time;
  llvm::ArrayRef<uint64_t> CallChain; ///< with PERF_CONTEXT_* markers
  llvm::ArrayRef<BranchRecord> BranchStack;
};

/// Receives the events of one file in file order. Events of different CPUs are
/// not ordered by time among each other; see onFinishedRound.
class PerfEventVisitor {
public:
  virtual ~PerfEventVisitor();
  virtual llvm::Error onMmap(const MmapEvent &) {
    return llvm::Error::success();
  }
  virtual llvm::Error onComm(const CommEvent &) {
    return llvm::Error::success();
  }
  virtual llvm::Error onFork(const ForkEvent &) {
    return llvm::Error::success();
  }
  virtual llvm::Error onExit(const ExitEvent &) {
    return llvm::Error::success();
  }
  virtual llvm::Error onSample(const SampleEvent &) {
    return llvm::Error::success();
  }
  /// PERF_RECORD_FINISHED_ROUND: no later event is older than the newest event
  /// seen before the *previous* round's end.
  virtual llvm::Error onFinishedRound() { return llvm::Error::success(); }
  /// PERF_RECORD_LOST and LOST_SAMPLES: that many events were dropped.
  virtual llvm::Error onLost(uint64_t Count) { return llvm::Error::success(); }
};

} // namespace inlay

#endif
