//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sets up LLVM's MC layer for one target, and reads from its tables what they
// tell of every target alike: lengths, operands, registers, targets of direct
// branches.
//
// Registers are widened so that a write of %al and a read of %rax meet. The
// widest register is the last of the super-registers that is no tuple: LLVM
// also knows pairs and longer rows of registers (AArch64's X0_X1, for
// instructions that take two), whose names, and theirs alone, join others' by
// an underscore.
//
//===----------------------------------------------------------------------===//

#include "InstructionSet.h"
#include "inlay/Support/Diagnostics.h"
#include "inlay/Support/LLVMCompat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;

namespace inlay {

/// x86's processors refuse longer ones.
static constexpr uint64_t MaxInstructionSize = 15;

InstructionSet::~InstructionSet() = default;

Expected<std::unique_ptr<InstructionSet>>
InstructionSet::create(uint16_t Machine, StringRef Path) {
  std::unique_ptr<InstructionSet> Set;
  StringRef Features;
  switch (Machine) {
  case ELF::EM_X86_64:
    Set = createX86InstructionSet(Triple("x86_64-unknown-linux-gnu"));
    break;
  case ELF::EM_AARCH64:
    Set = createAArch64InstructionSet(Triple("aarch64-unknown-linux-gnu"));
    // Its decoder knows what the processor has; x86's knows all there is.
    Features = "+all";
    break;
  default:
    return fileError(Path, "is for machine " + Twine(Machine) +
                               " (e_machine); its instructions are not known "
                               "here, only those of x86-64 and AArch64 are");
  }
  if (Error E = Set->initialize(Path, Features))
    return E;
  return Set;
}

Error InstructionSet::initialize(StringRef Path, StringRef Features) {
  InitializeAllTargetInfos();
  InitializeAllTargetMCs();
  InitializeAllDisassemblers();

  std::string Message;
  const Target *T = lookupMCTarget<TargetRegistry>(TT, Message);
  if (!T)
    return fileError(Path, "cannot be disassembled: " + Message);
  RegisterInfo.reset(createMCRegisterInfo(*T, TT));
  if (RegisterInfo)
    AsmInfo.reset(createMCAsmInfo(*T, *RegisterInfo, TT, Options));
  InstrInfo.reset(T->createMCInstrInfo());
  SubtargetInfo.reset(
      createMCSubtargetInfo(*T, TT, StringRef("generic"), Features));
  if (RegisterInfo && AsmInfo && SubtargetInfo) {
    Context = std::make_unique<MCContext>(TT, AsmInfo.get(), RegisterInfo.get(),
                                          SubtargetInfo.get());
    Disassembler.reset(T->createMCDisassembler(*SubtargetInfo, *Context));
  }
  if (InstrInfo)
    Analysis.reset(T->createMCInstrAnalysis(InstrInfo.get()));
  if (!Disassembler || !Analysis)
    return fileError(Path, "cannot be disassembled: this LLVM has no "
                           "disassembler for " +
                               TT.getArchName());

  unsigned NumRegisters = RegisterInfo->getNumRegs();
  Widest.resize(NumRegisters);
  auto IsTuple = [&](unsigned Register) {
    return StringRef(RegisterInfo->getName(Register)).contains('_');
  };
  for (unsigned R = 1; R != NumRegisters; ++R) {
    StringRef Name = RegisterInfo->getName(R);
    RegisterNumbers[Name] = R;
    auto AddWidest = [&](unsigned Part) {
      unsigned Top = Part;
      for (MCPhysReg Super : RegisterInfo->superregs(Part))
        if (!IsTuple(Super) && RegisterInfo->isSuperRegister(Top, Super))
          Top = Super;
      if (!isIgnored(RegisterInfo->getName(Top)) && !isIgnored(Name) &&
          !is_contained(Widest[R], Top))
        Widest[R].push_back(Top);
    };
    if (!IsTuple(R)) {
      AddWidest(R);
      continue;
    }
    for (MCPhysReg Sub : RegisterInfo->subregs(R))
      if (!IsTuple(Sub))
        AddWidest(Sub);
  }

  IsVector.resize(NumRegisters);
  for (const MCRegisterClass &Class : RegisterInfo->regclasses())
    if (isVectorClass(RegisterInfo->getRegClassName(&Class)))
      for (MCPhysReg R : Class)
        IsVector[R] = true;
  findRegisters();

  Opcodes.resize(InstrInfo->getNumOpcodes());
  return Error::success();
}

uint16_t InstructionSet::registerNamed(StringRef Name) const {
  return RegisterNumbers.lookup(Name);
}

bool InstructionSet::decode(ArrayRef<uint8_t> Bytes, uint64_t Address,
                            MCInst &Inst, MachineInstruction &Result) const {
  Result = MachineInstruction();
  Result.Address = Address;
  uint64_t Size = 0;
  do {
    Inst.clear();
    Inst.setFlags(0);
    uint64_t Length = 0;
    if (Disassembler->getInstruction(Inst, Length, Bytes.drop_front(Size),
                                     Address + Size,
                                     nulls()) != MCDisassembler::Success ||
        Length == 0 || Length > Bytes.size() - Size ||
        Size + Length > MaxInstructionSize) {
      Result.Size = std::min<uint64_t>(minimumSize(), Bytes.size());
      Result.Kind = InstructionKind::Trap;
      Inst.clear();
      return false;
    }
    Size += Length;
  } while (info(Inst).IsPrefix);
  Result.Size = Size;
  addRegisters(Inst, Result);
  classify(Inst, Bytes.take_front(Size), Result);
  return true;
}

void InstructionSet::addRegisters(const MCInst &Inst,
                                  MachineInstruction &Result) const {
  auto Add = [&](SmallVectorImpl<uint16_t> &Set, unsigned Register) {
    for (uint16_t W : Widest[Register])
      if (!is_contained(Set, W))
        Set.push_back(W);
  };
  const MCInstrDesc &Desc = desc(Inst);
  unsigned NumDefs = Desc.getNumDefs();
  bool IsClearing = false;
  if (info(Inst).IsClearingIdiom) {
    // Either with the destination among the sources, or after it.
    unsigned N = Inst.getNumOperands();
    IsClearing =
        N >= 2 && Inst.getOperand(N - 1).isReg() &&
        Inst.getOperand(N - 2).isReg() &&
        Inst.getOperand(N - 1).getReg() == Inst.getOperand(N - 2).getReg();
  }
  for (unsigned I = 0, E = Inst.getNumOperands(); I != E; ++I) {
    const MCOperand &Operand = Inst.getOperand(I);
    if (!Operand.isReg() || !Operand.getReg())
      continue;
    if (I < NumDefs)
      Add(Result.Writes, Operand.getReg());
    else if (!IsClearing)
      Add(Result.Reads, Operand.getReg());
  }
  for (MCPhysReg R : Desc.implicit_uses())
    Add(Result.Reads, R);
  for (MCPhysReg R : Desc.implicit_defs())
    Add(Result.Writes, R);
}

std::optional<uint64_t>
InstructionSet::directTarget(const MCInst &Inst,
                             const MachineInstruction &I) const {
  switch (I.Kind) {
  case InstructionKind::ConditionalBranch:
  case InstructionKind::Jump:
  case InstructionKind::Call:
    break;
  default:
    return std::nullopt;
  }
  uint64_t Target = 0;
  if (!Analysis->evaluateBranch(Inst, I.Address, I.Size, Target))
    return std::nullopt;
  return Target;
}

} // namespace inlay
