//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SampleParser.h. The order of the fields is that of the kernel's
// perf_output_sample().
//
//===----------------------------------------------------------------------===//

#include "SampleParser.h"
#include "ByteCursor.h"
#include "PerfFormat.h"
#include "llvm/ADT/bit.h"

using namespace llvm;
using namespace inlay::perf;

namespace inlay {

static uint64_t load64(ArrayRef<uint8_t> Bytes, uint64_t At) {
  return support::endian::read64le(Bytes.data() + At);
}

static int32_t load32(ArrayRef<uint8_t> Bytes, uint64_t At) {
  return int32_t(support::endian::read32le(Bytes.data() + At));
}

SampleParser::SampleParser(const PerfEventAttr &Attr) : Attr(Attr) {
  const uint64_t Bits = Attr.SampleType;
  auto Place = [Bits](uint64_t Bit, uint64_t &Size) -> std::optional<uint64_t> {
    if (!(Bits & Bit))
      return std::nullopt;
    Size += 8;
    return Size - 8;
  };

  IdFromStart = Place(SAMPLE_IDENTIFIER, FixedSize);
  IPAt = Place(SAMPLE_IP, FixedSize);
  TidAt = Place(SAMPLE_TID, FixedSize);
  TimeAt = Place(SAMPLE_TIME, FixedSize);
  Place(SAMPLE_ADDR, FixedSize);
  if (auto IdAt = Place(SAMPLE_ID, FixedSize); IdAt && !IdFromStart)
    IdFromStart = IdAt;
  Place(SAMPLE_STREAM_ID, FixedSize);
  Place(SAMPLE_CPU, FixedSize);
  PeriodAt = Place(SAMPLE_PERIOD, FixedSize);
  constexpr uint64_t FixedBits = SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID |
                                 SAMPLE_TIME | SAMPLE_ADDR | SAMPLE_ID |
                                 SAMPLE_STREAM_ID | SAMPLE_CPU | SAMPLE_PERIOD;
  HasVariableFields = Bits & ~FixedBits;

  if (!Attr.SampleIdAll)
    return;
  Place(SAMPLE_TID, TrailerSize);
  TrailerTimeAt = Place(SAMPLE_TIME, TrailerSize);
  std::optional<uint64_t> IdAt = Place(SAMPLE_ID, TrailerSize);
  Place(SAMPLE_STREAM_ID, TrailerSize);
  Place(SAMPLE_CPU, TrailerSize);
  if (auto IdentifierAt = Place(SAMPLE_IDENTIFIER, TrailerSize))
    IdAt = IdentifierAt;
  if (IdAt)
    IdFromEnd = TrailerSize - *IdAt;
}

PerfTime SampleParser::trailerTime(ArrayRef<uint8_t> Trailer) const {
  if (!TrailerTimeAt)
    return std::nullopt;
  return load64(Trailer, *TrailerTimeAt);
}

const char *SampleParser::parse(ArrayRef<uint8_t> Payload, uint16_t Misc,
                                SampleEvent &Sample) {
  if (Payload.size() < FixedSize)
    return "a sample that is too short for the fields of its event";
  Sample.Attr = &Attr;
  unsigned Mode = Misc & MISC_CPUMODE_MASK;
  Sample.Mode =
      Mode <= unsigned(CpuMode::GuestUser) ? CpuMode(Mode) : CpuMode::Unknown;
  Sample.IP = IPAt ? load64(Payload, *IPAt) : 0;
  Sample.Pid = TidAt ? load32(Payload, *TidAt) : -1;
  Sample.Tid = TidAt ? load32(Payload, *TidAt + 4) : -1;
  Sample.Time = TimeAt ? PerfTime(load64(Payload, *TimeAt)) : std::nullopt;
  if (PeriodAt)
    Sample.Period = load64(Payload, *PeriodAt);
  else
    Sample.Period = Attr.IsFrequency ? 1 : Attr.SamplePeriodOrFrequency;
  Sample.CallChain = {};
  Sample.BranchStack = {};
  if (HasVariableFields)
    return parseVariableFields(Payload.drop_front(FixedSize), Sample);
  return nullptr;
}

/// struct read_format: one counter, or all of its group.
static void skipReadFormat(ByteCursor &C, uint64_t Format) {
  const unsigned Times = popcount(
      Format & (FORMAT_TOTAL_TIME_ENABLED | FORMAT_TOTAL_TIME_RUNNING));
  const unsigned ValueWords = 1 + popcount(Format & (FORMAT_ID | FORMAT_LOST));
  if (!(Format & FORMAT_GROUP)) {
    C.skipWords(ValueWords + Times);
    return;
  }
  uint64_t Count = C.u64();
  C.skipWords(Times);
  if (Count > C.remaining()) // keeps the product from overflowing
    Count = C.remaining();
  C.skipWords(Count * ValueWords);
}

/// struct perf_regs: none if the ABI is PERF_SAMPLE_REGS_ABI_NONE.
static void skipRegisters(ByteCursor &C, uint64_t Mask) {
  if (C.u64())
    C.skipWords(popcount(Mask));
}

const char *SampleParser::parseVariableFields(ArrayRef<uint8_t> Rest,
                                              SampleEvent &Sample) {
  const uint64_t Bits = Attr.SampleType;
  ByteCursor C(Rest);

  if (Bits & SAMPLE_READ)
    skipReadFormat(C, Attr.ReadFormat);

  if (Bits & SAMPLE_CALLCHAIN) {
    uint64_t Count = C.u64();
    if (Count > C.remaining() / 8)
      return "a call chain that reaches beyond its sample";
    CallChain.resize(Count);
    for (uint64_t &IP : CallChain)
      IP = C.u64();
    Sample.CallChain = CallChain;
  }

  if (Bits & SAMPLE_RAW)
    C.skip(C.u32());

  if (Bits & SAMPLE_BRANCH_STACK) {
    uint64_t Count = C.u64();
    if (Attr.BranchSampleType & BRANCH_HW_INDEX)
      C.u64();
    if (Count > C.remaining() / sizeof(BranchRecord))
      return "a branch stack that reaches beyond its sample";
    BranchStack.resize(Count);
    for (BranchRecord &B : BranchStack) {
      B.From = C.u64();
      B.To = C.u64();
      B.Flags = C.u64();
    }
    Sample.BranchStack = BranchStack;
    if (Attr.BranchSampleType & BRANCH_COUNTERS)
      C.skipWords(Count);
  }

  // What follows is measured only to tell a corrupt sample from a sound one.
  if (Bits & SAMPLE_REGS_USER)
    skipRegisters(C, Attr.SampleRegsUser);
  if (Bits & SAMPLE_STACK_USER) {
    if (uint64_t Size = C.u64()) {
      C.skip(Size);
      C.u64(); // how much of it is the stack's
    }
  }
  if (Bits & (SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT))
    C.u64();
  if (Bits & SAMPLE_DATA_SRC)
    C.u64();
  if (Bits & SAMPLE_TRANSACTION)
    C.u64();
  if (Bits & SAMPLE_REGS_INTR)
    skipRegisters(C, Attr.SampleRegsIntr);
  if (Bits & SAMPLE_PHYS_ADDR)
    C.u64();
  if (Bits & SAMPLE_CGROUP)
    C.u64();
  if (Bits & SAMPLE_DATA_PAGE_SIZE)
    C.u64();
  if (Bits & SAMPLE_CODE_PAGE_SIZE)
    C.u64();
  if (Bits & SAMPLE_AUX)
    C.skip(C.u64());
  return C.failed() ? "a sample whose fields reach beyond its end" : nullptr;
}

} // namespace inlay
