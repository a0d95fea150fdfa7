//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever a line may hold, the state is changed only by what was understood,
// and everything else is an error at that line. Costs must add up to the totals
// that callgrind writes after each dump: a file that was cut or edited does not
// pass for an exact one.
//
//===----------------------------------------------------------------------===//

#include "CallgrindParser.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inlay {

/// No user-space address is larger.
static constexpr uint64_t MaxAddress = INT64_MAX;
static constexpr uint64_t MaxId = INT32_MAX;

static constexpr StringLiteral HowToRun =
    "valgrind --tool=callgrind --dump-instr=yes --collect-jumps=yes";

Error CallgrindParser::errorHere(const Twine &Message) const {
  return fileError((Path + ":" + Twine(LineNumber)).str(), Message);
}

/// The beginning of \p Text, for messages: a damaged file may hold anything.
static std::string quoted(StringRef Text) {
  std::string Quoted = "'";
  raw_string_ostream OS(Quoted);
  printEscapedString(Text.take_front(40), OS);
  OS << (Text.size() > 40 ? "...'" : "'");
  return Quoted;
}

/// Decimal or 0x hexadecimal, nothing else. Returns whether it is one.
static bool parseNumber(StringRef Text, uint64_t &Number) {
  unsigned Radix = Text.consume_front("0x") ? 16 : 10;
  return !Text.getAsInteger(Radix, Number);
}

/// Takes the next word off \p Text; empty at the end.
static StringRef takeWord(StringRef &Text) {
  Text = Text.ltrim(' ');
  StringRef Word = Text.take_until([](char C) { return C == ' '; });
  Text = Text.drop_front(Word.size());
  return Word;
}

void CallgrindParser::beginFile(StringRef FilePath) {
  Path = FilePath;
  LineNumber = 0;
  Dump = {};
  HasVersion = HasPositions = HasBody = HasTotals = false;
  PositionCount = EventCount = 0;
  ObjectById.clear();
  FunctionById.clear();
  Next = PositionLine::Cost;
  beginDump();
}

void CallgrindParser::beginDump() {
  Address = 0;
  DumpSum = 0;
  HasBody = false;
  Object = CalleeObject = CalleeName = std::nullopt;
}

Error CallgrindParser::parseLine(StringRef Line) {
  ++LineNumber;
  Line = Line.rtrim(" \r");
  if (Line.empty() || Line.front() == '#')
    return Error::success();
  StringRef Key = Line.take_while([](char C) { return isAlpha(C); });
  StringRef Rest = Line.drop_front(Key.size());
  bool IsHeader = !Key.empty() && Rest.starts_with(":");
  if (!HasVersion && !IsHeader)
    return errorHere("is not an output file of callgrind: they begin with "
                     "\"# callgrind format\" or \"version: 1\"");
  char First = Line.front();
  if (isDigit(First) || First == '+' || First == '-' || First == '*')
    return parsePositionLine(Line);
  if (Next != PositionLine::Cost)
    return errorHere(Twine("the position of the ") +
                     (Next == PositionLine::Call ? "call" : "jump") +
                     " in the line before is missing; is the file damaged?");

  if (IsHeader)
    return parseHeader(Key, Rest.drop_front().trim(' '));
  if (!Key.empty() && Rest.consume_front("="))
    return parseSpecification(Key, Rest);
  return errorHere(quoted(Line) +
                   " is no line of callgrind's format; is the file damaged?");
}

Error CallgrindParser::parseUnendedLine(StringRef Line) {
  bool IsCallgrinds = HasVersion;
  Error E = parseLine(Line);
  if (!E || !IsCallgrinds)
    return E;
  consumeError(std::move(E));
  return errorHere("the file ends in the middle of this line; it is cut short, "
                   "or callgrind was killed while it wrote");
}

Error CallgrindParser::parseHeader(StringRef Key, StringRef Value) {
  if (Key == "version") {
    if (Value != "1")
      return errorHere("version " + quoted(Value) +
                       " of callgrind's format is unknown; version 1 is read");
    HasVersion = true;
    return Error::success();
  }
  if (Key == "cmd") {
    if (Command.empty())
      Command = Value.str();
    return Error::success();
  }
  if (Key == "pid" || Key == "thread" || Key == "part") {
    uint64_t Number;
    if (!parseNumber(Value, Number))
      return errorHere("'" + Key + ":' needs a number, not " + quoted(Value));
    (Key == "pid"      ? Dump.Process
     : Key == "thread" ? Dump.Thread
                       : Dump.Part) = Number;
    if (Key != "part")
      return Error::success();
    if (HasBody)
      return errorHere("the dump before this one has no 'totals:'; was the "
                       "file cut and pasted?");
    beginDump();
    return Error::success();
  }
  if (Key == "positions") {
    SmallVector<StringRef, 3> Names;
    SplitString(Value, Names);
    auto It = llvm::find(Names, "instr");
    if (It == Names.end())
      return errorHere("holds no addresses of instructions (positions: " +
                       quoted(Value) + "); run " + HowToRun);
    AddressIndex = It - Names.begin();
    PositionCount = Names.size();
    HasPositions = true;
    return Error::success();
  }
  if (Key == "events") {
    SmallVector<StringRef, 16> Names;
    SplitString(Value, Names);
    auto It = llvm::find(Names, "Ir");
    if (It == Names.end())
      return errorHere("does not count instructions (events: " + quoted(Value) +
                       ", no Ir); run " + HowToRun);
    InstructionsIndex = It - Names.begin();
    EventCount = Names.size();
    return Error::success();
  }
  if (Key == "totals") {
    // The first events only, if the others are 0.
    SmallVector<StringRef, 16> Counts;
    SplitString(Value, Counts);
    uint64_t Total = 0;
    if (InstructionsIndex < Counts.size() &&
        !parseNumber(Counts[InstructionsIndex], Total))
      return errorHere("'totals:' needs numbers, not " + quoted(Value));
    if (Total != DumpSum)
      return errorHere("the counts before this line add up to " +
                       Twine(DumpSum) + " instructions, not to " +
                       Twine(Total) + "; is the file damaged?");
    HasTotals = true;
    HasBody = false;
    DumpSum = 0;
    Dumps.insert(Dump);
    return Error::success();
  }
  // creator, desc, event, summary, and what other versions may add.
  return Error::success();
}

Expected<uint32_t>
CallgrindParser::resolveName(StringRef Text, IdTable &ById,
                             function_ref<uint32_t(StringRef)> Intern) const {
  StringRef Name = Text;
  if (!Name.consume_front("("))
    return Intern(Text);
  // A demangled name may begin with a parenthesis as well, but not with a
  // number in it.
  StringRef Digits = Name.take_while([](char C) { return isDigit(C); });
  Name = Name.drop_front(Digits.size());
  if (Digits.empty() || !Name.consume_front(")"))
    return Intern(Text);
  uint64_t Id;
  if (!parseNumber(Digits, Id) || Id > MaxId)
    return errorHere("the number (" + Digits + ") of a name is too large");
  Name = Name.ltrim(' ');
  if (!Name.empty())
    return ById[Id] = Intern(Name);
  auto It = ById.find(Id);
  if (It == ById.end())
    return errorHere("refers to name (" + Digits +
                     "), which no line before defines; is the file damaged?");
  return It->second;
}

uint32_t CallgrindParser::internObject(StringRef ObjectPath) {
  auto It = ObjectByPath.find(ObjectPath);
  if (It != ObjectByPath.end())
    return It->second;
  ObjectByPath.emplace(ObjectPath, Objects.size());
  Objects.emplace_back().Path = ObjectPath.str();
  return Objects.size() - 1;
}

uint32_t CallgrindParser::internFunction(StringRef Name) {
  auto It = FunctionByName.find(Name);
  if (It != FunctionByName.end())
    return It->second;
  FunctionByName.emplace(Name, Functions.size());
  Functions.push_back(Name.str());
  return Functions.size() - 1;
}

Error CallgrindParser::parseSpecification(StringRef Key, StringRef Value) {
  auto InternObject = [this](StringRef Name) { return internObject(Name); };
  auto InternFunction = [this](StringRef Name) { return internFunction(Name); };
  auto Set = [](std::optional<uint32_t> &Register,
                Expected<uint32_t> ValueOrErr) -> Error {
    if (!ValueOrErr)
      return ValueOrErr.takeError();
    Register = *ValueOrErr;
    return Error::success();
  };
  if (Key == "ob")
    return Set(Object, resolveName(Value, ObjectById, InternObject));
  if (Key == "cob")
    return Set(CalleeObject, resolveName(Value, ObjectById, InternObject));
  if (Key == "cfn")
    return Set(CalleeName, resolveName(Value, FunctionById, InternFunction));
  if (Key == "fn" || Key == "jfn") {
    // The name itself is of no interest, but a callee may refer to it.
    Expected<uint32_t> Id =
        Value.starts_with("(")
            ? resolveName(Value, FunctionById, InternFunction)
            : 0;
    return Id ? Error::success() : Id.takeError();
  }
  // Source files: addresses say more.
  if (Key == "fl" || Key == "fi" || Key == "fe" || Key == "cfi" ||
      Key == "cfl" || Key == "jfi")
    return Error::success();
  if (Key == "calls")
    return parseCalls(Value);
  if (Key == "jump" || Key == "jcnd")
    return parseJump(Value, Key == "jcnd");
  return errorHere(quoted((Key + "=").str()) +
                   " is unknown in callgrind's format; is the file damaged?");
}

Expected<uint64_t> CallgrindParser::takePosition(StringRef &Text) const {
  if (!HasPositions)
    return errorHere("a position before the line 'positions:', which says what "
                     "it consists of; run " +
                     HowToRun);
  uint64_t Result = 0;
  for (unsigned I = 0; I < PositionCount; ++I) {
    StringRef Word = takeWord(Text);
    if (Word.empty())
      return errorHere("a position of " + Twine(PositionCount) +
                       " numbers is expected");
    if (Word == "*") {
      if (I == AddressIndex)
        Result = Address;
      continue;
    }
    StringRef Digits = Word;
    bool IsAhead = Digits.consume_front("+");
    bool IsBack = !IsAhead && Digits.consume_front("-");
    uint64_t Number;
    if (!parseNumber(Digits, Number))
      return errorHere(quoted(Word) + " is no position");
    if (I != AddressIndex)
      continue;
    if (IsBack ? Number > Address
               : Number > MaxAddress - (IsAhead ? Address : 0))
      return errorHere(quoted(Word) + " leads to no address");
    Result = IsAhead ? Address + Number : IsBack ? Address - Number : Number;
  }
  return Result;
}

Error CallgrindParser::parsePositionLine(StringRef Line) {
  Expected<uint64_t> AddressOrErr = takePosition(Line);
  if (!AddressOrErr)
    return AddressOrErr.takeError();
  if (!Object)
    return errorHere("a count before the first 'ob=': whose it is is unknown");
  if (EventCount == 0)
    return errorHere("a count before the line 'events:', which says what is "
                     "counted");
  uint64_t Count = 0;
  unsigned Costs = 0;
  for (StringRef Word = takeWord(Line); !Word.empty(); Word = takeWord(Line)) {
    uint64_t Number;
    if (!parseNumber(Word, Number))
      return errorHere(quoted(Word) + " is no count");
    if (Costs == EventCount)
      return errorHere("more counts than there are events (" +
                       Twine(EventCount) + ")");
    if (Costs++ == InstructionsIndex)
      Count = Number;
  }
  Address = *AddressOrErr;

  ObjectCounts &Counts = Objects[*Object];
  uint64_t *Sum = nullptr;
  switch (std::exchange(Next, PositionLine::Cost)) {
  case PositionLine::Cost:
    HasBody = true;
    DumpSum = SaturatingAdd(DumpSum, Count);
    if (Count)
      Sum = &Counts.Instructions[Address];
    break;
  case PositionLine::Call: // the cost is that of the callee
    Count = TransferCount;
    Sum = &Counts.Calls[{Address, CalleeObject.value_or(*Object),
                         TransferTarget, *CalleeName}];
    CalleeObject = CalleeName = std::nullopt;
    break;
  case PositionLine::Jump:
    Count = TransferCount;
    Sum = &Counts.Jumps[{Address, TransferTarget}];
    break;
  }
  if (Sum)
    *Sum = SaturatingAdd(*Sum, Count);
  return Error::success();
}

Error CallgrindParser::parseCalls(StringRef Value) {
  if (!CalleeName)
    return errorHere("a call without its callee ('cfn=')");
  StringRef Word = takeWord(Value);
  uint64_t Count;
  if (!parseNumber(Word, Count))
    return errorHere(quoted(Word) + " is no number of calls");
  Expected<uint64_t> TargetOrErr = takePosition(Value);
  if (!TargetOrErr)
    return TargetOrErr.takeError();
  Next = PositionLine::Call;
  TransferCount = Count;
  TransferTarget = *TargetOrErr;
  return Error::success();
}

Error CallgrindParser::parseJump(StringRef Value, bool IsConditional) {
  StringRef Word = takeWord(Value);
  // A conditional jump has "taken/executed".
  auto [Taken, Executed] = Word.split('/');
  uint64_t Count, Total = 0;
  if (!parseNumber(Taken, Count) ||
      (IsConditional && !parseNumber(Executed, Total)) ||
      (IsConditional ? Count > Total : Word.contains('/')))
    return errorHere(quoted(Word) + " is no number of jumps" +
                     (IsConditional ? ", taken/executed" : ""));
  Expected<uint64_t> TargetOrErr = takePosition(Value);
  if (!TargetOrErr)
    return TargetOrErr.takeError();
  Next = PositionLine::Jump;
  TransferCount = Count;
  TransferTarget = *TargetOrErr;
  return Error::success();
}

Error CallgrindParser::endFile() {
  if (!HasVersion)
    return fileError(Path, "is not an output file of callgrind");
  if (Next != PositionLine::Cost || HasBody || !HasTotals)
    return errorHere("the file ends without 'totals:'; it is cut short, or "
                     "callgrind was killed while it wrote");
  return Error::success();
}

/// The numbers that \p Present lacks between 1 and its last, as "1, 2"; a file
/// that claims to be the thousandth is not believed in so much detail.
static std::string missingNumbers(const std::set<uint64_t> &Present) {
  std::string Text;
  unsigned Listed = 0;
  uint64_t Expected = 1;
  for (uint64_t Number : Present) {
    for (; Expected < Number && Listed < 5; ++Expected, ++Listed)
      Text += (Text.empty() ? "" : ", ") + utostr(Expected);
    if (Expected < Number)
      return Text + ", ...";
    Expected = Number + 1;
  }
  return Text;
}

void CallgrindParser::warnAboutDumps(DiagnosticSink &Diagnostics) const {
  std::map<uint64_t, std::set<uint64_t>> Threads, Parts;
  for (const DumpId &Id : Dumps) {
    Parts[Id.Process].insert(Id.Part);
    if (Id.Thread)
      Threads[Id.Process].insert(Id.Thread);
  }
  for (const auto &[Process, Present] : Parts)
    if (std::string Missing = missingNumbers(Present); !Missing.empty())
      Diagnostics.warning("of process " + Twine(Process) + " the dumps " +
                          Missing +
                          " are not among the files; give all of a run's "
                          "(callgrind.out.PID, callgrind.out.PID.1, ...) for "
                          "the counts of the whole run");
  for (const auto &[Process, Present] : Threads) {
    std::string Missing = missingNumbers(Present);
    if (!Missing.empty() || Present.size() == 1)
      Diagnostics.warning(
          "of process " + Twine(Process) +
          (Missing.empty()
               ? " there is thread " + Twine(*Present.begin()) + " alone"
               : " the threads " + Twine(Missing) +
                     " are not among the files") +
          "; give all of a run's (callgrind.out.PID-01, ...) for the counts of "
          "the whole run");
  }
}

CallgrindProfile CallgrindParser::finish(DiagnosticSink &Diagnostics) {
  CallgrindProfile Profile;
  Profile.Command = std::move(Command);
  Profile.Functions = std::move(Functions);

  std::set<uint32_t> Called;
  for (const ObjectCounts &Counts : Objects)
    for (const auto &[Key, Count] : Counts.Calls)
      Called.insert(std::get<1>(Key));
  // Most executed first; objects that only have names have no place.
  std::vector<std::pair<uint64_t, uint32_t>> Order;
  for (auto [Index, Counts] : enumerate(Objects)) {
    uint64_t Total = 0;
    for (auto [Address, Count] : Counts.Instructions)
      Total = SaturatingAdd(Total, Count);
    if (Total || !Counts.Calls.empty() || Called.count(Index))
      Order.emplace_back(Total, Index);
  }
  llvm::sort(Order, [](const auto &L, const auto &R) {
    return std::tie(R.first, L.second) < std::tie(L.first, R.second);
  });
  std::vector<uint32_t> NewIndex(Objects.size());
  for (auto [Rank, Entry] : enumerate(Order))
    NewIndex[Entry.second] = Rank;

  for (auto [Total, Index] : Order) {
    ObjectCounts &Counts = Objects[Index];
    CallgrindObject &Object = Profile.Objects.emplace_back();
    Object.Path = std::move(Counts.Path);
    Object.Total = Total;
    Profile.Total = SaturatingAdd(Profile.Total, Total);
    Object.Instructions.assign(Counts.Instructions.begin(),
                               Counts.Instructions.end());
    for (const auto &[Key, Count] : Counts.Jumps)
      Object.Jumps.push_back({Key.first, Key.second, Count});
    Profile.HasJumps |= !Object.Jumps.empty();
    for (const auto &[Key, Count] : Counts.Calls) {
      auto [Site, CalleeObject, Callee, Name] = Key;
      Object.Calls.push_back(
          {Site, NewIndex[CalleeObject], Callee, Name, Count});
    }
    Object.sort();
    Counts = ObjectCounts();
  }
  warnAboutDumps(Diagnostics);
  if (!Profile.HasJumps)
    Diagnostics.warning("callgrind recorded no jumps: how often branches were "
                        "taken is not known; run " +
                        HowToRun);
  return Profile;
}

} // namespace inlay
