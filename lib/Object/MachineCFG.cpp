//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of one binary, on demand. What a question about one function
// finds out about others (whether they return, which parts they own) is kept;
// graphs are not, they are large and asked for once.
//
//===----------------------------------------------------------------------===//

#include "inlay/Object/MachineCFG.h"
#include "ExceptionTables.h"
#include "FunctionBuilder.h"
#include "InstructionSet.h"
#include "LibraryFunctions.h"
#include "LinkageStubs.h"
#include "LoadedImage.h"
#include "inlay/Object/SymbolName.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include <map>
#include <set>
#include <utility>

using namespace llvm;

namespace inlay {

StringRef instructionKindName(InstructionKind Kind) {
  switch (Kind) {
  case InstructionKind::Other:
    return "other";
  case InstructionKind::Nop:
    return "nop";
  case InstructionKind::ALU:
    return "alu";
  case InstructionKind::ConditionalMove:
    return "cond_move";
  case InstructionKind::Multiply:
    return "multiply";
  case InstructionKind::Divide:
    return "divide";
  case InstructionKind::FloatingPoint:
    return "fp";
  case InstructionKind::FloatingPointSlow:
    return "fp_slow";
  case InstructionKind::Load:
    return "load";
  case InstructionKind::LoadOperation:
    return "load_op";
  case InstructionKind::Store:
    return "store";
  case InstructionKind::ReadModifyWrite:
    return "read_modify_write";
  case InstructionKind::Atomic:
    return "atomic";
  case InstructionKind::Push:
    return "push";
  case InstructionKind::Pop:
    return "pop";
  case InstructionKind::Repeat:
    return "repeat";
  case InstructionKind::ConditionalBranch:
    return "cond_branch";
  case InstructionKind::Jump:
    return "jump";
  case InstructionKind::IndirectJump:
    return "indirect_jump";
  case InstructionKind::Call:
    return "call";
  case InstructionKind::IndirectCall:
    return "indirect_call";
  case InstructionKind::Return:
    return "return";
  case InstructionKind::Trap:
    return "trap";
  }
  return "other";
}

MachineCode::~MachineCode() = default;

namespace {

/// To find out whether a function returns we look at its own callees, and so
/// on; at this depth we believe that it does.
constexpr unsigned MaxCallDepth = 32;
/// What never returns is small.
constexpr uint64_t MaxSizeOfNoReturn = 64 << 10;
/// Of one function, when parts and their owners are matched.
constexpr size_t MaxNames = 16;

class ELFMachineCode final : public MachineCode, public CodeContext {
public:
  ELFMachineCode(const ProfiledBinary &Binary,
                 std::unique_ptr<InstructionSet> Set, LoadedImage Image)
      : Binary(Binary), Set(std::move(Set)), Image(std::move(Image)) {
    EntryPoint = Binary.object()->getELFFile().getHeader().e_entry;
    // Each function is looked at once, but for cycles and very deep calls.
    CallBudget = 1 << 20;
    for (const auto &[Begin, Bytes] : this->Image.code())
      CallBudget += 4 * uint64_t(Bytes.size());
  }

  Expected<MachineFunction> function(uint64_t Address) override;
  std::optional<uint64_t> entryOf(uint64_t Address) override;
  StringRef calleeName(uint64_t Address) override;
  std::optional<uint64_t> calleeEntry(uint64_t Address) override;
  bool isAddressTaken(uint64_t Entry) override;

  const InstructionSet &instructionSet() const override { return *Set; }
  const LoadedImage &image() const override { return Image; }
  const FunctionRange *functionAt(uint64_t Address) const override {
    return Binary.functionAt(Address);
  }
  bool isSplitPart(const FunctionRange &Part,
                   const FunctionRange &Function) const override;
  bool isKnownNotToReturn(uint64_t Callee) override;
  bool isKnownNotToReturn(StringRef Name) const override {
    return inlay::neverReturns(Name);
  }
  bool neverReturns(uint64_t Callee) override;
  bool mayReturnTwice(uint64_t Callee) override {
    return inlay::mayReturnTwice(calleeName(Callee));
  }
  bool mayReturnTwice(StringRef Name) const override {
    return inlay::mayReturnTwice(Name);
  }
  std::vector<uint64_t> landingPads(uint64_t Begin, uint64_t End) override {
    return inlay::landingPads(Image, Begin, End);
  }
  uint64_t nextObject(uint64_t Address) override;
  void addressMentioned(uint64_t Address) override {
    const FunctionRange *Function = Binary.functionAt(Address);
    if (Function && Function->Begin == Address)
      MentionedFunctions.insert(Address);
  }
  StringRef path() const override { return Binary.path(); }

private:
  Expected<MachineFunction> build(const FunctionRange &Range);
  /// The function that \p Part was split off from, or \p Part itself.
  const FunctionRange &owner(const FunctionRange &Part);
  bool mayReturn(const MachineFunction &Function);
  const LinkageStub &stubAt(uint64_t Address);

  const ProfiledBinary &Binary;
  std::unique_ptr<InstructionSet> Set;
  LoadedImage Image;

  std::vector<uint64_t> ReferencedData; // sorted, data symbols included
  bool HasReferencedData = false;

  std::map<uint64_t, bool> KnownNoReturn; // by name alone
  std::map<uint64_t, bool> NeverReturns;  // by entry
  std::set<uint64_t> InProgress;
  unsigned Depth = 0;
  bool WasCutShort = false;
  /// What was believed on the way of the present question.
  std::map<uint64_t, bool> Believed;
  /// Bytes of code that may still be looked at for such questions.
  uint64_t CallBudget;

  std::map<uint64_t, uint64_t> OwnerOf; // begin of a part -> entry
  std::map<uint64_t, LinkageStub> Stubs;
  std::set<uint64_t> MentionedFunctions;
  uint64_t EntryPoint;
  bool HasEntryPoint = false;
  /// Functions by symbol names, those only after which parts are named.
  StringMap<SmallVector<const FunctionRange *, 1>> Parents;
  bool HasParents = false;
};

/// "foo" for "foo.cold" and "foo.cold.1"; empty for what is no such name.
StringRef parentName(StringRef Name) {
  auto [Head, Tail] = Name.rsplit('.');
  if (!Tail.empty() && all_of(Tail, isDigit))
    Name = Head;
  return Name.consume_back(".cold") ? Name : StringRef();
}

} // namespace

Expected<std::unique_ptr<MachineCode>>
MachineCode::create(const ProfiledBinary &Binary) {
  const object::ELF64LEObjectFile *Object = Binary.object();
  if (!Object)
    return fileError(Binary.path(), "holds no code that can be disassembled");
  auto SetOrErr = InstructionSet::create(
      Object->getELFFile().getHeader().e_machine, Binary.path());
  if (!SetOrErr)
    return SetOrErr.takeError();
  Expected<LoadedImage> ImageOrErr =
      LoadedImage::create(*Object, Binary.path());
  if (!ImageOrErr)
    return ImageOrErr.takeError();
  return std::make_unique<ELFMachineCode>(Binary, std::move(*SetOrErr),
                                          std::move(*ImageOrErr));
}

bool ELFMachineCode::isSplitPart(const FunctionRange &Part,
                                 const FunctionRange &Function) const {
  return any_of(
      Binary.symbolNames(Part).take_front(MaxNames), [&](StringRef Name) {
        StringRef Parent = parentName(Name);
        return !Parent.empty() &&
               is_contained(Binary.symbolNames(Function).take_front(MaxNames),
                            Parent);
      });
}

const FunctionRange &ELFMachineCode::owner(const FunctionRange &Part) {
  SmallVector<StringRef, 1> ParentNames;
  for (StringRef Name : Binary.symbolNames(Part).take_front(MaxNames)) {
    StringRef Parent = parentName(Name);
    if (!Parent.empty())
      ParentNames.push_back(Parent);
  }
  if (ParentNames.empty())
    return Part;
  auto It = OwnerOf.find(Part.Begin);
  if (It != OwnerOf.end())
    return *Binary.functionAt(It->second);

  if (!HasParents) {
    HasParents = true;
    for (const FunctionRange &Function : Binary.functions())
      for (StringRef Name : Binary.symbolNames(Function)) {
        StringRef Parent = parentName(Name);
        if (!Parent.empty())
          Parents[Parent];
      }
    for (const FunctionRange &Function : Binary.functions())
      for (StringRef Name : Binary.symbolNames(Function)) {
        auto Parent = Parents.find(Name);
        if (Parent != Parents.end())
          Parent->second.push_back(&Function);
      }
  }
  // Several functions may have the name (static ones); the one that leads to
  // the part owns it.
  for (StringRef Name : ParentNames)
    for (const FunctionRange *Candidate : std::exchange(
             Parents[Name], SmallVector<const FunctionRange *, 1>())) {
      Expected<MachineFunction> Function = build(*Candidate);
      if (!Function) {
        consumeError(Function.takeError());
        continue;
      }
      for (const FunctionRange &P : ArrayRef(Function->Parts).drop_front())
        OwnerOf.insert({P.Begin, Candidate->Begin});
    }
  OwnerOf.insert({Part.Begin, Part.Begin});
  return *Binary.functionAt(OwnerOf[Part.Begin]);
}

Expected<MachineFunction> ELFMachineCode::build(const FunctionRange &Range) {
  return FunctionBuilder(*this, Range).build();
}

Expected<MachineFunction> ELFMachineCode::function(uint64_t Address) {
  const FunctionRange *Range = Binary.functionAt(Address);
  if (!Range)
    return fileError(Binary.path(), "no function symbol covers address 0x" +
                                        utohexstr(Address, /*LowerCase=*/true));
  return build(owner(*Range));
}

std::optional<uint64_t> ELFMachineCode::entryOf(uint64_t Address) {
  const FunctionRange *Range = Binary.functionAt(Address);
  if (!Range)
    return std::nullopt;
  return owner(*Range).Begin;
}

const LinkageStub &ELFMachineCode::stubAt(uint64_t Address) {
  auto [It, IsNew] = Stubs.try_emplace(Address);
  if (IsNew && Image.isLinkageStub(Address)) {
    It->second = readLinkageStub(*Set, Image, Address);
    It->second.Symbol = canonicalFunctionName(It->second.Symbol);
  }
  return It->second;
}

StringRef ELFMachineCode::calleeName(uint64_t Address) {
  if (const FunctionRange *Range = Binary.functionAt(Address))
    return Range->Begin == Address ? Range->Name : StringRef();
  return stubAt(Address).Symbol;
}

std::optional<uint64_t> ELFMachineCode::calleeEntry(uint64_t Address) {
  const FunctionRange *Range = Binary.functionAt(Address);
  if (!Range) {
    std::optional<uint64_t> Definition = stubAt(Address).Definition;
    Range = Definition ? Binary.functionAt(*Definition) : nullptr;
    Address = Definition.value_or(0);
  }
  if (!Range || Range->Begin != Address)
    return std::nullopt;
  return Address;
}

bool ELFMachineCode::isAddressTaken(uint64_t Entry) {
  // Where execution starts main's address is passed on, whoever looks at it.
  if (!HasEntryPoint) {
    HasEntryPoint = true;
    Expected<MachineFunction> Start = function(EntryPoint);
    if (!Start)
      consumeError(Start.takeError());
  }
  return Image.isPointedAt(Entry) || MentionedFunctions.contains(Entry);
}

uint64_t ELFMachineCode::nextObject(uint64_t Address) {
  if (!HasReferencedData) {
    HasReferencedData = true;
    for (const auto &[Begin, Bytes] : Image.code())
      Set->scanForAddresses(Bytes, Begin, ReferencedData);
    auto IsNoData = [&](uint64_t A) {
      return Image.bytesAt(A).empty() || Image.isCode(A);
    };
    llvm::erase_if(ReferencedData, IsNoData);
    llvm::append_range(ReferencedData, Image.dataSymbols());
    llvm::sort(ReferencedData);
    ReferencedData.erase(llvm::unique(ReferencedData), ReferencedData.end());
  }
  auto It = llvm::upper_bound(ReferencedData, Address);
  return It == ReferencedData.end() ? UINT64_MAX : *It;
}

bool ELFMachineCode::isKnownNotToReturn(uint64_t Callee) {
  auto [It, IsNew] = KnownNoReturn.try_emplace(Callee, false);
  if (IsNew) {
    bool Result = inlay::neverReturns(calleeName(Callee));
    KnownNoReturn[Callee] = Result;
    return Result;
  }
  return It->second;
}

bool ELFMachineCode::neverReturns(uint64_t Callee) {
  if (isKnownNotToReturn(Callee))
    return true;
  std::optional<uint64_t> Entry = calleeEntry(Callee);
  if (!Entry)
    return false;
  Callee = *Entry;
  const FunctionRange *Range = Binary.functionAt(Callee);
  if (Range->End - Range->Begin > MaxSizeOfNoReturn)
    return false;
  for (const auto *Known : {&NeverReturns, &Believed}) {
    auto It = Known->find(Callee);
    if (It != Known->end())
      return It->second;
  }
  uint64_t Size = Range->End - Range->Begin;
  if (Depth >= MaxCallDepth || Size > CallBudget ||
      !InProgress.insert(Callee).second) {
    WasCutShort = true;
    return false;
  }
  CallBudget -= Size;

  bool WasCutShortBefore = std::exchange(WasCutShort, false);
  ++Depth;
  bool Never = false;
  Expected<MachineFunction> Function = build(*Range);
  if (Function)
    Never = !mayReturn(*Function);
  else
    consumeError(Function.takeError());
  --Depth;
  InProgress.erase(Callee);
  // What rests on belief is asked again another time, unless this is where the
  // question was asked.
  (WasCutShort && Depth != 0 ? Believed : NeverReturns)[Callee] = Never;
  if (Depth == 0)
    Believed.clear();
  WasCutShort = Depth != 0 && (WasCutShort || WasCutShortBefore);
  return Never;
}

bool ELFMachineCode::mayReturn(const MachineFunction &Function) {
  if (Function.UnresolvedIndirectJumps != 0 ||
      Function.InvalidInstructions != 0)
    return true;
  for (const MachineBlock &Block : Function.Blocks) {
    if (!Block.IsReachable || !Block.IsExit)
      continue;
    uint32_t Last = Block.First + Block.Count - 1;
    InstructionKind Kind = Function.Instructions[Last].Kind;
    if (Kind == InstructionKind::Return)
      return true;
    auto Call = llvm::lower_bound(
        Function.Calls, Last,
        [](const MachineCall &C, uint32_t I) { return C.Instruction < I; });
    if (Call == Function.Calls.end() || Call->Instruction != Last)
      continue; // trap
    if (Call->IsTail && (!Call->Target || !neverReturns(*Call->Target)))
      return true;
  }
  return false;
}

} // namespace inlay
