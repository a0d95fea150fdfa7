//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the machine CFGs of a binary's functions, for FileCheck.
//
//   machine-cfg BINARY                all functions, by address
//   machine-cfg BINARY NAME|ADDRESS.. those of this name or at this address
//     --kinds      also their instructions
//     --registers  and the registers of these, by order of appearance
//     --quiet      totals alone
//
//===----------------------------------------------------------------------===//

#include "inlay/Object/MachineCFG.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;
using namespace inlay;

static cl::opt<std::string> BinaryPath(cl::Positional, cl::Required,
                                       cl::desc("<binary>"));
static cl::list<std::string> Names(cl::Positional, cl::desc("<functions>"));
static cl::opt<bool> ShowKinds("kinds", cl::desc("Print instructions"));
static cl::opt<bool> ShowRegisters("registers",
                                   cl::desc("Print instructions' registers"));
static cl::opt<bool> Quiet("quiet", cl::desc("Print totals alone"));

static StringRef edgeName(EdgeKind Kind) {
  switch (Kind) {
  case EdgeKind::FallThrough:
    return "falls";
  case EdgeKind::Taken:
    return "taken";
  case EdgeKind::Indirect:
    return "indirect";
  }
  return "";
}

/// Numbers of registers mean identity alone: r0 is the first to appear.
static void printRegisters(StringRef Title, ArrayRef<uint16_t> Registers,
                           std::map<uint16_t, unsigned> &Names) {
  if (Registers.empty())
    return;
  outs() << ' ' << Title << '=';
  interleave(
      Registers, outs(),
      [&](uint16_t R) {
        outs() << 'r' << Names.try_emplace(R, Names.size()).first->second;
      },
      ",");
}

static void print(const MachineFunction &F, MachineCode &Code) {
  std::map<uint16_t, unsigned> RegisterNames;
  outs() << F.Name << " at " << format_hex(F.Entry, 1) << ":"
         << (Code.isAddressTaken(F.Entry) ? " address-taken" : "");
  if (F.UnresolvedIndirectJumps)
    outs() << " unresolved=" << F.UnresolvedIndirectJumps;
  if (F.InvalidInstructions)
    outs() << " invalid=" << F.InvalidInstructions;
  outs() << '\n';
  for (const FunctionRange &Part : ArrayRef(F.Parts).drop_front())
    outs() << "  part " << format_hex(Part.Begin, 1) << '\n';
  auto Edge = F.Edges.begin();
  auto Call = F.Calls.begin();
  for (uint32_t B = 0, E = F.Blocks.size(); B != E; ++B) {
    const MachineBlock &Block = F.Blocks[B];
    const MachineInstruction &Last =
        F.Instructions[Block.First + Block.Count - 1];
    outs() << "  b" << B << " "
           << format_hex(F.Instructions[Block.First].Address, 1) << ".."
           << format_hex(Last.Address, 1) << " x" << Block.Count
           << (Block.IsReachable ? "" : " unreachable")
           << (Block.IsLandingPad ? " landing-pad" : "")
           << (Block.IsExit ? " exit" : "") << '\n';
    if (ShowKinds || ShowRegisters)
      for (uint32_t I = Block.First; I != Block.First + Block.Count; ++I) {
        const MachineInstruction &MI = F.Instructions[I];
        outs() << "    " << format_hex(MI.Address, 1) << " +"
               << unsigned(MI.Size) << ' ' << instructionKindName(MI.Kind)
               << (MI.ReadsMemory ? " reads-memory" : "")
               << (MI.WritesMemory ? " writes-memory" : "")
               << (MI.IsStackAccess ? " stack" : "")
               << (MI.IsFusedWithPrevious ? " fused" : "");
        if (ShowRegisters) {
          printRegisters("reads", MI.Reads, RegisterNames);
          printRegisters("writes", MI.Writes, RegisterNames);
        }
        outs() << '\n';
      }
    for (; Call != F.Calls.end() && Call->Block == B; ++Call) {
      outs() << "    " << (Call->IsConditional ? "conditional " : "")
             << (Call->IsTail ? "tail-calls " : "calls ");
      if (!Call->Target && !Call->TargetName.empty())
        outs() << Call->TargetName;
      else if (!Call->Target)
        outs() << "indirect";
      else if (StringRef Name = Code.calleeName(*Call->Target); !Name.empty())
        outs() << Name;
      else
        outs() << format_hex(*Call->Target, 1);
      if (Call->Target)
        if (std::optional<uint64_t> Entry = Code.calleeEntry(*Call->Target);
            Entry && *Entry != *Call->Target)
          outs() << " through a stub";
      outs() << " at "
             << format_hex(F.Instructions[Call->Instruction].Address, 1)
             << '\n';
    }
    for (; Edge != F.Edges.end() && Edge->Source == B; ++Edge)
      outs() << "    " << edgeName(Edge->Kind) << " -> b" << Edge->Target
             << '\n';
  }
}

static Error run() {
  auto BinaryOrErr = ProfiledBinary::open(BinaryPath);
  if (!BinaryOrErr)
    return BinaryOrErr.takeError();
  ProfiledBinary &Binary = **BinaryOrErr;
  auto CodeOrErr = MachineCode::create(Binary);
  if (!CodeOrErr)
    return CodeOrErr.takeError();
  MachineCode &Code = **CodeOrErr;

  std::vector<uint64_t> Entries;
  for (StringRef Name : Names) {
    uint64_t Address;
    if (!Name.getAsInteger(0, Address)) {
      Entries.push_back(Address);
      continue;
    }
    size_t Before = Entries.size();
    for (const FunctionRange &F : Binary.functions())
      if (F.Name == Name && Code.entryOf(F.Begin) == F.Begin)
        Entries.push_back(F.Begin);
    if (Entries.size() == Before)
      return fileError(BinaryPath, "has no function " + Name);
  }
  if (Names.empty())
    for (const FunctionRange &F : Binary.functions())
      if (Code.entryOf(F.Begin) == F.Begin)
        Entries.push_back(F.Begin);

  size_t NumFunctions = 0, NumBlocks = 0, NumEdges = 0, NumInstructions = 0,
         NumUnresolved = 0, NumUnreachable = 0;
  for (uint64_t Entry : Entries) {
    Expected<MachineFunction> F = Code.function(Entry);
    if (!F)
      return F.takeError();
    ++NumFunctions;
    NumBlocks += F->Blocks.size();
    NumEdges += F->Edges.size();
    NumInstructions += F->Instructions.size();
    NumUnresolved += F->UnresolvedIndirectJumps;
    NumUnreachable += count_if(
        F->Blocks, [](const MachineBlock &B) { return !B.IsReachable; });
    if (!Quiet)
      print(*F, Code);
  }
  if (Quiet)
    outs() << NumFunctions << " functions, " << NumBlocks << " blocks, "
           << NumEdges << " edges, " << NumInstructions << " instructions, "
           << NumUnresolved << " unresolved, " << NumUnreachable
           << " unreachable\n";
  return Error::success();
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "prints machine CFGs\n");
  if (Error E = run())
    return reportError("machine-cfg", std::move(E));
  return 0;
}
