//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses header features: what perf noted down about the machine and itself. In
// a file each is a section, in a pipe's stream a record; the bytes are the
// same.
//
//===----------------------------------------------------------------------===//

#include "ByteCursor.h"
#include "PerfFormat.h"
#include "PerfHeader.h"
#include "inlay/Support/Diagnostics.h"
#include <map>

using namespace llvm;
using namespace inlay::perf;

namespace inlay {

ArrayRef<uint8_t> PerfHeader::buildID(StringRef Path) const {
  auto It = BuildIDByPath.find(Path);
  if (It == BuildIDByPath.end())
    return {};
  return BuildIDs[It->second].BuildID;
}

/// perf_header_string: a length, and so many bytes with a NUL among them.
static StringRef readString(ByteCursor &C) {
  uint32_t Size = C.u32();
  return untilNul(C.bytes(Size));
}

static void readCommandLine(ByteCursor &C, PerfHeader &Header) {
  uint32_t Count = C.u32();
  Header.CommandLine.clear();
  for (uint32_t I = 0; I != Count && !C.failed(); ++I)
    Header.CommandLine.push_back(readString(C).str());
}

/// Event descriptions stand in the order of the attributes.
static void readEventNames(ByteCursor &C, PerfHeader &Header) {
  uint32_t Count = C.u32();
  uint32_t AttrSize = C.u32();
  for (uint32_t I = 0; I != Count && !C.failed(); ++I) {
    C.skip(AttrSize);
    uint32_t IdCount = C.u32();
    StringRef Name = readString(C);
    C.skipWords(IdCount);
    if (!C.failed() && I < Header.Attrs.size() && !Name.empty())
      Header.Attrs[I].Name = Name;
  }
}

/// The PMUs that the machine has, and the numbers that the kernel gave them.
static void readPMUs(ByteCursor &C, PerfHeader &Header) {
  uint32_t Count = C.u32();
  std::map<uint32_t, StringRef> Names;
  for (uint32_t I = 0; I != Count && !C.failed(); ++I) {
    uint32_t Type = C.u32();
    StringRef Name = readString(C);
    if (!C.failed())
      Names.try_emplace(Type, Name);
  }
  for (PerfEventAttr &Attr : Header.Attrs) {
    auto It = Names.find(Attr.Type);
    if (It == Names.end())
      continue;
    // Events that the file names otherwise keep their names.
    const bool IsNamed = Attr.Name != eventName(Attr);
    Attr.PMU = It->second;
    if (!IsNamed)
      Attr.Name = eventName(Attr);
  }
}

bool parseBuildID(uint16_t Misc, ArrayRef<uint8_t> Payload,
                  PerfHeader &Header) {
  // Pid, 20 bytes of build ID (of which fewer may count) and 4 of which the
  // first is their number, and a path.
  ByteCursor C(Payload, Header.Order);
  PerfBuildID Entry;
  Entry.Pid = C.s32();
  ArrayRef<uint8_t> ID = C.bytes(24);
  if (C.failed())
    return false;
  uint64_t IDSize = Misc & MISC_BUILD_ID_SIZE ? ID[20] : 20;
  ID = ID.take_front(std::min<uint64_t>(IDSize, 20));
  Entry.BuildID.assign(ID.begin(), ID.end());
  Entry.Mode = cpuMode(Misc);
  Entry.Path = untilNul(C.bytes(C.remaining()));
  Header.BuildIDByPath.try_emplace(Entry.Path, Header.BuildIDs.size());
  Header.BuildIDs.push_back(std::move(Entry));
  return true;
}

/// Records like those of the data section.
static Error readBuildIDs(ArrayRef<uint8_t> Bytes, StringRef File,
                          uint64_t Offset, PerfHeader &Header) {
  for (uint64_t At = 0; At != Bytes.size();) {
    ByteCursor C(Bytes.drop_front(At), Header.Order);
    C.u32(); // type
    uint16_t Misc = C.u16();
    uint64_t Size = C.u16();
    if (C.failed() || Size < RecordHeaderSize || Size > Bytes.size() - At ||
        !parseBuildID(Misc, Bytes.slice(At, Size).drop_front(RecordHeaderSize),
                      Header))
      return fileErrorAt(File, Offset + At,
                         "an invalid entry in the table of build IDs; the file "
                         "is corrupt, record again");
    At += Size;
  }
  return Error::success();
}

static Error checkCompression(ByteCursor &C, StringRef File, uint64_t Offset) {
  C.u32(); // version
  uint32_t Type = C.u32();
  if (C.failed() || Type == CompressionZstd)
    return Error::success();
  return fileErrorAt(File, Offset,
                     "compression of the unknown type " + Twine(Type) +
                         "; the file is corrupt or from a newer perf, record "
                         "again without -z");
}

bool isFeatureOfInterest(uint64_t Feature) {
  switch (Feature) {
  case FEATURE_BUILD_ID:
  case FEATURE_HOSTNAME:
  case FEATURE_ARCH:
  case FEATURE_NRCPUS:
  case FEATURE_CPUDESC:
  case FEATURE_CPUID:
  case FEATURE_CMDLINE:
  case FEATURE_EVENT_DESC:
  case FEATURE_SAMPLE_TIME:
  case FEATURE_PMU_MAPPINGS:
  case FEATURE_COMPRESSED:
    return true;
  default:
    return false;
  }
}

Error parseFeature(uint64_t Feature, ArrayRef<uint8_t> Bytes, StringRef File,
                   uint64_t Offset, PerfHeader &Header) {
  ByteCursor C(Bytes, Header.Order);
  switch (Feature) {
  case FEATURE_BUILD_ID:
    return readBuildIDs(Bytes, File, Offset, Header);
  case FEATURE_HOSTNAME:
    Header.HostName = readString(C);
    break;
  case FEATURE_ARCH:
    Header.Arch = readString(C);
    break;
  case FEATURE_NRCPUS:
    C.u32(); // those that could be online
    Header.CpusOnline = C.u32();
    break;
  case FEATURE_CPUDESC:
    Header.CpuDesc = readString(C);
    break;
  case FEATURE_CPUID:
    Header.CpuID = readString(C);
    break;
  case FEATURE_CMDLINE:
    readCommandLine(C, Header);
    break;
  case FEATURE_EVENT_DESC:
    readEventNames(C, Header);
    break;
  case FEATURE_SAMPLE_TIME: {
    uint64_t First = C.u64(), Last = C.u64();
    if (First || Last) // perf writes zeros where it did not look
      Header.SampleTimes = {First, Last};
    break;
  }
  case FEATURE_PMU_MAPPINGS:
    readPMUs(C, Header);
    break;
  case FEATURE_COMPRESSED:
    if (Error E = checkCompression(C, File, Offset))
      return E;
    break;
  default:
    return Error::success();
  }
  if (C.failed())
    return fileErrorAt(File, Offset,
                       "the section of header feature " + Twine(Feature) +
                           " ends within a field; the file is corrupt, record "
                           "again");
  return Error::success();
}

} // namespace inlay
