//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Branch records without a processor that makes them: from a trace of every
// block that executed to a text with branch stacks, as `perf script -F
// ip,brstack' prints them, for tools that want such records.
//
//   branch-stacks BINARY --base=ADDRESS [--every=N] [--depth=N] [-o FILE]
//   <TRACE
//
// TRACE is what valgrind prints of a program with
//
//   --tool=lackey --basic-counts=no --trace-superblocks=yes
//   --vex-guest-chase=no
//   --vex-guest-max-insns=100
//
// one line for the address of each superblock, in the order they were entered;
// ADDRESS is where the first byte of BINARY was mapped. Told not to chase,
// valgrind ends a superblock at the first branch, call or return, taken or not.
// The instructions from a superblock's address on therefore say where control
// left it, and the address of the next whether the branch there was taken.
//
// A superblock may also end without a branch: after 100 instructions, around
// instructions that repeat themselves, after system calls. The next one then
// begins where the last one stopped.
//
// After every Nth taken branch (1009 by default) the last 32 (--depth) make one
// stack, the latest first. Branches within other binaries are not seen; those
// from and to them are, and have the address of a superblock there for a
// source.
//
//===----------------------------------------------------------------------===//

#include "inlay/Object/MachineCFG.h"
#include "inlay/Object/ProfiledBinary.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cinttypes>
#include <cstdio>

using namespace llvm;
using namespace inlay;

static cl::opt<std::string> BinaryPath(cl::Positional, cl::Required,
                                       cl::desc("<binary>"));
static cl::opt<std::string> Base("base", cl::Required,
                                 cl::value_desc("address"),
                                 cl::desc("Where the binary was mapped"));
static cl::opt<uint64_t> Every("every", cl::init(1009), cl::value_desc("N"),
                               cl::desc("Taken branches from stack to stack"));
static cl::opt<unsigned> Depth("depth", cl::init(32), cl::value_desc("N"),
                               cl::desc("Branches in a stack"));
static cl::opt<std::string> OutputPath("o", cl::init("-"),
                                       cl::value_desc("file"),
                                       cl::desc("Default: standard output"));

namespace {

/// valgrind's --vex-guest-max-insns.
constexpr unsigned LongestBlock = 100;

/// The instructions from some address to the first that may branch.
struct Straight {
  std::vector<uint64_t> Addresses;
  std::vector<bool> Repeats; ///< by itself: it is a block of its own
  std::vector<bool> Ends;    ///< the block though it is no branch
  /// Of the last one; the address of the first byte after it. 0: not known.
  uint64_t Branch = 0, After = 0;

  /// \p Next is where valgrind went on without a branch.
  bool continuesAt(uint64_t Next) const {
    if (Branch && Next == After)
      return true;
    auto Found = lower_bound(Addresses, Next);
    if (Found == Addresses.end() || *Found != Next)
      return false;
    const size_t Index = Found - Addresses.begin();
    if (Repeats[Index])
      return true;
    return Index &&
           (Index == LongestBlock || Repeats[Index - 1] || Ends[Index - 1]);
  }
};

struct Branch {
  uint64_t From, To; ///< as mapped
};

class BranchRecorder {
  MachineCode &Code;
  const uint64_t Bias; ///< of addresses as mapped over those in the file
  uint64_t LowestAddress, EndAddress;            ///< of code, in the file
  DenseMap<uint64_t, MachineFunction> Functions; ///< by entry
  DenseMap<uint64_t, std::unique_ptr<Straight>> Blocks; ///< by first address
  raw_ostream &OS;

  std::vector<Branch> Ring; ///< the latest at Count - 1, modulo its size
  uint64_t Count = 0, Stacks = 0;

public:
  BranchRecorder(MachineCode &Code, uint64_t Bias, uint64_t LowestAddress,
                 uint64_t EndAddress, raw_ostream &OS)
      : Code(Code), Bias(Bias), LowestAddress(LowestAddress),
        EndAddress(EndAddress), OS(OS), Ring(Depth) {}

  uint64_t count() const { return Count; }
  uint64_t stacks() const { return Stacks; }

  /// One superblock after the other, as mapped.
  void enter(uint64_t Address) {
    const Straight *Block = blockAt(Address - Bias);
    if (PreviousBlock) {
      if (!Block || !PreviousBlock->continuesAt(Address - Bias))
        record((PreviousBlock->Branch ? PreviousBlock->Branch
                                      : PreviousBlock->Addresses.back()) +
                   Bias,
               Address);
    } else if (Block && Previous) {
      record(*Previous, Address);
    }
    Previous = Address;
    PreviousBlock = Block;
  }

private:
  std::optional<uint64_t> Previous;
  const Straight *PreviousBlock = nullptr;

  void record(uint64_t From, uint64_t To) {
    Ring[Count++ % Ring.size()] = {From, To};
    if (Count % Every != 0)
      return;
    ++Stacks;
    // The leading address is where the sample was taken.
    OS << ' ' << utohexstr(To, true);
    for (uint64_t I = 0, E = std::min<uint64_t>(Count, Ring.size()); I != E;
         ++I) {
      const Branch &B = Ring[(Count - 1 - I) % Ring.size()];
      OS << " 0x" << utohexstr(B.From, true) << "/0x" << utohexstr(B.To, true)
         << "/P/-/-/0";
    }
    OS << '\n';
  }

  static bool isBranch(InstructionKind Kind) {
    switch (Kind) {
    case InstructionKind::ConditionalBranch:
    case InstructionKind::Jump:
    case InstructionKind::IndirectJump:
    case InstructionKind::Call:
    case InstructionKind::IndirectCall:
    case InstructionKind::Return:
      return true;
    default:
      return false;
    }
  }

  /// Null for code that belongs to no function: of other binaries, and stubs.
  const Straight *blockAt(uint64_t Address) {
    if (Address < LowestAddress || Address >= EndAddress)
      return nullptr;
    auto [Entry, IsNew] = Blocks.try_emplace(Address);
    if (!IsNew)
      return Entry->second.get();
    const MachineFunction *Function = functionAt(Address);
    if (!Function)
      return nullptr;
    auto I = lower_bound(Function->Instructions, Address,
                         [](const MachineInstruction &MI, uint64_t Address) {
                           return MI.Address < Address;
                         });
    // Split-off parts may lie before the entry's.
    if (I == Function->Instructions.end() || I->Address != Address)
      I = find_if(Function->Instructions, [&](const MachineInstruction &MI) {
        return MI.Address == Address;
      });
    if (I == Function->Instructions.end())
      return nullptr;
    Entry->second = std::make_unique<Straight>();
    Straight &Block = *Entry->second;
    uint64_t Next = Address;
    for (; I != Function->Instructions.end() && I->Address == Next; ++I) {
      Next = I->Address + I->Size;
      if (Block.Addresses.size() <= LongestBlock) {
        Block.Addresses.push_back(I->Address);
        Block.Repeats.push_back(I->Kind == InstructionKind::Repeat);
        Block.Ends.push_back(I->Kind == InstructionKind::Other);
      }
      if (isBranch(I->Kind)) {
        Block.Branch = I->Address;
        Block.After = Next;
        break;
      }
    }
    return &Block;
  }

  const MachineFunction *functionAt(uint64_t Address) {
    std::optional<uint64_t> Entry = Code.entryOf(Address);
    if (!Entry)
      return nullptr; // a PLT stub, say
    auto [Found, IsNew] = Functions.try_emplace(*Entry);
    if (IsNew) {
      Expected<MachineFunction> FunctionOrErr = Code.function(*Entry);
      if (FunctionOrErr)
        Found->second = std::move(*FunctionOrErr);
      else
        consumeError(FunctionOrErr.takeError());
    }
    return &Found->second;
  }
};

} // namespace

static Error run() {
  uint64_t BaseAddress;
  if (StringRef(Base).getAsInteger(0, BaseAddress) || !Every || !Depth)
    return createStringError(inconvertibleErrorCode(),
                             "--base takes an address, --every and --depth a "
                             "positive number");
  auto BinaryOrErr = ProfiledBinary::open(BinaryPath);
  if (!BinaryOrErr)
    return BinaryOrErr.takeError();
  const ProfiledBinary &Binary = **BinaryOrErr;
  auto CodeOrErr = MachineCode::create(Binary);
  if (!CodeOrErr)
    return CodeOrErr.takeError();

  // The first byte of the file is that of the first segment.
  const auto &File = Binary.object()->getELFFile();
  auto SegmentsOrErr = File.program_headers();
  if (!SegmentsOrErr)
    return SegmentsOrErr.takeError();
  std::optional<uint64_t> FirstAddress;
  uint64_t Lowest = UINT64_MAX, End = 0, TextOffset = 0;
  for (const auto &Segment : *SegmentsOrErr) {
    if (Segment.p_type != ELF::PT_LOAD)
      continue;
    if (!FirstAddress)
      FirstAddress = Segment.p_vaddr - Segment.p_offset;
    if (!(Segment.p_flags & ELF::PF_X))
      continue;
    if (Segment.p_vaddr < Lowest) {
      Lowest = Segment.p_vaddr;
      TextOffset = Segment.p_offset;
    }
    End = std::max<uint64_t>(End, Segment.p_vaddr + Segment.p_memsz);
  }
  if (!FirstAddress || Lowest >= End)
    return createStringError(inconvertibleErrorCode(),
                             BinaryPath + ": no executable segment");
  const uint64_t Bias = BaseAddress - *FirstAddress;

  std::error_code EC;
  raw_fd_ostream OS(OutputPath, EC, sys::fs::OF_Text);
  if (EC)
    return createFileError(OutputPath, EC);
  constexpr uint64_t Page = 4096;
  const uint64_t Mapped = (Lowest & -Page) + Bias;
  OS << "PERF_RECORD_MMAP2 1/1: [" << format_hex(Mapped, 1) << '('
     << format_hex(((End + Bias + Page - 1) & -Page) - Mapped, 1) << ") @ "
     << format_hex(TextOffset & -Page, 1) << " 00:00 0 0]: r-xp "
     << sys::path::filename(BinaryPath) << '\n';

  BranchRecorder Recorder(**CodeOrErr, Bias, Lowest, End, OS);
  char Line[256];
  uint64_t Blocks = 0;
  while (fgets(Line, sizeof(Line), stdin)) {
    StringRef Text = StringRef(Line).trim();
    uint64_t Address;
    if (!Text.consume_front("SB ") || Text.getAsInteger(16, Address))
      continue; // valgrind's own messages
    ++Blocks;
    Recorder.enter(Address);
  }
  OS.flush();
  if (OS.has_error())
    return createFileError(OutputPath, OS.error());
  if (!Recorder.stacks())
    return createStringError(inconvertibleErrorCode(),
                             "no branch stack: %" PRIu64
                             " superblocks, %" PRIu64
                             " branches taken in the binary; is --base right?",
                             Blocks, Recorder.count());
  errs() << Blocks << " superblocks, " << Recorder.count()
         << " branches taken, " << Recorder.stacks() << " stacks\n";
  return Error::success();
}

int main(int Count, char **Arguments) {
  cl::ParseCommandLineOptions(Count, Arguments,
                              "Make branch stacks of a trace\n");
  if (Error E = run()) {
    logAllUnhandledErrors(std::move(E), errs(), "branch-stacks: error: ");
    return 1;
  }
}
