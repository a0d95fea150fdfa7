//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers of the perf.data format, named as linux/perf_event.h and the
// kernel's tools/perf name them.
//
// They are repeated here, rather than included, because the headers of the
// machine that builds Inlay may be older than the perf that wrote a file, and
// because the records above 63 are not in any installed header.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PERF_PERFFORMAT_H
#define INLAY_LIB_PERF_PERFFORMAT_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace inlay::perf {

inline constexpr llvm::StringLiteral Magic = "PERFILE2";
inline constexpr llvm::StringLiteral SwappedMagic = "2ELIFREP";

/// Sizes of perf_file_header, of perf_pipe_file_header, of a
/// perf_file_section, and of the first perf_event_attr ever.
inline constexpr uint64_t FileHeaderSize = 104;
inline constexpr uint64_t PipeHeaderSize = 16;
inline constexpr uint64_t SectionSize = 16;
inline constexpr uint64_t AttrSizeVer0 = 64;

inline constexpr uint64_t RecordHeaderSize = 8;
/// perf_event_header.size is 16 bits wide.
inline constexpr uint64_t MaxRecordSize = 65535;

/// perf_event_header.type. From UserTypeStart on, perf itself is the author.
enum RecordType : uint32_t {
  MMAP = 1,
  LOST = 2,
  COMM = 3,
  EXIT = 4,
  FORK = 7,
  SAMPLE = 9,
  MMAP2 = 10,
  LOST_SAMPLES = 13,
  CALLCHAIN_DEFERRED = 22,
  UserTypeStart = 64,
  HEADER_ATTR = 64,
  TRACING_DATA = 66,
  BUILD_ID = 67,
  FINISHED_ROUND = 68,
  AUXTRACE = 71,
  EVENT_UPDATE = 78,
  HEADER_FEATURE = 80,
  COMPRESSED = 81,
  FINISHED_INIT = 82,
  COMPRESSED2 = 83,
};

/// perf_event_header.misc; the meaning of the high bits depends on the type.
enum MiscBits : uint16_t {
  MISC_CPUMODE_MASK = 7,
  MISC_MMAP_DATA = 1 << 13,
  MISC_COMM_EXEC = 1 << 13,
  MISC_FORK_EXEC = 1 << 13,
  MISC_EXACT_IP = 1 << 14,
  MISC_MMAP_BUILD_ID = 1 << 14,
  MISC_BUILD_ID_SIZE = 1 << 15,
};

/// perf_event_attr.sample_type.
enum SampleBits : uint64_t {
  SAMPLE_IP = 1u << 0,
  SAMPLE_TID = 1u << 1,
  SAMPLE_TIME = 1u << 2,
  SAMPLE_ADDR = 1u << 3,
  SAMPLE_READ = 1u << 4,
  SAMPLE_CALLCHAIN = 1u << 5,
  SAMPLE_ID = 1u << 6,
  SAMPLE_CPU = 1u << 7,
  SAMPLE_PERIOD = 1u << 8,
  SAMPLE_STREAM_ID = 1u << 9,
  SAMPLE_RAW = 1u << 10,
  SAMPLE_BRANCH_STACK = 1u << 11,
  SAMPLE_REGS_USER = 1u << 12,
  SAMPLE_STACK_USER = 1u << 13,
  SAMPLE_WEIGHT = 1u << 14,
  SAMPLE_DATA_SRC = 1u << 15,
  SAMPLE_IDENTIFIER = 1u << 16,
  SAMPLE_TRANSACTION = 1u << 17,
  SAMPLE_REGS_INTR = 1u << 18,
  SAMPLE_PHYS_ADDR = 1u << 19,
  SAMPLE_AUX = 1u << 20,
  SAMPLE_CGROUP = 1u << 21,
  SAMPLE_DATA_PAGE_SIZE = 1u << 22,
  SAMPLE_CODE_PAGE_SIZE = 1u << 23,
  SAMPLE_WEIGHT_STRUCT = 1u << 24,
  /// All bits whose layout we know.
  SAMPLE_KNOWN = (1u << 25) - 1,
};

/// perf_event_attr.read_format.
enum ReadFormatBits : uint64_t {
  FORMAT_TOTAL_TIME_ENABLED = 1u << 0,
  FORMAT_TOTAL_TIME_RUNNING = 1u << 1,
  FORMAT_ID = 1u << 2,
  FORMAT_GROUP = 1u << 3,
  FORMAT_LOST = 1u << 4,
  FORMAT_KNOWN = (1u << 5) - 1,
};

/// The bits of perf_event_attr.branch_sample_type that add fields.
enum BranchSampleBits : uint64_t {
  BRANCH_HW_INDEX = 1u << 17,
  BRANCH_COUNTERS = 1u << 19,
};

/// Where fields stand in a C bit field of 64 bits, and how wide they are.
struct BitField {
  unsigned Position;
  unsigned Width = 1;

  /// Machines of big-endian byte order start at the other end of the word.
  constexpr uint64_t of(uint64_t Word, bool IsBigEndian) const {
    unsigned Shift = IsBigEndian ? 64 - Position - Width : Position;
    return Word >> Shift & ((uint64_t(1) << Width) - 1);
  }
};

/// The fields of perf_event_attr's bit field that we need.
inline constexpr BitField AttrFreq = {10};
inline constexpr BitField AttrPreciseIP = {15, 2};
inline constexpr BitField AttrSampleIdAll = {18};

/// All of perf_branch_entry's.
inline constexpr BitField BranchFields[] = {
    {0}, {1}, {2}, {3}, {4, 16}, {20, 4}, {24, 2}, {26, 4}, {30, 3}};

/// Bit numbers of perf_file_header.adds_features.
enum Feature : unsigned {
  FEATURE_BUILD_ID = 2,
  FEATURE_HOSTNAME = 3,
  FEATURE_ARCH = 6,
  FEATURE_NRCPUS = 7,
  FEATURE_CPUDESC = 8,
  FEATURE_CPUID = 9,
  FEATURE_CMDLINE = 11,
  FEATURE_EVENT_DESC = 12,
  FEATURE_PMU_MAPPINGS = 16,
  FEATURE_SAMPLE_TIME = 21,
  FEATURE_COMPRESSED = 27,
  FeatureCount = 256,
};

/// perf_record_event_update.type: what is told about an event.
inline constexpr uint64_t EventUpdateName = 2;

/// HEADER_COMPRESSED's type, the only one there is.
inline constexpr uint32_t CompressionZstd = 1;

inline constexpr uint32_t ProtExec = 4; ///< PROT_EXEC of the recording host

} // namespace inlay::perf

#endif
