//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A MachineCode whose graphs a test writes down: functions block by block,
// instructions by kind.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_FAKECODE_H
#define INLAY_UNITTESTS_FAKECODE_H

#include "inlay/Object/MachineCFG.h"
#include <map>
#include <set>

namespace inlay {

/// Instructions are 4 bytes long and follow each other from \p Entry on.
class FakeFunction {
public:
  FakeFunction(llvm::StringRef Name, uint64_t Entry) : Address(Entry) {
    F.Name = Name;
    F.Entry = Entry;
    F.Parts = {{Entry, Entry, Name}};
  }

  /// Starts the next block.
  FakeFunction &block(bool IsExit = false) {
    F.Blocks.emplace_back();
    F.Blocks.back().First = F.Instructions.size();
    F.Blocks.back().IsExit = IsExit;
    return *this;
  }
  /// The next block, of these instructions.
  FakeFunction &block(std::initializer_list<InstructionKind> Kinds,
                      bool IsExit = false) {
    block(IsExit);
    for (InstructionKind Kind : Kinds)
      add(Kind);
    return *this;
  }

  /// An instruction of the last block.
  FakeFunction &add(InstructionKind Kind,
                    llvm::SmallVector<uint16_t, 4> Reads = {},
                    llvm::SmallVector<uint16_t, 4> Writes = {}) {
    MachineInstruction I;
    I.Address = Address;
    I.Size = 4;
    I.Kind = Kind;
    I.ReadsMemory = Kind == InstructionKind::Load ||
                    Kind == InstructionKind::LoadOperation ||
                    Kind == InstructionKind::Pop;
    I.Reads = std::move(Reads);
    I.Writes = std::move(Writes);
    F.Instructions.push_back(std::move(I));
    ++F.Blocks.back().Count;
    F.Parts.back().End = Address += 4;
    return *this;
  }
  MachineInstruction &last() { return F.Instructions.back(); }
  /// A call of \p Target, as an instruction of the last block; nullopt: an
  /// indirect one.
  FakeFunction &addCall(std::optional<uint64_t> Target) {
    add(Target ? InstructionKind::Call : InstructionKind::IndirectCall);
    call(F.Instructions.size() - 1, Target);
    return *this;
  }

  /// What follows is split off, and lies here.
  FakeFunction &part(uint64_t Begin) {
    Address = Begin;
    F.Parts.push_back({Begin, Begin, F.Name});
    return *this;
  }

  FakeFunction &edge(uint32_t Source, uint32_t Target,
                     EdgeKind Kind = EdgeKind::FallThrough) {
    F.Edges.push_back({Source, Target, Kind});
    return *this;
  }

  /// Instruction number \p Index is a call.
  MachineCall &call(uint32_t Index, std::optional<uint64_t> Target) {
    MachineCall Call;
    Call.Instruction = Index;
    Call.Block = 0;
    while (F.Blocks[Call.Block].First + F.Blocks[Call.Block].Count <= Index)
      ++Call.Block;
    Call.Target = Target;
    F.Calls.push_back(Call);
    return F.Calls.back();
  }

  MachineFunction build() const { return F; }

  MachineFunction F;

private:
  uint64_t Address;
};

class FakeCode final : public MachineCode {
public:
  std::vector<MachineFunction> Functions;
  std::map<uint64_t, llvm::StringRef> CalleeNames; ///< besides Functions' own
  std::set<uint64_t> AddressTaken;

  llvm::Expected<MachineFunction> function(uint64_t Address) override {
    if (const MachineFunction *F = find(Address))
      return *F;
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "none");
  }
  std::optional<uint64_t> entryOf(uint64_t Address) override {
    const MachineFunction *F = find(Address);
    return F ? std::optional(F->Entry) : std::nullopt;
  }
  llvm::StringRef calleeName(uint64_t Address) override {
    const MachineFunction *F = find(Address);
    return F && F->Entry == Address ? F->Name : CalleeNames[Address];
  }
  std::optional<uint64_t> calleeEntry(uint64_t Address) override {
    return entryOf(Address) == Address ? std::optional(Address) : std::nullopt;
  }
  bool isAddressTaken(uint64_t Entry) override {
    return AddressTaken.count(Entry);
  }

private:
  const MachineFunction *find(uint64_t Address) const {
    for (const MachineFunction &F : Functions)
      for (const FunctionRange &Part : F.Parts)
        if (Address >= Part.Begin && Address < Part.End)
          return &F;
    return nullptr;
  }
};

} // namespace inlay

#endif
