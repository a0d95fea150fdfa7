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

/// One event that was recorded: a perf_event_attr and its name. Its address
/// tells events apart; it stays the same as long as the reader lives.
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
  /// The PMU whose number Type is, where the file tells: "cpu", "ibs_op",
  /// "arm_spe_0".
  std::string PMU;
  /// As `perf record -e` named it ("cpu-clock:u"); when the file does not say,
  /// a name made from Type and Config ("cpu-clock", "raw:0x20c4",
  /// "ibs_op/config=0x80000/").
  std::string Name;
  /// The sample ids (PERF_SAMPLE_ID*) that belong to this event.
  llvm::SmallVector<uint64_t, 4> Ids;

  /// Whether samples name the very instruction that the event is about, rather
  /// than where the processor was when it took notice: PEBS (PreciseIP from 1
  /// on), AMD IBS, Arm SPE. SampleEvent::IsExactIP says it of a single sample.
  bool hasPreciseIP() const {
    return PreciseIP != 0 || llvm::StringRef(PMU).starts_with("ibs_") ||
           llvm::StringRef(PMU).starts_with("arm_spe");
  }
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

/// One taken branch of a branch stack.
///
/// Flags is perf_branch_entry's bit field as a little-endian machine lays it
/// out, whatever machine recorded:
///
///   bit 0       mispred: the prediction was wrong
///   bit 1       predicted: it was right; neither bit: not known
///   bit 2       in_tx: in a hardware transaction
///   bit 3       abort: the transaction was aborted here
///   bits 4-19   cycles since the branch before it in the stack, 0: not known
///   bits 20-23  type, as PERF_BR_*: 1 conditional, 2 unconditional,
///               3 indirect, 4 call, 5 indirect call, 6 return, 7 system call,
///               8 return from one, ...; 0: not known, 15: see new_type
///   bits 24-25  spec: 0 not known, 1 on a wrong path, 2 and 3 on the right one
///   bits 26-29  new_type: a type that does not fit above
///   bits 30-32  priv: 0 not known, 1 user, 2 kernel, 3 hypervisor
///
/// With `--branch-filter ...,no_flags` all of it may be 0, and so may each
/// field that a processor or kernel does not provide.
struct BranchRecord {
  uint64_t From; ///< address of the branch instruction
  uint64_t To;
  uint64_t Flags;

  bool isMispredicted() const { return Flags & 1; }
  bool isPredicted() const { return Flags >> 1 & 1; }
  bool isInTransaction() const { return Flags >> 2 & 1; }
  bool isAbort() const { return Flags >> 3 & 1; }
  unsigned cycles() const { return Flags >> 4 & 0xffff; }
  unsigned type() const { return Flags >> 20 & 0xf; }
  unsigned speculation() const { return Flags >> 24 & 3; }
  unsigned newType() const { return Flags >> 26 & 0xf; }
  unsigned privilege() const { return Flags >> 30 & 7; }
};

/// PERF_CONTEXT_*: entries of a call chain that are no addresses, but say where
/// those that follow belong.
enum CallChainMarker : uint64_t {
  ChainHypervisor = uint64_t(-32),
  ChainKernel = uint64_t(-128),
  ChainUser = uint64_t(-512),
  /// The user's part comes later, in a DeferredCallChainEvent; one entry
  /// follows, its cookie.
  ChainUserDeferred = uint64_t(-640),
  ChainGuest = uint64_t(-2048),
  ChainGuestKernel = uint64_t(-2176),
  ChainGuestUser = uint64_t(-2560),
  /// All markers are at least this, and no address is.
  ChainMarkerMin = uint64_t(-4095)
};

/// The user's registers when a sample was taken (PERF_SAMPLE_REGS_USER).
struct SampleRegisters {
  /// PERF_SAMPLE_REGS_ABI_*: 0 none (the sample hit a kernel thread), 1 of a
  /// 32-bit process, 2 of a 64-bit one.
  uint64_t ABI = 0;
  /// Bit N: register N, as the architecture's asm/perf_regs.h numbers them.
  uint64_t Mask = 0;
  /// One for each bit of Mask, the lowest first.
  llvm::ArrayRef<uint64_t> Values;
};

struct SampleEvent {
  const PerfEventAttr *Attr = nullptr; ///< never null
  CpuMode Mode = CpuMode::Unknown;
  uint64_t IP = 0;
  int32_t Pid = -1;
  int32_t Tid = -1;
  uint64_t Period = 1; ///< events that this sample stands for
  /// The processor vouches for IP: no skid (PERF_RECORD_MISC_EXACT_IP).
  bool IsExactIP = false;
  PerfTime Time;
  /// Innermost first, with CallChainMarkers.
  llvm::ArrayRef<uint64_t> CallChain;
  /// Newest first.
  llvm::ArrayRef<BranchRecord> BranchStack;
  /// PERF_SAMPLE_WEIGHT, or the first part of WEIGHT_STRUCT: what the event's
  /// unit is, mostly cycles that a memory access took. 0 if not recorded.
  uint64_t Weight = 0;
  SampleRegisters UserRegisters;
  /// The user's stack from its pointer upwards, as far as it was copied; in the
  /// byte order of the machine that recorded.
  llvm::ArrayRef<uint8_t> UserStack;
};

/// PERF_RECORD_CALLCHAIN_DEFERRED: the user's part of the call chains of all
/// samples of thread Tid that carry \p Cookie behind ChainUserDeferred.
struct DeferredCallChainEvent {
  uint64_t Cookie = 0;
  int32_t Pid = -1; ///< -1 if not recorded, like Tid
  int32_t Tid = -1;
  llvm::ArrayRef<uint64_t> CallChain;
  PerfTime Time;
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
  virtual llvm::Error onDeferredCallChain(const DeferredCallChainEvent &) {
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
