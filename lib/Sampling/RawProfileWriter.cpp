//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes raw profiles. The body, with numbers as unsigned LEB128:
//
//   string       architecture, description and ID of the CPU
//   number       lost events
//   number       events, and for each of them
//     string       name
//     number x 6   type; config; branch_sample_type; period or frequency; 1 if
//     it
//                  is a frequency; precise_ip
//     number x 6   Total, KernelSamples, UnmappedSamples, SamplesWithStack,
//                  SamplesWithBranchStack, IgnoredBranchRecords
//     number       binaries, and for each of them
//       string       path, build ID
//       number x 2   CodeKind; TotalPeriod
//       places       Counts
//       pairs        Branches
//       places       BranchesIn, BranchesOut
//       pairs        Ranges
//     number       stack nodes, and for each of them, callers before callees
//       number       twice the number of steps outwards from the node before it
//                    to its caller (0: that is its caller), plus 1 for a leaf
//       number       the binary's index
//       signed       the offset, less that of the node before it
//       number       samples, if it is a leaf
//
//   string       its length, its bytes
//   signed       a number: 2 n for n >= 0, -2 n - 1 for n < 0
//   places       how many; for each, in ascending order, the difference to the
//                one before it and the count, which is not 0
//   pairs        the same, in ascending order of the first and then the second:
//                the difference of the first to that of the pair before it, the
//                second less the first (signed), the count
//
//===----------------------------------------------------------------------===//

#include "RawProfileFormat.h"
#include "SampleOrder.h"
#include "inlay/Sampling/RawProfileFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace inlay {
namespace {

class BodyWriter {
public:
  explicit BodyWriter(raw_ostream &OS) : OS(OS) {}

  void profile(const RawProfile &Profile);

private:
  void number(uint64_t N) { encodeULEB128(N, OS); }
  void signedNumber(uint64_t N) { number(zigzag(N)); }
  void string(StringRef Bytes) {
    number(Bytes.size());
    OS << Bytes;
  }
  void places(const OffsetCounts<uint64_t> &Counts);
  void pairs(const OffsetCounts<OffsetPair> &Counts);
  void event(const EventSamples &Event);
  void binary(const BinarySamples &Binary);
  void stacks(ArrayRef<StackNode> Nodes);

  raw_ostream &OS;
};

} // namespace

/// What was looked up and never counted is not there: a reader refuses it.
template <typename Key> static auto counted(const OffsetCounts<Key> &Counts) {
  return make_filter_range(Counts, [](const auto &C) { return C.second != 0; });
}

void BodyWriter::places(const OffsetCounts<uint64_t> &All) {
  auto Counts = counted(All);
  number(range_size(Counts));
  uint64_t Last = 0;
  for (auto [Place, Count] : Counts) {
    number(Place - Last);
    number(Count);
    Last = Place;
  }
}

void BodyWriter::pairs(const OffsetCounts<OffsetPair> &All) {
  auto Counts = counted(All);
  number(range_size(Counts));
  uint64_t Last = 0;
  for (auto [Pair, Count] : Counts) {
    number(Pair.first - Last);
    signedNumber(Pair.second - Pair.first);
    number(Count);
    Last = Pair.first;
  }
}

void BodyWriter::binary(const BinarySamples &Binary) {
  string(Binary.Path);
  string(toStringRef(ArrayRef<uint8_t>(Binary.BuildID)));
  number(uint64_t(Binary.Kind));
  number(Binary.TotalPeriod);
  places(Binary.Counts);
  pairs(Binary.Branches);
  places(Binary.BranchesIn);
  places(Binary.BranchesOut);
  pairs(Binary.Ranges);
}

void BodyWriter::stacks(ArrayRef<StackNode> Nodes) {
  number(Nodes.size());
  uint32_t Last = StackNode::Root;
  uint64_t LastOffset = 0;
  for (auto [Index, Node] : enumerate(Nodes)) {
    uint64_t Steps = 0;
    for (uint32_t N = Last; N != Node.Caller; N = Nodes[N].Caller)
      ++Steps;
    number(Steps << 1 | Node.IsLeaf);
    number(Node.Binary);
    signedNumber(Node.Offset - LastOffset);
    if (Node.IsLeaf)
      number(Node.Samples);
    Last = Index;
    LastOffset = Node.Offset;
  }
}

void BodyWriter::event(const EventSamples &Event) {
  const PerfEventAttr &Attr = Event.Attr;
  string(Attr.Name);
  number(Attr.Type);
  number(Attr.Config);
  number(Attr.BranchSampleType);
  number(Attr.SamplePeriodOrFrequency);
  number(Attr.IsFrequency);
  number(Attr.PreciseIP);
  number(Event.Total);
  number(Event.KernelSamples);
  number(Event.UnmappedSamples);
  number(Event.SamplesWithStack);
  number(Event.SamplesWithBranchStack);
  number(Event.IgnoredBranchRecords);
  const SampleOrder Order(Event);
  number(Event.Binaries.size());
  for (uint32_t Binary : Order.binaries())
    this->binary(Event.Binaries[Binary]);
  stacks(Order.stacks());
}

void BodyWriter::profile(const RawProfile &Profile) {
  string(Profile.Arch);
  string(Profile.CpuDesc);
  string(Profile.CpuID);
  number(Profile.LostEvents);
  number(Profile.Events.size());
  for (const EventSamples &Event : Profile.Events)
    event(Event);
}

void writeRawProfile(const RawProfile &Profile, raw_ostream &OS) {
  std::string Body;
  {
    raw_string_ostream BodyOS(Body);
    BodyWriter(BodyOS).profile(Profile);
  }
  OS << RawProfileMagic;
  support::endian::Writer Writer(OS, endianness::little);
  Writer.write<uint32_t>(RawProfileVersion);
  Writer.write<uint32_t>(0);
  Writer.write<uint64_t>(Body.size());
  Writer.write<uint64_t>(xxh3_64bits(arrayRefFromStringRef(Body)));
  OS << Body;
}

} // namespace inlay
