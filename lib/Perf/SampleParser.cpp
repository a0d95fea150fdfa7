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
#include "PerfFormat.h"
#include "PerfHeader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/SwapByteOrder.h"

using namespace llvm;
using namespace inlay::perf;

namespace inlay {

SampleParser::SampleParser(const PerfEventAttr &Attr, endianness Order)
    : Attr(Attr), Order(Order) {
  Sample.Attr = &Attr;
  if (!Attr.IsFrequency)
    Sample.Period = Attr.SamplePeriodOrFrequency;
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
  TrailerTidAt = Place(SAMPLE_TID, TrailerSize);
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

std::pair<int32_t, int32_t>
SampleParser::trailerTask(ArrayRef<uint8_t> Trailer) const {
  if (!TrailerTidAt)
    return {-1, -1};
  return {load32(Trailer, *TrailerTidAt), load32(Trailer, *TrailerTidAt + 4)};
}

PerfTime SampleParser::sampleTime(ArrayRef<uint8_t> Payload) const {
  if (!TimeAt || Payload.size() < *TimeAt + 8)
    return std::nullopt;
  return load64(Payload, *TimeAt);
}

const char *SampleParser::parse(ArrayRef<uint8_t> Payload, uint16_t Misc) {
  if (Payload.size() < FixedSize)
    return "a sample that is too short for the fields of its event";
  Sample.Mode = cpuMode(Misc);
  Sample.IsExactIP = Misc & MISC_EXACT_IP;
  Sample.IP = IPAt ? load64(Payload, *IPAt) : 0;
  Sample.Pid = TidAt ? load32(Payload, *TidAt) : -1;
  Sample.Tid = TidAt ? load32(Payload, *TidAt + 4) : -1;
  Sample.Time = TimeAt ? PerfTime(load64(Payload, *TimeAt)) : std::nullopt;
  if (PeriodAt)
    Sample.Period = load64(Payload, *PeriodAt);
  if (HasVariableFields)
    return parseVariableFields(Payload.drop_front(FixedSize));
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

ArrayRef<uint64_t> readWords(ByteCursor &C, uint64_t Count,
                             std::vector<uint64_t> &Words) {
  ArrayRef<uint8_t> Bytes = C.bytes(Count * 8);
  assert(Bytes.size() == Count * 8 && "the caller counts");
  if (Words.size() < Count)
    Words.resize(Count);
  llvm::copy(Bytes, reinterpret_cast<uint8_t *>(Words.data()));
  if (C.order() != endianness::native)
    for (uint64_t &Word : MutableArrayRef(Words).take_front(Count))
      sys::swapByteOrder(Word);
  return ArrayRef(Words).take_front(Count);
}

/// perf_branch_entry's bit field, of a big-endian machine, as a little-endian
/// one would have it.
static uint64_t littleEndianFlags(uint64_t Flags) {
  uint64_t Result = 0;
  for (BitField Field : BranchFields)
    Result |= Field.of(Flags, /*IsBigEndian=*/true) << Field.Position;
  return Result;
}

/// A branch record is three words, as in the file.
static_assert(sizeof(BranchRecord) == 24);

const char *SampleParser::parseBranchStack(ByteCursor &C) {
  uint64_t Count = C.u64();
  if (Attr.BranchSampleType & BRANCH_HW_INDEX)
    C.u64();
  if (Count > C.remaining() / sizeof(BranchRecord))
    return "a branch stack that reaches beyond its sample";
  ArrayRef<uint8_t> Bytes = C.bytes(Count * sizeof(BranchRecord));
  if (BranchStack.size() < Count)
    BranchStack.resize(Count);
  llvm::copy(Bytes, reinterpret_cast<uint8_t *>(BranchStack.data()));
  auto Stack = MutableArrayRef(BranchStack).take_front(Count);
  for (BranchRecord &B : Stack) {
    if (Order != endianness::native) {
      sys::swapByteOrder(B.From);
      sys::swapByteOrder(B.To);
      sys::swapByteOrder(B.Flags);
    }
    if (Order == endianness::big)
      B.Flags = littleEndianFlags(B.Flags);
  }
  Sample.BranchStack = Stack;
  if (Attr.BranchSampleType & BRANCH_COUNTERS)
    C.skipWords(Count);
  return nullptr;
}

/// struct perf_regs: none if the ABI is PERF_SAMPLE_REGS_ABI_NONE.
void SampleParser::parseUserRegisters(ByteCursor &C) {
  SampleRegisters &Result = Sample.UserRegisters;
  Result = {};
  Result.ABI = C.u64();
  Result.Mask = Attr.SampleRegsUser;
  const uint64_t Count = Result.ABI ? popcount(Result.Mask) : 0;
  if (Count > C.remaining() / 8)
    C.skipWords(Count); // fails
  else
    Result.Values = readWords(C, Count, Registers);
}

const char *SampleParser::parseUserStack(ByteCursor &C) {
  Sample.UserStack = {};
  const uint64_t Size = C.u64();
  if (Size == 0)
    return nullptr;
  ArrayRef<uint8_t> Bytes = C.bytes(Size);
  const uint64_t Copied = C.u64();
  if (!C.failed() && Copied > Size)
    return "a copy of the stack that is larger than its room";
  Sample.UserStack = Bytes.take_front(Copied);
  return nullptr;
}

static void skipRegisters(ByteCursor &C, uint64_t Mask) {
  if (C.u64())
    C.skipWords(popcount(Mask));
}

const char *SampleParser::parseVariableFields(ArrayRef<uint8_t> Rest) {
  const uint64_t Bits = Attr.SampleType;
  ByteCursor C(Rest, Order);

  if (Bits & SAMPLE_READ)
    skipReadFormat(C, Attr.ReadFormat);

  if (Bits & SAMPLE_CALLCHAIN) {
    uint64_t Count = C.u64();
    if (Count > C.remaining() / 8)
      return "a call chain that reaches beyond its sample";
    Sample.CallChain = readWords(C, Count, CallChain);
  }

  if (Bits & SAMPLE_RAW)
    C.skip(C.u32());

  if (Bits & SAMPLE_BRANCH_STACK)
    if (const char *Message = parseBranchStack(C))
      return Message;
  if (Bits & SAMPLE_REGS_USER)
    parseUserRegisters(C);
  if (Bits & SAMPLE_STACK_USER)
    if (const char *Message = parseUserStack(C))
      return Message;
  if (Bits & SAMPLE_WEIGHT)
    Sample.Weight = C.u64();
  else if (Bits & SAMPLE_WEIGHT_STRUCT)
    Sample.Weight = uint32_t(C.u64()); // of two more of 16 bits

  // What follows is measured only to tell a corrupt sample from a sound one.
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
