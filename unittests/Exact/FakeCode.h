//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A MachineCode whose graphs a test writes down.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_EXACT_FAKECODE_H
#define INLAY_UNITTESTS_EXACT_FAKECODE_H

#include "inlay/Object/MachineCFG.h"
#include <map>

namespace inlay {

/// A graph, block by block. Instructions are 4 bytes long and follow each other
/// from \p Entry on.
class FakeFunction {
public:
  FakeFunction(llvm::StringRef Name, uint64_t Entry) : Address(Entry) {
    F.Name = Name;
    F.Entry = Entry;
    F.Parts = {{Entry, Entry, Name}};
  }

  /// The next block, of these instructions; its index.
  uint32_t block(std::initializer_list<InstructionKind> Kinds,
                 bool IsExit = false) {
    MachineBlock Block;
    Block.First = F.Instructions.size();
    Block.Count = Kinds.size();
    Block.IsExit = IsExit;
    for (InstructionKind Kind : Kinds) {
      MachineInstruction Instruction;
      Instruction.Address = Address;
      Instruction.Size = 4;
      Instruction.Kind = Kind;
      F.Instructions.push_back(Instruction);
      Address += 4;
    }
    F.Parts.back().End = Address;
    F.Blocks.push_back(Block);
    return F.Blocks.size() - 1;
  }

  /// What follows is split off, and lies here.
  void part(uint64_t Begin) {
    Address = Begin;
    F.Parts.push_back({Begin, Begin, F.Name});
  }

  void edge(uint32_t Source, uint32_t Target, EdgeKind Kind) {
    F.Edges.push_back({Source, Target, Kind});
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

  MachineFunction F;

private:
  uint64_t Address;
};

class FakeCode final : public MachineCode {
public:
  std::vector<MachineFunction> Functions;
  std::map<uint64_t, llvm::StringRef> CalleeNames;

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
    return CalleeNames[Address];
  }
  std::optional<uint64_t> calleeEntry(uint64_t Address) override {
    return entryOf(Address) == Address ? std::optional(Address) : std::nullopt;
  }
  bool isAddressTaken(uint64_t) override { return false; }

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
