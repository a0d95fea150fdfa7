//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pipe mode: what a file has in its header is in records of the stream.
//
//===----------------------------------------------------------------------===//

#include "Container.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace inlay::compose {
namespace {

class PipeContainer final : public Container {
public:
  using Container::Container;
  void begin() override;
  void finish() override { endCompression(); }
  void buildID(const BuildIDEntry &Entry) override;
  void eventNames() override;
};

} // namespace

void PipeContainer::begin() {
  ByteBuffer Header = buffer();
  Header.bytes(arrayRefFromStringRef(
      R.Order == endianness::little ? "PERFILE2" : "2ELIFREP"));
  Header.u64(16);
  write(Header);
  for (const Event &E : R.Events) {
    ByteBuffer B = E.attr(R.Order);
    B.u64s(E.Ids);
    writeRecord(RecordHeaderAttr, 0, B);
  }
  for (const auto &[F, Bytes] : features()) {
    ByteBuffer B = buffer();
    B.u64(F);
    B.bytes(Bytes);
    writeRecord(RecordFeature, 0, B);
  }
  if (R.HasEventNames)
    eventNames();
}

void PipeContainer::eventNames() {
  for (const Event &E : R.Events) {
    if (E.Ids.empty())
      continue;
    ByteBuffer B = buffer();
    constexpr uint64_t Name = 2;
    B.u64(Name);
    B.u64(E.Ids.front());
    B.string(E.Name, 8);
    writeRecord(RecordEventUpdate, 0, B);
  }
}

void PipeContainer::buildID(const BuildIDEntry &Entry) {
  constexpr uint16_t HasSize = 1 << 15;
  writeRecord(RecordBuildID, Entry.Mode | (Entry.ID.size() != 20 ? HasSize : 0),
              buildIDPayload(Entry));
}

std::unique_ptr<Container> makePipe(raw_fd_ostream &OS, Recording &R) {
  return std::make_unique<PipeContainer>(OS, R);
}

} // namespace inlay::compose
