//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A binary is loaded at one distance from the addresses of its symbols, a
// multiple of the page size. Each direct call from known to unknown code tells
// it, as callgrind has the target's address and the machine code has the
// symbol's; those that lead elsewhere (through a PLT stub into a library's
// unknown code) do not agree with each other, and rarely differ by whole pages.
//
//===----------------------------------------------------------------------===//

#include "inlay/Exact/UnknownCode.h"
#include "inlay/Object/MachineCFG.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace llvm;

namespace inlay {

static constexpr uint64_t PageSize = 4096;

/// Where control may go from the instruction at \p Site of \p Function: to
/// functions that it calls and to blocks that it jumps to.
static SmallVector<uint64_t, 2> targetsOf(const MachineFunction &Function,
                                          uint64_t Site) {
  SmallVector<uint64_t, 2> Targets;
  for (const MachineCall &Call : Function.Calls)
    if (Function.Instructions[Call.Instruction].Address == Site && Call.Target)
      Targets.push_back(*Call.Target);
  for (const MachineEdge &E : Function.Edges) {
    const MachineBlock &Source = Function.Blocks[E.Source];
    const MachineBlock &Target = Function.Blocks[E.Target];
    if (E.Kind != EdgeKind::FallThrough &&
        Function.Instructions[Source.First + Source.Count - 1].Address == Site)
      Targets.push_back(Function.Instructions[Target.First].Address);
  }
  return Targets;
}

/// The distance that most calls agree on, 0 if there are none. (No binary
/// without a fixed address is loaded at 0.)
static uint64_t findDistance(const CallgrindObject &Object,
                             uint32_t UnknownIndex, MachineCode &Code) {
  // More would only say the same.
  constexpr unsigned MaxCalls = 200;
  std::map<uint64_t, unsigned> Votes;
  unsigned Seen = 0;
  std::optional<MachineFunction> Function; // of the call before
  uint64_t Entry = 0;
  for (const CallgrindCall &Call : Object.Calls) {
    if (Call.CalleeObject != UnknownIndex || Seen == MaxCalls)
      continue;
    ++Seen;
    std::optional<uint64_t> CallEntry = Code.entryOf(Call.Site);
    if (!CallEntry)
      continue;
    if (!Function || Entry != *CallEntry) {
      Expected<MachineFunction> FunctionOrErr = Code.function(*CallEntry);
      if (!FunctionOrErr) {
        consumeError(FunctionOrErr.takeError());
        continue;
      }
      Function = std::move(*FunctionOrErr);
      Entry = *CallEntry;
    }
    for (uint64_t Target : targetsOf(*Function, Call.Site))
      if (Call.Callee > Target && (Call.Callee - Target) % PageSize == 0)
        ++Votes[Call.Callee - Target];
  }
  auto Most = llvm::max_element(
      Votes, [](const auto &L, const auto &R) { return L.second < R.second; });
  return Most == Votes.end() ? 0 : Most->first;
}

uint64_t adoptUnknownCode(CallgrindProfile &Profile, CallgrindObject &Object,
                          const ProfiledBinary &Binary, MachineCode &Code) {
  auto It = llvm::find_if(Profile.Objects, [](const CallgrindObject &O) {
    return O.Path == "???";
  });
  if (It == Profile.Objects.end() || &*It == &Object)
    return 0;
  CallgrindObject &Unknown = *It;
  const uint32_t UnknownIndex = &Unknown - Profile.Objects.data();
  const uint32_t ObjectIndex = &Object - Profile.Objects.data();

  bool IsFixed =
      Binary.object() &&
      Binary.object()->getELFFile().getHeader().e_type == ELF::ET_EXEC;
  const uint64_t Distance =
      IsFixed ? 0 : findDistance(Object, UnknownIndex, Code);
  if (!IsFixed && Distance == 0)
    return 0;
  auto IsInBinary = [&](uint64_t Address) {
    return Address >= Distance && Binary.functionAt(Address - Distance);
  };

  uint64_t Moved = 0;
  erase_if(Unknown.Instructions, [&](std::pair<uint64_t, uint64_t> Entry) {
    if (!IsInBinary(Entry.first))
      return false;
    Object.Instructions.emplace_back(Entry.first - Distance, Entry.second);
    Moved = SaturatingAdd(Moved, Entry.second);
    return true;
  });
  if (Moved == 0)
    return 0;
  erase_if(Unknown.Jumps, [&](const CallgrindJump &Jump) {
    if (!IsInBinary(Jump.From) || !IsInBinary(Jump.To))
      return false;
    Object.Jumps.push_back(
        {Jump.From - Distance, Jump.To - Distance, Jump.Count});
    return true;
  });
  erase_if(Unknown.Calls, [&](CallgrindCall Call) {
    if (!IsInBinary(Call.Site))
      return false;
    Call.Site -= Distance;
    Object.Calls.push_back(Call);
    return true;
  });
  for (CallgrindObject &Caller : Profile.Objects)
    for (CallgrindCall &Call : Caller.Calls)
      if (Call.CalleeObject == UnknownIndex && IsInBinary(Call.Callee)) {
        Call.CalleeObject = ObjectIndex;
        Call.Callee -= Distance;
      }
  Object.Total = SaturatingAdd(Object.Total, Moved);
  Unknown.Total -= std::min(Unknown.Total, Moved);
  for (CallgrindObject &Changed : Profile.Objects)
    Changed.sort();
  return Moved;
}

} // namespace inlay
