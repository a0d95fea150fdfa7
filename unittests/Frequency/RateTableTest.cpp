//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "inlay/Frequency/RateTable.h"
#include "inlay/Perf/PerfEvents.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <numeric>

using namespace inlay;

TEST(RateTable, SurvivesItsOwnFormat) {
  RateTable Table;
  Table.Name = "my \"table\"";
  Table.Provenance = "measured";
  Table.CPU = {"GenuineIntel", {6}, {143, 207}};
  Table.Event = SampledEvent::Cycles;
  Table.IsPrecise = true;
  Table.NanosecondsPerInstruction = 0.125;
  std::vector<double> Weights(RateGrid::Size, 1.0);
  Weights[3] = 5;
  InstructionClass Load = *findInstructionClass("load_d@0");
  Table.setWeights(Load, Weights);

  llvm::Expected<RateTable> Read =
      parseRateTable(formatRateTable(Table), "table.json");
  ASSERT_TRUE(bool(Read)) << llvm::toString(Read.takeError());
  EXPECT_EQ(Table.Name, Read->Name);
  EXPECT_EQ(Table.Provenance, Read->Provenance);
  EXPECT_EQ(Table.CPU.Vendor, Read->CPU.Vendor);
  EXPECT_EQ(Table.CPU.Families, Read->CPU.Families);
  EXPECT_EQ(Table.CPU.Models, Read->CPU.Models);
  EXPECT_EQ(Table.Event, Read->Event);
  EXPECT_TRUE(Read->IsPrecise);
  EXPECT_EQ(Table.NanosecondsPerInstruction, Read->NanosecondsPerInstruction);
  EXPECT_TRUE(Read->hasClass(Load));
  EXPECT_FALSE(Read->hasClass(*findInstructionClass("load")));
  EXPECT_NEAR(5.0 / (RateGrid::Size + 4), Read->weights(Load)[3], 1e-6);
  // A class that the table does not have.
  EXPECT_NEAR(1.0 / RateGrid::Size,
              Read->weights(*findInstructionClass("load"))[0], 1e-6);
}

static std::string problemOf(llvm::StringRef JSON) {
  llvm::Expected<RateTable> Table = parseRateTable(JSON, "table.json");
  return Table ? "" : llvm::toString(Table.takeError());
}

/// A table that is right but for \p From, which becomes \p To.
static std::string problemWith(llvm::StringRef From, llvm::StringRef To) {
  std::string Text = formatRateTable(RateTable());
  size_t At = Text.find(From.str());
  EXPECT_NE(std::string::npos, At);
  return problemOf(Text.replace(At, From.size(), To.str()));
}

/// Where the largest weight is.
static long peak(llvm::ArrayRef<double> Weights) {
  return std::max_element(Weights.begin(), Weights.end()) - Weights.begin();
}

TEST(RateTable, SaysWhatIsWrong) {
  auto Holds = [](std::string Problem, const char *Part) {
    EXPECT_NE(std::string::npos, Problem.find(Part)) << Problem;
    EXPECT_EQ(0u, Problem.find("table.json: ")) << Problem;
  };
  Holds(problemOf("nonsense"), "is not a table of rates");
  Holds(problemOf("[]"), "not a JSON object");
  Holds(problemOf(std::string(100000, '[')), "nests too deeply");
  Holds(problemWith("\"timer\"", "\"page-faults\""), "'event'");
  Holds(problemWith("\"step\": 0.5", "\"step\": 1"), "another version");
  Holds(problemWith("\"classes\": {", "\"classes\": {\"lode\": []"),
        "class 'lode' is not a list of 27 weights");
  Holds(problemWith("0.037037, ", ""), "'global' is not a list of 27 weights");
  Holds(problemWith("0.037037", "-1"), "'global' holds something else");
  Holds(problemWith("0.037037", "1e300"), "'global' holds something else");
  Holds(problemWith("\"precise\": false", "\"precise\": 1"), "'precise'");
  Holds(problemWith("\"precise\": false",
                    "\"precise\": false, \"nanoseconds_per_instruction\": 0"),
        "'nanoseconds_per_instruction'");
}

TEST(RateTable, UnknownClass) {
  std::string Weights = "[1";
  for (unsigned K = 1; K < RateGrid::Size; ++K)
    Weights += ", 1";
  std::string Problem =
      problemWith("\"classes\": {", "\"classes\": {\"lode\": " + Weights + "]");
  EXPECT_NE(std::string::npos, Problem.find("no class of instructions"));
}

// A table may know classes by their waits, or without, or both.
TEST(RateTable, FallsBackOnTheClassWithoutWait) {
  std::vector<double> One(RateGrid::Size, 0.0), Other(RateGrid::Size, 0.0);
  One[3] = Other[5] = 1;
  RateTable Table;
  Table.setWeights(*findInstructionClass("load"), One);
  Table.setWeights(*findInstructionClass("load~5"), Other);
  EXPECT_EQ(3, peak(Table.weights(*findInstructionClass("load"))));
  EXPECT_EQ(3, peak(Table.weights(*findInstructionClass("load~1"))));
  EXPECT_EQ(5, peak(Table.weights(*findInstructionClass("load~5"))));
  EXPECT_FALSE(Table.hasClass(*findInstructionClass("load~1")));
  EXPECT_EQ(Table.globalWeights(),
            Table.weights(*findInstructionClass("load_d~5")));
}

TEST(RateTable, BuiltinTablesAreSound) {
  std::vector<RateTable> Tables = builtinRateTables();
  EXPECT_FALSE(Tables.empty());
  for (const RateTable &Table : Tables) {
    EXPECT_FALSE(Table.Provenance.empty()) << Table.Name;
    for (unsigned Class = 0; Class < numInstructionClasses(); ++Class) {
      llvm::ArrayRef<double> Weights = Table.weights(Class);
      EXPECT_NEAR(1.0, std::accumulate(Weights.begin(), Weights.end(), 0.0),
                  1e-9);
    }
  }
}

TEST(RateTable, IsChosenByCPUAndEvent) {
  ChosenRateTable Zen3 =
      chooseRateTable("AuthenticAMD,25,1,1", SampledEvent::Timer, false);
  EXPECT_EQ(RateTableFit::SameCPU, Zen3.Fit);
  EXPECT_EQ("amd-zen3", Zen3.Table.Name);
  EXPECT_EQ(
      RateTableFit::SameVendor,
      chooseRateTable("AuthenticAMD,23,49,0", SampledEvent::Timer, false).Fit);
  for (const char *CpuID : {"", "0x00000000410fd400", "a,b,c", ",,"})
    EXPECT_EQ(RateTableFit::Generic,
              chooseRateTable(CpuID, SampledEvent::Timer, false).Fit);
  // Cycles fall where time passes; precise ones on the very instruction.
  ChosenRateTable Precise =
      chooseRateTable("AuthenticAMD,25,1,1", SampledEvent::Cycles, true);
  EXPECT_EQ("amd-zen3", Precise.Table.Name);
  EXPECT_EQ(SampleSkid::None, Precise.Table.skid());
  for (bool IsPrecise : {false, true}) {
    ChosenRateTable Retired = chooseRateTable(
        "AuthenticAMD,25,1,1", SampledEvent::Instructions, IsPrecise);
    EXPECT_EQ(SampledEvent::Instructions, Retired.Table.Event);
    EXPECT_EQ(IsPrecise, Retired.Table.IsPrecise);
    EXPECT_FALSE(Retired.Table.hasClass(*findInstructionClass("load")));
  }
}

TEST(RateTable, Events) {
  auto EventOf = [](uint32_t Type, uint64_t Config, const char *Name = "") {
    PerfEventAttr Attr;
    Attr.Type = Type;
    Attr.Config = Config;
    Attr.Name = Name;
    return sampledEventOf(Attr);
  };
  EXPECT_EQ(SampledEvent::Timer, EventOf(1, 0));
  EXPECT_EQ(SampledEvent::Timer, EventOf(1, 1));
  EXPECT_EQ(SampledEvent::Cycles, EventOf(0, 0));
  EXPECT_EQ(SampledEvent::Cycles, EventOf(0, uint64_t(8) << 32)); // hybrid PMU
  EXPECT_EQ(SampledEvent::Instructions, EventOf(0, 1));
  EXPECT_EQ(SampledEvent::Instructions,
            EventOf(4, 0x01c0, "inst_retired.prec_dist:pp"));
  EXPECT_EQ(std::nullopt, EventOf(0, 3)); // cache misses
  EXPECT_EQ(std::nullopt, EventOf(1, 2)); // page faults
  EXPECT_EQ(std::nullopt, EventOf(4, 0x20c4, "br_inst_retired.near_taken"));
}

TEST(RateTable, Precision) {
  PerfEventAttr Attr;
  Attr.Type = 0; // cycles
  for (unsigned Precise : {0, 1, 2, 3}) {
    Attr.PreciseIP = Precise;
    EXPECT_EQ(Precise >= 2, isPrecise(Attr)); // 1: the next instruction
  }
  Attr.Type = 1; // cpu-clock takes no notice
  EXPECT_FALSE(isPrecise(Attr));
}
