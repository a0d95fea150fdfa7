//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The control-flow graph of a function's machine code, and what each of its
// instructions does as far as its cost in time is concerned.
//
// Built by LLVM's MC layer, and told in words that hold for every target:
// nothing outside lib/Object knows a mnemonic or a register's name.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_OBJECT_MACHINECFG_H
#define INLAY_OBJECT_MACHINECFG_H

#include "inlay/Object/ProfiledBinary.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace inlay {

enum class InstructionKind : uint8_t {
  Other, ///< system instructions and what no other kind fits
  Nop,
  ALU, ///< integer operations between registers, moves, lea
  ConditionalMove,
  Multiply,          ///< integer
  Divide,            ///< integer
  FloatingPoint,     ///< also vector operations between registers
  FloatingPointSlow, ///< division and square root
  Load,
  LoadOperation, ///< computes with a memory operand that it only reads
  Store,
  ReadModifyWrite,
  Atomic, ///< locked or exclusive accesses, barriers
  Push,
  Pop,
  Repeat, ///< string instructions that loop by themselves
  ConditionalBranch,
  Jump,
  IndirectJump,
  Call,
  IndirectCall,
  Return,
  Trap ///< never continues
};

/// As in names of instruction classes: "load", "cond_branch", ...
llvm::StringRef instructionKindName(InstructionKind Kind);

struct MachineInstruction {
  uint64_t Address = 0;
  uint8_t Size = 0; ///< bytes
  InstructionKind Kind = InstructionKind::Other;
  /// Reads memory (also Pop and Return where these do).
  bool ReadsMemory = false;
  bool WritesMemory = false;
  /// Its memory operand is addressed from the stack pointer or, with one, the
  /// frame pointer.
  bool IsStackAccess = false;
  /// Decoded as one operation with the instruction before it (x86's cmp and
  /// jcc): no interrupt comes between the two.
  bool IsFusedWithPrevious = false;
  /// Registers, sub-registers widened to the largest register that holds them,
  /// flags included; numbers are the target's and mean nothing but identity.
  /// A register that an idiom only clears (xor %eax, %eax) is not read.
  llvm::SmallVector<uint16_t, 4> Reads, Writes;
};

enum class EdgeKind : uint8_t { FallThrough, Taken, Indirect };

struct MachineEdge {
  uint32_t Source, Target; ///< indices of blocks
  EdgeKind Kind;
};

struct MachineBlock {
  uint32_t First = 0; ///< index into MachineFunction::Instructions
  uint32_t Count = 0; ///< instructions, at least one
  /// Nothing leads here from the entry (padding, code behind a table that was
  /// not understood); landing pads count as reached.
  bool IsReachable = true;
  /// Control comes here by other ways than the graph's edges: from the
  /// unwinder, or from setjmp and the like when they return once more.
  bool IsLandingPad = false;
  /// Control leaves the function here: return, tail call (also a conditional
  /// one: then there is a fall-through edge besides), call that does not
  /// return, trap, indirect jump of unknown targets.
  bool IsExit = false;
};

struct MachineCall {
  uint32_t Instruction; ///< index into MachineFunction::Instructions
  uint32_t Block;
  /// Address of the callee; nullopt: indirect. That of a PLT stub is the
  /// stub's.
  std::optional<uint64_t> Target;
  /// What is called through a slot that the dynamic linker fills (-fno-plt);
  /// empty if it is not known, or Target tells. Lives as long as the binary.
  llvm::StringRef TargetName;
  bool IsTail = false;
  bool IsConditional = false; ///< a conditional tail call
};

struct MachineFunction {
  llvm::StringRef Name; ///< of the function's range
  uint64_t Entry = 0;   ///< address
  /// By address within each part; the entry's part first, then split-off parts
  /// (foo.cold), by address.
  std::vector<MachineInstruction> Instructions;
  /// Likewise; block 0 is the entry. Blocks partition Instructions.
  std::vector<MachineBlock> Blocks;
  /// By source, then in the order taken, fall-through / as in the table; no two
  /// alike.
  std::vector<MachineEdge> Edges;
  std::vector<MachineCall> Calls; ///< by Instruction
  /// Ranges of symbols that make up the function, the entry's first.
  llvm::SmallVector<FunctionRange, 1> Parts;
  /// Jump tables whose bounds or contents could not be told: the graph lacks
  /// edges.
  uint32_t UnresolvedIndirectJumps = 0;
  /// Reachable blocks that end in bytes that do not disassemble: what follows
  /// is not known.
  uint32_t InvalidInstructions = 0;
};

/// Disassembles the functions of one binary, each on demand.
///
/// Not thread-safe: what is looked up on the way (jump tables, functions that
/// never return) is remembered.
class MachineCode {
public:
  /// Fails if LLVM has no disassembler for the binary's target, or for targets
  /// whose instructions nobody has classified (x86-64 and AArch64 are).
  static llvm::Expected<std::unique_ptr<MachineCode>>
  create(const ProfiledBinary &Binary);

  virtual ~MachineCode();

  /// The function whose entry or split-off part covers \p Address (then the
  /// parent's graph, that part included). Bytes that do not disassemble become
  /// Trap instructions. Fails if no function symbol covers it or its bytes are
  /// not in the file.
  virtual llvm::Expected<MachineFunction> function(uint64_t Address) = 0;

  /// The entry of the function that owns the code at \p Address: that of the
  /// parent for split-off parts. nullopt: no symbol.
  virtual std::optional<uint64_t> entryOf(uint64_t Address) = 0;

  /// Name of the function at \p Address, or of the one that the PLT stub there
  /// calls; empty if neither.
  virtual llvm::StringRef calleeName(uint64_t Address) = 0;

  /// Entry of the function of this binary that a call of \p Address executes:
  /// \p Address itself, or where the PLT stub there leads. nullopt: a function
  /// of another binary, or none.
  virtual std::optional<uint64_t> calleeEntry(uint64_t Address) = 0;

  /// Something besides direct calls may lead to the function at \p Entry: its
  /// address is in relocated data (without relocations: in any data), in the
  /// dynamic symbol table, or was taken in code that was disassembled so far;
  /// the code at the binary's entry point counts as such.
  virtual bool isAddressTaken(uint64_t Entry) = 0;
};

} // namespace inlay

#endif
