//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses perf_event_attr, which has grown over the years: its size says how
// much of it there is.
//
//===----------------------------------------------------------------------===//

#include "ByteCursor.h"
#include "PerfFormat.h"
#include "PerfHeader.h"
#include "inlay/Support/Diagnostics.h"

using namespace llvm;
using namespace inlay::perf;

namespace inlay {

Expected<PerfEventAttr> parseAttr(ArrayRef<uint8_t> Bytes, endianness Order,
                                  StringRef File, uint64_t Offset,
                                  uint64_t &Size) {
  ByteCursor C(Bytes, Order);
  PerfEventAttr Attr;
  Attr.Type = C.u32();
  Size = C.u32();
  if (Size == 0 && !C.failed())
    Size = AttrSizeVer0;
  if (Size < AttrSizeVer0 || Bytes.size() < AttrSizeVer0)
    return fileErrorAt(File, Offset,
                       "an event attribute of " +
                           Twine(std::min<uint64_t>(Size, Bytes.size())) +
                           " bytes, but the oldest has 64; the file is "
                           "corrupt, record again");
  C = ByteCursor(Bytes.take_front(Size), Order);
  C.skip(8);
  Attr.Config = C.u64();
  Attr.SamplePeriodOrFrequency = C.u64();
  Attr.SampleType = C.u64();
  Attr.ReadFormat = C.u64();
  const uint64_t Flags = C.u64();
  const bool IsBigEndian = Order == endianness::big;
  Attr.IsFrequency = AttrFreq.of(Flags, IsBigEndian);
  Attr.SampleIdAll = AttrSampleIdAll.of(Flags, IsBigEndian);
  Attr.PreciseIP = AttrPreciseIP.of(Flags, IsBigEndian);
  C.skip(4 + 4 + 8 + 8); // wakeup, breakpoint type, config1, config2
  Attr.BranchSampleType = C.u64();
  Attr.SampleRegsUser = C.u64();
  Attr.SampleStackUser = C.u32();
  C.u32(); // clockid
  Attr.SampleRegsIntr = C.u64();
  // An unknown bit may stand for a field of unknown size anywhere in a sample.
  if (uint64_t Unknown = Attr.SampleType & ~uint64_t(SAMPLE_KNOWN))
    return fileErrorAt(File, Offset,
                       "an event with the unknown sample_type bits 0x" +
                           Twine::utohexstr(Unknown) +
                           "; the file is corrupt or from a newer perf, record "
                           "fewer fields");
  if (uint64_t Unknown = Attr.ReadFormat & ~uint64_t(FORMAT_KNOWN);
      Unknown && (Attr.SampleType & SAMPLE_READ))
    return fileErrorAt(File, Offset,
                       "an event with the unknown read_format bits 0x" +
                           Twine::utohexstr(Unknown) +
                           "; the file is corrupt or from a newer perf, record "
                           "without counter values in samples");
  Attr.Name = eventName(Attr);
  return Attr;
}

} // namespace inlay
