//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables of lib/Frequency/RateTables, and the choice among them.
//
// A table from another CPU is far better than none: what waits for what is
// much the same everywhere. So where no table fits, those of the same vendor,
// and failing that all of them, are averaged. A timer and a cycle counter
// sample alike, hence tables for one serve the other.
//
//===----------------------------------------------------------------------===//

#include "inlay/Frequency/RateTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>

using namespace llvm;

namespace inlay {

static const struct {
  StringLiteral Name, JSON;
} BuiltinTables[] = {
#include "RateTables.inc"
};

std::vector<RateTable> builtinRateTables() {
  std::vector<RateTable> Tables;
  for (const auto &Builtin : BuiltinTables)
    Tables.push_back(cantFail(parseRateTable(Builtin.JSON, Builtin.Name)));
  return Tables;
}

namespace {

struct CPU {
  StringRef Vendor;
  unsigned Family = 0, Model = 0;
  /// The text was understood.
  bool IsKnown = false;
};

} // namespace

static CPU parseCpuID(StringRef CpuID) {
  SmallVector<StringRef, 4> Fields;
  CpuID.split(Fields, ',');
  CPU Result;
  if (Fields.size() < 3)
    return Result;
  Result.Vendor = Fields[0];
  Result.IsKnown = !Fields[1].getAsInteger(10, Result.Family) &&
                   !Fields[2].getAsInteger(10, Result.Model);
  return Result;
}

static bool contains(ArrayRef<unsigned> Numbers, unsigned Number) {
  return Numbers.empty() || is_contained(Numbers, Number);
}

static bool matches(const CPUMatch &Match, const CPU &Host) {
  return !Match.Vendor.empty() && Host.IsKnown && Match.Vendor == Host.Vendor &&
         contains(Match.Families, Host.Family) &&
         contains(Match.Models, Host.Model);
}

/// Time passes in both.
static bool sampleAlike(SampledEvent A, SampledEvent B) {
  return (A == SampledEvent::Instructions) == (B == SampledEvent::Instructions);
}

/// The mean of the tables' weights, class by class.
static RateTable average(ArrayRef<const RateTable *> Tables) {
  RateTable Result = *Tables.front();
  std::vector<double> Sum(RateGrid::Size);
  auto Add = [&](ArrayRef<double> Weights) {
    for (auto [S, W] : zip_equal(Sum, Weights))
      S += W;
  };
  for (unsigned Class = 0; Class < numInstructionClasses(); ++Class) {
    if (none_of(Tables, [&](auto *Table) { return Table->hasClass(Class); }))
      continue;
    std::fill(Sum.begin(), Sum.end(), 0.0);
    for (const RateTable *Table : Tables)
      if (Table->hasClass(Class) || Table->hasClass(withoutWait(Class)))
        Add(Table->weights(Class));
    Result.setWeights(Class, Sum);
  }
  std::fill(Sum.begin(), Sum.end(), 0.0);
  double LogTime = 0;
  unsigned Timed = 0;
  for (const RateTable *Table : Tables) {
    Add(Table->globalWeights());
    if (Table->NanosecondsPerInstruction) {
      LogTime += std::log(*Table->NanosecondsPerInstruction);
      ++Timed;
    }
  }
  Result.setGlobalWeights(Sum);
  if (Timed)
    Result.NanosecondsPerInstruction = std::exp(LogTime / Timed);
  return Result;
}

/// Which vendor's tables \p Tables are, for the name of their average.
static std::string joinNames(ArrayRef<const RateTable *> Tables) {
  return join(map_range(Tables, [](const RateTable *T) { return T->Name; }),
              " + ");
}

ChosenRateTable chooseRateTable(StringRef CpuID, SampledEvent Event,
                                bool IsPrecise) {
  static const std::vector<RateTable> Builtin = builtinRateTables();
  CPU Host = parseCpuID(CpuID);
  // Tables without skid take classes from other places: a class then means the
  // same (what took the time), so its weights can be used all the same.
  auto Choose = [&](auto IsWanted) {
    std::vector<const RateTable *> Found;
    for (const RateTable &Table : Builtin)
      if (sampleAlike(Table.Event, Event) && IsWanted(Table))
        Found.push_back(&Table);
    // Rather the very kind of event, if there is one.
    auto Prefer = [&](auto IsBetter) {
      if (any_of(Found, IsBetter))
        erase_if(Found, [&](const RateTable *T) { return !IsBetter(T); });
    };
    Prefer([&](const RateTable *T) { return T->IsPrecise == IsPrecise; });
    Prefer([&](const RateTable *T) { return T->Event == Event; });
    return Found;
  };
  auto Merge = [&](ArrayRef<const RateTable *> Tables, RateTableFit Fit) {
    ChosenRateTable Chosen = {
        Tables.size() == 1 ? *Tables.front() : average(Tables), Fit};
    Chosen.Table.Name = joinNames(Tables);
    Chosen.Table.Event = Event;
    Chosen.Table.IsPrecise = IsPrecise;
    return Chosen;
  };

  auto Same = Choose([&](const RateTable &T) { return matches(T.CPU, Host); });
  if (!Same.empty())
    return Merge(Same, RateTableFit::SameCPU);
  auto Vendor = Choose([&](const RateTable &T) {
    return Host.IsKnown && T.CPU.Vendor == Host.Vendor;
  });
  if (!Vendor.empty())
    return Merge(Vendor, RateTableFit::SameVendor);
  return Merge(Choose([](const RateTable &) { return true; }),
               RateTableFit::Generic);
}

} // namespace inlay
