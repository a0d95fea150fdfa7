//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The events that are said to have been recorded: `event' lines, and the
// perf_event_attr that each becomes.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TEST_TOOLS_PERFDATA_COMPOSE_EVENT_H
#define INLAY_TEST_TOOLS_PERFDATA_COMPOSE_EVENT_H

#include "ByteBuffer.h"
#include "Line.h"
#include <string>

namespace inlay::compose {

/// Bits of sample_type.
enum SampleBit {
  IP,
  TID,
  TIME,
  ADDR,
  READ,
  CALLCHAIN,
  ID,
  CPU,
  PERIOD,
  STREAM_ID,
  RAW,
  BRANCH_STACK,
  REGS_USER,
  STACK_USER,
  WEIGHT,
  DATA_SRC,
  IDENTIFIER,
  TRANSACTION,
  REGS_INTR,
  PHYS_ADDR,
  AUX,
  CGROUP,
  DATA_PAGE_SIZE,
  CODE_PAGE_SIZE,
  WEIGHT_STRUCT
};

/// Bits of read_format.
enum ReadBit { TIME_ENABLED, TIME_RUNNING, READ_ID, GROUP, LOST };

/// Bits of branch_sample_type that add to a sample.
enum BranchBit { HW_INDEX = 17, COUNTERS = 19 };

struct Event {
  /// \p DefaultId is its id if the line gives none.
  static llvm::Expected<Event> parse(const Line &L, uint64_t DefaultId);

  std::string Name;
  uint64_t Type = 1, Config = 0, PeriodOrFreq = 999, SampleType = 0;
  uint64_t ReadFormat = 0, BranchType = 0, RegsUser = 0, RegsIntr = 0;
  uint64_t StackUser = 0, Precise = 0, AttrSize = 128;
  bool IsFreq = true, IdAll = true;
  llvm::SmallVector<uint64_t> Ids;

  bool has(SampleBit Bit) const { return SampleType >> Bit & 1; }
  bool reads(ReadBit Bit) const { return ReadFormat >> Bit & 1; }
  bool branches(BranchBit Bit) const { return BranchType >> Bit & 1; }

  /// perf_event_attr; AttrSize bytes of it.
  ByteBuffer attr(llvm::endianness Order) const;
};

} // namespace inlay::compose

#endif
