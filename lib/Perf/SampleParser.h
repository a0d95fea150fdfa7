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
// Nothing is allocated for a sample: arrays are copied, in the host's byte
// order and aligned, to buffers that are used again, and that one record's 64
// KiB bound.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PERF_SAMPLEPARSER_H
#define INLAY_LIB_PERF_SAMPLEPARSER_H

#include "ByteCursor.h"
#include "inlay/Perf/PerfEvents.h"
#include <vector>

namespace inlay {

class SampleParser {
public:
  SampleParser(const PerfEventAttr &Attr, llvm::endianness Order);

  const PerfEventAttr &attr() const { return Attr; }

  /// Sets sample() from a record's payload. Returns nullptr, or what is wrong.
  const char *parse(llvm::ArrayRef<uint8_t> Payload, uint16_t Misc);
  /// The last one; valid, with its arrays, until the next is parsed.
  const SampleEvent &sample() const { return Sample; }

  /// The time of a sample alone.
  PerfTime sampleTime(llvm::ArrayRef<uint8_t> Payload) const;

  /// Bytes of the sample_id at the end of records that are not samples.
  uint64_t trailerSize() const { return TrailerSize; }
  /// The time in a trailer of trailerSize() bytes.
  PerfTime trailerTime(llvm::ArrayRef<uint8_t> Trailer) const;
  /// Process and thread in such a trailer; -1 if not recorded.
  std::pair<int32_t, int32_t>
  trailerTask(llvm::ArrayRef<uint8_t> Trailer) const;

  /// Where the id stands: bytes from the start of a sample's payload, and bytes
  /// from the end of any other record; nullopt without ids.
  std::optional<uint64_t> idFromStart() const { return IdFromStart; }
  std::optional<uint64_t> idFromEnd() const { return IdFromEnd; }

private:
  const char *parseVariableFields(llvm::ArrayRef<uint8_t> Rest);
  const char *parseBranchStack(ByteCursor &C);
  const char *parseUserStack(ByteCursor &C);
  void parseUserRegisters(ByteCursor &C);

  uint64_t load64(llvm::ArrayRef<uint8_t> Bytes, uint64_t At) const {
    return llvm::support::endian::read64(Bytes.data() + At, Order);
  }
  int32_t load32(llvm::ArrayRef<uint8_t> Bytes, uint64_t At) const {
    return int32_t(llvm::support::endian::read32(Bytes.data() + At, Order));
  }

  const PerfEventAttr &Attr;
  llvm::endianness Order;
  uint64_t FixedSize = 0;
  std::optional<uint64_t> IPAt, TidAt, TimeAt, PeriodAt, IdFromStart;
  uint64_t TrailerSize = 0;
  std::optional<uint64_t> TrailerTidAt, TrailerTimeAt, IdFromEnd;
  bool HasVariableFields;
  /// Used again for each sample: what an event records is always the same.
  SampleEvent Sample;
  std::vector<uint64_t> CallChain;
  std::vector<BranchRecord> BranchStack;
  std::vector<uint64_t> Registers;
};

/// Sets \p Words to the next \p Count words, of which there must be so many,
/// and returns them.
llvm::ArrayRef<uint64_t> readWords(ByteCursor &C, uint64_t Count,
                                   std::vector<uint64_t> &Words);

} // namespace inlay

#endif
