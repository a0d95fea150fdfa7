//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What records are put into: a file with header and features, the stream of a
// pipe, or nothing at all, as the data files of a directory; compressed or not.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TEST_TOOLS_PERFDATA_COMPOSE_CONTAINER_H
#define INLAY_TEST_TOOLS_PERFDATA_COMPOSE_CONTAINER_H

#include "Compressor.h"
#include "Event.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <memory>

namespace inlay::compose {

/// perf_event_header.type.
enum RecordType : uint32_t {
  RecordMmap = 1,
  RecordLost = 2,
  RecordComm = 3,
  RecordExit = 4,
  RecordFork = 7,
  RecordSample = 9,
  RecordMmap2 = 10,
  RecordLostSamples = 13,
  RecordDeferredCallChain = 22,
  RecordHeaderAttr = 64,
  RecordTracingData = 66,
  RecordBuildID = 67,
  RecordRound = 68,
  RecordAuxtrace = 71,
  RecordEventUpdate = 78,
  RecordFeature = 80,
  RecordCompressed = 81,
  RecordCompressed2 = 83
};

/// Bit numbers of header features.
enum Feature : unsigned {
  FeatureBuildID = 2,
  FeatureHostName = 3,
  FeatureArch = 6,
  FeatureNrCpus = 7,
  FeatureCpuDesc = 8,
  FeatureCpuID = 9,
  FeatureCmdLine = 11,
  FeatureEventDesc = 12,
  FeaturePMUs = 16,
  FeatureSampleTime = 21,
  FeatureCompressed = 27
};

struct BuildIDEntry {
  int32_t Pid;
  uint16_t Mode;
  std::string Path;
  llvm::SmallVector<uint8_t, 20> ID;
};

/// What a description says about the recording as a whole.
struct Recording {
  llvm::endianness Order = llvm::endianness::little;
  std::vector<Event> Events;
  std::map<unsigned, std::string> Texts; ///< features that are a string
  std::vector<std::string> CommandLine;
  std::vector<BuildIDEntry> BuildIDs;
  std::vector<std::pair<uint32_t, std::string>> PMUs; ///< type, name
  std::optional<uint32_t> CpusOnline;
  std::optional<std::pair<uint64_t, uint64_t>> SampleTimes;
  bool HasEventNames = true;
  bool IsInterrupted = false;
  bool IsCompressed = false;
};

class Container {
public:
  Container(llvm::raw_fd_ostream &OS, Recording &R) : OS(OS), R(R) {}
  virtual ~Container();

  /// Before the first record, when the events are known.
  virtual void begin() {}
  /// Behind the last one.
  virtual void finish() {}
  /// A build ID stands where the description has it, or in a table.
  virtual void buildID(const BuildIDEntry &Entry) {}
  /// The names of the events, in a stream.
  virtual void eventNames() {}

  void record(uint32_t Type, uint16_t Misc, llvm::ArrayRef<uint8_t> Payload);
  /// Bytes behind a record that are none.
  void behindRecord(llvm::ArrayRef<uint8_t> Bytes);
  /// Records from here on are compressed, a piece of \p Chunk bytes at a time,
  /// with records of type \p Type.
  void compress(uint64_t Chunk, uint32_t Type);
  /// No longer.
  void endCompression();

protected:
  ByteBuffer buffer() const { return ByteBuffer(R.Order); }
  void write(llvm::ArrayRef<uint8_t> Bytes);
  ByteBuffer recordBytes(uint32_t Type, uint16_t Misc,
                         llvm::ArrayRef<uint8_t> Payload) const;
  void writeRecord(uint32_t Type, uint16_t Misc,
                   llvm::ArrayRef<uint8_t> Payload) {
    write(recordBytes(Type, Misc, Payload));
  }
  ByteBuffer buildIDPayload(const BuildIDEntry &Entry) const;
  /// All that have something to say, without BUILD_ID.
  std::map<unsigned, ByteBuffer> features() const;

  llvm::raw_fd_ostream &OS;
  Recording &R;

private:
  void writeCompressed(size_t Size);

  Compressor Zstd;
  bool IsCompressing = false;
  uint64_t Chunk = 0;
  uint32_t CompressedType = 0;
  std::vector<uint8_t> Pending; ///< to be compressed
};

std::unique_ptr<Container> makeFile(llvm::raw_fd_ostream &OS, Recording &R);
std::unique_ptr<Container> makePipe(llvm::raw_fd_ostream &OS, Recording &R);
/// Records alone.
std::unique_ptr<Container> makeBare(llvm::raw_fd_ostream &OS, Recording &R);

} // namespace inlay::compose

#endif
