//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which instructions of a function are alike in how often a sample hits them.
//
// A timer interrupt is taken when an instruction retires, and what it records
// is the next one: the instruction after the one that took the time. So where
// samples skid, an instruction's class tells what stands before it, and of a
// block's first instruction how the block is reached. Where the event records
// the very instruction (precise events), its class tells what it is itself.
//
// Classes are target-neutral and have readable names, by which tables of rates
// refer to them:
//
//   load      load_d      load@0      load_d@0      load_d~5
//
// "_d": reads a register that was loaded shortly before; "@0": stands first in
// its block; "first.branch": first in a block that one branch jumps to; "~5":
// what comes behind waits about five cycles for it to retire, if all goes well.
// A table may know classes by their waits, or without, or both.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_FREQUENCY_INSTRUCTIONCLASSES_H
#define INLAY_FREQUENCY_INSTRUCTIONCLASSES_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inlay {

struct MachineFunction;

/// Where a sample's address is, seen from the instruction that took the time.
enum class SampleSkid : uint8_t { Next, None };

/// Below numInstructionClasses(), or NoInstructionClass.
using InstructionClass = uint16_t;

/// The instruction says nothing of how often its block ran: a NOP.
constexpr InstructionClass NoInstructionClass = UINT16_MAX;

unsigned numInstructionClasses();
std::string instructionClassName(InstructionClass Class);
/// nullopt: no class is called that.
std::optional<InstructionClass> findInstructionClass(llvm::StringRef Name);

/// The class that has the members of \p Class and of all others that differ
/// from it only in the wait.
InstructionClass withoutWait(InstructionClass Class);

/// The class, with its wait, of each of \p Function's instructions, by index.
std::vector<InstructionClass>
classifyInstructions(const MachineFunction &Function, SampleSkid Skid);

} // namespace inlay

#endif
