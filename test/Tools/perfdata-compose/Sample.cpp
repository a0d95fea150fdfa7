//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Samples: what their lines say, and their fields in the order of the kernel's
// perf_output_sample().
//
//===----------------------------------------------------------------------===//

#include "Composer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace inlay::compose {

namespace {
struct Branch {
  uint64_t From, To, Flags;
};

/// What is the same in all repetitions of a sample.
struct SampleFields {
  uint64_t Period = 1, DataAddress = 0, Weight = 12;
  SmallVector<uint64_t> Chain;
  SmallVector<Branch> Branches;
  SmallVector<uint8_t, 0> Raw, Aux;
  uint64_t RegisterABI = 2; ///< PERF_SAMPLE_REGS_ABI_64
  SmallVector<uint64_t> UserRegisters, Registers;
  bool HasStack = true;
  SmallVector<uint8_t, 0> Stack;
  bool IsExactIP = false;
};
} // namespace

/// A context marker or an address.
Expected<SmallVector<uint64_t>> Composer::chain(const Line &L) {
  SmallVector<uint64_t> Chain;
  std::optional<StringRef> Text = L.find("chain");
  if (!Text)
    return Chain;
  for (StringRef Part : split(*Text, ',')) {
    int64_t Marker = StringSwitch<int64_t>(Part)
                         .Case("hv", -32)
                         .Case("kernel", -128)
                         .Case("user", -512)
                         .Case("user-deferred", -640)
                         .Case("guest", -2048)
                         .Case("guest-kernel", -2176)
                         .Case("guest-user", -2560)
                         .Default(0);
    if (Marker) {
      Chain.push_back(Marker);
      continue;
    }
    Expected<uint64_t> Address = address(L, Part);
    if (!Address)
      return Address.takeError();
    Chain.push_back(*Address);
  }
  return Chain;
}

/// perf_branch_entry's bit field; nullopt if \p Text is none.
static std::optional<uint64_t> branchFlags(StringRef Text) {
  uint64_t Flags = 0;
  for (StringRef Part : split(Text, '|')) {
    uint64_t Value;
    if (!Part.getAsInteger(0, Value)) {
      Flags |= Value;
      continue;
    }
    auto [Name, NumberText] = Part.split(':');
    unsigned Shift = StringSwitch<unsigned>(Name)
                         .Case("cycles", 4)
                         .Case("spec", 24)
                         .Case("new_type", 26)
                         .Default(0);
    if (Shift) {
      if (NumberText.getAsInteger(0, Value))
        return std::nullopt;
      Flags |= Value << Shift;
      if (Name == "new_type")
        Flags |= uint64_t(15) << 20; // PERF_BR_EXTEND_ABI
      continue;
    }
    auto Type = [](uint64_t N) { return N << 20; };
    auto Privilege = [](uint64_t N) { return N << 30; };
    std::optional<uint64_t> Bits = StringSwitch<std::optional<uint64_t>>(Part)
                                       .Case("mispred", 1)
                                       .Case("predicted", 2)
                                       .Case("in_tx", 4)
                                       .Case("abort", 8)
                                       .Case("cond", Type(1))
                                       .Case("uncond", Type(2))
                                       .Case("ind", Type(3))
                                       .Case("call", Type(4))
                                       .Case("ind_call", Type(5))
                                       .Case("ret", Type(6))
                                       .Case("syscall", Type(7))
                                       .Case("sysret", Type(8))
                                       .Case("cond_call", Type(9))
                                       .Case("cond_ret", Type(10))
                                       .Case("eret", Type(11))
                                       .Case("irq", Type(12))
                                       .Case("serror", Type(13))
                                       .Case("no_tx", Type(14))
                                       .Case("user", Privilege(1))
                                       .Case("kernel", Privilege(2))
                                       .Case("hv", Privilege(3))
                                       .Default(std::nullopt);
    if (!Bits)
      return std::nullopt;
    Flags |= *Bits;
  }
  return Flags;
}

static void writeRead(ByteBuffer &B, const Event &E, uint64_t Id) {
  auto Value = [&] {
    if (E.reads(READ_ID))
      B.u64(Id);
    if (E.reads(LOST))
      B.u64(0);
  };
  auto Times = [&] {
    if (E.reads(TIME_ENABLED))
      B.u64(1000);
    if (E.reads(TIME_RUNNING))
      B.u64(900);
  };
  constexpr uint64_t Counter = 0xc0517;
  if (!E.reads(GROUP)) {
    B.u64(Counter);
    Times();
    Value();
    return;
  }
  B.u64(2); // counters in the group
  Times();
  for (int I = 0; I != 2; ++I) {
    B.u64(Counter);
    Value();
  }
}

/// The values given, or some.
static void writeRegisters(ByteBuffer &B, uint64_t ABI, uint64_t Mask,
                           ArrayRef<uint64_t> Values) {
  B.u64(ABI);
  if (!ABI)
    return;
  for (size_t I = 0, End = popcount(Mask); I != End; ++I)
    B.u64(I < Values.size() ? Values[I] : 0x5e65 + I);
}

static void writeBranches(ByteBuffer &B, const Event &E,
                          ArrayRef<Branch> Branches) {
  B.u64(Branches.size());
  if (E.branches(HW_INDEX))
    B.u64(7);
  for (const Branch &Entry : Branches) {
    B.u64(Entry.From);
    B.u64(Entry.To);
    B.bitFields(Entry.Flags, {{0, 1},
                              {1, 1},
                              {2, 1},
                              {3, 1},
                              {4, 16},
                              {20, 4},
                              {24, 2},
                              {26, 4},
                              {30, 3}});
  }
  if (E.branches(COUNTERS))
    for (size_t I = 0; I != Branches.size(); ++I)
      B.u64(0xc7);
}

static void writeStack(ByteBuffer &B, const Event &E,
                       const SampleFields &Fields) {
  const uint64_t Size = Fields.HasStack ? E.StackUser : 0;
  B.u64(Size);
  if (!Size)
    return;
  B.bytes(Fields.Stack, Size);
  B.u64(Fields.Stack.empty() ? Size / 2 : Fields.Stack.size());
}

static Error parseFields(const Line &L, const Event &E, SampleFields &Fields) {
  if (Error Err = L.numbers<uint64_t>({{"period", &Fields.Period},
                                       {"addr", &Fields.DataAddress},
                                       {"weight", &Fields.Weight},
                                       {"regs-abi", &Fields.RegisterABI}}))
    return Err;
  auto Hex = [&](StringRef Key, SmallVector<uint8_t, 0> &Bytes) {
    auto Parsed = L.hexBytes(L.find(Key).value_or(""));
    if (Parsed)
      Bytes = std::move(*Parsed);
    return Parsed.takeError();
  };
  auto List = [&](StringRef Key, SmallVector<uint64_t> &Values) {
    auto Parsed = L.numberList(Key);
    if (Parsed)
      Values = std::move(*Parsed);
    return Parsed.takeError();
  };
  if (Error Err = Hex("raw", Fields.Raw))
    return Err;
  if (Error Err = Hex("aux", Fields.Aux))
    return Err;
  if (Error Err = Hex("stack", Fields.Stack))
    return Err;
  if (Error Err = List("regs", Fields.UserRegisters))
    return Err;
  if (Error Err = List("intr-regs", Fields.Registers))
    return Err;
  if (Fields.Stack.size() > E.StackUser)
    return L.error("more of the stack than the event's stack_user");
  if (L.hasWord("no-regs"))
    Fields.RegisterABI = 0;
  Fields.HasStack = !L.hasWord("no-stack");
  Fields.IsExactIP = L.hasWord("exact-ip");
  return Error::success();
}

Error Composer::sample(const Line &L, Common C) {
  if (L.Words.empty())
    return L.error("a sample needs an address");
  const Event &E = *C.E;
  Expected<uint64_t> Start = address(L, L.Words.front());
  if (!Start)
    return Start.takeError();
  uint64_t Count = 1;
  for (StringRef Word : drop_begin(L.Words))
    if (Word.starts_with("x") && Word.drop_front().getAsInteger(10, Count))
      return L.error("'" + Word + "' is not a repetition");
  uint64_t Spread = 0, Step = 1, Rounds = 0;
  if (Error Err = L.numbers<uint64_t>(
          {{"spread", &Spread}, {"step", &Step}, {"rounds", &Rounds}}))
    return Err;
  SampleFields Fields;
  if (Error Err = parseFields(L, E, Fields))
    return Err;
  Expected<SmallVector<uint64_t>> Chain = chain(L);
  if (!Chain)
    return Chain.takeError();
  Fields.Chain = std::move(*Chain);
  if (std::optional<StringRef> Text = L.find("branches"))
    for (StringRef Part : split(*Text, ',')) {
      auto [FromText, Rest] = Part.split('>');
      // The flags follow the last '/'; a path may hold one as well.
      auto [ToText, FlagsText] = Rest.rsplit('/');
      std::optional<uint64_t> Flags = branchFlags(FlagsText);
      if (!Flags)
        ToText = Rest;
      Expected<uint64_t> From = address(L, FromText);
      if (!From)
        return From.takeError();
      Expected<uint64_t> To = address(L, ToText);
      if (!To)
        return To.takeError();
      Fields.Branches.push_back({*From, *To, Flags.value_or(0)});
    }

  uint64_t Random = 1;
  ByteBuffer B = buffer();
  for (uint64_t I = 0; I != Count; ++I) {
    uint64_t Address = *Start;
    if (Spread) {
      // A linear congruential generator: the same file on every machine.
      Random = Random * 6364136223846793005u + 1442695040888963407u;
      Address += (Random >> 33) % Spread;
    }
    B.clear();
    if (E.has(IDENTIFIER))
      B.u64(C.Id);
    if (E.has(IP))
      B.u64(Address);
    if (E.has(TID)) {
      B.u32(C.Pid);
      B.u32(C.Tid);
    }
    if (E.has(TIME))
      B.u64(Clock);
    if (E.has(ADDR))
      B.u64(Fields.DataAddress);
    if (E.has(ID))
      B.u64(C.Id);
    if (E.has(STREAM_ID))
      B.u64(C.Id);
    if (E.has(CPU)) {
      B.u32(C.Cpu);
      B.u32(0);
    }
    if (E.has(PERIOD))
      B.u64(Fields.Period);
    if (E.has(READ))
      writeRead(B, E, C.Id);
    if (E.has(CALLCHAIN)) {
      B.u64(Fields.Chain.size());
      B.u64s(Fields.Chain);
    }
    if (E.has(RAW)) {
      // The kernel pads so that size and data together fill words.
      uint64_t Size = alignTo(Fields.Raw.size() + 4, 8) - 4;
      B.u32(Size);
      B.bytes(Fields.Raw, Size);
    }
    if (E.has(BRANCH_STACK))
      writeBranches(B, E, Fields.Branches);
    if (E.has(REGS_USER))
      writeRegisters(B, Fields.RegisterABI, E.RegsUser, Fields.UserRegisters);
    if (E.has(STACK_USER))
      writeStack(B, E, Fields);
    if (E.has(WEIGHT) || E.has(WEIGHT_STRUCT))
      B.u64(Fields.Weight);
    if (E.has(DATA_SRC))
      B.u64(0x68100142);
    if (E.has(TRANSACTION))
      B.u64(0);
    if (E.has(REGS_INTR))
      writeRegisters(B, Fields.RegisterABI, E.RegsIntr, Fields.Registers);
    if (E.has(PHYS_ADDR))
      B.u64(0x1234);
    if (E.has(CGROUP))
      B.u64(1);
    if (E.has(DATA_PAGE_SIZE))
      B.u64(4096);
    if (E.has(CODE_PAGE_SIZE))
      B.u64(4096);
    if (E.has(AUX)) {
      uint64_t Size = alignTo(Fields.Aux.size(), 8);
      B.u64(Size);
      B.bytes(Fields.Aux, Size);
    }
    if (B.size() + 8 > 65535)
      return L.error("the sample exceeds 64 KiB");
    constexpr uint16_t ExactIP = 1 << 14;
    Output->record(RecordSample, C.Mode | (Fields.IsExactIP ? ExactIP : 0), B);
    if (Rounds && (I + 1) % Rounds == 0)
      Output->record(RecordRound, 0, {});
    if (I + 1 != Count)
      Clock += Step;
  }
  return Error::success();
}

} // namespace inlay::compose
