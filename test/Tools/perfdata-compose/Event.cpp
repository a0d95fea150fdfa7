//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Event.h.
//
//===----------------------------------------------------------------------===//

#include "Event.h"

using namespace llvm;

namespace inlay::compose {

static constexpr StringLiteral SampleBitNames[] = {"IP",
                                                   "TID",
                                                   "TIME",
                                                   "ADDR",
                                                   "READ",
                                                   "CALLCHAIN",
                                                   "ID",
                                                   "CPU",
                                                   "PERIOD",
                                                   "STREAM_ID",
                                                   "RAW",
                                                   "BRANCH_STACK",
                                                   "REGS_USER",
                                                   "STACK_USER",
                                                   "WEIGHT",
                                                   "DATA_SRC",
                                                   "IDENTIFIER",
                                                   "TRANSACTION",
                                                   "REGS_INTR",
                                                   "PHYS_ADDR",
                                                   "AUX",
                                                   "CGROUP",
                                                   "DATA_PAGE_SIZE",
                                                   "CODE_PAGE_SIZE",
                                                   "WEIGHT_STRUCT"};

static constexpr StringLiteral ReadFormatNames[] = {
    "TIME_ENABLED", "TIME_RUNNING", "ID", "GROUP", "LOST"};

Expected<Event> Event::parse(const Line &L, uint64_t DefaultId) {
  if (L.Words.empty())
    return L.error("an event needs a name");
  Event E;
  E.Name = L.Words.front();
  E.IsFreq = !L.find("period");
  E.IdAll = !L.hasWord("no-id-all");
  if (Error Err = L.numbers<uint64_t>({{"type", &E.Type},
                                       {"config", &E.Config},
                                       {"freq", &E.PeriodOrFreq},
                                       {"period", &E.PeriodOrFreq},
                                       {"precise", &E.Precise},
                                       {"regs_user", &E.RegsUser},
                                       {"regs_intr", &E.RegsIntr},
                                       {"stack_user", &E.StackUser},
                                       {"attr_size", &E.AttrSize}}))
    return Err;
  constexpr uint64_t DefaultSampleType =
      1u << IP | 1u << TID | 1u << TIME | 1u << PERIOD;
  Expected<uint64_t> SampleType =
      L.bits("sample_type", SampleBitNames, DefaultSampleType);
  if (!SampleType)
    return SampleType.takeError();
  E.SampleType = *SampleType;
  Expected<uint64_t> ReadFormat = L.bits("read_format", ReadFormatNames, 0);
  if (!ReadFormat)
    return ReadFormat.takeError();
  E.ReadFormat = *ReadFormat;
  std::vector<StringLiteral> BranchNames(20, StringLiteral(""));
  BranchNames[HW_INDEX] = "HW_INDEX";
  BranchNames[COUNTERS] = "COUNTERS";
  Expected<uint64_t> BranchType = L.bits("branch_type", BranchNames, 0);
  if (!BranchType)
    return BranchType.takeError();
  E.BranchType = *BranchType;
  Expected<SmallVector<uint64_t>> Ids = L.numberList("ids");
  if (!Ids)
    return Ids.takeError();
  E.Ids = *Ids;
  if (E.Ids.empty())
    E.Ids.push_back(DefaultId);
  return E;
}

ByteBuffer Event::attr(endianness Order) const {
  ByteBuffer B(Order);
  B.u32(Type);
  B.u32(AttrSize);
  B.u64(Config);
  B.u64(PeriodOrFreq);
  B.u64(SampleType);
  B.u64(ReadFormat);
  B.bitFields(uint64_t(IsFreq) << 10 | Precise << 15 | uint64_t(IdAll) << 18,
              {{10, 1}, {15, 2}, {18, 1}});
  B.u32(0); // wakeup
  B.u32(0); // breakpoint type
  B.u64(0); // config1
  B.u64(0); // config2
  B.u64(BranchType);
  B.u64(RegsUser);
  B.u32(StackUser);
  B.u32(0); // clockid
  B.u64(RegsIntr);
  B.resize(AttrSize);
  return B;
}

} // namespace inlay::compose
