//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables in memory and as JSON. A file is checked in full when it is read, so
// that nothing that follows needs to doubt a weight.
//
//===----------------------------------------------------------------------===//

#include "inlay/Frequency/RateTable.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <numeric>

using namespace llvm;

namespace inlay {

static constexpr SampledEvent AllEvents[] = {
    SampledEvent::Timer, SampledEvent::Cycles, SampledEvent::Instructions};

RateTable::RateTable() : ByClass(numInstructionClasses()) {
  setGlobalWeights(std::vector<double>(RateGrid::Size, 1.0));
}

ArrayRef<double> RateTable::weights(InstructionClass Class) const {
  if (Class == NoInstructionClass)
    return Global;
  if (!hasClass(Class))
    Class = withoutWait(Class);
  return hasClass(Class) ? ByClass[Class] : Global;
}

/// A weight of 0 would make samples impossible that do occur.
static std::vector<double> normalized(ArrayRef<double> Weights) {
  assert(Weights.size() == RateGrid::Size);
  constexpr double Least = 1e-12;
  double Sum = std::accumulate(Weights.begin(), Weights.end(), 0.0);
  std::vector<double> Result;
  for (double Weight : Weights)
    Result.push_back(
        std::max(Sum > 0 ? Weight / Sum : 1.0 / RateGrid::Size, Least));
  return Result;
}

void RateTable::setGlobalWeights(ArrayRef<double> Weights) {
  Global = normalized(Weights);
}

void RateTable::setWeights(InstructionClass Class, ArrayRef<double> Weights) {
  ByClass[Class] = normalized(Weights);
}

namespace {

/// Reads the members of a table, and remembers the first thing wrong.
class TableParser {
public:
  TableParser(const json::Object &Root, RateTable &Table)
      : Root(Root), Table(Table) {}

  /// What is wrong; empty if nothing.
  std::string parse();

private:
  void fail(const Twine &Message) {
    if (Problem.empty())
      Problem = Message.str();
  }
  std::string text(StringRef Key);
  std::vector<unsigned> numbers(const json::Object &Object, StringRef Key);
  std::vector<double> weights(const json::Value *Value, const Twine &Where);
  void parseCPU();
  void parseEvent();
  void parseGrid();

  const json::Object &Root;
  RateTable &Table;
  std::string Problem;
};

} // namespace

std::string TableParser::text(StringRef Key) {
  const json::Value *Value = Root.get(Key);
  if (!Value)
    return "";
  if (std::optional<StringRef> Text = Value->getAsString())
    return Text->str();
  fail("'" + Key + "' is not a string");
  return "";
}

std::vector<unsigned> TableParser::numbers(const json::Object &Object,
                                           StringRef Key) {
  std::vector<unsigned> Result;
  const json::Value *Value = Object.get(Key);
  if (!Value)
    return Result;
  const json::Array *Array = Value->getAsArray();
  if (!Array) {
    fail("'" + Key + "' is not a list");
    return Result;
  }
  for (const json::Value &Element : *Array) {
    std::optional<int64_t> Number = Element.getAsInteger();
    if (!Number || *Number < 0 || *Number > UINT32_MAX) {
      fail("'" + Key + "' holds something else than numbers");
      break;
    }
    Result.push_back(*Number);
  }
  return Result;
}

std::vector<double> TableParser::weights(const json::Value *Value,
                                         const Twine &Where) {
  std::vector<double> Result;
  const json::Array *Array = Value ? Value->getAsArray() : nullptr;
  if (!Array || Array->size() != RateGrid::Size) {
    fail(Where + " is not a list of " + Twine(RateGrid::Size) + " weights");
    return std::vector<double>(RateGrid::Size, 1.0);
  }
  double Sum = 0;
  for (const json::Value &Element : *Array) {
    double Weight = Element.getAsNumber().value_or(-1);
    if (!(Weight >= 0 && Weight <= 1e6))
      fail(Where + " holds something else than weights from 0 to 1000000");
    Result.push_back(Weight);
    Sum += Weight;
  }
  if (!(Sum > 0))
    fail(Where + ": all weights are 0");
  return Result;
}

void TableParser::parseCPU() {
  const json::Value *Value = Root.get("cpu");
  if (!Value)
    return;
  const json::Object *Object = Value->getAsObject();
  if (!Object)
    return fail("'cpu' is not an object");
  if (std::optional<StringRef> Vendor = Object->getString("vendor"))
    Table.CPU.Vendor = Vendor->str();
  Table.CPU.Families = numbers(*Object, "families");
  Table.CPU.Models = numbers(*Object, "models");
}

void TableParser::parseEvent() {
  std::string Name = text("event");
  const SampledEvent *Event = find_if(
      AllEvents, [&](SampledEvent E) { return sampledEventName(E) == Name; });
  if (Event == std::end(AllEvents))
    return fail("'event' is not one of timer, cycles, instructions");
  Table.Event = *Event;
  if (const json::Value *Precise = Root.get("precise")) {
    if (std::optional<bool> IsPrecise = Precise->getAsBoolean())
      Table.IsPrecise = *IsPrecise;
    else
      fail("'precise' is neither true nor false");
  }
  if (const json::Value *Time = Root.get("nanoseconds_per_instruction")) {
    Table.NanosecondsPerInstruction = Time->getAsNumber().value_or(0);
    if (!(*Table.NanosecondsPerInstruction > 1e-3 &&
          *Table.NanosecondsPerInstruction < 1e6))
      fail("'nanoseconds_per_instruction' is not a number from 0.001 to "
           "1000000");
  }
}

void TableParser::parseGrid() {
  const json::Object *Grid = Root.getObject("log_rates");
  if (!Grid || Grid->getNumber("first") != RateGrid::First ||
      Grid->getNumber("step") != RateGrid::Step)
    fail("'log_rates' is not {\"first\": -6, \"step\": 0.5}: the table is for "
         "another version of Inlay; make it anew with llvm-profconv calibrate");
}

std::string TableParser::parse() {
  Table.Name = text("name");
  Table.Provenance = text("provenance");
  parseCPU();
  parseEvent();
  parseGrid();
  std::vector<double> Global = weights(Root.get("global"), "'global'");
  if (Problem.empty())
    Table.setGlobalWeights(Global);
  const json::Object *Classes = Root.getObject("classes");
  if (!Classes) {
    fail("'classes' is not an object");
    return Problem;
  }
  for (const auto &[Key, Value] : *Classes) {
    StringRef Name = Key;
    std::vector<double> Weights = weights(&Value, "class '" + Name + "'");
    std::optional<InstructionClass> Class = findInstructionClass(Name);
    if (!Class)
      fail("there is no class of instructions called '" + Name + "'");
    if (!Problem.empty())
      break;
    Table.setWeights(*Class, Weights);
  }
  return Problem;
}

Expected<RateTable> parseRateTable(StringRef JSON, StringRef File) {
  auto Fail = [&](const Twine &Message) {
    return fileError(File, "is not a table of rates: " + Message);
  };
  // LLVM's parser recurses; a table is three deep.
  int Depth = 0;
  for (char C : JSON) {
    Depth += (C == '[' || C == '{') - (C == ']' || C == '}');
    if (Depth > 16)
      return Fail("it nests too deeply");
  }
  Expected<json::Value> Root = json::parse(JSON);
  if (!Root)
    return Fail(toString(Root.takeError()));
  const json::Object *Object = Root->getAsObject();
  if (!Object)
    return Fail("it is not a JSON object");
  RateTable Table;
  if (std::string Problem = TableParser(*Object, Table).parse();
      !Problem.empty())
    return Fail(Problem);
  if (Table.Name.empty())
    Table.Name = File.str();
  return Table;
}

static void printWeights(raw_ostream &OS, ArrayRef<double> Weights) {
  OS << '[';
  ListSeparator Separator;
  for (double Weight : Weights)
    OS << Separator << format("%.6g", Weight < 1e-6 ? 0.0 : Weight);
  OS << ']';
}

static void printNumbers(raw_ostream &OS, StringRef Key,
                         ArrayRef<unsigned> Numbers) {
  if (Numbers.empty())
    return;
  OS << ", \"" << Key << "\": [";
  ListSeparator Separator;
  for (unsigned Number : Numbers)
    OS << Separator << Number;
  OS << ']';
}

std::string formatRateTable(const RateTable &Table) {
  // Not json::OStream, which gives each of hundreds of weights a line.
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "{\n  \"name\": " << json::Value(Table.Name)
     << ",\n  \"provenance\": " << json::Value(Table.Provenance);
  if (!Table.CPU.Vendor.empty()) {
    OS << ",\n  \"cpu\": {\"vendor\": " << json::Value(Table.CPU.Vendor);
    printNumbers(OS, "families", Table.CPU.Families);
    printNumbers(OS, "models", Table.CPU.Models);
    OS << '}';
  }
  OS << ",\n  \"event\": \"" << sampledEventName(Table.Event)
     << "\",\n  \"precise\": " << (Table.IsPrecise ? "true" : "false");
  if (Table.NanosecondsPerInstruction)
    OS << ",\n  \"nanoseconds_per_instruction\": "
       << format("%.4g", *Table.NanosecondsPerInstruction);
  OS << ",\n  \"log_rates\": {\"first\": " << format("%g", RateGrid::First)
     << ", \"step\": " << format("%g", RateGrid::Step) << "},\n  \"global\": ";
  printWeights(OS, Table.globalWeights());
  OS << ",\n  \"classes\": {";
  ListSeparator Separator(",");
  for (unsigned Class = 0; Class < numInstructionClasses(); ++Class)
    if (Table.hasClass(Class)) {
      OS << Separator << "\n    \"" << instructionClassName(Class) << "\": ";
      printWeights(OS, Table.weights(Class));
    }
  OS << "\n  }\n}\n";
  return Text;
}

} // namespace inlay
