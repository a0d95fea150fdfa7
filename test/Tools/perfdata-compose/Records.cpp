//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All records but samples.
//
//===----------------------------------------------------------------------===//

#include "Composer.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Object/BuildID.h"

using namespace llvm;

namespace inlay::compose {

/// Bits of perf_event_header.misc; bit 13 depends on the type.
enum MiscBits : uint16_t {
  MiscKernel = 1,
  MiscMmapData = 1 << 13,
  MiscCommExec = 1 << 13,
  MiscForkExec = 1 << 13,
  MiscMmapBuildID = 1 << 14
};

/// perf_event_header.size counts the header of 8 bytes.
constexpr uint64_t MaxPayload = 65535 - 8;

Expected<const Event *> Composer::eventOf(const Line &L) const {
  std::optional<StringRef> Name = L.find("event");
  if (!Name)
    return &R.Events.front();
  for (const Event &E : R.Events)
    if (E.Name == *Name)
      return &E;
  return L.error("there is no event '" + *Name + "'");
}

Expected<Composer::Common> Composer::common(const Line &L) {
  Common C = {};
  Expected<const Event *> E = eventOf(L);
  if (!E)
    return E.takeError();
  C.E = *E;
  C.Pid = LastPid;
  if (Error Err = L.numbers<int32_t>({{"pid", &C.Pid}}))
    return Err;
  LastPid = C.Tid = C.Pid;
  if (Error Err = L.numbers<int32_t>({{"tid", &C.Tid}}))
    return Err;
  C.Id = C.E->Ids.empty() ? 0 : C.E->Ids.front();
  ++Clock;
  if (Error Err = L.numbers<uint64_t>(
          {{"time", &Clock}, {"id", &C.Id}, {"cpu", &C.Cpu}}))
    return Err;
  Expected<uint16_t> Mode = L.mode();
  if (!Mode)
    return Mode.takeError();
  C.Mode = *Mode;
  return C;
}

void Composer::writeWithTrailer(uint32_t Type, uint16_t Misc, const Common &C,
                                ByteBuffer Payload) {
  const Event &E = *C.E;
  if (E.IdAll) {
    if (E.has(TID)) {
      Payload.u32(C.Pid);
      Payload.u32(C.Tid);
    }
    if (E.has(TIME))
      Payload.u64(Clock);
    if (E.has(ID))
      Payload.u64(C.Id);
    if (E.has(STREAM_ID))
      Payload.u64(C.Id);
    if (E.has(CPU)) {
      Payload.u32(C.Cpu);
      Payload.u32(0);
    }
    if (E.has(IDENTIFIER))
      Payload.u64(C.Id);
  }
  Output->record(Type, Misc, Payload);
}

void Composer::writeMmap(uint32_t Type, uint16_t Misc, const Common &C,
                         const Mapping &M) {
  ByteBuffer B = buffer();
  B.u32(C.Pid);
  B.u32(C.Tid);
  B.u64(M.Address);
  B.u64(M.Length);
  B.u64(M.FileOffset);
  if (Type == RecordMmap2) {
    if (!M.BuildID.empty()) {
      Misc |= MiscMmapBuildID;
      B.u8(M.BuildID.size());
      B.u8(0);
      B.u16(0);
      B.bytes(M.BuildID, 20);
    } else {
      B.u32(8); // device
      B.u32(1);
      B.u64(4711); // inode
      B.u64(0);
    }
    B.u32(M.Protection);
    B.u32(2); // MAP_PRIVATE
  }
  B.string(M.Path, 8);
  writeWithTrailer(Type, Misc | C.Mode, C, std::move(B));
}

/// The mappings that a loader makes of a file's executable segments.
Error Composer::mapElf(const Line &L, Common C) {
  Expected<StringRef> Path = L.required("file");
  if (!Path)
    return Path.takeError();
  Expected<ElfFile *> Elf = Names.elf(L, *Path);
  if (!Elf)
    return Elf.takeError();
  Expected<int64_t> Base = L.number("base", 0);
  if (!Base)
    return Base.takeError();
  if (!(*Elf)->IsFixed && !L.find("base"))
    return L.error(*Path + " is position independent: give base=");
  constexpr uint64_t PageMask = 0xfff;
  uint64_t Bias = (*Elf)->IsFixed
                      ? 0
                      : *Base - ((*Elf)->Segments.front().Address & ~PageMask);
  Names.map(C.Pid, *Path, Bias);
  SmallVector<uint8_t, 20> BuildID;
  if (std::optional<StringRef> Text = L.find("buildid")) {
    if (*Text == "auto") {
      object::BuildIDRef ID = object::getBuildID((*Elf)->Binary.getBinary());
      if (ID.empty() || ID.size() > 20)
        return L.error(*Path + ": no build ID (link with "
                               "-Wl,--build-id=sha1)");
      BuildID.assign(ID.begin(), ID.end());
    } else {
      auto Bytes = L.hexBytes(*Text);
      if (!Bytes)
        return Bytes.takeError();
      BuildID.assign(Bytes->begin(), Bytes->end());
    }
  }
  for (const ElfFile::Segment &S : (*Elf)->Segments) {
    if (!S.IsExecutable)
      continue;
    Mapping M;
    M.Address = Bias + (S.Address & ~PageMask);
    M.Length = ((S.Address + S.FileSize + PageMask) & ~PageMask) -
               (S.Address & ~PageMask);
    M.FileOffset = S.FileOffset & ~PageMask;
    M.Path = L.find("path").value_or(*Path);
    M.BuildID = BuildID;
    writeMmap(L.hasWord("mmap1") ? RecordMmap : RecordMmap2, 0, C, M);
  }
  return Error::success();
}

/// Mappings of the kernel are recorded for pid -1 and tid 0. That of the kernel
/// itself has the address of the symbol in its name for a file offset.
Error Composer::mapKernel(const Line &L, Common C) {
  const bool IsModule = L.Keyword == "module";
  C.Pid = KernelPid;
  C.Tid = 0;
  C.Mode = MiscKernel;
  Expected<StringRef> Path = L.required("file");
  if (!Path)
    return Path.takeError();
  Expected<ElfFile *> Elf = Names.elf(L, *Path);
  if (!Elf)
    return Elf.takeError();
  uint64_t Bias = 0, Length = 0x10000;
  if (Error E = L.numbers<uint64_t>(
          {{IsModule ? "addr" : "slide", &Bias}, {"len", &Length}}))
    return E;
  Names.map(KernelPid, *Path, Bias);
  Mapping M;
  if (IsModule) {
    M.Address = Bias;
    M.Length = Length;
    M.Path = L.find("path").value_or(*Path);
  } else {
    auto Text = (*Elf)->Symbols.find("_text");
    if (Text == (*Elf)->Symbols.end())
      return L.error(*Path + ": no symbol '_text'");
    M.Address = M.FileOffset = Text->second + Bias;
    uint64_t End = 0;
    for (const ElfFile::Segment &S : (*Elf)->Segments)
      if (S.IsExecutable)
        End = std::max(End, S.Address + S.FileSize + Bias);
    M.Length = End - M.Address;
    M.Path = L.find("path").value_or("[kernel.kallsyms]_text");
  }
  writeMmap(RecordMmap, 0, C, M);
  return Error::success();
}

Error Composer::mmap(const Line &L, Common C) {
  Mapping M;
  if (Error E = L.numbers<uint64_t>(
          {{"addr", &M.Address}, {"len", &M.Length}, {"pgoff", &M.FileOffset}}))
    return E;
  Expected<StringRef> Path = L.required("path");
  if (!Path)
    return Path.takeError();
  M.Path = *Path;
  auto BuildID = L.hexBytes(L.find("buildid").value_or(""));
  if (!BuildID)
    return BuildID.takeError();
  M.BuildID = *BuildID;
  M.Protection = 0;
  for (char P : L.find("prot").value_or("rx"))
    M.Protection |= P == 'r' ? 1 : P == 'w' ? 2 : P == 'x' ? 4 : 0;
  writeMmap(L.Keyword == "mmap2" ? RecordMmap2 : RecordMmap,
            L.hasWord("data") ? MiscMmapData : 0, C, M);
  return Error::success();
}

Error Composer::comm(const Line &L, Common C) {
  if (L.Words.empty())
    return L.error("comm needs a name");
  ByteBuffer B = buffer();
  B.u32(C.Pid);
  B.u32(C.Tid);
  B.string(L.Words.front(), 8);
  bool IsExec = is_contained(drop_begin(L.Words), "exec");
  if (IsExec)
    Names.exec(C.Pid);
  writeWithTrailer(RecordComm, C.Mode | (IsExec ? MiscCommExec : 0), C,
                   std::move(B));
  return Error::success();
}

/// fork and exit.
Error Composer::task(const Line &L, Common C) {
  Expected<int64_t> Parent = L.number("ppid", C.Pid);
  if (!Parent)
    return Parent.takeError();
  Expected<int64_t> ParentTid = L.number("ptid", *Parent);
  if (!ParentTid)
    return ParentTid.takeError();
  bool IsFork = L.Keyword == "fork";
  if (IsFork && *Parent != C.Pid)
    Names.fork(C.Pid, *Parent);
  ByteBuffer B = buffer();
  B.u32(C.Pid);
  B.u32(*Parent);
  B.u32(C.Tid);
  B.u32(*ParentTid);
  B.u64(Clock);
  writeWithTrailer(IsFork ? RecordFork : RecordExit,
                   L.hasWord("fork-exec") ? MiscForkExec : 0, C, std::move(B));
  return Error::success();
}

Error Composer::lost(const Line &L, Common C) {
  Expected<int64_t> Count = L.wordNumber(0, "a number");
  if (!Count)
    return Count.takeError();
  bool IsLost = L.Keyword == "lost";
  ByteBuffer B = buffer();
  if (IsLost)
    B.u64(C.Id);
  B.u64(*Count);
  writeWithTrailer(IsLost ? RecordLost : RecordLostSamples, 0, C, std::move(B));
  return Error::success();
}

/// The user's part of a call chain, later.
Error Composer::deferred(const Line &L, Common C) {
  Expected<int64_t> Cookie = L.wordNumber(0, "a cookie");
  if (!Cookie)
    return Cookie.takeError();
  Expected<SmallVector<uint64_t>> Chain = chain(L);
  if (!Chain)
    return Chain.takeError();
  ByteBuffer B = buffer();
  B.u64(*Cookie);
  B.u64(Chain->size());
  B.u64s(*Chain);
  writeWithTrailer(RecordDeferredCallChain, C.Mode, C, std::move(B));
  return Error::success();
}

/// auxtrace and tracing-data: a record and bytes behind it. perf compresses
/// neither.
Error Composer::trace(const Line &L) {
  auto Bytes = L.hexBytes(L.Words.empty() ? "" : L.Words.front());
  if (!Bytes)
    return Bytes.takeError();
  Output->endCompression();
  ByteBuffer B = buffer();
  if (L.Keyword == "auxtrace") {
    B.u64(Bytes->size());
    B.u64s({0, 0, 0, 0}); // offset, reference, index, tid, cpu, reserved
    Output->record(RecordAuxtrace, 0, B);
  } else {
    B.u32(Bytes->size());
    Output->record(RecordTracingData, 0, B);
    Bytes->resize(alignTo(Bytes->size(), 8));
  }
  Output->behindRecord(*Bytes);
  return Error::success();
}

Error Composer::compress(const Line &L) {
  if (!Compressor::isAvailable())
    return L.error("perfdata-compose was built without zstd");
  // A piece that does not get smaller must still fit into a record.
  uint64_t Chunk = 0x8000, Version = 1;
  if (Error E = L.numbers<uint64_t>({{"chunk", &Chunk}, {"version", &Version}}))
    return E;
  if (Chunk == 0 || Chunk > 0xf000)
    return L.error("a chunk has between 1 and 0xf000 bytes");
  R.IsCompressed = true;
  Output->compress(Chunk, Version == 2 ? RecordCompressed2 : RecordCompressed);
  return Error::success();
}

Error Composer::raw(const Line &L) {
  Expected<int64_t> Type = L.number("type", 0), Misc = L.number("misc", 0);
  if (!Type || !Misc)
    return joinErrors(Type.takeError(), Misc.takeError());
  auto Bytes = L.hexBytes(L.Words.empty() ? "" : L.Words.front());
  if (!Bytes)
    return Bytes.takeError();
  if (Bytes->size() > MaxPayload)
    return L.error("the record exceeds 64 KiB");
  Output->record(*Type, *Misc, *Bytes);
  return Error::success();
}

Error Composer::round(const Line &, Common) {
  Output->record(RecordRound, 0, {});
  return Error::success();
}

Error Composer::endCompression(const Line &) {
  Output->endCompression();
  return Error::success();
}

Error Composer::eventNames(const Line &) {
  Output->eventNames();
  return Error::success();
}

Error Composer::runRecord(const Line &L) {
  // Records of the kernel, which have much in common.
  using EventMethod = Error (Composer::*)(const Line &, Common);
  auto RunEvent = StringSwitch<EventMethod>(L.Keyword)
                      .Case("sample", &Composer::sample)
                      .Case("map", &Composer::mapElf)
                      .Case("kernel", &Composer::mapKernel)
                      .Case("module", &Composer::mapKernel)
                      .Case("mmap", &Composer::mmap)
                      .Case("mmap2", &Composer::mmap)
                      .Case("comm", &Composer::comm)
                      .Case("fork", &Composer::task)
                      .Case("exit", &Composer::task)
                      .Case("lost", &Composer::lost)
                      .Case("lost-samples", &Composer::lost)
                      .Case("deferred", &Composer::deferred)
                      .Case("round", &Composer::round)
                      .Default(nullptr);
  using Method = Error (Composer::*)(const Line &);
  auto Run = StringSwitch<Method>(L.Keyword)
                 .Case("auxtrace", &Composer::trace)
                 .Case("tracing-data", &Composer::trace)
                 .Case("compress", &Composer::compress)
                 .Case("end-compression", &Composer::endCompression)
                 .Case("event-names", &Composer::eventNames)
                 .Case("raw", &Composer::raw)
                 .Default(nullptr);
  if (!RunEvent && !Run)
    return L.error("unknown keyword '" + L.Keyword + "'");
  if (Error E = begin(L))
    return E;
  if (Run)
    return (this->*Run)(L);
  const int32_t PidBefore = LastPid;
  Expected<Common> C = common(L);
  if (!C)
    return C.takeError();
  // The kernel's mappings are no process's.
  if (L.Keyword == "kernel" || L.Keyword == "module")
    LastPid = PidBefore;
  return (this->*RunEvent)(L, *C);
}

} // namespace inlay::compose
