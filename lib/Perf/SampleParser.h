//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the fields of a sample, and of the sample_id that ends other records.
//
// perf_event_attr.sample_type says which fields a sample has; their order is
// fixed. The fields up to PERIOD have eight bytes each, so that their positions
// are known once the attribute is; behind them fields vary in size, and each
// must be measured to find the next.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PERF_SAMPLEPARSER_H
#define INLAY_LIB_PERF_SAMPLEPARSER_H

#include "inlay/Perf/PerfEvents.h"
#include <vector>

namespace inlay {

class SampleParser {
public:
  explicit SampleParser(const PerfEventAttr &Attr);

  const PerfEventAttr &attr() const { return Attr; }

  /// Fills \p Sample from a record's payload. Its arrays live until the next
  /// call. Returns nullptr, or what is wrong.
  const char *parse(llvm::ArrayRef<uint8_t> Payload, uint16_t Misc,
                    SampleEvent &Sample);

  /// Bytes of the sample_id at the end of records that are not samples.
  uint64_t trailerSize() const { return TrailerSize; }
  /// The time in a trailer of trailerSize() bytes.
  PerfTime trailerTime(llvm::ArrayRef<uint8_t> Trailer) const;

  /// Where the id stands: bytes from the start of a sample's payload, and bytes
  /// from the end of any other record; nullopt without ids.
  std::optional<uint64_t> idFromStart() const { return IdFromStart; }
  std::optional<uint64_t> idFromEnd() const { return IdFromEnd; }

private:
  const char *parseVariableFields(llvm::ArrayRef<uint8_t> Rest,
                                  SampleEvent &Sample);

  const PerfEventAttr &Attr;
  uint64_t FixedSize = 0;
  std::optional<uint64_t> IPAt, TidAt, TimeAt, PeriodAt, IdFromStart;
  uint64_t TrailerSize = 0;
  std::optional<uint64_t> TrailerTimeAt, IdFromEnd;
  bool HasVariableFields;
  /// Aligned copies in host order; reused, so that they stop growing soon.
  std::vector<uint64_t> CallChain;
  std::vector<BranchRecord> BranchStack;
};

} // namespace inlay

#endif
