//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What sampling yields before anyone looks into a binary: for each binary and
// event the number of samples at each file offset, and what branch stacks and
// call chains told beyond that. File offsets, because they
// survive address-space randomisation and need no ELF to compute; raw counts,
// never scaled, because the estimators need to know how many samples they saw.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SAMPLING_RAWPROFILE_H
#define INLAY_SAMPLING_RAWPROFILE_H

#include "inlay/Perf/PerfEvents.h"
#include "inlay/Sampling/OffsetCounts.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <utility>
#include <vector>

namespace inlay {

/// Two file offsets (bytes) of one binary.
using OffsetPair = std::pair<uint64_t, uint64_t>;

/// Where code comes from, and so what its file offsets are.
enum class CodeKind : uint8_t {
  /// A file that a process mapped. Also code that is in no file, under the
  /// kernel's names for it ([vdso], //anon, /memfd:...).
  User,
  /// A kernel itself, the host's or a guest's. Offsets count from its symbol
  /// _text - or _stext if that is how the path ends: [kernel.kallsyms]_stext -
  /// which is where they are the same with and without address-space
  /// randomisation.
  Kernel,
  /// A kernel module. Offsets count from the start of its text as loaded. The
  /// path is that of a file (/lib/modules/.../x.ko) or just a name ([x]).
  KernelModule
};

/// Samples of one event in one binary.
struct BinarySamples {
  std::string Path;                       ///< as the kernel saw it
  llvm::SmallVector<uint8_t, 20> BuildID; ///< empty if not recorded
  CodeKind Kind = CodeKind::User;
  /// File offset (bytes) -> samples there. Each counts as one, whatever its
  /// period: estimators need to know how many they saw.
  OffsetCounts<uint64_t> Counts;
  uint64_t Total = 0; ///< sum of Counts
  /// Sum of the samples' periods, in events, saturating. TotalPeriod / Total is
  /// what a sample stands for. (There is a warning if the samples of a file
  /// differ so much that this mean says nothing.)
  uint64_t TotalPeriod = 0;

  // What branch stacks add. Each record is one observation; a branch that is in
  // the stacks of several samples was observed several times.

  /// Taken branches: (of the branch instruction, of its target) -> observed.
  /// Calls and returns as well; both ends are in this binary.
  OffsetCounts<OffsetPair> Branches;
  /// Target -> observed, for branches from another binary, the kernel or
  /// nowhere that is known. After an interrupt that is anywhere in a function.
  OffsetCounts<uint64_t> BranchesIn;
  /// Branch instruction -> observed, for branches to such places.
  OffsetCounts<uint64_t> BranchesOut;
  /// Code that ran without a taken branch: (of its first instruction, of the
  /// branch instruction that ends it) -> observed. Empty unless branches of all
  /// types were recorded.
  OffsetCounts<OffsetPair> Ranges;
};

/// A frame of a call stack, as a node of the tree of all stacks.
struct StackNode {
  static constexpr uint32_t Root = ~0u;
  uint32_t Caller = Root; ///< index of the caller's node; Root: outermost
  uint32_t Binary = 0;    ///< index in EventSamples::Binaries
  /// File offset: of the sampled instruction in a leaf's own frame, of the
  /// return address in a caller's; if EventSamples::hasCallStacks(), of the
  /// call instruction's second byte instead.
  uint64_t Offset = 0;
  /// Samples whose innermost frame this is. One that is both sampled and a
  /// caller with the same offset is two nodes.
  uint64_t Samples = 0;
  bool IsLeaf = false;
};

/// Samples of one event.
struct EventSamples {
  PerfEventAttr Attr;
  /// Most samples first; then by path. Also those without samples that only
  /// Branches or Stacks know.
  std::vector<BinarySamples> Binaries;
  uint64_t Total = 0; ///< all samples of the event
  /// Taken in a kernel or a hypervisor; those whose place is known are in
  /// Binaries too, under kinds other than User.
  uint64_t KernelSamples = 0;
  uint64_t UnmappedSamples = 0; ///< user addresses outside any known mapping
  /// Call chains; callers before callees. Empty without them. A chain that
  /// leaves the user's known code is cut there: what is outside of it is lost.
  /// Of deep ones the 127 innermost frames are kept. Samples in the kernel are
  /// in none, for their user's frames are no sample of the user's code. When
  /// there are more than 1 Mi nodes, rare stacks are cut to two frames.
  std::vector<StackNode> Stacks;
  uint64_t SamplesWithStack = 0;       ///< samples that are in Stacks
  uint64_t SamplesWithBranchStack = 0; ///< with one record at least
  /// Records that real hardware gets wrong, or that tell nothing: duplicates,
  /// zero addresses, speculation that did not come true, ranges that run
  /// backwards or over a mapping's end or are longer than 1 MiB. (Of a record
  /// that makes an impossible range, the branch is counted.)
  uint64_t IgnoredBranchRecords = 0;

  bool hasBranches() const { return SamplesWithBranchStack != 0; }
  /// Stacks are the processor's (perf record --call-graph lbr): no caller is
  /// missing of the innermost ones, and outer ones are cut off.
  bool hasCallStacks() const {
    constexpr uint64_t CallStack = 1u << 11; // PERF_SAMPLE_BRANCH_CALL_STACK
    return Attr.BranchSampleType & CallStack;
  }
};

struct RawProfile {
  /// In the file's order; also those without samples, such as the "dummy"
  /// event that perf adds to record mappings.
  std::vector<EventSamples> Events;
  std::string Arch, CpuDesc, CpuID; ///< of the recording host, may be empty
  uint64_t LostEvents = 0;
};

} // namespace inlay

#endif
