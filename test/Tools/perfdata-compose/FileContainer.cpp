//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// File mode: a header, ids and attributes, records, and the table of features
// with their sections.
//
//===----------------------------------------------------------------------===//

#include "Container.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace inlay::compose {
namespace {

class FileContainer final : public Container {
public:
  using Container::Container;
  void begin() override;
  void finish() override;
  void buildID(const BuildIDEntry &Entry) override {
    R.BuildIDs.push_back(Entry);
  }

private:
  ByteBuffer buildIDTable() const;
  ByteBuffer eventDescriptions() const;

  uint64_t AttrsOffset = 0;
  uint64_t DataBegin = 0;
};

} // namespace

/// Leaves room for the header, and writes ids and attributes.
void FileContainer::begin() {
  OS.write_zeros(104);
  SmallVector<uint64_t> IdOffsets;
  for (const Event &E : R.Events) {
    IdOffsets.push_back(OS.tell());
    ByteBuffer B = buffer();
    B.u64s(E.Ids);
    write(B);
  }
  AttrsOffset = OS.tell();
  for (auto [E, IdOffset] : zip(R.Events, IdOffsets)) {
    ByteBuffer B = E.attr(R.Order);
    B.u64(IdOffset);
    B.u64(E.Ids.size() * 8);
    write(B);
  }
  DataBegin = OS.tell();
}

ByteBuffer FileContainer::buildIDTable() const {
  ByteBuffer B = buffer();
  constexpr uint16_t HasSize = 1 << 15;
  for (const BuildIDEntry &Entry : R.BuildIDs)
    B.bytes(recordBytes(0, Entry.Mode | (Entry.ID.size() != 20 ? HasSize : 0),
                        buildIDPayload(Entry)));
  return B;
}

ByteBuffer FileContainer::eventDescriptions() const {
  ByteBuffer B = buffer();
  B.u32(R.Events.size());
  B.u32(R.Events.front().AttrSize);
  for (const Event &E : R.Events) {
    B.bytes(E.attr(R.Order));
    B.u32(E.Ids.size());
    B.headerString(E.Name);
    B.u64s(E.Ids);
  }
  return B;
}

/// The features, and the header now that everything's place is known.
void FileContainer::finish() {
  endCompression();
  const uint64_t DataEnd = OS.tell();
  std::map<unsigned, ByteBuffer> Features = features();
  if (!R.BuildIDs.empty())
    Features.try_emplace(FeatureBuildID, buildIDTable());
  if (R.HasEventNames)
    Features.try_emplace(FeatureEventDesc, eventDescriptions());
  if (R.IsCompressed) {
    ByteBuffer &B =
        Features.try_emplace(FeatureCompressed, R.Order).first->second;
    for (uint32_t Field : {1, 1, 1, 5, 1 << 19}) // version, zstd, level, ratio,
      B.u32(Field);                              // size of perf's buffers
  }
  uint64_t FeatureBits = 0;
  if (!R.IsInterrupted) {
    ByteBuffer Table = buffer();
    uint64_t Offset = DataEnd + 16 * Features.size();
    for (const auto &[F, Bytes] : Features) {
      FeatureBits |= uint64_t(1) << F;
      Table.u64(Offset);
      Table.u64(Bytes.size());
      Offset += Bytes.size();
    }
    write(Table);
    for (const auto &[F, Bytes] : Features)
      write(Bytes);
  } else {
    FeatureBits = 0x1ffc; // perf sets the bits before it writes the sections
  }

  ByteBuffer Header = buffer();
  Header.bytes(arrayRefFromStringRef(
      R.Order == endianness::little ? "PERFILE2" : "2ELIFREP"));
  Header.u64(104);
  const uint64_t EntrySize = R.Events.front().AttrSize + 16;
  Header.u64(EntrySize);
  Header.u64(AttrsOffset);
  Header.u64(R.Events.size() * EntrySize);
  Header.u64(DataBegin);
  Header.u64(R.IsInterrupted ? 0 : DataEnd - DataBegin);
  Header.u64(0); // event types
  Header.u64(0);
  Header.u64(FeatureBits);
  StringRef Bytes = toStringRef(ArrayRef<uint8_t>(Header));
  OS.pwrite(Bytes.data(), Bytes.size(), 0);
}

std::unique_ptr<Container> makeFile(raw_fd_ostream &OS, Recording &R) {
  return std::make_unique<FileContainer>(OS, R);
}

} // namespace inlay::compose
