//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a perf.data file from a description in text, so that tests can show
// what they feed in, and need no perf.
//
//   perfdata-compose DESCRIPTION -o perf.data
//
// A line is a keyword and its arguments: words, flags and KEY=VALUE, separated
// by blanks, in any order. '#' starts a comment where a word could start.
// Numbers are decimal or 0x. Events come first, then records in file order;
// features and damage may stand anywhere.
//
// Events
//   event NAME [type=1] [config=0] [freq=999|period=N] [precise=0]
//              [sample_type=IP|TID|TIME|PERIOD] [read_format=GROUP|ID|...]
//              [branch_type=HW_INDEX|COUNTERS|N] [regs_user=MASK]
//              [regs_intr=MASK] [stack_user=BYTES] [ids=ID,...] [no-id-all]
//              [attr_size=128]
//       One recorded event. sample_id_all is set unless no-id-all is given. The
//       default id of the n-th event is 100 + n.
//
// Records
//   map pid=N file=ELF [base=ADDR] [path=PATH] [buildid=auto|HEX] [mmap1]
//       The mappings (MMAP2, or MMAP with mmap1) that the loader makes of the
//       file's executable segments. base is where its first segment goes; for
//       an ET_EXEC file it is given by the file. Makes ELF's addresses known.
//   kernel file=VMLINUX [slide=N] [path=[kernel.kallsyms]_text]
//       The mapping that perf makes up for the kernel, moved by slide bytes.
//   module file=KO addr=ADDR [len=0x10000] [path=PATH]
//       A kernel module whose .text was loaded at addr. The addresses of kernel
//       and modules are known to all processes.
//   mmap2 pid=N addr=ADDR len=N [pgoff=0] path=PATH [buildid=HEX] [prot=rx]
//   mmap pid=N addr=ADDR len=N [pgoff=0] path=PATH [data]
//   comm pid=N NAME [exec]
//   fork pid=N ppid=N [tid=N] [ptid=N] [fork-exec]
//   exit pid=N [tid=N]
//   sample ADDRESS [xN] [spread=BYTES] [step=TIME] [rounds=N] [event=NAME]
//          [period=1] [chain=ADDRESS,...] [branches=FROM>TO[/FLAGS],...]
//          [addr=N] [cpu=N] [raw=HEX] [aux=HEX] [no-regs] [no-stack]
//          [exact-ip]
//       N samples; with spread, at varying addresses from ADDRESS on; with
//       rounds, a `round' after every so many; step apart in time. A chain may
//       hold the context markers `kernel', `user', `hv', `guest',
//       `guest-kernel', `guest-user' and `user-deferred'. FLAGS of a branch are
//       numbers and, joined by `|', names: mispred, predicted, in_tx, abort,
//       cycles:N, spec:N, and a type: cond, uncond, ind, call, ind_call, ret,
//       syscall, sysret, cond_call, cond_ret, eret, irq, serror, no_tx,
//       new_type:N, and where it ran: user, kernel, hv.
//   lost N | lost-samples N | round
//   auxtrace HEX             an AUXTRACE record and the bytes that follow it
//   raw type=N [misc=N] [HEX]
//       Any record, its payload as given.
//   repeat N ... end         the lines in between, N times
//
//   Each record takes: time=N (default: one more than the last; sets the
//   clock), tid=N (default: pid), id=N, mode=user|kernel|hypervisor|unknown|
//   guest-kernel|guest-user. pid=N defaults to the last one given.
//
//   ADDRESS is a number, or ELF+SYMBOL, ELF+SYMBOL+N or ELF+N (a virtual
//   address), where ELF is the file of a `map' of the process.
//
// Features
//   hostname TEXT | arch TEXT | cpudesc TEXT | cpuid TEXT | cmdline WORD...
//   buildid HEX path=PATH [pid=-1] [mode=user]
//   no-event-names           leave out the section with the events' names
//
// Damage
//   interrupted              as if perf had been killed: no data size, no
//                            features
//   patch OFFSET HEX         overwrite bytes; a negative offset counts from the
//                            end
//   truncate SIZE            cut the file; a negative size counts from the end
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <tuple>

using namespace llvm;
using namespace inlay;

static cl::opt<std::string> InputPath(cl::Positional, cl::init("-"),
                                      cl::desc("<description>"));
static cl::opt<std::string> OutputPath("o", cl::Required,
                                       cl::desc("File to write"));

namespace {

//===----------------------------------------------------------------------===//
// Numbers of the format
//===----------------------------------------------------------------------===//

/// In the order of their bits.
constexpr StringLiteral SampleBitNames[] = {"IP",
                                            "TID",
                                            "TIME",
                                            "ADDR",
                                            "READ",
                                            "CALLCHAIN",
                                            "ID",
                                            "CPU",
                                            "PERIOD",
                                            "STREAM_ID",
                                            "RAW",
                                            "BRANCH_STACK",
                                            "REGS_USER",
                                            "STACK_USER",
                                            "WEIGHT",
                                            "DATA_SRC",
                                            "IDENTIFIER",
                                            "TRANSACTION",
                                            "REGS_INTR",
                                            "PHYS_ADDR",
                                            "AUX",
                                            "CGROUP",
                                            "DATA_PAGE_SIZE",
                                            "CODE_PAGE_SIZE",
                                            "WEIGHT_STRUCT"};

constexpr StringLiteral ReadFormatNames[] = {"TIME_ENABLED", "TIME_RUNNING",
                                             "ID", "GROUP", "LOST"};

enum SampleBit {
  IP,
  TID,
  TIME,
  ADDR,
  READ,
  CALLCHAIN,
  ID,
  CPU,
  PERIOD,
  STREAM_ID,
  RAW,
  BRANCH_STACK,
  REGS_USER,
  STACK_USER,
  WEIGHT,
  DATA_SRC,
  IDENTIFIER,
  TRANSACTION,
  REGS_INTR,
  PHYS_ADDR,
  AUX,
  CGROUP,
  DATA_PAGE_SIZE,
  CODE_PAGE_SIZE,
  WEIGHT_STRUCT
};

enum BranchBit { HW_INDEX = 17, COUNTERS = 19 };

constexpr int32_t KernelPid = -1;

enum RecordType : uint32_t {
  RecordMmap = 1,
  RecordLost = 2,
  RecordComm = 3,
  RecordExit = 4,
  RecordFork = 7,
  RecordSample = 9,
  RecordMmap2 = 10,
  RecordLostSamples = 13,
  RecordRound = 68,
  RecordAuxtrace = 71
};

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

struct Line {
  unsigned Number = 0;
  StringRef Keyword;
  SmallVector<StringRef, 4> Words; ///< arguments without '='
  SmallVector<std::pair<StringRef, StringRef>, 8> Keys;

  std::optional<StringRef> find(StringRef Key) const {
    for (auto [K, V] : Keys)
      if (K == Key)
        return V;
    return std::nullopt;
  }
  bool hasWord(StringRef Word) const { return is_contained(Words, Word); }
};

} // namespace

static Error lineError(unsigned Number, const Twine &Message) {
  return createStringError(inconvertibleErrorCode(),
                           InputPath + ":" + Twine(Number) + ": " + Message);
}

static std::optional<Line> parseLine(unsigned Number, StringRef Text) {
  Line L;
  L.Number = Number;
  SmallVector<StringRef, 16> Tokens;
  SplitString(Text, Tokens);
  for (StringRef Token : Tokens) {
    if (Token.starts_with("#"))
      break;
    auto [Key, Value] = Token.split('=');
    if (L.Keyword.empty())
      L.Keyword = Token;
    else if (Key.size() != Token.size() && !L.Keyword.starts_with("cmdline"))
      L.Keys.push_back({Key, Value});
    else
      L.Words.push_back(Token);
  }
  if (L.Keyword.empty())
    return std::nullopt;
  return L;
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

namespace {

class ByteBuffer {
public:
  void u8(uint8_t V) { Bytes.push_back(V); }
  void u16(uint16_t V) { number(V); }
  void u32(uint32_t V) { number(V); }
  void u64(uint64_t V) { number(V); }
  void bytes(ArrayRef<uint8_t> B) { Bytes.append(B.begin(), B.end()); }
  /// With NUL, padded with NULs to a multiple of \p Align.
  void string(StringRef S, unsigned Align) {
    Bytes.append(S.bytes_begin(), S.bytes_end());
    do
      Bytes.push_back(0);
    while (Bytes.size() % Align);
  }
  void clear() { Bytes.clear(); }
  uint64_t size() const { return Bytes.size(); }
  void resize(uint64_t Size) { Bytes.resize(Size); }
  operator ArrayRef<uint8_t>() const { return Bytes; }

private:
  template <typename T> void number(T V) {
    uint8_t B[sizeof(T)];
    support::endian::write<T>(B, V, endianness::little);
    Bytes.append(B, B + sizeof(T));
  }
  SmallVector<uint8_t, 512> Bytes;
};

struct EventDescription {
  std::string Name;
  uint64_t Type = 1, Config = 0, PeriodOrFreq = 999, SampleType = 0;
  uint64_t ReadFormat = 0, BranchType = 0, RegsUser = 0, RegsIntr = 0;
  uint64_t StackUser = 0, Precise = 0, AttrSize = 128;
  bool IsFreq = true, IdAll = true;
  SmallVector<uint64_t, 2> Ids;

  bool has(SampleBit Bit) const { return SampleType >> Bit & 1; }
};

struct ElfFile {
  object::OwningBinary<object::ObjectFile> Binary;
  StringMap<uint64_t> Symbols;
  struct Segment {
    uint64_t Address, FileOffset, FileSize;
    bool IsExecutable;
  };
  std::vector<Segment> Segments;
  bool IsFixed = false; ///< ET_EXEC
};

struct BuildIDEntry {
  int32_t Pid;
  uint16_t Mode;
  std::string Path;
  SmallVector<uint8_t, 20> ID;
};

//===----------------------------------------------------------------------===//
// The composer
//===----------------------------------------------------------------------===//

class Composer {
public:
  explicit Composer(raw_fd_ostream &OS) : OS(OS) {}

  Error compose(StringRef Text);

private:
  Error run(ArrayRef<Line> Lines);
  Error runLine(const Line &L);
  Error event(const Line &L);
  Error record(const Line &L);
  Error sample(const Line &L);
  Error map(const Line &L);
  Error kernel(const Line &L);
  Error mmap(const Line &L);
  Error auxtrace(const Line &L);
  Error buildID(const Line &L);
  void beginData();
  Error finish();
  Error applyDamage();

  // Arguments.
  Expected<int64_t> number(const Line &L, StringRef Text) const;
  Expected<int64_t> number(const Line &L, StringRef Key, int64_t Default) const;
  Expected<StringRef> required(const Line &L, StringRef Key) const;
  Expected<uint64_t> bits(const Line &L, StringRef Key,
                          ArrayRef<StringLiteral> Names,
                          uint64_t Default) const;
  Expected<SmallVector<uint8_t, 0>> hexBytes(const Line &L,
                                             StringRef Text) const;
  Expected<uint16_t> mode(const Line &L) const;
  Expected<const EventDescription *> eventOf(const Line &L) const;
  Expected<uint64_t> address(const Line &L, StringRef Text);
  Expected<uint64_t> chainEntry(const Line &L, StringRef Text);
  Expected<ElfFile *> elf(const Line &L, StringRef Path);

  // Records.
  struct Common {
    const EventDescription *Event;
    int32_t Pid, Tid;
    uint64_t Id, Cpu;
    uint16_t Mode;
  };
  Expected<Common> common(const Line &L);
  void write(uint32_t Type, uint16_t Misc, ArrayRef<uint8_t> Payload);
  /// Adds the sample_id and writes the record in Payload.
  void writeWithTrailer(uint32_t Type, uint16_t Misc, const Common &C);
  void writeMmap(const Common &C, bool IsMmap2, uint64_t Address,
                 uint64_t Length, uint64_t FileOffset, StringRef Path,
                 uint32_t Protection, ArrayRef<uint8_t> BuildID, uint16_t Misc);

  raw_fd_ostream &OS;
  std::vector<EventDescription> Events;
  uint64_t DataBegin = 0;
  uint64_t AttrsOffset = 0;
  bool InData = false;
  ByteBuffer Payload;
  uint64_t Clock = 0;
  int32_t LastPid = 1;

  StringMap<std::unique_ptr<ElfFile>> Elves;
  /// Load bias by process (-1: the kernel, which all can name) and file.
  std::map<int32_t, std::map<std::string, uint64_t>> Biases;

  std::map<unsigned, std::string> TextFeatures;
  std::vector<std::string> CommandLine;
  std::vector<BuildIDEntry> BuildIDs;
  bool HasEventNames = true;
  bool IsInterrupted = false;
  std::vector<std::pair<int64_t, SmallVector<uint8_t, 0>>> Patches;
  std::optional<int64_t> Truncation;
};

} // namespace

Expected<int64_t> Composer::number(const Line &L, StringRef Text) const {
  int64_t Signed;
  if (!Text.getAsInteger(0, Signed))
    return Signed;
  uint64_t Unsigned;
  if (!Text.getAsInteger(0, Unsigned))
    return int64_t(Unsigned);
  return lineError(L.Number, "'" + Text + "' is not a number");
}

Expected<int64_t> Composer::number(const Line &L, StringRef Key,
                                   int64_t Default) const {
  if (std::optional<StringRef> Text = L.find(Key))
    return number(L, *Text);
  return Default;
}

Expected<StringRef> Composer::required(const Line &L, StringRef Key) const {
  if (std::optional<StringRef> Text = L.find(Key))
    return *Text;
  return lineError(L.Number, "'" + L.Keyword + "' needs " + Key + "=");
}

Expected<uint64_t> Composer::bits(const Line &L, StringRef Key,
                                  ArrayRef<StringLiteral> Names,
                                  uint64_t Default) const {
  std::optional<StringRef> Text = L.find(Key);
  if (!Text)
    return Default;
  uint64_t Bits = 0;
  SmallVector<StringRef, 8> Parts;
  Text->split(Parts, '|', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    if (const auto *It = find(Names, Part); It != Names.end()) {
      Bits |= uint64_t(1) << (It - Names.begin());
      continue;
    }
    Expected<int64_t> Value = number(L, Part);
    if (!Value)
      return Value.takeError();
    Bits |= *Value;
  }
  return Bits;
}

Expected<SmallVector<uint8_t, 0>> Composer::hexBytes(const Line &L,
                                                     StringRef Text) const {
  std::string Bytes;
  if (!tryGetFromHex(Text, Bytes))
    return lineError(L.Number,
                     "'" + Text + "' is not a sequence of hex digits");
  return SmallVector<uint8_t, 0>(Bytes.begin(), Bytes.end());
}

Expected<uint16_t> Composer::mode(const Line &L) const {
  StringRef Text = L.find("mode").value_or("user");
  int Mode = StringSwitch<int>(Text)
                 .Case("unknown", 0)
                 .Case("kernel", 1)
                 .Case("user", 2)
                 .Case("hypervisor", 3)
                 .Case("guest-kernel", 4)
                 .Case("guest-user", 5)
                 .Default(-1);
  if (Mode < 0)
    return lineError(L.Number, "unknown mode '" + Text + "'");
  return Mode;
}

Expected<const EventDescription *> Composer::eventOf(const Line &L) const {
  std::optional<StringRef> Name = L.find("event");
  if (Events.empty())
    return lineError(L.Number, "an event must come before the first record");
  if (!Name)
    return &Events.front();
  for (const EventDescription &E : Events)
    if (E.Name == *Name)
      return &E;
  return lineError(L.Number, "there is no event '" + *Name + "'");
}

Expected<ElfFile *> Composer::elf(const Line &L, StringRef Path) {
  std::unique_ptr<ElfFile> &File = Elves[Path];
  if (File)
    return File.get();
  auto Loaded = std::make_unique<ElfFile>();
  auto Binary = object::ObjectFile::createObjectFile(Path);
  if (!Binary)
    return lineError(L.Number, Path + ": " + toString(Binary.takeError()));
  Loaded->Binary = std::move(*Binary);
  auto *Elf = dyn_cast<object::ELFObjectFileBase>(Loaded->Binary.getBinary());
  auto *Elf64 = dyn_cast_or_null<object::ELF64LEObjectFile>(Elf);
  if (!Elf64)
    return lineError(L.Number, Path + ": not a 64-bit little-endian ELF file");
  for (const object::ELFSymbolRef &Symbol : concat<const object::ELFSymbolRef>(
           Elf->symbols(), Elf->getDynamicSymbolIterators())) {
    Expected<StringRef> Name = Symbol.getName();
    Expected<uint64_t> Address = Symbol.getAddress();
    if (Name && Address && *Address)
      Loaded->Symbols.try_emplace(*Name, *Address);
    consumeError(Name.takeError());
    consumeError(Address.takeError());
  }
  auto Headers = Elf64->getELFFile().program_headers();
  if (!Headers)
    return lineError(L.Number, Path + ": " + toString(Headers.takeError()));
  for (const auto &Header : *Headers)
    if (Header.p_type == ELF::PT_LOAD)
      Loaded->Segments.push_back({Header.p_vaddr, Header.p_offset,
                                  Header.p_filesz,
                                  bool(Header.p_flags & ELF::PF_X)});
  const bool IsModule = Elf->getEType() == ELF::ET_REL;
  if (Loaded->Segments.empty() && !IsModule)
    return lineError(L.Number, Path + ": no loadable segment");
  Loaded->IsFixed = Elf->getEType() == ELF::ET_EXEC;
  File = std::move(Loaded);
  return File.get();
}

/// \p Text is a number or FILE+SYMBOL[+N] or FILE+N in the process LastPid.
Expected<uint64_t> Composer::address(const Line &L, StringRef Text) {
  uint64_t Value;
  if (!Text.getAsInteger(0, Value))
    return Value;
  // File names may hold a '+': the longest one that fits is meant.
  StringRef File;
  uint64_t Bias = 0;
  for (int32_t Pid : {LastPid, KernelPid})
    for (const auto &[Name, FileBias] : Biases[Pid])
      if (Text.starts_with(Name + "+") && Name.size() > File.size()) {
        File = Name;
        Bias = FileBias;
      }
  if (File.empty())
    return lineError(L.Number, "'" + Text +
                                   "' is neither a number nor in a file that "
                                   "process " +
                                   Twine(LastPid) + " has mapped");
  StringRef Place = Text.drop_front(File.size() + 1);
  if (!Place.getAsInteger(0, Value))
    return Bias + Value;
  auto [Symbol, Offset] = Place.split('+');
  const StringMap<uint64_t> &Symbols = Elves[File]->Symbols;
  auto It = Symbols.find(Symbol);
  if (It == Symbols.end())
    return lineError(L.Number, File + ": no symbol '" + Symbol + "'");
  Value = 0;
  if (!Offset.empty() && Offset.getAsInteger(0, Value))
    return lineError(L.Number, "'" + Offset + "' is not a number");
  return Bias + It->second + Value;
}

/// A context marker or an address.
Expected<uint64_t> Composer::chainEntry(const Line &L, StringRef Text) {
  int64_t Marker = StringSwitch<int64_t>(Text)
                       .Case("hv", -32)
                       .Case("kernel", -128)
                       .Case("user", -512)
                       .Case("user-deferred", -640)
                       .Case("guest", -2048)
                       .Case("guest-kernel", -2176)
                       .Case("guest-user", -2560)
                       .Default(0);
  if (Marker)
    return uint64_t(Marker);
  return address(L, Text);
}

/// perf_branch_entry's bit field; nullopt if \p Text is none.
static std::optional<uint64_t> branchFlags(StringRef Text) {
  uint64_t Flags = 0;
  for (StringRef Part : split(Text, '|')) {
    uint64_t Value;
    if (!Part.getAsInteger(0, Value)) {
      Flags |= Value;
      continue;
    }
    auto [Name, NumberText] = Part.split(':');
    unsigned Shift = StringSwitch<unsigned>(Name)
                         .Case("cycles", 4)
                         .Case("spec", 24)
                         .Case("new_type", 26)
                         .Default(0);
    if (Shift) {
      if (NumberText.getAsInteger(0, Value))
        return std::nullopt;
      Flags |= Value << Shift;
      if (Name == "new_type")
        Flags |= uint64_t(15) << 20; // PERF_BR_EXTEND_ABI
      continue;
    }
    auto Type = [](uint64_t N) { return N << 20; };
    auto Privilege = [](uint64_t N) { return N << 30; };
    std::optional<uint64_t> Bits = StringSwitch<std::optional<uint64_t>>(Part)
                                       .Case("mispred", 1)
                                       .Case("predicted", 2)
                                       .Case("in_tx", 4)
                                       .Case("abort", 8)
                                       .Case("cond", Type(1))
                                       .Case("uncond", Type(2))
                                       .Case("ind", Type(3))
                                       .Case("call", Type(4))
                                       .Case("ind_call", Type(5))
                                       .Case("ret", Type(6))
                                       .Case("syscall", Type(7))
                                       .Case("sysret", Type(8))
                                       .Case("cond_call", Type(9))
                                       .Case("cond_ret", Type(10))
                                       .Case("eret", Type(11))
                                       .Case("irq", Type(12))
                                       .Case("serror", Type(13))
                                       .Case("no_tx", Type(14))
                                       .Case("user", Privilege(1))
                                       .Case("kernel", Privilege(2))
                                       .Case("hv", Privilege(3))
                                       .Default(std::nullopt);
    if (!Bits)
      return std::nullopt;
    Flags |= *Bits;
  }
  return Flags;
}

Error Composer::event(const Line &L) {
  if (InData)
    return lineError(L.Number, "events must stand before all records");
  if (L.Words.empty())
    return lineError(L.Number, "an event needs a name");
  EventDescription E;
  E.Name = L.Words.front();
  E.IsFreq = !L.find("period");
  E.IdAll = !L.hasWord("no-id-all");
  constexpr StringLiteral NoNames[] = {""};
  static constexpr uint64_t DefaultSampleType =
      1u << IP | 1u << TID | 1u << TIME | 1u << PERIOD;
  std::pair<StringRef, uint64_t *> Numbers[] = {
      {"type", &E.Type},          {"config", &E.Config},
      {"freq", &E.PeriodOrFreq},  {"period", &E.PeriodOrFreq},
      {"precise", &E.Precise},    {"regs_user", &E.RegsUser},
      {"regs_intr", &E.RegsIntr}, {"stack_user", &E.StackUser},
      {"attr_size", &E.AttrSize}};
  for (auto [Key, Field] : Numbers) {
    Expected<int64_t> Value = number(L, Key, *Field);
    if (!Value)
      return Value.takeError();
    *Field = *Value;
  }
  Expected<uint64_t> SampleType =
      bits(L, "sample_type", SampleBitNames, DefaultSampleType);
  if (!SampleType)
    return SampleType.takeError();
  E.SampleType = *SampleType;
  Expected<uint64_t> ReadFormat = bits(L, "read_format", ReadFormatNames, 0);
  if (!ReadFormat)
    return ReadFormat.takeError();
  E.ReadFormat = *ReadFormat;
  std::vector<StringLiteral> BranchNames(20, NoNames[0]);
  BranchNames[HW_INDEX] = "HW_INDEX";
  BranchNames[COUNTERS] = "COUNTERS";
  Expected<uint64_t> BranchType = bits(L, "branch_type", BranchNames, 0);
  if (!BranchType)
    return BranchType.takeError();
  E.BranchType = *BranchType;
  if (std::optional<StringRef> Ids = L.find("ids")) {
    for (StringRef Id : split(*Ids, ',')) {
      Expected<int64_t> Value = number(L, Id);
      if (!Value)
        return Value.takeError();
      E.Ids.push_back(*Value);
    }
  } else {
    E.Ids.push_back(101 + Events.size());
  }
  Events.push_back(std::move(E));
  return Error::success();
}

/// perf_event_attr; \p Size bytes of it.
static ByteBuffer attrBytes(const EventDescription &E) {
  ByteBuffer B;
  B.u32(E.Type);
  B.u32(E.AttrSize);
  B.u64(E.Config);
  B.u64(E.PeriodOrFreq);
  B.u64(E.SampleType);
  B.u64(E.ReadFormat);
  B.u64(uint64_t(E.IsFreq) << 10 | E.Precise << 15 | uint64_t(E.IdAll) << 18);
  B.u32(0); // wakeup
  B.u32(0); // breakpoint type
  B.u64(0); // config1
  B.u64(0); // config2
  B.u64(E.BranchType);
  B.u64(E.RegsUser);
  B.u32(E.StackUser);
  B.u32(0); // clockid
  B.u64(E.RegsIntr);
  B.resize(E.AttrSize);
  return B;
}

/// Leaves room for the header, and writes ids and attributes.
void Composer::beginData() {
  if (InData)
    return;
  InData = true;
  OS.write_zeros(104);
  support::endian::Writer Writer(OS, endianness::little);
  SmallVector<uint64_t> IdOffsets;
  for (const EventDescription &E : Events) {
    IdOffsets.push_back(OS.tell());
    for (uint64_t Id : E.Ids)
      Writer.write<uint64_t>(Id);
  }
  AttrsOffset = OS.tell();
  for (auto [E, IdOffset] : zip(Events, IdOffsets)) {
    ByteBuffer B = attrBytes(E);
    OS << toStringRef(ArrayRef<uint8_t>(B));
    Writer.write<uint64_t>(IdOffset);
    Writer.write<uint64_t>(E.Ids.size() * 8);
  }
  DataBegin = OS.tell();
}

Expected<Composer::Common> Composer::common(const Line &L) {
  Common C;
  Expected<const EventDescription *> Event = eventOf(L);
  if (!Event)
    return Event.takeError();
  C.Event = *Event;
  Expected<int64_t> Pid = number(L, "pid", LastPid);
  if (!Pid)
    return Pid.takeError();
  C.Pid = LastPid = *Pid;
  Expected<int64_t> Tid = number(L, "tid", *Pid);
  if (!Tid)
    return Tid.takeError();
  C.Tid = *Tid;
  Expected<int64_t> Time = number(L, "time", Clock + 1);
  if (!Time)
    return Time.takeError();
  Clock = *Time;
  const auto &Ids = C.Event->Ids;
  Expected<int64_t> Id = number(L, "id", Ids.empty() ? 0 : Ids.front());
  if (!Id)
    return Id.takeError();
  C.Id = *Id;
  Expected<int64_t> Cpu = number(L, "cpu", 0);
  if (!Cpu)
    return Cpu.takeError();
  C.Cpu = *Cpu;
  Expected<uint16_t> Mode = mode(L);
  if (!Mode)
    return Mode.takeError();
  C.Mode = *Mode;
  return C;
}

void Composer::write(uint32_t Type, uint16_t Misc, ArrayRef<uint8_t> Bytes) {
  uint8_t Header[8];
  support::endian::write32le(Header, Type);
  support::endian::write16le(Header + 4, Misc);
  support::endian::write16le(Header + 6, Bytes.size() + 8);
  OS.write(reinterpret_cast<const char *>(Header), 8);
  OS << toStringRef(Bytes);
}

void Composer::writeWithTrailer(uint32_t Type, uint16_t Misc, const Common &C) {
  const EventDescription &E = *C.Event;
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
    if (E.has(CPU))
      Payload.u64(C.Cpu);
    if (E.has(IDENTIFIER))
      Payload.u64(C.Id);
  }
  write(Type, Misc, Payload);
}

void Composer::writeMmap(const Common &C, bool IsMmap2, uint64_t Address,
                         uint64_t Length, uint64_t FileOffset, StringRef Path,
                         uint32_t Protection, ArrayRef<uint8_t> BuildID,
                         uint16_t Misc) {
  Payload.clear();
  Payload.u32(C.Pid);
  Payload.u32(C.Tid);
  Payload.u64(Address);
  Payload.u64(Length);
  Payload.u64(FileOffset);
  if (IsMmap2) {
    if (!BuildID.empty()) {
      Misc |= 1 << 14;
      Payload.u8(BuildID.size());
      Payload.u8(0);
      Payload.u16(0);
      Payload.bytes(BuildID);
      Payload.resize(Payload.size() + 20 - BuildID.size());
    } else {
      Payload.u32(8); // device
      Payload.u32(1);
      Payload.u64(4711); // inode
      Payload.u64(0);
    }
    Payload.u32(Protection);
    Payload.u32(2); // MAP_PRIVATE
  }
  Payload.string(Path, 8);
  writeWithTrailer(IsMmap2 ? RecordMmap2 : RecordMmap, Misc | C.Mode, C);
}

Error Composer::map(const Line &L) {
  Expected<Common> C = common(L);
  if (!C)
    return C.takeError();
  Expected<StringRef> Path = required(L, "file");
  if (!Path)
    return Path.takeError();
  Expected<ElfFile *> Elf = elf(L, *Path);
  if (!Elf)
    return Elf.takeError();
  Expected<int64_t> Base = number(L, "base", 0);
  if (!Base)
    return Base.takeError();
  if (!(*Elf)->IsFixed && !L.find("base"))
    return lineError(L.Number, *Path + " is position independent: give base=");
  constexpr uint64_t PageMask = 0xfff;
  uint64_t Bias = (*Elf)->IsFixed
                      ? 0
                      : *Base - ((*Elf)->Segments.front().Address & ~PageMask);
  Biases[C->Pid][Path->str()] = Bias;
  SmallVector<uint8_t, 20> BuildID;
  if (std::optional<StringRef> Text = L.find("buildid")) {
    if (*Text == "auto") {
      object::BuildIDRef ID = object::getBuildID((*Elf)->Binary.getBinary());
      if (ID.empty() || ID.size() > 20)
        return lineError(L.Number, *Path + ": no build ID (link with "
                                           "-Wl,--build-id=sha1)");
      BuildID.assign(ID.begin(), ID.end());
    } else {
      auto Bytes = hexBytes(L, *Text);
      if (!Bytes)
        return Bytes.takeError();
      BuildID.assign(Bytes->begin(), Bytes->end());
    }
  }
  for (const ElfFile::Segment &S : (*Elf)->Segments) {
    if (!S.IsExecutable)
      continue;
    uint64_t Address = S.Address & ~PageMask;
    uint64_t End = (S.Address + S.FileSize + PageMask) & ~PageMask;
    writeMmap(*C, !L.hasWord("mmap1"), Bias + Address, End - Address,
              S.FileOffset & ~PageMask, L.find("path").value_or(*Path),
              /*PROT_READ|PROT_EXEC=*/5, BuildID, 0);
  }
  return Error::success();
}

/// Mappings of the kernel are recorded for pid -1 and tid 0. That of the kernel
/// itself has the address of the symbol in its name for a file offset.
Error Composer::kernel(const Line &L) {
  const bool IsModule = L.Keyword == "module";
  Expected<Common> C = common(L);
  if (!C)
    return C.takeError();
  C->Mode = 1; // PERF_RECORD_MISC_KERNEL
  Expected<StringRef> Path = required(L, "file");
  if (!Path)
    return Path.takeError();
  Expected<ElfFile *> Elf = elf(L, *Path);
  if (!Elf)
    return Elf.takeError();
  Expected<int64_t> Slide = number(L, IsModule ? "addr" : "slide", 0),
                    Length = number(L, "len", 0x10000);
  if (!Slide || !Length)
    return joinErrors(Slide.takeError(), Length.takeError());
  Biases[KernelPid][Path->str()] = *Slide;
  const int32_t Pid = C->Pid;
  C->Pid = KernelPid;
  C->Tid = 0;
  if (IsModule) {
    writeMmap(*C, /*IsMmap2=*/false, *Slide, *Length, 0,
              L.find("path").value_or(*Path), 0, {}, 0);
  } else {
    auto Text = (*Elf)->Symbols.find("_text");
    if (Text == (*Elf)->Symbols.end())
      return lineError(L.Number, *Path + ": no symbol '_text'");
    uint64_t Address = Text->second + *Slide;
    uint64_t End = 0;
    for (const ElfFile::Segment &S : (*Elf)->Segments)
      if (S.IsExecutable)
        End = std::max(End, S.Address + S.FileSize + *Slide);
    writeMmap(*C, /*IsMmap2=*/false, Address, End - Address, Address,
              L.find("path").value_or("[kernel.kallsyms]_text"), 0, {}, 0);
  }
  LastPid = Pid;
  return Error::success();
}

Error Composer::mmap(const Line &L) {
  Expected<Common> C = common(L);
  if (!C)
    return C.takeError();
  Expected<int64_t> Address = number(L, "addr", 0),
                    Length = number(L, "len", 0),
                    Offset = number(L, "pgoff", 0);
  if (!Address || !Length || !Offset)
    return joinErrors(Address.takeError(),
                      joinErrors(Length.takeError(), Offset.takeError()));
  Expected<StringRef> Path = required(L, "path");
  if (!Path)
    return Path.takeError();
  auto BuildID = hexBytes(L, L.find("buildid").value_or(""));
  if (!BuildID)
    return BuildID.takeError();
  uint32_t Protection = 0;
  for (char P : L.find("prot").value_or("rx"))
    Protection |= P == 'r' ? 1 : P == 'w' ? 2 : P == 'x' ? 4 : 0;
  writeMmap(*C, L.Keyword == "mmap2", *Address, *Length, *Offset, *Path,
            Protection, *BuildID, L.hasWord("data") ? 1 << 13 : 0);
  return Error::success();
}

Error Composer::sample(const Line &L) {
  if (L.Words.empty())
    return lineError(L.Number, "a sample needs an address");
  Expected<Common> C = common(L);
  if (!C)
    return C.takeError();
  const EventDescription &E = *C->Event;
  Expected<uint64_t> Start = address(L, L.Words.front());
  if (!Start)
    return Start.takeError();
  uint64_t Count = 1;
  for (StringRef Word : drop_begin(L.Words))
    if (Word.starts_with("x") && Word.drop_front().getAsInteger(10, Count))
      return lineError(L.Number, "'" + Word + "' is not a repetition");

  int64_t Spread = 0, Step = 1, Rounds = 0, Period = 1, DataAddress = 0;
  std::pair<StringRef, int64_t *> Numbers[] = {{"spread", &Spread},
                                               {"step", &Step},
                                               {"rounds", &Rounds},
                                               {"period", &Period},
                                               {"addr", &DataAddress}};
  for (auto [Key, Field] : Numbers) {
    Expected<int64_t> Value = number(L, Key, *Field);
    if (!Value)
      return Value.takeError();
    *Field = *Value;
  }

  SmallVector<uint64_t> Chain;
  if (std::optional<StringRef> Text = L.find("chain"))
    for (StringRef Part : split(*Text, ',')) {
      Expected<uint64_t> Address = chainEntry(L, Part);
      if (!Address)
        return Address.takeError();
      Chain.push_back(*Address);
    }
  SmallVector<std::array<uint64_t, 3>> Branches;
  if (std::optional<StringRef> Text = L.find("branches"))
    for (StringRef Part : split(*Text, ',')) {
      auto [FromText, Rest] = Part.split('>');
      // The flags follow the last '/'; a path may hold one as well.
      auto [ToText, FlagsText] = Rest.rsplit('/');
      std::optional<uint64_t> Flags = branchFlags(FlagsText);
      if (!Flags)
        ToText = Rest;
      Expected<uint64_t> From = address(L, FromText);
      if (!From)
        return From.takeError();
      Expected<uint64_t> To = address(L, ToText);
      if (!To)
        return To.takeError();
      Branches.push_back({*From, *To, Flags.value_or(0)});
    }
  auto Raw = hexBytes(L, L.find("raw").value_or(""));
  if (!Raw)
    return Raw.takeError();
  auto Aux = hexBytes(L, L.find("aux").value_or(""));
  if (!Aux)
    return Aux.takeError();

  auto Registers = [&](uint64_t Mask) {
    if (L.hasWord("no-regs")) {
      Payload.u64(0); // PERF_SAMPLE_REGS_ABI_NONE
      return;
    }
    Payload.u64(2); // PERF_SAMPLE_REGS_ABI_64
    for (int I = 0, End = popcount(Mask); I != End; ++I)
      Payload.u64(0x5e65 + I);
  };
  auto ReadValue = [&] {
    Payload.u64(0xc0517);
    if (E.ReadFormat >> 2 & 1)
      Payload.u64(C->Id);
    if (E.ReadFormat >> 4 & 1)
      Payload.u64(0);
  };
  auto ReadTimes = [&] {
    if (E.ReadFormat & 1)
      Payload.u64(1000);
    if (E.ReadFormat >> 1 & 1)
      Payload.u64(900);
  };

  uint64_t Random = 1;
  for (uint64_t I = 0; I != Count; ++I) {
    uint64_t Address = *Start;
    if (Spread) {
      // A linear congruential generator: the same file on every machine.
      Random = Random * 6364136223846793005u + 1442695040888963407u;
      Address += (Random >> 33) % Spread;
    }
    Payload.clear();
    if (E.has(IDENTIFIER))
      Payload.u64(C->Id);
    if (E.has(IP))
      Payload.u64(Address);
    if (E.has(TID)) {
      Payload.u32(C->Pid);
      Payload.u32(C->Tid);
    }
    if (E.has(TIME))
      Payload.u64(Clock);
    if (E.has(ADDR))
      Payload.u64(DataAddress);
    if (E.has(ID))
      Payload.u64(C->Id);
    if (E.has(STREAM_ID))
      Payload.u64(C->Id);
    if (E.has(CPU))
      Payload.u64(C->Cpu);
    if (E.has(PERIOD))
      Payload.u64(Period);
    if (E.has(READ)) {
      if (E.ReadFormat >> 3 & 1) {
        Payload.u64(2); // counters in the group
        ReadTimes();
        ReadValue();
        ReadValue();
      } else {
        Payload.u64(0xc0517);
        ReadTimes();
        if (E.ReadFormat >> 2 & 1)
          Payload.u64(C->Id);
        if (E.ReadFormat >> 4 & 1)
          Payload.u64(0);
      }
    }
    if (E.has(CALLCHAIN)) {
      Payload.u64(Chain.size());
      for (uint64_t Caller : Chain)
        Payload.u64(Caller);
    }
    if (E.has(RAW)) {
      // The kernel pads so that size and data together fill words.
      uint64_t Size = alignTo(Raw->size() + 4, 8) - 4;
      Payload.u32(Size);
      Payload.bytes(*Raw);
      Payload.resize(Payload.size() + Size - Raw->size());
    }
    if (E.has(BRANCH_STACK)) {
      Payload.u64(Branches.size());
      if (E.BranchType >> HW_INDEX & 1)
        Payload.u64(7);
      for (const auto &Branch : Branches)
        for (uint64_t Field : Branch)
          Payload.u64(Field);
      if (E.BranchType >> COUNTERS & 1)
        for (size_t B = 0; B != Branches.size(); ++B)
          Payload.u64(0xc7);
    }
    if (E.has(REGS_USER))
      Registers(E.RegsUser);
    if (E.has(STACK_USER)) {
      uint64_t Size = L.hasWord("no-stack") ? 0 : E.StackUser;
      Payload.u64(Size);
      if (Size) {
        Payload.resize(Payload.size() + Size);
        Payload.u64(Size / 2);
      }
    }
    if (E.has(WEIGHT) || E.has(WEIGHT_STRUCT))
      Payload.u64(12);
    if (E.has(DATA_SRC))
      Payload.u64(0x68100142);
    if (E.has(TRANSACTION))
      Payload.u64(0);
    if (E.has(REGS_INTR))
      Registers(E.RegsIntr);
    if (E.has(PHYS_ADDR))
      Payload.u64(0x1234);
    if (E.has(CGROUP))
      Payload.u64(1);
    if (E.has(DATA_PAGE_SIZE))
      Payload.u64(4096);
    if (E.has(CODE_PAGE_SIZE))
      Payload.u64(4096);
    if (E.has(AUX)) {
      uint64_t Size = alignTo(Aux->size(), 8);
      Payload.u64(Size);
      Payload.bytes(*Aux);
      Payload.resize(Payload.size() + Size - Aux->size());
    }
    if (Payload.size() + 8 > 65535)
      return lineError(L.Number, "the sample exceeds 64 KiB");
    constexpr uint16_t ExactIP = 1 << 14;
    write(RecordSample, C->Mode | (L.hasWord("exact-ip") ? ExactIP : 0),
          Payload);
    if (Rounds && (I + 1) % Rounds == 0)
      write(RecordRound, 0, {});
    if (I + 1 != Count)
      Clock += Step;
  }
  return Error::success();
}

Error Composer::auxtrace(const Line &L) {
  auto Bytes = hexBytes(L, L.Words.empty() ? "" : L.Words.front());
  if (!Bytes)
    return Bytes.takeError();
  Payload.clear();
  Payload.u64(Bytes->size());
  for (int I = 0; I != 4; ++I) // offset, reference, index, tid, cpu, reserved
    Payload.u64(0);
  write(RecordAuxtrace, 0, Payload);
  OS << toStringRef(ArrayRef<uint8_t>(*Bytes));
  return Error::success();
}

/// The records that consist of a few numbers or a name.
Error Composer::record(const Line &L) {
  Expected<Common> C = common(L);
  if (!C)
    return C.takeError();
  Payload.clear();
  if (L.Keyword == "round") {
    write(RecordRound, 0, {});
    return Error::success();
  }
  if (L.Keyword == "raw") {
    Expected<int64_t> Type = number(L, "type", 0), Misc = number(L, "misc", 0);
    if (!Type || !Misc)
      return joinErrors(Type.takeError(), Misc.takeError());
    auto Bytes = hexBytes(L, L.Words.empty() ? "" : L.Words.front());
    if (!Bytes)
      return Bytes.takeError();
    if (Bytes->size() + 8 > 65535)
      return lineError(L.Number, "the record exceeds 64 KiB");
    write(*Type, *Misc, *Bytes);
    return Error::success();
  }
  if (L.Keyword == "comm") {
    if (L.Words.empty())
      return lineError(L.Number, "comm needs a name");
    Payload.u32(C->Pid);
    Payload.u32(C->Tid);
    Payload.string(L.Words.front(), 8);
    bool IsExec = is_contained(drop_begin(L.Words), "exec");
    if (IsExec)
      Biases.erase(C->Pid);
    writeWithTrailer(RecordComm, C->Mode | (IsExec ? 1 << 13 : 0), *C);
    return Error::success();
  }
  if (L.Keyword == "fork" || L.Keyword == "exit") {
    Expected<int64_t> Parent = number(L, "ppid", C->Pid);
    if (!Parent)
      return Parent.takeError();
    Expected<int64_t> ParentTid = number(L, "ptid", *Parent);
    if (!ParentTid)
      return ParentTid.takeError();
    bool IsFork = L.Keyword == "fork";
    if (IsFork && *Parent != C->Pid)
      Biases[C->Pid] = Biases[*Parent];
    Payload.u32(C->Pid);
    Payload.u32(*Parent);
    Payload.u32(C->Tid);
    Payload.u32(*ParentTid);
    Payload.u64(Clock);
    writeWithTrailer(IsFork ? RecordFork : RecordExit,
                     L.hasWord("fork-exec") ? 1 << 13 : 0, *C);
    return Error::success();
  }
  // lost, lost-samples
  if (L.Words.empty())
    return lineError(L.Number, "'" + L.Keyword + "' needs a number");
  Expected<int64_t> Count = number(L, L.Words.front());
  if (!Count)
    return Count.takeError();
  bool IsLost = L.Keyword == "lost";
  if (IsLost)
    Payload.u64(C->Id);
  Payload.u64(*Count);
  writeWithTrailer(IsLost ? RecordLost : RecordLostSamples, 0, *C);
  return Error::success();
}

Error Composer::buildID(const Line &L) {
  if (L.Words.empty())
    return lineError(L.Number, "buildid needs hex digits");
  auto Bytes = hexBytes(L, L.Words.front());
  if (!Bytes)
    return Bytes.takeError();
  if (Bytes->size() > 20)
    return lineError(L.Number, "a build ID has at most 20 bytes");
  Expected<StringRef> Path = required(L, "path");
  if (!Path)
    return Path.takeError();
  Expected<int64_t> Pid = number(L, "pid", -1);
  if (!Pid)
    return Pid.takeError();
  Expected<uint16_t> Mode = mode(L);
  if (!Mode)
    return Mode.takeError();
  BuildIDs.push_back({int32_t(*Pid), *Mode, Path->str(),
                      SmallVector<uint8_t, 20>(Bytes->begin(), Bytes->end())});
  return Error::success();
}

Error Composer::runLine(const Line &L) {
  enum : unsigned { HostName = 3, Arch = 6, CpuDesc = 8, CpuID = 9 };
  unsigned TextFeature = StringSwitch<unsigned>(L.Keyword)
                             .Case("hostname", HostName)
                             .Case("arch", Arch)
                             .Case("cpudesc", CpuDesc)
                             .Case("cpuid", CpuID)
                             .Default(0);
  if (TextFeature) {
    TextFeatures[TextFeature] = join(L.Words, " ");
    return Error::success();
  }
  if (L.Keyword == "event")
    return event(L);
  if (L.Keyword == "cmdline") {
    for (StringRef Word : L.Words)
      CommandLine.push_back(Word.str());
    return Error::success();
  }
  if (L.Keyword == "buildid")
    return buildID(L);
  if (L.Keyword == "no-event-names") {
    HasEventNames = false;
    return Error::success();
  }
  if (L.Keyword == "interrupted") {
    IsInterrupted = true;
    return Error::success();
  }
  if (L.Keyword == "truncate" || L.Keyword == "patch") {
    bool IsPatch = L.Keyword == "patch";
    if (L.Words.size() != (IsPatch ? 2 : 1))
      return lineError(L.Number,
                       "'" + L.Keyword + "' needs " +
                           (IsPatch ? "an offset and bytes" : "a size"));
    Expected<int64_t> Where = number(L, L.Words.front());
    if (!Where)
      return Where.takeError();
    if (!IsPatch) {
      Truncation = *Where;
      return Error::success();
    }
    auto Bytes = hexBytes(L, L.Words.back());
    if (!Bytes)
      return Bytes.takeError();
    Patches.push_back({*Where, std::move(*Bytes)});
    return Error::success();
  }

  beginData();
  if (L.Keyword == "sample")
    return sample(L);
  if (L.Keyword == "map")
    return map(L);
  if (L.Keyword == "kernel" || L.Keyword == "module")
    return kernel(L);
  if (L.Keyword == "mmap" || L.Keyword == "mmap2")
    return mmap(L);
  if (L.Keyword == "auxtrace")
    return auxtrace(L);
  static constexpr StringLiteral Others[] = {
      "comm", "fork", "exit", "lost", "lost-samples", "round", "raw"};
  if (is_contained(Others, L.Keyword))
    return record(L);
  return lineError(L.Number, "unknown keyword '" + L.Keyword + "'");
}

Error Composer::run(ArrayRef<Line> Lines) {
  for (size_t I = 0; I != Lines.size(); ++I) {
    const Line &L = Lines[I];
    if (L.Keyword == "end")
      return lineError(L.Number, "'end' without 'repeat'");
    if (L.Keyword != "repeat") {
      if (Error E = runLine(L))
        return E;
      continue;
    }
    if (L.Words.size() != 1)
      return lineError(L.Number, "'repeat' needs a number");
    Expected<int64_t> Count = number(L, L.Words.front());
    if (!Count)
      return Count.takeError();
    unsigned Depth = 1;
    size_t End = I + 1;
    for (; End != Lines.size(); ++End) {
      Depth += Lines[End].Keyword == "repeat";
      Depth -= Lines[End].Keyword == "end";
      if (Depth == 0)
        break;
    }
    if (End == Lines.size())
      return lineError(L.Number, "'repeat' without 'end'");
    for (int64_t N = 0; N < *Count; ++N)
      if (Error E = run(Lines.slice(I + 1, End - I - 1)))
        return E;
    I = End;
  }
  return Error::success();
}

/// The feature sections, and the header now that everything's place is known.
Error Composer::finish() {
  const uint64_t DataEnd = OS.tell();
  std::map<unsigned, ByteBuffer> Features;
  auto String = [](ByteBuffer &B, StringRef S) {
    B.u32(alignTo(S.size() + 1, 64));
    uint64_t Start = B.size();
    B.bytes(arrayRefFromStringRef(S));
    B.resize(Start + alignTo(S.size() + 1, 64));
  };
  for (const BuildIDEntry &E : BuildIDs) {
    ByteBuffer &B = Features[2];
    ByteBuffer Path;
    Path.string(E.Path, 64);
    const bool HasSize = E.ID.size() != 20;
    B.u32(0);
    B.u16(E.Mode | (HasSize ? 1 << 15 : 0));
    B.u16(8 + 4 + 24 + Path.size());
    B.u32(E.Pid);
    B.bytes(E.ID);
    B.resize(B.size() + 20 - E.ID.size());
    B.u32(HasSize ? E.ID.size() : 0);
    B.bytes(Path);
  }
  for (const auto &[Feature, Text] : TextFeatures)
    String(Features[Feature], Text);
  if (!CommandLine.empty()) {
    ByteBuffer &B = Features[11];
    B.u32(CommandLine.size());
    for (StringRef Word : CommandLine)
      String(B, Word);
  }
  if (HasEventNames) {
    ByteBuffer &B = Features[12];
    B.u32(Events.size());
    B.u32(Events.front().AttrSize);
    for (const EventDescription &E : Events) {
      B.bytes(attrBytes(E));
      B.u32(E.Ids.size());
      String(B, E.Name);
      for (uint64_t Id : E.Ids)
        B.u64(Id);
    }
  }
  uint64_t FeatureBits = 0;
  if (!IsInterrupted) {
    support::endian::Writer Writer(OS, endianness::little);
    uint64_t Offset = DataEnd + 16 * Features.size();
    for (const auto &[Feature, Bytes] : Features) {
      FeatureBits |= uint64_t(1) << Feature;
      Writer.write<uint64_t>(Offset);
      Writer.write<uint64_t>(Bytes.size());
      Offset += Bytes.size();
    }
    for (const auto &[Feature, Bytes] : Features)
      OS << toStringRef(ArrayRef<uint8_t>(Bytes));
  } else {
    FeatureBits = 0x1ffc; // perf sets the bits before it writes the sections
  }

  ByteBuffer Header;
  Header.bytes(arrayRefFromStringRef("PERFILE2"));
  Header.u64(104);
  const uint64_t EntrySize = Events.front().AttrSize + 16;
  Header.u64(EntrySize);
  Header.u64(AttrsOffset);
  Header.u64(Events.size() * EntrySize);
  Header.u64(DataBegin);
  Header.u64(IsInterrupted ? 0 : DataEnd - DataBegin);
  Header.u64(0); // event types
  Header.u64(0);
  Header.u64(FeatureBits);
  Header.resize(104);
  StringRef Bytes = toStringRef(ArrayRef<uint8_t>(Header));
  OS.pwrite(Bytes.data(), Bytes.size(), 0);
  return Error::success();
}

Error Composer::applyDamage() {
  OS.flush();
  const int64_t Size = OS.tell();
  for (const auto &[Where, Bytes] : Patches) {
    int64_t Offset = Where < 0 ? Size + Where : Where;
    if (Offset < 0 || Offset + int64_t(Bytes.size()) > Size)
      return createStringError(inconvertibleErrorCode(),
                               InputPath + ": the patch at " + Twine(Where) +
                                   " is outside of the file of " + Twine(Size) +
                                   " bytes");
    OS.pwrite(reinterpret_cast<const char *>(Bytes.data()), Bytes.size(),
              Offset);
  }
  OS.close();
  if (!Truncation)
    return Error::success();
  int64_t NewSize = *Truncation < 0 ? Size + *Truncation : *Truncation;
  Expected<sys::fs::file_t> File = sys::fs::openNativeFileForReadWrite(
      OutputPath, sys::fs::CD_OpenExisting, sys::fs::OF_None);
  if (!File)
    return File.takeError();
  std::error_code EC = sys::fs::resize_file(*File, NewSize);
  std::ignore = sys::fs::closeFile(*File);
  return errorCodeToError(EC);
}

Error Composer::compose(StringRef Text) {
  std::vector<Line> Lines;
  unsigned Number = 0;
  for (StringRef LineText : split(Text, '\n'))
    if (std::optional<Line> L = parseLine(++Number, LineText))
      Lines.push_back(std::move(*L));
  if (Error E = run(Lines))
    return E;
  if (Events.empty())
    return lineError(Number, "there is no event");
  beginData();
  if (Error E = finish())
    return E;
  return applyDamage();
}

static Error run() {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Input =
      MemoryBuffer::getFileOrSTDIN(InputPath);
  if (std::error_code EC = Input.getError())
    return fileError(InputPath, EC.message());
  std::error_code EC;
  raw_fd_ostream OS(OutputPath, EC);
  if (EC)
    return fileError(OutputPath, EC.message());
  OS.SetBufferSize(1 << 20);
  return Composer(OS).compose((*Input)->getBuffer());
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv,
                              "writes perf.data from a description in text\n");
  if (Error E = run()) {
    std::ignore = sys::fs::remove(OutputPath);
    return reportError("perfdata-compose", std::move(E));
  }
  return 0;
}
