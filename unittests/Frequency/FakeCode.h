//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Machine code that a test writes down: functions block by block, instructions
// by kind.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_FREQUENCY_FAKECODE_H
#define INLAY_UNITTESTS_FREQUENCY_FAKECODE_H

#include "inlay/Object/MachineCFG.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Errc.h"
#include <map>
#include <set>

namespace inlay {

/// Builds a MachineFunction; every instruction has four bytes.
class FunctionBuilder {
public:
  explicit FunctionBuilder(uint64_t Entry, llvm::StringRef Name = "f") {
    F.Entry = Entry;
    F.Name = Name;
  }
  /// Starts the next block.
  FunctionBuilder &block(bool IsExit = false) {
    F.Blocks.emplace_back();
    F.Blocks.back().First = F.Instructions.size();
    F.Blocks.back().IsExit = IsExit;
    return *this;
  }
  FunctionBuilder &add(InstructionKind Kind,
                       llvm::SmallVector<uint16_t, 4> Reads = {},
                       llvm::SmallVector<uint16_t, 4> Writes = {}) {
    MachineInstruction I;
    I.Address = F.Entry + 4 * F.Instructions.size();
    I.Size = 4;
    I.Kind = Kind;
    I.ReadsMemory = Kind == InstructionKind::Load ||
                    Kind == InstructionKind::LoadOperation ||
                    Kind == InstructionKind::Pop;
    I.Reads = std::move(Reads);
    I.Writes = std::move(Writes);
    F.Instructions.push_back(std::move(I));
    ++F.Blocks.back().Count;
    return *this;
  }
  MachineInstruction &last() { return F.Instructions.back(); }
  FunctionBuilder &call(uint64_t Target) {
    add(InstructionKind::Call);
    F.Calls.push_back({uint32_t(F.Instructions.size() - 1),
                       uint32_t(F.Blocks.size() - 1), Target, ""});
    return *this;
  }
  FunctionBuilder &edge(uint32_t Source, uint32_t Target,
                        EdgeKind Kind = EdgeKind::FallThrough) {
    F.Edges.push_back({Source, Target, Kind});
    return *this;
  }
  MachineFunction build() {
    F.Parts = {{F.Entry, F.Entry + 4 * F.Instructions.size(), F.Name}};
    return F;
  }

private:
  MachineFunction F;
};

class FakeCode final : public MachineCode {
public:
  std::map<uint64_t, MachineFunction> Functions; ///< by entry
  std::set<uint64_t> AddressTaken;

  void add(MachineFunction F) { Functions[F.Entry] = std::move(F); }

  llvm::Expected<MachineFunction> function(uint64_t Address) override {
    if (std::optional<uint64_t> Entry = entryOf(Address))
      return Functions[*Entry];
    return llvm::createStringError(llvm::errc::invalid_argument, "no function");
  }
  std::optional<uint64_t> entryOf(uint64_t Address) override {
    for (const auto &[Entry, F] : Functions)
      for (const FunctionRange &Part : F.Parts)
        if (Address >= Part.Begin && Address < Part.End)
          return Entry;
    return std::nullopt;
  }
  llvm::StringRef calleeName(uint64_t Address) override {
    auto It = Functions.find(Address);
    return It == Functions.end() ? llvm::StringRef() : It->second.Name;
  }
  std::optional<uint64_t> calleeEntry(uint64_t Address) override {
    return Functions.count(Address) ? std::optional(Address) : std::nullopt;
  }
  bool isAddressTaken(uint64_t Entry) override {
    return AddressTaken.count(Entry);
  }
};

} // namespace inlay

#endif
