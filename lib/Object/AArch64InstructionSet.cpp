//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// AArch64.
//
// An opcode's name in LLVM's tables says what it does, the width of its
// registers (W, X; B, H, S, D, Q) and the form of its operands: i for an
// immediate, rs and rx for a shifted and an extended register, ui and u for a
// scaled and an unscaled offset, ro for an index register, pre and post for
// accesses that move their base. Loads and stores all begin with LD and ST; of
// the flags mayLoad and mayStore, which system instructions and hints have as
// well, only these are believed.
//
//===----------------------------------------------------------------------===//

#include "InstructionSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <array>

using namespace llvm;

namespace inlay {

namespace {

/// Operations on values, for OpcodeInfo::Operation. Width is that of what is
/// loaded, or of the operands.
enum : uint8_t {
  NoOperation,
  PageAddress,  // adrp
  Address,      // adr
  AddImmediate, // dst, src, imm, shift
  SubtractImmediate,
  AddShifted,   // dst, src, src, shift
  AddExtended,  // dst, src, src, extension
  OrShifted,    // dst, src, src, shift; a move if the first source is zero
  MoveWide,     // dst, imm, shift
  LoadScaled,   // dst, base, imm in units of the width
  LoadUnscaled, // dst, base, imm in bytes
  LoadIndexX,   // dst, base, index, is signed, is scaled
  LoadIndexW,
  LoadPair,          // dst, dst, base, imm
  LoadLiteral,       // dst, offset in words
  UnsignedField,     // ubfm: dst, src, immr, imms
  SignedField,       // sbfm
  AndImmediate,      // dst, src, encoded mask
  SubtractFlags,     // subs: dst, src, imm, shift
  OtherFlags,        // adds, ands, and subs of registers
  StoreScaled,       // src, base, imm
  StorePair,         // src, src, base, imm
  BranchOnCondition, // condition, target
  HintNumber,
  Authenticate, // of x17, in place
};

enum { CondEQ, CondNE, CondHS, CondLO, CondHI = 8, CondLS = 9 };

bool startsWithAny(StringRef Name, ArrayRef<StringLiteral> Prefixes) {
  return any_of(Prefixes,
                [&](StringRef Prefix) { return Name.starts_with(Prefix); });
}

class AArch64InstructionSet final : public InstructionSet {
public:
  explicit AArch64InstructionSet(Triple TT) : InstructionSet(std::move(TT)) {}

  unsigned minimumSize() const override { return 4; }
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
  bool setsFramePointer(const MCInst &Inst) const override {
    return info(Inst).Operation == AddImmediate &&
           registerOf(Inst, 0) == FramePointer &&
           registerOf(Inst, 1) == StackPointer;
  }

protected:
  void classify(const MCInst &Inst, ArrayRef<uint8_t> Bytes,
                MachineInstruction &Result) const override;
  OpcodeInfo describe(unsigned Opcode) const override;
  bool isIgnored(StringRef Name) const override {
    return Name == "XZR" || Name == "WZR" || Name == "FPCR" || Name == "VG";
  }
  bool isVectorClass(StringRef Name) const override {
    return startsWithAny(Name, {"FPR", "ZPR", "PPR", "PNR", "MPR", "DD", "QQ"});
  }
  void findRegisters() override;

private:
  void describeValue(StringRef Name, OpcodeInfo &Info) const;
  bool hasOperands(const MCInst &Inst, unsigned Count) const {
    return Inst.getNumOperands() >= Count;
  }
  /// The widest register of an operand; 0 if it is none, or zero.
  uint16_t registerOf(const MCInst &Inst, unsigned Operand) const {
    return hasOperands(Inst, Operand + 1) && Inst.getOperand(Operand).isReg()
               ? widest(Inst.getOperand(Operand).getReg())
               : 0;
  }
  int64_t immediateOf(const MCInst &Inst, unsigned Operand) const {
    return hasOperands(Inst, Operand + 1) && Inst.getOperand(Operand).isImm()
               ? Inst.getOperand(Operand).getImm()
               : 0;
  }

  SmallVector<uint16_t, 12> Preserved;
  int BaseClass = -1; ///< of registers that may be the base of an address
};

} // namespace

void AArch64InstructionSet::findRegisters() {
  Flags = registerNamed("NZCV");
  StackPointer = registerNamed("SP");
  FramePointer = registerNamed("FP");
  for (StringRef Name : {"X19", "X20", "X21", "X22", "X23", "X24", "X25", "X26",
                         "X27", "X28", "FP", "SP"})
    Preserved.push_back(registerNamed(Name));
  for (const MCRegisterClass &Class : RegisterInfo->regclasses())
    if (StringRef(RegisterInfo->getRegClassName(&Class)) == "GPR64sp")
      BaseClass = Class.getID();
}

void AArch64InstructionSet::describeValue(StringRef Name,
                                          OpcodeInfo &Info) const {
  auto Is = [&](uint8_t Operation, uint8_t Width = 64, bool IsSigned = false) {
    Info.Operation = Operation;
    Info.Width = Width;
    Info.IsSigned = IsSigned;
  };
  if (Name == "ADRP")
    return Is(PageAddress);
  if (Name == "ADR")
    return Is(Address);
  if (Name == "ADDXri" || Name == "ADDWri")
    return Is(AddImmediate, Name == "ADDXri" ? 64 : 32);
  if (Name == "SUBXri" || Name == "SUBWri")
    return Is(SubtractImmediate, Name == "SUBXri" ? 64 : 32);
  if (Name == "ADDXrs")
    return Is(AddShifted);
  if (Name == "ADDXrx" || Name == "ADDXrx64")
    return Is(AddExtended);
  if (Name == "ORRXrs" || Name == "ORRWrs")
    return Is(OrShifted, Name == "ORRXrs" ? 64 : 32);
  if (Name == "MOVZXi" || Name == "MOVZWi")
    return Is(MoveWide);
  if (Name == "UBFMXri" || Name == "UBFMWri")
    return Is(UnsignedField, Name == "UBFMXri" ? 64 : 32);
  if (Name == "SBFMXri" || Name == "SBFMWri")
    return Is(SignedField, Name == "SBFMXri" ? 64 : 32);
  if (Name == "ANDXri" || Name == "ANDWri")
    return Is(AndImmediate, Name == "ANDXri" ? 64 : 32);
  if (Name == "SUBSXri" || Name == "SUBSWri")
    return Is(SubtractFlags, Name == "SUBSXri" ? 64 : 32);
  if (startsWithAny(Name, {"SUBSX", "SUBSW", "ADDSX", "ADDSW", "ANDSX", "ANDSW",
                           "BICSX", "BICSW"}))
    return Is(OtherFlags);
  if (Name == "STRXui")
    return Is(StoreScaled);
  if (Name == "STPXi")
    return Is(StorePair);
  if (Name == "LDPXi")
    return Is(LoadPair);
  if (Name == "LDRXl")
    return Is(LoadLiteral);
  if (Name == "Bcc" || Name == "BCcc")
    return Is(BranchOnCondition);
  if (Name == "HINT")
    return Is(HintNumber);
  if (Name == "AUTIA1716" || Name == "AUTIB1716")
    return Is(Authenticate);

  struct Load {
    StringLiteral Scaled, Unscaled, Index; ///< names up to the form
    uint8_t Width;
    bool IsSigned;
  };
  static constexpr Load Loads[] = {
      {"LDRX", "LDURX", "LDRXro", 64, false},
      {"LDRW", "LDURW", "LDRWro", 32, false},
      {"LDRHH", "LDURHH", "LDRHHro", 16, false},
      {"LDRBB", "LDURBB", "LDRBBro", 8, false},
      {"LDRSW", "LDURSW", "LDRSWro", 32, true},
      {"LDRSHX", "LDURSHX", "LDRSHXro", 16, true},
      {"LDRSHW", "LDURSHW", "LDRSHWro", 16, true},
      {"LDRSBX", "LDURSBX", "LDRSBXro", 8, true},
      {"LDRSBW", "LDURSBW", "LDRSBWro", 8, true},
  };
  for (const Load &L : Loads) {
    StringRef Form = Name;
    if (Form.consume_front(L.Scaled) && Form == "ui")
      return Is(LoadScaled, L.Width, L.IsSigned);
    Form = Name;
    if (Form.consume_front(L.Unscaled) && Form == "i")
      return Is(LoadUnscaled, L.Width, L.IsSigned);
    Form = Name;
    if (Form.consume_front(L.Index) && (Form == "X" || Form == "W"))
      return Is(Form == "X" ? LoadIndexX : LoadIndexW, L.Width, L.IsSigned);
  }
}

AArch64InstructionSet::OpcodeInfo
AArch64InstructionSet::describe(unsigned Opcode) const {
  const MCInstrDesc &Desc = InstrInfo->get(Opcode);
  StringRef Name = opcodeName(Opcode);
  OpcodeInfo Info;
  describeValue(Name, Info);

  bool IsDirect = false;
  for (const MCOperandInfo &Operand : Desc.operands())
    IsDirect |= Operand.OperandType == MCOI::OPERAND_PCREL;
  if (Name == "BRK" || Name == "UDF" || Name == "HLT") {
    Info.Kind = InstructionKind::Trap;
    return Info;
  }
  if (Desc.isCall()) {
    Info.Kind =
        IsDirect ? InstructionKind::Call : InstructionKind::IndirectCall;
    return Info;
  }
  if (Desc.isReturn()) {
    Info.Kind = InstructionKind::Return;
    return Info;
  }
  if (Desc.isBranch()) {
    if (Desc.isIndirectBranch() || !IsDirect)
      Info.Kind = InstructionKind::IndirectJump;
    else if (Desc.isBarrier())
      Info.Kind = InstructionKind::Jump;
    else
      Info.Kind = InstructionKind::ConditionalBranch;
    return Info;
  }
  if (Name == "HINT" || Name == "NOP") {
    Info.Kind = InstructionKind::Nop;
    return Info;
  }
  if (startsWithAny(Name, {"DMB", "DSB", "ISB", "TSB", "CLREX"}) ||
      Name == "SB") {
    Info.Kind = InstructionKind::Atomic;
    return Info;
  }
  // Memory copies and fills that loop by themselves.
  if (startsWithAny(Name, {"CPYF", "CPYM", "CPYE", "CPYP", "SETP", "SETM",
                           "SETE", "SETGP", "SETGM", "SETGE"}) &&
      Desc.mayStore()) {
    Info.Kind = InstructionKind::Repeat;
    Info.ReadsMemory = Name.starts_with("CPY");
    Info.WritesMemory = true;
    return Info;
  }

  bool IsLoad = startsWithAny(Name, {"LD", "GLD"});
  bool IsStore = startsWithAny(Name, {"ST", "SST"});
  bool IsExclusive = startsWithAny(Name, {"LDXR", "LDAXR", "LDXP", "LDAXP",
                                          "STXR", "STLXR", "STXP", "STLXP"});
  bool IsReadModifyWrite =
      startsWithAny(Name, {"CAS", "SWP", "LDADD", "LDCLR", "LDEOR", "LDSET",
                           "LDSMAX", "LDSMIN", "LDUMAX", "LDUMIN", "RCW"}) &&
      Desc.mayLoad();
  if ((IsLoad && Desc.mayLoad()) || (IsStore && Desc.mayStore()) ||
      IsReadModifyWrite) {
    Info.ReadsMemory = IsLoad || IsReadModifyWrite;
    Info.WritesMemory = IsStore || IsReadModifyWrite;
    // The base is the last operand that may be one, a moved base's new value
    // aside.
    for (unsigned I = 0, E = Desc.getNumOperands(); I != E; ++I)
      if (I >= Desc.getNumDefs() && Desc.operands()[I].RegClass == BaseClass)
        Info.Memory = I;
    if (IsExclusive || IsReadModifyWrite)
      Info.Kind = InstructionKind::Atomic;
    else
      Info.Kind = IsLoad ? InstructionKind::Load : InstructionKind::Store;
    return Info;
  }

  if (startsWithAny(Name, {"SDIVX", "SDIVW", "UDIVX", "UDIVW"}))
    Info.Kind = InstructionKind::Divide;
  else if (startsWithAny(Name,
                         {"MADDX", "MADDW", "MSUBX", "MSUBW", "SMADDL",
                          "UMADDL", "SMSUBL", "UMSUBL", "SMULHrr", "UMULHrr"}))
    Info.Kind = InstructionKind::Multiply;
  else if (startsWithAny(
               Name, {"FDIV", "FSQRT", "SDIV_", "UDIV_", "SDIVR_", "UDIVR_"}))
    Info.Kind = InstructionKind::FloatingPointSlow;
  else if (startsWithAny(Name, {"CSELX", "CSELW", "CSINCX", "CSINCW", "CSINVX",
                                "CSINVW", "CSNEGX", "CSNEGW"}))
    Info.Kind = InstructionKind::ConditionalMove;
  else if (startsWithAny(Name, {"PACI", "AUTI", "XPAC"}))
    Info.Kind = InstructionKind::ALU;
  else if (Desc.hasUnmodeledSideEffects() || Desc.mayLoad() || Desc.mayStore())
    Info.Kind = InstructionKind::Other;
  else
    Info.Kind = InstructionKind::ALU;
  return Info;
}

void AArch64InstructionSet::classify(const MCInst &Inst,
                                     ArrayRef<uint8_t> Bytes,
                                     MachineInstruction &Result) const {
  const OpcodeInfo &Info = info(Inst);
  Result.Kind = Info.Kind;
  Result.ReadsMemory = Info.ReadsMemory;
  Result.WritesMemory = Info.WritesMemory;
  if (Info.Operation == HintNumber) {
    int64_t Number = immediateOf(Inst, 0);
    if (Number >= 1 && Number <= 6) // yield, wait for events, ...
      Result.Kind = InstructionKind::Other;
    return;
  }
  if (Info.Memory >= 0) {
    uint16_t Base = registerOf(Inst, Info.Memory);
    Result.IsStackAccess =
        Base && (Base == StackPointer || Base == FramePointer);
    // Moves the stack pointer.
    if (Base == StackPointer && is_contained(Result.Writes, StackPointer)) {
      if (Result.Kind == InstructionKind::Store)
        Result.Kind = InstructionKind::Push;
      else if (Result.Kind == InstructionKind::Load)
        Result.Kind = InstructionKind::Pop;
    }
    return;
  }
  if (Result.Kind == InstructionKind::ALU ||
      Result.Kind == InstructionKind::Other)
    if (any_of(Inst, [&](const MCOperand &Operand) {
          return Operand.isReg() && Operand.getReg() &&
                 IsVector[Operand.getReg()];
        }))
      Result.Kind = InstructionKind::FloatingPoint;
}

RegisterValue AArch64InstructionSet::valueWritten(const MCInst &Inst,
                                                  const MachineInstruction &I,
                                                  uint16_t Register) const {
  const OpcodeInfo &Info = info(Inst);
  RegisterValue V;
  if (Info.Operation == Authenticate && is_contained(I.Writes, Register)) {
    V.IsKnown = true;
    V.Terms.push_back({Register, 1, 64, false});
    return V;
  }
  bool IsSecond = Info.Operation == LoadPair && registerOf(Inst, 1) == Register;
  if (registerOf(Inst, 0) != Register && !IsSecond)
    return V;

  auto Term = [&](unsigned Operand, int64_t Scale = 1, uint8_t Bits = 64,
                  bool IsSigned = false) {
    if (uint16_t R = registerOf(Inst, Operand))
      V.Terms.push_back({R, Scale, Bits, IsSigned});
    V.IsKnown = true; // zero adds nothing
  };
  auto LoadTerm = [&](unsigned Operand, int64_t Scale = 1, uint8_t Bits = 64,
                      bool IsSigned = false) {
    if (uint16_t R = registerOf(Inst, Operand))
      V.LoadTerms.push_back({R, Scale, Bits, IsSigned});
  };
  unsigned Bytes = Info.Width / 8;
  auto Load = [&] {
    V.IsKnown = true;
    V.LoadSize = Bytes;
    V.IsLoadSigned = Info.IsSigned;
    if (!Info.IsSigned && Info.Width < 64)
      V.Maximum = maskTrailingOnes<uint64_t>(Info.Width);
  };
  switch (Info.Operation) {
  case PageAddress:
    return RegisterValue::constant((I.Address & ~uint64_t(0xfff)) +
                                   (uint64_t(immediateOf(Inst, 1)) << 12));
  case Address:
    return RegisterValue::constant(I.Address + immediateOf(Inst, 1));
  case AddImmediate:
  case SubtractImmediate: {
    Term(1, 1, Info.Width);
    uint64_t Imm = uint64_t(immediateOf(Inst, 2))
                   << (immediateOf(Inst, 3) & 63);
    V.Constant = Info.Operation == AddImmediate ? Imm : 0 - Imm;
    return V;
  }
  case SubtractFlags: // the flags are for the branch; the value may be used too
    Term(1, 1, Info.Width);
    V.Constant =
        0 - (uint64_t(immediateOf(Inst, 2)) << (immediateOf(Inst, 3) & 63));
    return V;
  case AddShifted: {
    // Kind of shift in bits 6 to 8, 0: left.
    int64_t Shift = immediateOf(Inst, 3);
    if ((Shift >> 6) != 0)
      return V;
    Term(1);
    Term(2, int64_t(1) << (Shift & 63));
    return V;
  }
  case AddExtended: {
    // Bits 3 to 5: 0 to 3 for unsigned bytes, halves, words, the whole; 4 to 7
    // for signed ones. Bits 0 to 2: left shift.
    int64_t Extension = immediateOf(Inst, 3);
    unsigned Kind = (Extension >> 3) & 7;
    Term(1);
    Term(2, int64_t(1) << (Extension & 7), 8u << (Kind & 3), Kind >= 4);
    return V;
  }
  case OrShifted:
    if (registerOf(Inst, 1) != 0 || immediateOf(Inst, 3) != 0)
      return V;
    Term(2, 1, Info.Width);
    if (Info.Width == 32)
      V.Maximum = UINT32_MAX;
    return V;
  case MoveWide:
    V = RegisterValue::constant(uint64_t(immediateOf(Inst, 1))
                                << (immediateOf(Inst, 2) & 63));
    V.Maximum = V.Constant;
    return V;
  case LoadScaled:
    Load();
    LoadTerm(1);
    V.LoadConstant = uint64_t(immediateOf(Inst, 2)) * Bytes;
    return V;
  case LoadUnscaled:
    Load();
    LoadTerm(1);
    V.LoadConstant = immediateOf(Inst, 2);
    return V;
  case LoadIndexX:
  case LoadIndexW:
    Load();
    LoadTerm(1);
    LoadTerm(2, immediateOf(Inst, 4) ? Bytes : 1,
             Info.Operation == LoadIndexX ? 64 : 32,
             Info.Operation == LoadIndexW && immediateOf(Inst, 3) != 0);
    return V;
  case LoadPair:
    Load();
    LoadTerm(2);
    V.LoadConstant = uint64_t(immediateOf(Inst, 3)) * 8 + (IsSecond ? 8 : 0);
    return V;
  case LoadLiteral:
    Load();
    V.LoadConstant = I.Address + uint64_t(immediateOf(Inst, 1)) * 4;
    return V;
  case UnsignedField:
  case SignedField: {
    unsigned Rotation = immediateOf(Inst, 2) & 63;
    unsigned Last = immediateOf(Inst, 3) & 63;
    bool IsSigned = Info.Operation == SignedField;
    if (Rotation == 0) { // extension of the low bits
      Term(1, 1, Last + 1, IsSigned);
      if (!IsSigned)
        V.Maximum = maskTrailingOnes<uint64_t>(Last + 1);
    } else if (Last >= Rotation) { // right shift, or some bits in the middle
      if (!IsSigned)
        V.Maximum = maskTrailingOnes<uint64_t>(Last - Rotation + 1);
    } else if (Info.Width == 64) { // left shift of the low bits
      Term(1, int64_t(1) << (64 - Rotation), Last + 1, IsSigned);
    }
    return V;
  }
  case AndImmediate: {
    // N, rotation, length: a mask of low bits if nothing is rotated and the
    // pattern is not repeated.
    uint64_t Encoded = immediateOf(Inst, 2);
    bool IsWhole = Info.Width == 64
                       ? (Encoded >> 12) & 1
                       : !((Encoded >> 12) & 1) && !(Encoded & 0x20);
    if (IsWhole && ((Encoded >> 6) & 63) == 0)
      V.Maximum = maskTrailingOnes<uint64_t>((Encoded & 63) + 1);
    return V;
  }
  default:
    return V;
  }
}

RegisterValue
AArch64InstructionSet::indirectTarget(const MCInst &Inst,
                                      const MachineInstruction &I) const {
  RegisterValue V;
  if (uint16_t Register = registerOf(Inst, 0)) {
    V.IsKnown = true;
    V.Terms.push_back({Register, 1, 64, false});
  }
  return V;
}

SmallVector<InstructionSet::Spill, 2>
AArch64InstructionSet::spills(const MCInst &Inst) const {
  switch (info(Inst).Operation) {
  case StoreScaled:
    return {Spill{registerOf(Inst, 1), immediateOf(Inst, 2) * 8,
                  registerOf(Inst, 0)}};
  case StorePair: {
    int64_t Offset = immediateOf(Inst, 3) * 8;
    return {Spill{registerOf(Inst, 2), Offset, registerOf(Inst, 0)},
            Spill{registerOf(Inst, 2), Offset + 8, registerOf(Inst, 1)}};
  }
  default:
    return {};
  }
}

std::optional<InstructionSet::Bound>
AArch64InstructionSet::bound(const MCInst &Compare, const MCInst &Branch,
                             bool IsTaken) const {
  if (info(Branch).Operation != BranchOnCondition ||
      info(Compare).Operation != SubtractFlags)
    return std::nullopt;
  Bound B;
  B.Register = registerOf(Compare, 1);
  B.Bits = info(Compare).Width;
  uint64_t Value = uint64_t(immediateOf(Compare, 2))
                   << (immediateOf(Compare, 3) & 63);
  int64_t Condition = immediateOf(Branch, 0);
  if (!IsTaken)
    Condition ^= 1;
  switch (Condition) {
  case CondLO:
    if (Value == 0)
      return std::nullopt;
    B.Maximum = Value - 1;
    return B;
  case CondLS:
  case CondEQ:
    B.Maximum = Value;
    return B;
  default:
    return std::nullopt;
  }
}

// Comparisons only: a flag-setting instruction whose result is dropped.
bool AArch64InstructionSet::isFused(const MCInst &Previous,
                                    const MCInst &Branch) const {
  uint8_t Operation = info(Previous).Operation;
  return info(Branch).Operation == BranchOnCondition &&
         (Operation == SubtractFlags || Operation == OtherFlags) &&
         registerOf(Previous, 0) == 0;
}

std::optional<uint64_t> AArch64InstructionSet::addressConstant(
    const MCInst &Inst, const MachineInstruction &I,
    std::vector<std::pair<uint16_t, uint64_t>> &Pages) const {
  const OpcodeInfo &Info = info(Inst);
  if (Info.Operation == Address)
    return I.Address + immediateOf(Inst, 1);
  if (Info.Operation == PageAddress) {
    uint64_t Page =
        (I.Address & ~uint64_t(0xfff)) + (uint64_t(immediateOf(Inst, 1)) << 12);
    uint16_t Register = registerOf(Inst, 0);
    for (auto &[R, P] : Pages)
      if (R == Register) {
        P = Page;
        return std::nullopt;
      }
    Pages.push_back({Register, Page});
    return std::nullopt;
  }
  // An offset to a page; whatever else is written to a register hides its page.
  std::optional<uint64_t> Offset, Result;
  if (Info.Operation == AddImmediate)
    Offset = uint64_t(immediateOf(Inst, 2)) << (immediateOf(Inst, 3) & 63);
  else if (Info.Operation == LoadScaled)
    Offset = uint64_t(immediateOf(Inst, 2)) * (Info.Width / 8);
  if (Offset)
    for (const auto &[R, Page] : Pages)
      if (R == registerOf(Inst, 1))
        Result = Page + *Offset;
  if (!Pages.empty())
    llvm::erase_if(Pages, [&](const std::pair<uint16_t, uint64_t> &P) {
      return is_contained(I.Writes, P.first);
    });
  return Result;
}

// adrp xN, page; ...; add xM, xN, #offset, not far apart. Also adr.
void AArch64InstructionSet::scanForAddresses(
    ArrayRef<uint8_t> Code, uint64_t Address,
    std::vector<uint64_t> &Result) const {
  constexpr size_t MaxDistance = 64; // bytes
  struct Page {
    uint64_t Address = 0;
    size_t Place = 0;
    bool IsSet = false;
  };
  std::array<Page, 32> Pages;
  for (size_t I = 0; I + 4 <= Code.size(); I += 4) {
    uint32_t Word = support::endian::read32le(&Code[I]);
    uint64_t Relative = uint64_t(
        SignExtend64<21>(((Word >> 5) & 0x7ffff) << 2 | ((Word >> 29) & 3)));
    if ((Word & 0x9f000000) == 0x10000000) { // adr
      Result.push_back(Address + I + Relative);
    } else if ((Word & 0x9f000000) == 0x90000000) { // adrp
      Pages[Word & 31] = {((Address + I) & ~uint64_t(0xfff)) + (Relative << 12),
                          I, true};
    } else if ((Word & 0xffc00000) == 0x91000000) { // add, not shifted
      const Page &P = Pages[(Word >> 5) & 31];
      if (P.IsSet && I - P.Place <= MaxDistance)
        Result.push_back(P.Address + ((Word >> 10) & 0xfff));
    }
  }
}

std::unique_ptr<InstructionSet> createAArch64InstructionSet(Triple TT) {
  return std::make_unique<AArch64InstructionSet>(std::move(TT));
}

} // namespace inlay
