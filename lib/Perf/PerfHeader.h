//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands before the samples: which events were recorded, and what perf
// noted down about the machine.
//
// A file has it in a header and in sections of their own (FileHeader.cpp), a
// pipe's stream in records (PipeHeader.cpp). The parts are the same: attributes
// (AttrParser.cpp) and features (FeatureParser.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PERF_PERFHEADER_H
#define INLAY_LIB_PERF_PERFHEADER_H

#include "ByteStream.h"
#include "PerfFormat.h"
#include "inlay/Perf/PerfReader.h"
#include "llvm/Support/Endian.h"
#include <map>

namespace inlay {

class DiagnosticSink;
class RecordStream;
struct RawRecord;

struct PerfHeader {
  llvm::endianness Order = llvm::endianness::little;
  std::vector<PerfEventAttr> Attrs; ///< at least one
  uint64_t DataBegin = 0;           ///< file offsets of the records, in a file
  uint64_t DataEnd = 0;
  /// perf did not live to write the sizes: the records go on to the file's end,
  /// and the last may be cut off.
  bool IsInterrupted = false;
  std::vector<PerfBuildID> BuildIDs;
  /// Path -> index of the first entry in BuildIDs.
  std::map<std::string, uint32_t, std::less<>> BuildIDByPath;
  std::string HostName, Arch, CpuDesc, CpuID;
  uint32_t CpusOnline = 0;
  std::vector<std::string> CommandLine;
  std::optional<std::pair<uint64_t, uint64_t>> SampleTimes;

  /// Empty if the file does not know \p Path.
  llvm::ArrayRef<uint8_t> buildID(llvm::StringRef Path) const;
};

/// What the first bytes of a file say that it is.
enum class Container { File, Pipe };
struct Preamble {
  Container Kind;
  llvm::endianness Order;
};
/// \p Bytes are the first perf::PipeHeaderSize bytes of \p File, or fewer if
/// it is shorter.
llvm::Expected<Preamble> parsePreamble(llvm::ArrayRef<uint8_t> Bytes,
                                       llvm::StringRef File);

/// Reads the header of a regular file in file mode. Every offset and size in
/// the result lies within the file. Takes memory in proportion to the header's
/// tables, which do not exceed the file.
llvm::Expected<PerfHeader> readFileHeader(const InputFile &File,
                                          llvm::endianness Order,
                                          DiagnosticSink &Diagnostics);

/// Reads as much of a pipe's stream, behind its header, as describes events and
/// machine, but not more than the window holds. The stream then stands at its
/// start again.
llvm::Expected<PerfHeader> readPipeHeader(llvm::StringRef File,
                                          llvm::endianness Order,
                                          RecordStream &Stream);

/// How many bytes that are not records follow \p Record; nullopt if it is too
/// short to say. Of AUXTRACE and TRACING_DATA records.
std::optional<uint64_t> bytesBehind(const RawRecord &Record,
                                    llvm::endianness Order);

/// \p Bytes start with a perf_event_attr of any age; fields that it lacks are
/// zero. \p Offset is its place in \p File, for messages. On success \p Size
/// is how many bytes it says that it has; not all of them need be there.
llvm::Expected<PerfEventAttr> parseAttr(llvm::ArrayRef<uint8_t> Bytes,
                                        llvm::endianness Order,
                                        llvm::StringRef File, uint64_t Offset,
                                        uint64_t &Size);

/// Whether parseFeature() does anything with it.
bool isFeatureOfInterest(uint64_t Feature);
/// Takes what the section or record of \p Feature says into \p Header. The
/// attributes must be known.
llvm::Error parseFeature(uint64_t Feature, llvm::ArrayRef<uint8_t> Bytes,
                         llvm::StringRef File, uint64_t Offset,
                         PerfHeader &Header);

/// Takes in one record of the table of build IDs, or a BUILD_ID record; false
/// if \p Payload is too short.
bool parseBuildID(uint16_t Misc, llvm::ArrayRef<uint8_t> Payload,
                  PerfHeader &Header);

/// perf_event_header.misc's mode; unknown ones are Unknown.
inline CpuMode cpuMode(uint16_t Misc) {
  const unsigned Mode = Misc & perf::MISC_CPUMODE_MASK;
  return Mode <= unsigned(CpuMode::GuestUser) ? CpuMode(Mode)
                                              : CpuMode::Unknown;
}

/// A name for an event whose file does not name it: "cpu-clock", "raw:0x20c4",
/// "ibs_op/config=0x80000/".
std::string eventName(const PerfEventAttr &Attr);

} // namespace inlay

#endif
