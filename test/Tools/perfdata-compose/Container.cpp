//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all containers do alike: records, their compression, and the contents of
// features.
//
//===----------------------------------------------------------------------===//

#include "Container.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace inlay::compose {

Container::~Container() = default;

void Container::write(ArrayRef<uint8_t> Bytes) { OS << toStringRef(Bytes); }

ByteBuffer Container::recordBytes(uint32_t Type, uint16_t Misc,
                                  ArrayRef<uint8_t> Payload) const {
  ByteBuffer B = buffer();
  B.u32(Type);
  B.u16(Misc);
  B.u16(Payload.size() + 8);
  B.bytes(Payload);
  return B;
}

void Container::record(uint32_t Type, uint16_t Misc,
                       ArrayRef<uint8_t> Payload) {
  if (!IsCompressing)
    return writeRecord(Type, Misc, Payload);
  ByteBuffer Bytes = recordBytes(Type, Misc, Payload);
  ArrayRef<uint8_t> B = Bytes;
  Pending.insert(Pending.end(), B.begin(), B.end());
  while (Pending.size() >= Chunk)
    writeCompressed(Chunk);
}

/// A record of the first \p Size pending bytes.
void Container::writeCompressed(size_t Size) {
  std::vector<uint8_t> Compressed =
      Zstd.compress(ArrayRef(Pending).take_front(Size));
  Pending.erase(Pending.begin(), Pending.begin() + Size);
  ByteBuffer B = buffer();
  if (CompressedType == RecordCompressed2) {
    B.u64(Compressed.size());
    B.bytes(Compressed, alignTo(Compressed.size(), 8));
  } else {
    B.bytes(Compressed);
  }
  writeRecord(CompressedType, 0, B);
}

void Container::behindRecord(ArrayRef<uint8_t> Bytes) { write(Bytes); }

void Container::compress(uint64_t ChunkSize, uint32_t Type) {
  endCompression();
  IsCompressing = true;
  Chunk = ChunkSize;
  CompressedType = Type;
}

void Container::endCompression() {
  if (!Pending.empty())
    writeCompressed(Pending.size());
  IsCompressing = false;
}

ByteBuffer Container::buildIDPayload(const BuildIDEntry &Entry) const {
  ByteBuffer B = buffer();
  B.u32(Entry.Pid);
  B.bytes(Entry.ID, 20);
  B.u8(Entry.ID.size() != 20 ? Entry.ID.size() : 0);
  B.bytes({}, 3);
  B.bytes(arrayRefFromStringRef(Entry.Path),
          alignTo(Entry.Path.size() + 1, 64));
  return B;
}

std::map<unsigned, ByteBuffer> Container::features() const {
  std::map<unsigned, ByteBuffer> Features;
  auto Add = [&](unsigned F) -> ByteBuffer & {
    return Features.try_emplace(F, R.Order).first->second;
  };
  for (const auto &[F, Text] : R.Texts)
    Add(F).headerString(Text);
  if (R.CpusOnline) {
    ByteBuffer &B = Add(FeatureNrCpus);
    B.u32(*R.CpusOnline + 2); // some are not online
    B.u32(*R.CpusOnline);
  }
  if (!R.CommandLine.empty()) {
    ByteBuffer &B = Add(FeatureCmdLine);
    B.u32(R.CommandLine.size());
    for (StringRef Word : R.CommandLine)
      B.headerString(Word);
  }
  if (!R.PMUs.empty()) {
    ByteBuffer &B = Add(FeaturePMUs);
    B.u32(R.PMUs.size());
    for (const auto &[Type, Name] : R.PMUs) {
      B.u32(Type);
      B.headerString(Name);
    }
  }
  if (R.SampleTimes) {
    ByteBuffer &B = Add(FeatureSampleTime);
    B.u64(R.SampleTimes->first);
    B.u64(R.SampleTimes->second);
  }
  return Features;
}

namespace {
class Bare final : public Container {
public:
  using Container::Container;
  void finish() override { endCompression(); }
};
} // namespace

std::unique_ptr<Container> makeBare(raw_fd_ostream &OS, Recording &R) {
  return std::make_unique<Bare>(OS, R);
}

} // namespace inlay::compose
