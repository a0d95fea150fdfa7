//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one target's instructions do, in words that hold for every target.
//
// LLVM's MC layer decodes instructions and describes their operands and a good
// part of their effects; what its tables do not tell (which of them divide,
// what a load's address is made of, which pairs a processor fuses) a subclass
// adds for its target. It knows instructions by the names that LLVM's tables
// give them, looked up once: the enumerations of opcodes are not among LLVM's
// public headers.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_OBJECT_INSTRUCTIONSET_H
#define INLAY_LIB_OBJECT_INSTRUCTIONSET_H

#include "RegisterValue.h"
#include "inlay/Object/MachineCFG.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/Support/Error.h"
#include "llvm/TargetParser/Triple.h"
#include <memory>
#include <optional>
#include <vector>

namespace inlay {

class InstructionSet {
public:
  /// For the machine of an ELF file, e_machine; \p Path is for messages.
  static llvm::Expected<std::unique_ptr<InstructionSet>>
  create(uint16_t Machine, llvm::StringRef Path);

  virtual ~InstructionSet();

  /// Decodes the instruction at the start of \p Bytes. What does not decode is
  /// a Trap, as long as the shortest instruction: then false.
  bool decode(llvm::ArrayRef<uint8_t> Bytes, uint64_t Address,
              llvm::MCInst &Inst, MachineInstruction &Result) const;

  /// Target of a direct jump, branch or call.
  std::optional<uint64_t> directTarget(const llvm::MCInst &Inst,
                                       const MachineInstruction &I) const;

  /// Bytes of the shortest instruction.
  virtual unsigned minimumSize() const = 0;

  /// What the register \p Register (a widest one, as in Writes) holds after
  /// \p Inst, in terms of what registers hold before it.
  virtual RegisterValue valueWritten(const llvm::MCInst &Inst,
                                     const MachineInstruction &I,
                                     uint16_t Register) const = 0;

  /// Where an indirect jump or call leads, in terms of registers.
  virtual RegisterValue indirectTarget(const llvm::MCInst &Inst,
                                       const MachineInstruction &I) const = 0;

  /// Registers of full width that \p Inst stores to places that are addressed
  /// from one register.
  struct Spill {
    uint16_t Base;
    int64_t Offset;
    uint16_t Stored;
  };
  virtual llvm::SmallVector<Spill, 2>
  spills(const llvm::MCInst &Inst) const = 0;

  /// What \p Branch, decided by the flags of \p Compare, says when taken or
  /// not: that a register's low bits are no larger than a constant, unsigned.
  struct Bound {
    uint16_t Register;
    unsigned Bits;
    uint64_t Maximum;
  };
  virtual std::optional<Bound> bound(const llvm::MCInst &Compare,
                                     const llvm::MCInst &Branch,
                                     bool IsTaken) const = 0;

  /// Whether a conditional branch is fused with the instruction before it.
  virtual bool isFused(const llvm::MCInst &Previous,
                       const llvm::MCInst &Branch) const = 0;

  /// An address that \p Inst holds or completes, if it is that of code or data.
  /// \p Pages: for targets that make an address of two instructions, what this
  /// function remembers from one to the next.
  virtual std::optional<uint64_t>
  addressConstant(const llvm::MCInst &Inst, const MachineInstruction &I,
                  std::vector<std::pair<uint16_t, uint64_t>> &Pages) const = 0;

  /// Adds what code seems to take the address of, without decoding it: fast
  /// enough for whole binaries, and right but for chance.
  virtual void scanForAddresses(llvm::ArrayRef<uint8_t> Code, uint64_t Address,
                                std::vector<uint64_t> &Result) const = 0;

  /// A callee may not change this register.
  virtual bool isPreservedAcrossCalls(uint16_t Register) const = 0;

  /// Makes the frame pointer point into the frame.
  virtual bool setsFramePointer(const llvm::MCInst &Inst) const = 0;

  uint16_t flags() const { return Flags; }
  uint16_t stackPointer() const { return StackPointer; }
  uint16_t framePointer() const { return FramePointer; }

protected:
  explicit InstructionSet(llvm::Triple TT) : TT(std::move(TT)) {}

  /// What the target's names say of an opcode; subclasses fill it.
  struct OpcodeInfo {
    InstructionKind Kind = InstructionKind::Other;
    /// For the subclass: which of its operations on values this is, and on how
    /// many bits.
    uint8_t Operation = 0;
    uint8_t Width = 64;
    bool IsSigned = false;
    bool ReadsMemory = false, WritesMemory = false;
    /// Index of the first operand of the memory operand, or -1.
    int8_t Memory = -1;
    bool IsClearingIdiom = false; ///< if its sources are the same register
    /// No instruction, but what MC makes of a prefix of the next one (lock).
    bool IsPrefix = false;
  };

  virtual void classify(const llvm::MCInst &Inst, llvm::ArrayRef<uint8_t> Bytes,
                        MachineInstruction &Result) const = 0;
  /// Asked once for each opcode.
  virtual OpcodeInfo describe(unsigned Opcode) const = 0;

  const OpcodeInfo &info(const llvm::MCInst &Inst) const {
    std::optional<OpcodeInfo> &Info = Opcodes[Inst.getOpcode()];
    if (!Info)
      Info = describe(Inst.getOpcode());
    return *Info;
  }
  const llvm::MCInstrDesc &desc(const llvm::MCInst &Inst) const {
    return InstrInfo->get(Inst.getOpcode());
  }
  llvm::StringRef opcodeName(unsigned Opcode) const {
    return InstrInfo->getName(Opcode);
  }
  /// Number of the register that LLVM calls \p Name.
  uint16_t registerNamed(llvm::StringRef Name) const;
  /// The widest register that \p Register is part of; 0 for what holds nothing
  /// (no register, zero, the program counter).
  uint16_t widest(unsigned Register) const {
    return Widest[Register].empty() ? 0 : Widest[Register].front();
  }

  llvm::Triple TT;
  std::unique_ptr<llvm::MCRegisterInfo> RegisterInfo;
  std::unique_ptr<llvm::MCAsmInfo> AsmInfo;
  std::unique_ptr<llvm::MCInstrInfo> InstrInfo;
  std::unique_ptr<llvm::MCSubtargetInfo> SubtargetInfo;
  llvm::MCTargetOptions Options;
  std::unique_ptr<llvm::MCContext> Context;
  std::unique_ptr<llvm::MCDisassembler> Disassembler;
  std::unique_ptr<llvm::MCInstrAnalysis> Analysis;

  uint16_t Flags = 0, StackPointer = 0, FramePointer = 0;
  /// By register: it is part of a floating-point, vector or mask register.
  std::vector<bool> IsVector;

  /// Registers that are said to be read and written though they hold nothing
  /// that a later instruction would wait for.
  virtual bool isIgnored(llvm::StringRef RegisterName) const = 0;
  virtual bool isVectorClass(llvm::StringRef ClassName) const = 0;
  virtual void findRegisters() = 0;

private:
  llvm::Error initialize(llvm::StringRef Path, llvm::StringRef Features);
  void addRegisters(const llvm::MCInst &Inst, MachineInstruction &Result) const;

  /// Described when first met: a target has twenty thousand opcodes, of which a
  /// program has some hundred.
  mutable std::vector<std::optional<OpcodeInfo>> Opcodes;
  /// By register: the widest registers that it is part of (or that are part of
  /// it, for pairs and longer tuples).
  std::vector<llvm::SmallVector<uint16_t, 1>> Widest;
  llvm::StringMap<uint16_t> RegisterNumbers;
};

std::unique_ptr<InstructionSet> createX86InstructionSet(llvm::Triple TT);
std::unique_ptr<InstructionSet> createAArch64InstructionSet(llvm::Triple TT);

} // namespace inlay

#endif
