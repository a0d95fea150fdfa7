//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x86-64.
//
// An opcode's name in LLVM's tables says what it does (ADD), on how many bits
// (64), and with which operands (r: register, m: memory, i: immediate, the
// destination first). The flags mayLoad and mayStore are right for nearly all
// instructions that compilers emit, but not for hand-written ones: instructions
// that leave the state of the floating-point unit in memory have both, some
// have none. Those are named below.
//
//===----------------------------------------------------------------------===//

#include "InstructionSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inlay {

namespace {

/// Operations on values, for OpcodeInfo::Operation.
enum : uint8_t {
  NoOperation,
  Copy,       // r <- r
  Extend,     // r <- extend(r), Width bits of it
  Immediate,  // r <- i
  Address,    // r <- address of memory operand
  LoadMemory, // r <- extend(memory), Width bits of it
  AddRegister,
  AddMemory,
  AddImmediate,
  SubtractImmediate,
  Increment,
  Decrement,
  AndImmediate,
  ShiftLeft,
  ShiftRight,
  Clear, // if both sources are the same register
  StoreRegister,
  CompareImmediate,   // r, i
  CompareAccumulator, // i
  JumpOnCondition,    // target, condition
};

/// Offsets from the first operand of a memory operand.
enum { BaseOperand, ScaleOperand, IndexOperand, DispOperand, SegmentOperand };
constexpr unsigned NumMemoryOperands = 5;

/// Condition codes as encoded.
enum {
  CondB = 2,
  CondAE,
  CondE,
  CondNE,
  CondBE,
  CondA,
  CondL = 12,
  CondG = 15
};

/// "ADD" if \p Name is ADD8rr, ADD64mi32_REV and the like: a word before a
/// number of bits.
StringRef integerOperation(StringRef Name) {
  size_t End = Name.find_first_of("0123456789");
  if (End == StringRef::npos)
    return StringRef();
  StringRef Bits = Name.substr(End);
  if (Bits.starts_with("8") || Bits.starts_with("16") ||
      Bits.starts_with("32") || Bits.starts_with("64"))
    return Name.take_front(End);
  return StringRef();
}

/// DIVSSrm, VDIVPDZ256rr, SQRTSDr, ...
bool isVectorOperation(StringRef Name, StringRef Word) {
  Name.consume_front("V");
  if (!Name.consume_front(Word))
    return false;
  return Name.starts_with("SS") || Name.starts_with("SD") ||
         Name.starts_with("SH") || Name.starts_with("PS") ||
         Name.starts_with("PD") || Name.starts_with("PH") ||
         Name.starts_with("BF16");
}

bool isStringOperation(StringRef Name, StringRef Word) {
  return Name.consume_front(Word) &&
         (Name == "B" || Name == "W" || Name == "L" || Name == "Q");
}

class X86InstructionSet final : public InstructionSet {
public:
  explicit X86InstructionSet(Triple TT) : InstructionSet(std::move(TT)) {}

  unsigned minimumSize() const override { return 1; }
  RegisterValue valueWritten(const MCInst &Inst, const MachineInstruction &I,
                             uint16_t Register) const override;
  RegisterValue indirectTarget(const MCInst &Inst,
                               const MachineInstruction &I) const override;
  SmallVector<Spill, 2> spills(const MCInst &Inst) const override;
  std::optional<Bound> bound(const MCInst &Compare, const MCInst &Branch,
                             bool IsTaken) const override;
  bool isFused(const MCInst &Previous, const MCInst &Branch) const override;
  std::optional<uint64_t> addressConstant(
      const MCInst &Inst, const MachineInstruction &I,
      std::vector<std::pair<uint16_t, uint64_t>> &Pages) const override;
  void scanForAddresses(ArrayRef<uint8_t> Code, uint64_t Address,
                        std::vector<uint64_t> &Result) const override;
  bool isPreservedAcrossCalls(uint16_t Register) const override {
    return is_contained(Preserved, Register);
  }
  bool setsFramePointer(const MCInst &Inst) const override;

protected:
  void classify(const MCInst &Inst, ArrayRef<uint8_t> Bytes,
                MachineInstruction &Result) const override;
  OpcodeInfo describe(unsigned Opcode) const override;
  bool isIgnored(StringRef Name) const override {
    return Name == "RIP" || Name == "EIP" || Name == "IP" || Name == "SSP" ||
           Name == "FS" || Name == "GS" || Name == "CS" || Name == "DS" ||
           Name == "ES" || Name == "SS" || Name == "FS_BASE" ||
           Name == "GS_BASE" || Name == "MXCSR" || Name == "FPCW";
  }
  bool isVectorClass(StringRef Name) const override {
    return Name == "VR64" || Name == "VR128X" || Name == "VR256X" ||
           Name == "VR512" || Name == "RST" || Name == "RFP80" ||
           Name == "RFP80_7" || Name == "VK1" || Name == "VK64" ||
           Name == "FPCCR" || Name == "TILE";
  }
  void findRegisters() override;

private:
  /// Adds base + index * scale + displacement of the memory operand at
  /// \p First; false if a segment's base is added as well.
  bool addAddress(const MCInst &Inst, const MachineInstruction &I,
                  unsigned First, uint64_t &Constant,
                  SmallVectorImpl<ValueTerm> &Terms) const;

  uint16_t InstructionPointer = 0, Accumulator = 0;
  SmallVector<uint16_t, 8> Preserved;
};

} // namespace

void X86InstructionSet::findRegisters() {
  Flags = registerNamed("EFLAGS");
  StackPointer = registerNamed("RSP");
  FramePointer = registerNamed("RBP");
  InstructionPointer = registerNamed("RIP");
  Accumulator = registerNamed("RAX");
  for (StringRef Name : {"RBX", "RBP", "RSP", "R12", "R13", "R14", "R15"})
    Preserved.push_back(registerNamed(Name));
}

X86InstructionSet::OpcodeInfo
X86InstructionSet::describe(unsigned Opcode) const {
  const MCInstrDesc &Desc = InstrInfo->get(Opcode);
  StringRef Name = opcodeName(Opcode);
  StringRef Integer = integerOperation(Name);
  OpcodeInfo Info;

  // Memory operands.
  bool HasMemory = false;
  for (unsigned I = 0, E = Desc.getNumOperands(); I != E; ++I) {
    auto IsMemory = [&](unsigned Index) {
      return Index < E &&
             Desc.operands()[Index].OperandType == MCOI::OPERAND_MEMORY;
    };
    if (!IsMemory(I))
      continue;
    HasMemory = true;
    if (IsMemory(I + NumMemoryOperands - 1))
      Info.Memory = I;
    break;
  }
  // The operand of lea is not said to be one, though it is made like one.
  if (Name.starts_with("LEA64"))
    Info.Memory = 1;
  if (HasMemory) {
    Info.ReadsMemory = Desc.mayLoad();
    Info.WritesMemory = Desc.mayStore();
    if (!Info.ReadsMemory && !Info.WritesMemory)
      (Info.Memory == 0 ? Info.WritesMemory : Info.ReadsMemory) = true;
  }
  auto Memory = [&](bool Reads, bool Writes) {
    Info.ReadsMemory = Reads;
    Info.WritesMemory = Writes;
  };
  bool IsAddressOnly =
      Name.starts_with("LEA") || Name.starts_with("NOOP") ||
      Name.starts_with("PREFETCH") || Name.starts_with("CLFLUSH") ||
      Name.starts_with("INV") || Name == "CLWB" || Name == "CLDEMOTE" ||
      Name.starts_with("VGATHERPF") || Name.starts_with("VSCATTERPF");
  if (IsAddressOnly)
    Memory(false, false);
  else if (Name.contains("LDMXCSR") || Name.starts_with("FXRSTOR") ||
           Name.starts_with("XRSTOR") || Name.starts_with("FLDENV") ||
           Name.starts_with("FRSTOR") || Name.starts_with("LGDT") ||
           Name.starts_with("LIDT"))
    Memory(true, false);
  else if (Name.contains("STMXCSR") || Name.starts_with("FXSAVE") ||
           Name.starts_with("XSAVE") || Name.starts_with("FSTENV") ||
           Name.starts_with("FSAVE") || Name.contains("MASKMOVDQU") ||
           Name.starts_with("CLZERO") || Name.starts_with("MMX_MASKMOV") ||
           Name.starts_with("STTILECFG") || Name.starts_with("WRSS") ||
           Name.starts_with("WRUSS") || Name.starts_with("MOVDIRI") ||
           (Name.contains("MASKMOV") && Name.ends_with("mr")) ||
           (Name.contains("MOVNT") && Name.ends_with("mr")))
    Memory(false, true);
  else if (Name == "XLAT" || Name.starts_with("LDTILECFG") ||
           Name.starts_with("PTWRITE"))
    Memory(true, false);

  // What LLVM's flags tell.
  bool IsDirect = false;
  for (const MCOperandInfo &Operand : Desc.operands())
    IsDirect |= Operand.OperandType == MCOI::OPERAND_PCREL;
  if (Name.starts_with("UD1") || Name.starts_with("UD2") || Name == "TRAP" ||
      Name == "HLT" || Name == "INT3") {
    Info.Kind = InstructionKind::Trap;
    Memory(false, false);
    return Info;
  }
  if (Desc.isCall()) {
    Info.Kind =
        IsDirect ? InstructionKind::Call : InstructionKind::IndirectCall;
    Memory(HasMemory, true);
    return Info;
  }
  if (Desc.isReturn()) {
    Info.Kind = InstructionKind::Return;
    Memory(true, false);
    return Info;
  }
  if (Desc.isBranch()) {
    if (Desc.isIndirectBranch() || !IsDirect)
      Info.Kind = InstructionKind::IndirectJump;
    else if (Desc.isBarrier())
      Info.Kind = InstructionKind::Jump;
    else
      Info.Kind = InstructionKind::ConditionalBranch;
    Memory(HasMemory, false);
    if (Name.starts_with("JCC_"))
      Info.Operation = JumpOnCondition;
    return Info;
  }
  if (Name.starts_with("JMPABS")) {
    Info.Kind = InstructionKind::Jump;
    return Info;
  }

  // What only names tell.
  Info.IsPrefix = Name.ends_with("_PREFIX");
  if (Name.starts_with("NOOP") || Name.starts_with("ENDBR") || Name == "FNOP" ||
      Info.IsPrefix) {
    Info.Kind = InstructionKind::Nop;
    return Info;
  }
  if (IsAddressOnly && !Name.starts_with("LEA"))
    return Info;
  if (Name.starts_with("PUSH") || Name == "ENTER") {
    Info.Kind = InstructionKind::Push;
    Memory(HasMemory, true);
    return Info;
  }
  if ((Name.starts_with("POP") && !Name.starts_with("POPCNT")) ||
      Name.starts_with("LEAVE")) {
    Info.Kind = InstructionKind::Pop;
    Memory(true, HasMemory);
    return Info;
  }
  if (Name == "MFENCE" || Name == "LFENCE" || Name == "SFENCE" ||
      Name == "SERIALIZE") {
    Info.Kind = InstructionKind::Atomic;
    return Info;
  }
  // Their kinds depend on the prefix, see classify().
  if (isStringOperation(Name, "MOVS")) {
    Info.Kind = InstructionKind::ReadModifyWrite;
    Memory(true, true);
    return Info;
  }
  if (isStringOperation(Name, "STOS")) {
    Info.Kind = InstructionKind::Store;
    Memory(false, true);
    return Info;
  }
  if (isStringOperation(Name, "LODS")) {
    Info.Kind = InstructionKind::Load;
    Memory(true, false);
    return Info;
  }
  if (isStringOperation(Name, "SCAS") || isStringOperation(Name, "CMPS")) {
    Info.Kind = InstructionKind::LoadOperation;
    Memory(true, false);
    return Info;
  }

  // Registers' values.
  auto Operation = [&](uint8_t O, uint8_t Width = 64, bool IsSigned = false) {
    Info.Operation = O;
    Info.Width = Width;
    Info.IsSigned = IsSigned;
  };
  StringRef Plain = Name;
  Plain.consume_back("_REV");
  if (Plain == "MOV64rr")
    Operation(Copy);
  else if (Plain == "MOV32rr")
    Operation(Extend, 32);
  else if (Name == "MOVSX64rr32")
    Operation(Extend, 32, true);
  else if (Name == "MOVSX64rr16")
    Operation(Extend, 16, true);
  else if (Name == "MOVSX64rr8")
    Operation(Extend, 8, true);
  else if (Name == "MOVZX32rr16" || Name == "MOVZX64rr16")
    Operation(Extend, 16);
  else if (Name == "MOVZX32rr8" || Name == "MOVZX64rr8")
    Operation(Extend, 8);
  else if (Name == "CDQE")
    Operation(Extend, 32, true);
  else if (Name == "MOV32ri" || Name == "MOV64ri" || Name == "MOV64ri32")
    Operation(Immediate, Name == "MOV32ri" ? 32 : 64);
  else if (Name == "LEA64r" || Name == "LEA64_32r")
    Operation(Address, Name == "LEA64r" ? 64 : 32);
  else if (Name == "MOV64rm")
    Operation(LoadMemory, 64);
  else if (Name == "MOV32rm")
    Operation(LoadMemory, 32);
  else if (Name == "MOVSX64rm32")
    Operation(LoadMemory, 32, true);
  else if (Name == "MOVSX64rm16" || Name == "MOVSX64rm8")
    Operation(LoadMemory, Name.ends_with("16") ? 16 : 8, true);
  else if (Name == "MOVZX32rm16" || Name == "MOVZX64rm16")
    Operation(LoadMemory, 16);
  else if (Name == "MOVZX32rm8" || Name == "MOVZX64rm8")
    Operation(LoadMemory, 8);
  else if (Name == "MOV64mr")
    Operation(StoreRegister);
  else if (Plain == "ADD64rr" || Plain == "ADD32rr")
    Operation(AddRegister, Name.starts_with("ADD64") ? 64 : 32);
  else if (Name == "ADD64rm")
    Operation(AddMemory);
  else if (Name == "ADD64ri8" || Name == "ADD64ri32" || Name == "ADD32ri8" ||
           Name == "ADD32ri" || Name == "ADD64i32" || Name == "ADD32i32")
    Operation(AddImmediate, Name.starts_with("ADD64") ? 64 : 32);
  else if (Name == "SUB64ri8" || Name == "SUB64ri32" || Name == "SUB32ri8" ||
           Name == "SUB32ri" || Name == "SUB64i32" || Name == "SUB32i32")
    Operation(SubtractImmediate, Name.starts_with("SUB64") ? 64 : 32);
  else if (Name == "INC64r" || Name == "INC32r")
    Operation(Increment, Name == "INC64r" ? 64 : 32);
  else if (Name == "DEC64r" || Name == "DEC32r")
    Operation(Decrement, Name == "DEC64r" ? 64 : 32);
  else if (Name == "AND64ri8" || Name == "AND64ri32" || Name == "AND32ri8" ||
           Name == "AND32ri" || Name == "AND64i32" || Name == "AND32i32")
    Operation(AndImmediate, Name.starts_with("AND64") ? 64 : 32);
  else if (Name == "SHL64ri" || Name == "SHL32ri")
    Operation(ShiftLeft, Name == "SHL64ri" ? 64 : 32);
  else if (Name == "SHR64ri" || Name == "SHR32ri")
    Operation(ShiftRight, Name == "SHR64ri" ? 64 : 32);
  else if (Plain == "XOR32rr" || Plain == "XOR64rr")
    Operation(Clear);
  else if (Name == "CMP64ri8" || Name == "CMP64ri32")
    Operation(CompareImmediate, 64);
  else if (Name == "CMP32ri8" || Name == "CMP32ri")
    Operation(CompareImmediate, 32);
  else if (Name == "CMP16ri8" || Name == "CMP16ri")
    Operation(CompareImmediate, 16);
  else if (Name == "CMP8ri")
    Operation(CompareImmediate, 8);
  else if (Name == "CMP64i32" || Name == "CMP32i32")
    Operation(CompareAccumulator, Name == "CMP64i32" ? 64 : 32);
  else if (Name == "CMP16i16" || Name == "CMP8i8")
    Operation(CompareAccumulator, Name == "CMP8i8" ? 8 : 16);

  StringRef Vector = Name;
  Vector.consume_front("V");
  Info.IsClearingIdiom =
      (((Integer == "XOR" || Integer == "SUB") &&
        (Plain.ends_with("rr") || Plain.ends_with("rr_ND"))) ||
       ((Vector.starts_with("PXOR") || Vector.starts_with("XORPS") ||
         Vector.starts_with("XORPD") || Vector.starts_with("PSUB") ||
         Vector.starts_with("PCMPGT") || Vector.starts_with("MMX_PXOR")) &&
        Vector.ends_with("rr")));

  // Kinds.
  if ((Integer == "DIV" || Integer == "IDIV")) {
    Info.Kind = InstructionKind::Divide;
    return Info;
  }
  if (Integer == "MUL" || Integer == "IMUL" || Integer == "MULX") {
    Info.Kind = InstructionKind::Multiply;
    return Info;
  }
  if (isVectorOperation(Name, "DIV") || isVectorOperation(Name, "SQRT") ||
      Name.starts_with("DIV_F") || Name.starts_with("DIVR_F") ||
      Name.starts_with("SQRT_F") || Name.starts_with("FPREM") ||
      Name == "FSIN" || Name == "FCOS" || Name == "FSINCOS" ||
      Name == "FPTAN" || Name == "FPATAN" || Name == "F2XM1" ||
      Name.starts_with("FYL2X") || Name == "FSCALE" || Name == "FXTRACT" ||
      Name.starts_with("FBLD") || Name.starts_with("FBST")) {
    Info.Kind = InstructionKind::FloatingPointSlow;
    return Info;
  }
  if (Integer == "XCHG" && HasMemory) {
    Info.Kind = InstructionKind::Atomic; // locked without saying so
    return Info;
  }
  if (Info.ReadsMemory || Info.WritesMemory) {
    if (Info.ReadsMemory && Info.WritesMemory)
      Info.Kind = InstructionKind::ReadModifyWrite;
    else if (Info.WritesMemory)
      Info.Kind = InstructionKind::Store;
    else if (Vector.starts_with("MOV") || Vector.starts_with("KMOV") ||
             Vector.starts_with("BROADCAST") ||
             Vector.starts_with("PBROADCAST") || Vector.starts_with("LDDQU") ||
             Name.starts_with("LD_F") || Name.starts_with("MMX_MOV") ||
             Name == "XLAT")
      Info.Kind = InstructionKind::Load;
    else
      Info.Kind = InstructionKind::LoadOperation;
    return Info;
  }
  if (Integer == "CMOV") {
    Info.Kind = InstructionKind::ConditionalMove;
    return Info;
  }
  if (Desc.hasUnmodeledSideEffects() && Name != "CLC" && Name != "STC" &&
      Name != "CMC" && Name != "CLD" && Name != "STD" &&
      !Name.starts_with("LEA")) {
    // System instructions, but also much of the old floating-point unit's and
    // some vector instructions: classify() looks at their registers.
    Info.Kind = InstructionKind::Other;
    return Info;
  }
  Info.Kind = InstructionKind::ALU;
  return Info;
}

void X86InstructionSet::classify(const MCInst &Inst, ArrayRef<uint8_t> Bytes,
                                 MachineInstruction &Result) const {
  const OpcodeInfo &Info = info(Inst);
  Result.Kind = Info.Kind;
  Result.ReadsMemory = Info.ReadsMemory;
  Result.WritesMemory = Info.WritesMemory;

  bool HasLock = false, HasRepeat = false;
  for (uint8_t Byte : Bytes) {
    if (Byte == 0xf0)
      HasLock = true;
    else if (Byte == 0xf2 || Byte == 0xf3)
      HasRepeat = true;
    else if (Byte != 0x66 && Byte != 0x67 && Byte != 0x2e && Byte != 0x36 &&
             Byte != 0x3e && Byte != 0x26 && Byte != 0x64 && Byte != 0x65)
      break;
  }
  if (HasLock && Info.ReadsMemory)
    Result.Kind = InstructionKind::Atomic;
  if (HasRepeat && (Info.ReadsMemory || Info.WritesMemory)) {
    StringRef Name = opcodeName(Inst.getOpcode());
    if (isStringOperation(Name, "MOVS") || isStringOperation(Name, "STOS") ||
        isStringOperation(Name, "LODS") || isStringOperation(Name, "SCAS") ||
        isStringOperation(Name, "CMPS"))
      Result.Kind = InstructionKind::Repeat;
  }

  switch (Result.Kind) {
  case InstructionKind::Push:
  case InstructionKind::Pop:
  case InstructionKind::Call:
  case InstructionKind::IndirectCall:
  case InstructionKind::Return:
    Result.IsStackAccess = true;
    break;
  case InstructionKind::ALU:
  case InstructionKind::Other: {
    auto IsVectorRegister = [&](unsigned R) { return R && IsVector[R]; };
    bool IsFloatingPoint = any_of(Inst, [&](const MCOperand &Operand) {
      return Operand.isReg() && IsVectorRegister(Operand.getReg());
    });
    const MCInstrDesc &Desc = desc(Inst);
    IsFloatingPoint |= any_of(Desc.implicit_defs(), IsVectorRegister) ||
                       any_of(Desc.implicit_uses(), IsVectorRegister);
    if (IsFloatingPoint)
      Result.Kind = InstructionKind::FloatingPoint;
    break;
  }
  default:
    if (Info.Memory >= 0 && (Info.ReadsMemory || Info.WritesMemory)) {
      uint16_t Base =
          widest(Inst.getOperand(Info.Memory + BaseOperand).getReg());
      Result.IsStackAccess =
          Base && (Base == StackPointer || Base == FramePointer);
    }
    break;
  }
}

bool X86InstructionSet::addAddress(const MCInst &Inst,
                                   const MachineInstruction &I, unsigned First,
                                   uint64_t &Constant,
                                   SmallVectorImpl<ValueTerm> &Terms) const {
  if (First + NumMemoryOperands > Inst.getNumOperands())
    return false;
  const MCOperand &Base = Inst.getOperand(First + BaseOperand);
  const MCOperand &Scale = Inst.getOperand(First + ScaleOperand);
  const MCOperand &Index = Inst.getOperand(First + IndexOperand);
  const MCOperand &Disp = Inst.getOperand(First + DispOperand);
  const MCOperand &Segment = Inst.getOperand(First + SegmentOperand);
  if (!Base.isReg() || !Scale.isImm() || !Index.isReg() || !Disp.isImm())
    return false;
  if (Segment.isReg() && Segment.getReg()) {
    StringRef Name = RegisterInfo->getName(Segment.getReg());
    if (Name == "FS" || Name == "GS")
      return false;
  }
  Constant += Disp.getImm();
  auto Add = [&](unsigned Register, int64_t S) {
    if (Register == InstructionPointer) {
      Constant += I.Address + I.Size;
      return;
    }
    if (uint16_t W = widest(Register)) {
      uint8_t Bits = W == Register ? 64 : 32; // addr32
      Terms.push_back({W, S, Bits, false});
    }
  };
  if (Base.getReg())
    Add(Base.getReg(), 1);
  if (Index.getReg())
    Add(Index.getReg(), Scale.getImm());
  return true;
}

RegisterValue X86InstructionSet::valueWritten(const MCInst &Inst,
                                              const MachineInstruction &I,
                                              uint16_t Register) const {
  const OpcodeInfo &Info = info(Inst);
  RegisterValue V;
  if (Info.Operation == Extend && Inst.getNumOperands() == 0) { // cltq
    if (Register == Accumulator) {
      V.IsKnown = true;
      V.Terms.push_back({Register, 1, Info.Width, Info.IsSigned});
    }
    return V;
  }
  if (Inst.getNumOperands() == 0 || !Inst.getOperand(0).isReg() ||
      widest(Inst.getOperand(0).getReg()) != Register) {
    // op $i, %eax without a ModR/M byte
    uint64_t Mask = maskTrailingOnes<uint64_t>(Info.Width);
    if (Register != Accumulator || Inst.getNumOperands() != 1 ||
        !Inst.getOperand(0).isImm())
      return V;
    int64_t Imm = Inst.getOperand(0).getImm();
    switch (Info.Operation) {
    case SubtractImmediate:
      Imm = -Imm;
      [[fallthrough]];
    case AddImmediate:
      V.IsKnown = true;
      V.Terms.push_back({Register, 1, 64, false});
      V.Constant = Imm;
      return V;
    case AndImmediate:
      V.Maximum = Imm & Mask;
      return V;
    default:
      return V;
    }
  }

  auto Term = [&](unsigned Operand, uint8_t Bits = 64, bool IsSigned = false,
                  int64_t Scale = 1) {
    V.Terms.push_back(
        {widest(Inst.getOperand(Operand).getReg()), Scale, Bits, IsSigned});
    V.IsKnown = V.Terms.back().Register != 0;
  };
  auto Load = [&](unsigned First, unsigned Bits, bool IsSigned) {
    V.LoadSize = Bits / 8;
    V.IsLoadSigned = IsSigned;
    V.IsKnown = addAddress(Inst, I, First, V.LoadConstant, V.LoadTerms);
    if (!IsSigned && Bits < 64)
      V.Maximum = maskTrailingOnes<uint64_t>(Bits);
  };
  auto Imm = [&](unsigned Operand) -> int64_t {
    const MCOperand &O = Inst.getOperand(Operand);
    return O.isImm() ? O.getImm() : 0;
  };
  switch (Info.Operation) {
  case Copy:
    Term(1);
    break;
  case Extend:
    Term(1, Info.Width, Info.IsSigned);
    if (!Info.IsSigned)
      V.Maximum = maskTrailingOnes<uint64_t>(Info.Width);
    break;
  case Immediate:
    if (!Inst.getOperand(1).isImm())
      break;
    V = RegisterValue::constant(Info.Width == 32 ? uint32_t(Imm(1)) : Imm(1));
    V.Maximum = V.Constant;
    break;
  case Address:
    V.IsKnown = addAddress(Inst, I, 1, V.Constant, V.Terms);
    break;
  case LoadMemory:
    Load(1, Info.Width, Info.IsSigned);
    break;
  case AddRegister:
    Term(1);
    Term(2);
    break;
  case AddMemory:
    Term(1);
    if (V.IsKnown)
      Load(2, 64, false);
    break;
  case AddImmediate:
  case SubtractImmediate:
    Term(1);
    V.Constant = Info.Operation == AddImmediate ? Imm(2) : -Imm(2);
    break;
  case Increment:
  case Decrement:
    Term(1);
    V.Constant = Info.Operation == Increment ? 1 : -1;
    break;
  case AndImmediate:
    V.Maximum = Imm(2) & maskTrailingOnes<uint64_t>(Info.Width);
    break;
  case ShiftLeft:
    Term(1, 64, false, int64_t(1) << (Imm(2) & 63));
    break;
  case ShiftRight: {
    unsigned Amount = Imm(2) & (Info.Width - 1);
    V.Maximum = maskTrailingOnes<uint64_t>(Info.Width - Amount);
    break;
  }
  case Clear:
    if (Inst.getOperand(1).getReg() == Inst.getOperand(2).getReg())
      V = RegisterValue::constant(0);
    break;
  default:
    break;
  }
  return V;
}

RegisterValue
X86InstructionSet::indirectTarget(const MCInst &Inst,
                                  const MachineInstruction &I) const {
  RegisterValue V;
  const OpcodeInfo &Info = info(Inst);
  if (Info.Memory >= 0) {
    V.LoadSize = 8;
    V.IsKnown = addAddress(Inst, I, Info.Memory, V.LoadConstant, V.LoadTerms);
  } else if (Inst.getNumOperands() >= 1 && Inst.getOperand(0).isReg()) {
    V.Terms.push_back({widest(Inst.getOperand(0).getReg()), 1, 64, false});
    V.IsKnown = V.Terms.back().Register != 0;
  }
  return V;
}

SmallVector<InstructionSet::Spill, 2>
X86InstructionSet::spills(const MCInst &Inst) const {
  if (info(Inst).Operation != StoreRegister ||
      Inst.getNumOperands() != NumMemoryOperands + 1 ||
      Inst.getOperand(IndexOperand).getReg() ||
      !Inst.getOperand(DispOperand).isImm())
    return {};
  return {Spill{widest(Inst.getOperand(BaseOperand).getReg()),
                Inst.getOperand(DispOperand).getImm(),
                widest(Inst.getOperand(NumMemoryOperands).getReg())}};
}

std::optional<InstructionSet::Bound>
X86InstructionSet::bound(const MCInst &Compare, const MCInst &Branch,
                         bool IsTaken) const {
  if (info(Branch).Operation != JumpOnCondition || Branch.getNumOperands() < 2)
    return std::nullopt;
  const OpcodeInfo &Info = info(Compare);
  Bound B;
  const MCOperand *Imm = nullptr;
  if (Info.Operation == CompareImmediate && Compare.getNumOperands() == 2) {
    B.Register = widest(Compare.getOperand(0).getReg());
    Imm = &Compare.getOperand(1);
  } else if (Info.Operation == CompareAccumulator &&
             Compare.getNumOperands() == 1) {
    B.Register = Accumulator;
    Imm = &Compare.getOperand(0);
  }
  if (!Imm || !Imm->isImm())
    return std::nullopt;
  B.Bits = Info.Width;
  uint64_t Value = Imm->getImm() & maskTrailingOnes<uint64_t>(Info.Width);
  int64_t Condition = Branch.getOperand(1).getImm();
  if (!IsTaken)
    Condition ^= 1;
  switch (Condition) {
  case CondB:
    if (Value == 0)
      return std::nullopt;
    B.Maximum = Value - 1;
    return B;
  case CondBE:
  case CondE:
    B.Maximum = Value;
    return B;
  default:
    return std::nullopt;
  }
}

// The rule that Intel documents; AMD's processors fuse no less.
bool X86InstructionSet::isFused(const MCInst &Previous,
                                const MCInst &Branch) const {
  if (info(Branch).Operation != JumpOnCondition || Branch.getNumOperands() < 2)
    return false;
  StringRef Name = opcodeName(Previous.getOpcode());
  StringRef Operation = integerOperation(Name);
  const OpcodeInfo &Info = info(Previous);
  if (Info.WritesMemory)
    return false;
  if (Info.Memory >= 0 &&
      Previous.getOperand(Previous.getNumOperands() - 1).isImm())
    return false;
  int64_t Condition = Branch.getOperand(1).getImm();
  bool IsOnCarry = Condition == CondB || Condition == CondAE ||
                   Condition == CondBE || Condition == CondA;
  bool IsOnOrder = Condition == CondE || Condition == CondNE ||
                   (Condition >= CondL && Condition <= CondG);
  if (Operation == "TEST" || Operation == "AND")
    return true;
  if (Operation == "CMP" || Operation == "ADD" || Operation == "SUB")
    return IsOnCarry || IsOnOrder;
  if (Operation == "INC" || Operation == "DEC")
    return IsOnOrder;
  return false;
}

std::optional<uint64_t> X86InstructionSet::addressConstant(
    const MCInst &Inst, const MachineInstruction &I,
    std::vector<std::pair<uint16_t, uint64_t>> &Pages) const {
  const OpcodeInfo &Info = info(Inst);
  switch (I.Kind) {
  case InstructionKind::Call:
  case InstructionKind::Jump:
  case InstructionKind::ConditionalBranch:
  case InstructionKind::Nop:
    return std::nullopt;
  default:
    break;
  }
  // An address as immediate, in code that is not position-independent.
  for (unsigned N = Inst.getNumOperands(), Op = 0; Op != N; ++Op) {
    if (Info.Memory >= 0 && Op >= unsigned(Info.Memory) &&
        Op < Info.Memory + NumMemoryOperands)
      continue;
    const MCOperand &Operand = Inst.getOperand(Op);
    if (Operand.isImm() && Operand.getImm() >= 0x1000)
      return Operand.getImm();
  }
  if (Info.Memory < 0)
    return std::nullopt;
  uint64_t Constant = 0;
  SmallVector<ValueTerm, 2> Terms;
  const MCOperand &Base = Inst.getOperand(Info.Memory + BaseOperand);
  if (Base.isReg() && Base.getReg() && Base.getReg() != InstructionPointer)
    return std::nullopt;
  if (!addAddress(Inst, I, Info.Memory, Constant, Terms))
    return std::nullopt;
  return Constant;
}

// lea disp32(%rip), %reg: 8d, a ModR/M byte 00 reg 101, the displacement.
void X86InstructionSet::scanForAddresses(ArrayRef<uint8_t> Code,
                                         uint64_t Address,
                                         std::vector<uint64_t> &Result) const {
  constexpr size_t Length = 6;
  for (size_t I = 0; I + Length <= Code.size(); ++I)
    if (Code[I] == 0x8d && (Code[I + 1] & 0xc7) == 0x05)
      Result.push_back(
          Address + I + Length +
          int64_t(int32_t(support::endian::read32le(&Code[I + 2]))));
}

bool X86InstructionSet::setsFramePointer(const MCInst &Inst) const {
  const OpcodeInfo &Info = info(Inst);
  if (Info.Operation != Copy && Info.Operation != Address)
    return false;
  return widest(Inst.getOperand(0).getReg()) == FramePointer &&
         Inst.getOperand(1).isReg() &&
         widest(Inst.getOperand(1).getReg()) == StackPointer;
}

std::unique_ptr<InstructionSet> createX86InstructionSet(Triple TT) {
  return std::make_unique<X86InstructionSet>(std::move(TT));
}

} // namespace inlay
