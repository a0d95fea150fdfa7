//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads raw profiles; the grammar is in RawProfileWriter.cpp.
//
// A file may be anything. Its checksum finds damage but not malice, so that
// every number is checked as well before it is believed. An element takes some
// bytes at least, so that a number of elements that the rest of the file cannot
// hold is refused before room is made for them; that bounds memory.
//
//===----------------------------------------------------------------------===//

#include "RawProfileFormat.h"
#include "inlay/Sampling/RawProfileFile.h"
#include "inlay/Support/Diagnostics.h"
#include "inlay/Support/ULEB128.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace inlay {
namespace {

/// After the first thing that is wrong, all numbers are 0 and all strings
/// empty.
class BodyReader {
public:
  explicit BodyReader(StringRef Body)
      : Begin(Body.bytes_begin()), Place(Begin), End(Body.bytes_end()) {}

  RawProfile profile();
  /// What is wrong, or nullptr; and where.
  const char *message() const { return Message; }
  uint64_t offset() const { return Place - Begin; }

private:
  // The fewest bytes that an element of these takes.
  static constexpr uint64_t PlaceBytes = 2, PairBytes = 3, NodeBytes = 3;
  static constexpr uint64_t BinaryBytes = 9, EventBytes = 15;

  void fail(const char *What) {
    if (!Message)
      Message = What;
  }
  uint64_t number() {
    if (Message)
      return 0;
    std::optional<uint64_t> N = readULEB128(Place, End);
    if (!N)
      fail("a number that does not end or is too large");
    return N.value_or(0);
  }
  uint64_t number(uint64_t Most, const char *What) {
    uint64_t N = number();
    if (N <= Most)
      return N;
    fail(What);
    return 0;
  }
  /// How many elements of at least \p Bytes follow.
  uint64_t size(uint64_t Bytes) {
    const uint64_t Size = number();
    if (Size <= uint64_t(End - Place) / Bytes)
      return Size;
    fail("a list that is longer than the rest of the file");
    return 0;
  }
  StringRef string() {
    uint64_t Size = size(1);
    Place += Size;
    return {reinterpret_cast<const char *>(Place - Size), Size};
  }
  uint64_t count() {
    uint64_t N = number();
    if (!N)
      fail("a count of zero");
    return N;
  }
  /// \p From and a difference.
  uint64_t offset(uint64_t From, uint64_t Difference) {
    // Those of files are signed.
    const uint64_t Offset = From + Difference;
    if (Offset <= uint64_t(INT64_MAX))
      return Offset;
    fail("a file offset that no file has");
    return 0;
  }
  uint64_t places(OffsetCounts<uint64_t> &Counts);
  void pairs(OffsetCounts<OffsetPair> &Counts);
  void event(EventSamples &Event);
  void binary(BinarySamples &Binary);
  void stacks(EventSamples &Event);

  const uint8_t *Begin, *Place, *End;
  const char *Message = nullptr;
};

} // namespace

/// Returns the sum of the counts.
uint64_t BodyReader::places(OffsetCounts<uint64_t> &Counts) {
  const uint64_t Size = size(PlaceBytes);
  Counts.reserve(Size);
  uint64_t Last = 0, Sum = 0;
  for (uint64_t I = 0; I != Size && !Message; ++I) {
    const uint64_t Difference = number();
    if (I && !Difference)
      fail("a place that is there twice");
    Last = offset(Last, Difference);
    const uint64_t Count = count();
    Sum = SaturatingAdd(Sum, Count);
    Counts[Last] = Count;
  }
  return Sum;
}

void BodyReader::pairs(OffsetCounts<OffsetPair> &Counts) {
  const uint64_t Size = size(PairBytes);
  Counts.reserve(Size);
  OffsetPair Last;
  for (uint64_t I = 0; I != Size && !Message; ++I) {
    OffsetPair Pair;
    Pair.first = offset(Last.first, number());
    Pair.second = offset(Pair.first, unzigzag(number()));
    if (I && Pair <= Last)
      fail("a pair of places that is not in order");
    Counts[Pair] = count();
    Last = Pair;
  }
}

void BodyReader::binary(BinarySamples &Binary) {
  Binary.Path = string().str();
  ArrayRef<uint8_t> BuildID = arrayRefFromStringRef(string());
  Binary.BuildID.assign(BuildID.begin(), BuildID.end());
  Binary.Kind = CodeKind(
      number(uint64_t(CodeKind::KernelModule), "a binary of an unknown kind"));
  Binary.TotalPeriod = number();
  Binary.Total = places(Binary.Counts);
  pairs(Binary.Branches);
  places(Binary.BranchesIn);
  places(Binary.BranchesOut);
  pairs(Binary.Ranges);
}

void BodyReader::stacks(EventSamples &Event) {
  const uint64_t Size = size(NodeBytes);
  if (Size >= StackNode::Root)
    return fail("more stack frames than can be told apart");
  Event.Stacks.reserve(Size);
  uint32_t Last = StackNode::Root;
  uint64_t LastOffset = 0;
  for (uint64_t I = 0; I != Size && !Message; ++I) {
    StackNode Node;
    const uint64_t Start = number();
    Node.IsLeaf = Start & 1;
    Node.Caller = Last;
    for (uint64_t Steps = Start >> 1; Steps; --Steps) {
      if (Node.Caller == StackNode::Root)
        return fail("a stack frame outside of the outermost");
      Node.Caller = Event.Stacks[Node.Caller].Caller;
    }
    if (Node.Caller != StackNode::Root && Event.Stacks[Node.Caller].IsLeaf)
      return fail("a stack frame that a sampled place calls");
    Node.Binary = number();
    if (Node.Binary >= Event.Binaries.size())
      return fail("a stack frame in a binary that is not there");
    LastOffset = Node.Offset = offset(LastOffset, unzigzag(number()));
    if (Node.IsLeaf)
      Node.Samples = count();
    Event.Stacks.push_back(Node);
    Last = I;
  }
}

void BodyReader::event(EventSamples &Event) {
  PerfEventAttr &Attr = Event.Attr;
  Attr.Name = string().str();
  Attr.Type = number(UINT32_MAX, "an event of an unknown type");
  Attr.Config = number();
  Attr.BranchSampleType = number();
  Attr.SamplePeriodOrFrequency = number();
  Attr.IsFrequency = number(1, "neither a period nor a frequency");
  Attr.PreciseIP = number(3, "an unknown precision");
  Event.Total = number();
  Event.KernelSamples = number();
  Event.UnmappedSamples = number();
  Event.SamplesWithStack = number();
  Event.SamplesWithBranchStack = number();
  Event.IgnoredBranchRecords = number();
  const uint64_t Size = size(BinaryBytes);
  // A vector that grows would copy the tables: moving one might fail.
  Event.Binaries.reserve(Size);
  for (uint64_t I = 0; I != Size && !Message; ++I)
    binary(Event.Binaries.emplace_back());
  stacks(Event);
}

RawProfile BodyReader::profile() {
  RawProfile Profile;
  Profile.Arch = string().str();
  Profile.CpuDesc = string().str();
  Profile.CpuID = string().str();
  Profile.LostEvents = number();
  const uint64_t Size = size(EventBytes);
  Profile.Events.reserve(Size);
  for (uint64_t I = 0; I != Size && !Message; ++I)
    event(Profile.Events.emplace_back());
  if (Place != End)
    fail("bytes behind the end of the profile");
  return Profile;
}

Expected<RawProfile> readRawProfile(MemoryBufferRef Buffer) {
  const StringRef File = Buffer.getBuffer();
  const StringRef Name = Buffer.getBufferIdentifier();
  if (!isRawProfile(File))
    return fileError(Name, "is not a raw profile: it does not begin with '" +
                               RawProfileMagic + "'");
  if (File.size() < RawProfileHeaderSize)
    return fileError(Name, "ends within its header; copy or convert it again");
  const char *Header = File.data() + RawProfileMagic.size();
  const uint32_t Version = support::endian::read32le(Header);
  if (Version != RawProfileVersion || support::endian::read32le(Header + 4))
    return fileError(Name, "is a raw profile of version " + Twine(Version) +
                               ", but this program reads version " +
                               Twine(RawProfileVersion) +
                               "; use the program that wrote it, or convert "
                               "the recording again");
  const uint64_t Size = support::endian::read64le(Header + 8);
  const uint64_t Hash = support::endian::read64le(Header + 16);
  const StringRef Body = File.drop_front(RawProfileHeaderSize);
  if (Body.size() != Size)
    return fileError(Name, "should have " + Twine(Size) +
                               " bytes behind its header, but has " +
                               Twine(Body.size()) +
                               "; copy or convert it again");
  if (xxh3_64bits(arrayRefFromStringRef(Body)) != Hash)
    return fileError(Name, "is damaged: its checksum is wrong; copy or convert "
                           "it again");
  BodyReader Reader(Body);
  RawProfile Profile = Reader.profile();
  if (const char *Message = Reader.message())
    return fileErrorAt(Name, RawProfileHeaderSize + Reader.offset(),
                       Twine(Message) + "; convert the recording again");
  return Profile;
}

Expected<RawProfile> readRawProfile(StringRef Path) {
  // Read and not mapped: the file may be cut while it is in use.
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(
      Path, /*IsText=*/false, /*RequiresNullTerminator=*/false,
      /*IsVolatile=*/true);
  if (!Buffer)
    return fileError(Path, Buffer.getError().message());
  return readRawProfile((*Buffer)->getMemBufferRef());
}

} // namespace inlay
