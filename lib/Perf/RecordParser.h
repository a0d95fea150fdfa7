//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns records into events.
//
// Which attribute describes a record is told by an id in it; where the id
// stands depends on the attribute. So all attributes of a file must place it
// alike, which perf sees to, and which is checked once.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PERF_RECORDPARSER_H
#define INLAY_LIB_PERF_RECORDPARSER_H

#include "PerfHeader.h"
#include "RecordSource.h"
#include "SampleParser.h"
#include "llvm/ADT/StringMap.h"

namespace inlay {

class RecordParser {
public:
  /// Fails when records of several events could not be told apart.
  static llvm::Expected<RecordParser> create(llvm::StringRef File,
                                             const PerfHeader &Header,
                                             DiagnosticSink &Diagnostics);

  /// Hands the event in \p Record to \p Visitor; types that are not of interest
  /// are passed over.
  llvm::Error parse(const RawRecord &Record, PerfEventVisitor &Visitor);

  /// Samples of no known event, which were left out.
  uint64_t unknownIds() const { return UnknownIds; }

private:
  RecordParser(llvm::StringRef File, const PerfHeader &Header);

  llvm::Error corrupt(const RawRecord &Record, const llvm::Twine &What) const;
  SampleParser *parserOf(uint64_t Id);
  /// Takes the sample_id off the end of \p Record.
  llvm::Error takeTrailer(const RawRecord &Record,
                          llvm::ArrayRef<uint8_t> &Body, PerfTime &Time);
  llvm::Error parseSample(const RawRecord &Record, PerfEventVisitor &Visitor);
  llvm::Error parseMmap(const RawRecord &Record, PerfEventVisitor &Visitor);
  llvm::Error parseComm(const RawRecord &Record, PerfEventVisitor &Visitor);
  llvm::Error parseTask(const RawRecord &Record, PerfEventVisitor &Visitor);
  llvm::Error parseLost(const RawRecord &Record, PerfEventVisitor &Visitor);

  llvm::StringRef File;
  std::vector<SampleParser> Parsers; ///< one for each attribute
  /// Sample id -> index of its attribute, sorted.
  std::vector<std::pair<uint64_t, uint32_t>> Ids;
  uint64_t LastId = 0;
  SampleParser *LastParser = nullptr;
  uint64_t UnknownIds = 0;
  llvm::StringMap<llvm::ArrayRef<uint8_t>> BuildIDByPath;
};

} // namespace inlay

#endif
