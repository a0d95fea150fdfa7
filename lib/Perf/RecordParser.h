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

namespace inlay {

class RecordParser {
public:
  /// Fails when records of several events could not be told apart.
  /// \p Header must outlive the parser, which adds build IDs that come as
  /// records.
  static llvm::Expected<RecordParser>
  create(llvm::StringRef File, PerfHeader &Header, DiagnosticSink &Diagnostics);

  /// Hands the event in \p Record to \p Visitor; types that are not of interest
  /// are passed over.
  llvm::Error parse(const RawRecord &Record, PerfEventVisitor &Visitor);

  /// Names the file that the next records come from, for messages.
  void setFile(llvm::StringRef Name) { File = Name; }

  /// The time of \p Record, if it has one; never fails.
  PerfTime timeOf(const RawRecord &Record);

  /// Samples of no known event, which were left out.
  uint64_t unknownIds() const { return UnknownIds; }

private:
  RecordParser(llvm::StringRef File, PerfHeader &Header);

  llvm::Error corrupt(const RawRecord &Record, const llvm::Twine &What) const;
  SampleParser *parserOf(uint64_t Id);
  SampleParser *parserOfSample(const RawRecord &Record);
  SampleParser *parserOfOther(const RawRecord &Record);
  /// Takes the sample_id off the end of \p Record.
  llvm::Error takeTrailer(const RawRecord &Record,
                          llvm::ArrayRef<uint8_t> &Body, PerfTime &Time,
                          std::pair<int32_t, int32_t> *Task = nullptr);
  llvm::Error parseSample(const RawRecord &Record, PerfEventVisitor &Visitor);
  llvm::Error parseMmap(const RawRecord &Record, PerfEventVisitor &Visitor);
  llvm::Error parseComm(const RawRecord &Record, PerfEventVisitor &Visitor);
  llvm::Error parseTask(const RawRecord &Record, PerfEventVisitor &Visitor);
  llvm::Error parseLost(const RawRecord &Record, PerfEventVisitor &Visitor);
  llvm::Error parseDeferredCallChain(const RawRecord &Record,
                                     PerfEventVisitor &Visitor);

  llvm::StringRef File;
  PerfHeader &Header;
  std::vector<SampleParser> Parsers; ///< one for each attribute
  /// Sample id -> index of its attribute, sorted.
  std::vector<std::pair<uint64_t, uint32_t>> Ids;
  uint64_t LastId = 0;
  SampleParser *LastParser = nullptr;
  uint64_t UnknownIds = 0;
  uint64_t AttrRecords = 0; ///< HEADER_ATTR so far
  std::vector<uint64_t> DeferredCallChain;
};

} // namespace inlay

#endif
