//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model on code and samples that are made up: what it finds, and that what
// it claims of its certainty is true.
//
//===----------------------------------------------------------------------===//

#include "FakeBinary.h"
#include "FakeCode.h"
#include "inlay/Frequency/Estimation.h"
#include "inlay/Sampling/RawProfile.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace inlay;
using Kind = InstructionKind;

namespace {

/// A function with its truth.
struct Simulated {
  MachineFunction Code;
  std::vector<double> Blocks; ///< executions
};

/// A random graph in which every block is reached and leads on to an exit, with
/// random branch probabilities.
Simulated simulate(std::mt19937 &Random, unsigned NumBlocks, double Entries) {
  auto Below = [&](unsigned Bound) {
    return std::uniform_int_distribution<unsigned>(0, Bound - 1)(Random);
  };
  Simulated Result;
  FakeFunction Builder("f", 0x401000);
  const Kind Kinds[] = {Kind::ALU,  Kind::ALU,           Kind::Load,
                        Kind::Load, Kind::LoadOperation, Kind::Store};
  for (unsigned Block = 0; Block < NumBlocks; ++Block) {
    Builder.block(Block + 1 == NumBlocks);
    for (unsigned I = 0, Count = 2 + Below(6); I < Count; ++I)
      Builder.add(Kinds[Below(6)], {uint16_t(Below(8))}, {uint16_t(Below(8))});
  }
  std::vector<std::tuple<unsigned, unsigned, double>> Edges;
  for (unsigned Block = 0; Block + 1 < NumBlocks; ++Block) {
    double Taken = 0;
    if (Below(3)) {
      // Ahead, or back for a loop.
      unsigned Target = Below(3) ? Block + 1 + Below(NumBlocks - Block - 1)
                                 : 1 + Below(Block + 1);
      if (Target != Block + 1) {
        Taken = std::uniform_real_distribution(0.02, 0.9)(Random);
        Builder.edge(Block, Target, EdgeKind::Taken);
        Edges.emplace_back(Block, Target, Taken);
      }
    }
    Builder.edge(Block, Block + 1, EdgeKind::FallThrough);
    Edges.emplace_back(Block, Block + 1, 1 - Taken);
  }
  Result.Code = Builder.build();
  Result.Blocks.assign(NumBlocks, 0);
  for (unsigned Sweep = 0; Sweep < 20000; ++Sweep) {
    std::vector<double> Next(NumBlocks);
    Next[0] = Entries;
    for (auto [Source, Target, Probability] : Edges)
      Next[Target] += Result.Blocks[Source] * Probability;
    Result.Blocks = std::move(Next);
  }
  return Result;
}

/// Samples as the model says that they come about, for executions \p Blocks in
/// expected samples.
BinarySamples draw(std::mt19937 &Random, const MachineFunction &Code,
                   llvm::ArrayRef<double> Blocks, const RateTable &Rates) {
  BinarySamples Samples;
  std::vector<InstructionClass> Classes =
      classifyInstructions(Code, Rates.skid());
  for (auto [Block, Count] : llvm::zip_equal(Code.Blocks, Blocks))
    for (uint32_t N = Block.First; N < Block.First + Block.Count; ++N) {
      llvm::ArrayRef<double> Weights = Rates.weights(Classes[N]);
      double Rate =
          std::exp(RateGrid::point(std::discrete_distribution<unsigned>(
              Weights.begin(), Weights.end())(Random)));
      uint64_t Hits = std::poisson_distribution<long>(Count * Rate)(Random);
      if (Hits)
        Samples.Counts[Code.Instructions[N].Address - 0x400000] += Hits;
      Samples.Total += Hits;
    }
  return Samples;
}

/// One function at 0x401000, which is file offset 0x1000.
class ModelTest : public testing::Test {
protected:
  ModelTest() {
    Options.Kind = EstimatorKind::Model;
    Options.Rates = chooseRateTable("", SampledEvent::Timer, false).Table;
  }
  void setCode(MachineFunction F) {
    Binary.Functions.push_back(F.Parts.front());
    Code.Functions.push_back(std::move(F));
  }
  /// Random functions, one behind the other; their samples.
  BinarySamples setRandomCode(unsigned NumFunctions) {
    std::mt19937 Random(5);
    BinarySamples All;
    uint64_t Entry = 0x401000;
    for (unsigned I = 0; I < NumFunctions; ++I) {
      Simulated S = simulate(Random, 12, 200);
      BinarySamples Samples = draw(Random, S.Code, S.Blocks, Options.Rates);
      for (MachineInstruction &Instruction : S.Code.Instructions)
        Instruction.Address += Entry - 0x401000;
      S.Code.Entry = Entry;
      for (auto [Offset, Count] : Samples.Counts)
        All.Counts[Offset + Entry - 0x401000] = Count;
      S.Code.Parts[0].Begin = Entry;
      S.Code.Parts[0].End = Entry + 4 * S.Code.Instructions.size();
      Entry = S.Code.Parts[0].End;
      setCode(S.Code);
    }
    return All;
  }
  MachineFrequencies estimate(const BinarySamples &Samples) {
    return estimateFrequencies(Samples, Binary, Code, Options);
  }

  FakeBinary Binary;
  FakeCode Code;
  EstimationOptions Options;
};

BinarySamples samplesAt(std::vector<std::pair<uint64_t, uint64_t>> Counts) {
  BinarySamples Samples;
  for (auto [Address, Count] : Counts) {
    Samples.Counts[Address - 0x400000] = Count;
    Samples.Total += Count;
  }
  return Samples;
}

uint64_t countAt(const FunctionFrequencies &F, uint64_t Address) {
  for (auto [A, Count] : F.Instructions)
    if (A == Address)
      return Count;
  return 0;
}

} // namespace

// Over many random functions: what it claims to be within a factor of two is so
// about as often, and it is better than the mean over a block.
TEST_F(ModelTest, FindsSimulatedFrequencies) {
  std::mt19937 Random(7);
  double Executed = 0, Within = 0, Claimed = 0, MeanWithin = 0;
  for (unsigned Trial = 0; Trial < 60; ++Trial) {
    Simulated S = simulate(Random, 5 + Trial % 40, 1000);
    BinarySamples Samples = draw(Random, S.Code, S.Blocks, Options.Rates);
    Binary.Functions.clear();
    Code.Functions.clear();
    setCode(S.Code);
    auto WithinTwofold = [&](const FunctionFrequencies &F) {
      double Sum = 0;
      for (auto [Block, Count] : llvm::zip_equal(S.Code.Blocks, S.Blocks)) {
        double Estimate =
            double(countAt(F, S.Code.Instructions[Block.First].Address));
        if (Estimate >= Count / 2 && Estimate <= Count * 2)
          Sum += Count * Block.Count;
      }
      return Sum;
    };
    double Total = 0;
    for (auto [Block, Count] : llvm::zip_equal(S.Code.Blocks, S.Blocks))
      Total += Count * Block.Count;

    Options.Kind = EstimatorKind::Model;
    MachineFrequencies Model = estimate(Samples);
    ASSERT_EQ(1u, Model.Functions.size());
    // Weigh each function alike.
    Executed += 1;
    Within += WithinTwofold(Model.Functions[0]) / Total;
    Claimed += *Model.Functions[0].Confidence;
    Options.Kind = EstimatorKind::Mean;
    MeanWithin += WithinTwofold(estimate(Samples).Functions[0]) / Total;
  }
  Within /= Executed;
  Claimed /= Executed;
  MeanWithin /= Executed;
  EXPECT_GT(Within, 0.85);
  EXPECT_GT(Within, MeanWithin + 0.2);
  EXPECT_LT(Claimed, Within);
  EXPECT_GT(Claimed, Within - 0.2);
}

// Executions are conserved in what is written, up to rounding.
TEST_F(ModelTest, EdgesAddUp) {
  std::mt19937 Random(3);
  Simulated S = simulate(Random, 40, 1000);
  setCode(S.Code);
  Options.ExecutionsPerSample = 1e5;
  Options.NegligibleShare = 0;
  MachineFrequencies Result =
      estimate(draw(Random, S.Code, S.Blocks, Options.Rates));
  const FunctionFrequencies &F = Result.Functions[0];
  ASSERT_EQ(S.Code.Edges.size(), F.Edges.size());
  for (const MachineBlock &Block : S.Code.Blocks) {
    uint64_t First = S.Code.Instructions[Block.First].Address;
    double In = &Block == S.Code.Blocks.data() ? double(*F.EntryCount) : 0;
    for (const EdgeFrequency &Edge : F.Edges)
      if (Edge.To == First)
        In += double(Edge.Count);
    double Count = double(countAt(F, First));
    EXPECT_NEAR(Count, In, 1e-5 * Count + 40);
  }
}

TEST_F(ModelTest, IsDeterministic) {
  const BinarySamples All = setRandomCode(8);
  MachineFrequencies First = estimate(All), Second = estimate(All);
  ASSERT_EQ(8u, First.Functions.size());
  for (auto [A, B] : llvm::zip_equal(First.Functions, Second.Functions)) {
    EXPECT_EQ(A.Instructions, B.Instructions);
    EXPECT_EQ(A.EntryCount, B.EntryCount);
    EXPECT_EQ(A.Confidence, B.Confidence);
  }
}

TEST_F(ModelTest, SaysHowFarItHasCome) {
  const BinarySamples All = setRandomCode(8);
  std::vector<double> Shares;
  estimateFrequencies(All, Binary, Code, Options, {},
                      [&](double Share) { Shares.push_back(Share); });
  // Functions are disassembled one after another, and solved at once.
  ASSERT_GT(Shares.size(), 8u);
  EXPECT_GT(Shares.front(), 0);
  EXPECT_LT(Shares[7], Shares[8]);
  EXPECT_TRUE(llvm::is_sorted(Shares));
  EXPECT_EQ(Shares.back(), 1);
}

// if (..) hot; else never seen; the latter reads 0, and nothing else does.
TEST_F(ModelTest, WhatWasNeverSeenIsZero) {
  FakeFunction B("f", 0x401000);
  for (int Block = 0; Block < 4; ++Block) {
    B.block(Block == 3);
    for (int I = 0; I < 6; ++I)
      B.add(Kind::ALU);
  }
  setCode(B.edge(0, 1)
              .edge(0, 2, EdgeKind::Taken)
              .edge(1, 3)
              .edge(2, 3, EdgeKind::Taken)
              .build());
  std::vector<std::pair<uint64_t, uint64_t>> Hits;
  for (unsigned I = 0; I < 24; ++I)
    if (I / 6 != 2)
      Hits.push_back({0x401000 + 4 * I, 500 + 10 * I});
  MachineFrequencies Result = estimate(samplesAt(Hits));
  const FunctionFrequencies &F = Result.Functions[0];
  EXPECT_EQ(0u, countAt(F, 0x401000 + 4 * 12));
  uint64_t Hot = countAt(F, 0x401000);
  EXPECT_GT(Hot, 300u);
  EXPECT_EQ(Hot, countAt(F, 0x401000 + 4 * 23));
  EXPECT_EQ(Hot, F.EntryCount);
  EXPECT_GT(*F.Confidence, 0.7);
  EXPECT_EQ(*F.Confidence, *Result.SureShare);
  EXPECT_FALSE(Result.Advice); // nothing to gain
}

TEST_F(ModelTest, FewSamplesAreLittleSureAndMoreWouldHelp) {
  FakeFunction B("f", 0x401000);
  B.block(true);
  for (int I = 0; I < 4; ++I)
    B.add(Kind::ALU);
  setCode(B.build());
  MachineFrequencies Result = estimate(samplesAt({{0x401004, 1}}));
  EXPECT_LT(*Result.SureShare, 0.6);
  ASSERT_TRUE(Result.Advice);
  EXPECT_GT(Result.Advice->Factor, 1u);
  EXPECT_GE(Result.Advice->SureShare, *Result.SureShare + 0.05);
}

TEST_F(ModelTest, ScaleAndOverflow) {
  FakeFunction B("f", 0x401000);
  B.block(true).add(Kind::ALU).add(Kind::ALU).add(Kind::ALU);
  setCode(B.build());
  BinarySamples Samples =
      samplesAt({{0x401000, 100}, {0x401004, 100}, {0x401008, 100}});
  uint64_t Plain = countAt(estimate(Samples).Functions[0], 0x401000);
  Options.ExecutionsPerSample = 1000;
  uint64_t Scaled = countAt(estimate(Samples).Functions[0], 0x401000);
  EXPECT_NEAR(double(Plain) * 1000, double(Scaled), 501);
  Options.ExecutionsPerSample = 1e13;
  Samples = samplesAt({{0x401000, UINT64_MAX / 4}, {0x401004, UINT64_MAX / 4}});
  MachineFrequencies Huge = estimate(Samples);
  EXPECT_EQ(uint64_t(1) << 62, countAt(Huge.Functions[0], 0x401000));
}

// Direct calls are counted; samples in a split-off part are the function's, and
// its parts are told apart.
TEST_F(ModelTest, CallsAndParts) {
  FakeFunction Caller("caller", 0x401000);
  Caller.block().add(Kind::ALU).addCall(0x401200).add(Kind::ALU);
  Caller.block(true).add(Kind::ALU).add(Kind::ALU).add(Kind::Return);
  MachineFunction F = Caller.edge(0, 1).build();
  // Its second block lies elsewhere.
  F.Parts = {{0x401000, 0x40100c, "caller"}, {0x401100, 0x40110c, "caller"}};
  for (unsigned I = 3; I < 6; ++I)
    F.Instructions[I].Address = 0x401100 + 4 * (I - 3);
  setCode(F);
  FakeFunction Callee("callee", 0x401200);
  setCode(Callee.block(true).add(Kind::ALU).add(Kind::Return).build());

  MachineFrequencies Result = estimate(samplesAt({{0x401000, 90},
                                                  {0x401004, 100},
                                                  {0x401008, 110},
                                                  {0x401100, 105},
                                                  {0x401104, 95},
                                                  {0x401108, 100},
                                                  {0x401200, 50}}));
  ASSERT_EQ(3u, Result.Functions.size());
  const FunctionFrequencies &Hot = Result.Functions[0],
                            &Cold = Result.Functions[1];
  EXPECT_EQ(0x401000u, Hot.Begin);
  EXPECT_EQ(300u, Hot.Samples);
  EXPECT_TRUE(Hot.EntryCount);
  EXPECT_EQ(0x401100u, Cold.Begin);
  EXPECT_EQ(300u, Cold.Samples);
  EXPECT_FALSE(Cold.EntryCount);
  EXPECT_EQ(countAt(Hot, 0x401000), countAt(Cold, 0x401100));
  EXPECT_EQ(650u, Result.SamplesInFunctions);
  ASSERT_EQ(1u, Hot.Calls.size());
  EXPECT_EQ(0x401004u, Hot.Calls[0].Site);
  EXPECT_EQ(0x401200u, Hot.Calls[0].Target);
  EXPECT_EQ("callee", Hot.Calls[0].TargetName);
  EXPECT_EQ(countAt(Hot, 0x401004), Hot.Calls[0].Count);
}

// What the callers say of a callee's entries moves it, unless others may call.
TEST_F(ModelTest, EntriesFollowCalls) {
  FakeFunction Caller("caller", 0x401000);
  Caller.block(true);
  for (int I = 0; I < 8; ++I)
    Caller.add(Kind::ALU);
  Caller.addCall(0x401200);
  setCode(Caller.build());
  FakeFunction Callee("callee", 0x401200);
  setCode(Callee.block(true).add(Kind::ALU).build());
  std::vector<std::pair<uint64_t, uint64_t>> Hits = {{0x401200, 5}};
  for (unsigned I = 0; I < 9; ++I)
    Hits.push_back({0x401000 + 4 * I, 1000});
  Options.SelfTrainingRounds = Options.CallRounds = 0;
  uint64_t Alone = *estimate(samplesAt(Hits)).Functions[1].EntryCount;
  Options.CallRounds = 3;
  uint64_t Called = *estimate(samplesAt(Hits)).Functions[1].EntryCount;
  EXPECT_GT(Called, 4 * Alone);
  Code.AddressTaken.insert(0x401200);
  EXPECT_EQ(Alone, *estimate(samplesAt(Hits)).Functions[1].EntryCount);
}

// A short block that calls and was hit by little executes as often as its
// callee says.
TEST_F(ModelTest, CallSitesFollowEntries) {
  FakeFunction Caller("caller", 0x401000);
  Caller.block().add(Kind::ALU).add(Kind::ConditionalBranch);
  Caller.block().addCall(0x401200);
  Caller.block(true).add(Kind::ALU);
  Caller.edge(0, 2, EdgeKind::Taken)
      .edge(0, 1, EdgeKind::FallThrough)
      .edge(1, 2, EdgeKind::FallThrough);
  MachineFunction Code = Caller.build();
  uint64_t Site = Code.Instructions[Code.Blocks[1].First].Address;
  uint64_t Start = Code.Instructions.front().Address;
  setCode(std::move(Code));
  FakeFunction Callee("callee", 0x401200);
  Callee.block(true);
  for (int I = 0; I < 8; ++I)
    Callee.add(Kind::ALU);
  setCode(Callee.build());
  std::vector<std::pair<uint64_t, uint64_t>> Hits = {{Start, 1000},
                                                     {Start + 4, 1000}};
  Hits.emplace_back(Site, 20);
  Hits.emplace_back(Site + 4, 1000);
  for (unsigned I = 0; I < 8; ++I)
    Hits.push_back({0x401200 + 4 * I, 1000});
  Options.SelfTrainingRounds = Options.CallRounds = 0;
  uint64_t Alone = countAt(estimate(samplesAt(Hits)).Functions[0], Site);
  Options.CallRounds = 3;
  uint64_t Told = countAt(estimate(samplesAt(Hits)).Functions[0], Site);
  EXPECT_GT(Told, 1.5 * Alone);
}

// What is learned from the program moves counts within a function, and nothing
// from one to another.
TEST_F(ModelTest, SelfTrainingKeepsFunctions) {
  std::mt19937 Random(5);
  BinarySamples All;
  for (unsigned I = 0; I < 4; ++I) {
    Simulated S = simulate(Random, 20, 100);
    uint64_t Shift = I * 0x300;
    for (MachineInstruction &Instruction : S.Code.Instructions)
      Instruction.Address += Shift;
    S.Code.Entry += Shift;
    for (FunctionRange &Part : S.Code.Parts) {
      Part.Begin += Shift;
      Part.End += Shift;
    }
    BinarySamples Drawn = draw(Random, S.Code, S.Blocks, Options.Rates);
    for (auto [Offset, Count] : Drawn.Counts)
      All.Counts[Offset] = Count;
    All.Total += Drawn.Total;
    setCode(std::move(S.Code));
  }
  auto Executed = [&] {
    std::vector<double> Result;
    for (const FunctionFrequencies &F : estimate(All).Functions) {
      Result.push_back(0);
      for (auto [Address, Count] : F.Instructions)
        Result.back() += Count;
    }
    return Result;
  };
  Options.ExecutionsPerSample = 1000;
  Options.CallRounds = Options.SelfTrainingRounds = 0;
  std::vector<double> Before = Executed();
  Options.SelfTrainingRounds = 3;
  std::vector<double> After = Executed();
  ASSERT_EQ(4u, Before.size());
  // Rounding, and what is negligible.
  for (auto [B, A] : llvm::zip_equal(Before, After))
    EXPECT_NEAR(B, A, 0.01 * B);
}

TEST_F(ModelTest, SelfTrainingStaysFinite) {
  std::mt19937 Random(11);
  Simulated S = simulate(Random, 30, 500);
  setCode(S.Code);
  Options.SelfTrainingRounds = 3;
  MachineFrequencies Result =
      estimate(draw(Random, S.Code, S.Blocks, Options.Rates));
  EXPECT_FALSE(Result.Functions[0].Instructions.empty());
  EXPECT_GT(*Result.SureShare, 0.3);
}

// Whatever the graph (unreachable blocks, endless loops, several entries) and
// the samples, counts are finite and what was seen has one.
TEST_F(ModelTest, AnyGraph) {
  std::mt19937 Random(13);
  auto Below = [&](unsigned Bound) {
    return std::uniform_int_distribution<unsigned>(0, Bound - 1)(Random);
  };
  for (unsigned Trial = 0; Trial < 150; ++Trial) {
    unsigned NumBlocks = 1 + Below(12);
    FakeFunction B("f", 0x401000);
    for (unsigned Block = 0; Block < NumBlocks; ++Block) {
      B.block(Below(3) == 0);
      for (unsigned I = 0, Count = 1 + Below(4); I < Count; ++I)
        B.add(Kind(Below(unsigned(Kind::Trap) + 1)));
    }
    std::set<std::tuple<unsigned, unsigned>> Edges;
    for (unsigned I = 0, Count = Below(2 * NumBlocks); I < Count; ++I)
      Edges.insert({Below(NumBlocks), Below(NumBlocks)});
    for (auto [Source, Target] : Edges)
      B.edge(Source, Target, EdgeKind(Below(3)));
    MachineFunction F = B.build();
    for (MachineBlock &Block : F.Blocks) {
      Block.IsLandingPad = Below(8) == 0;
      Block.IsReachable = Below(8) != 0;
    }
    BinarySamples Samples;
    for (const MachineInstruction &I : F.Instructions)
      if (Below(2))
        Samples.Counts[I.Address - 0x400000] = uint64_t(1) << Below(50);
    Binary.Functions.clear();
    Code.Functions.clear();
    setCode(F);
    Options.ExecutionsPerSample = 1000;
    MachineFrequencies Result = estimate(Samples);
    if (Samples.Counts.empty())
      continue;
    ASSERT_EQ(1u, Result.Functions.size());
    EXPECT_FALSE(Result.Functions[0].Instructions.empty());
    for (auto [Address, Count] : Result.Functions[0].Instructions)
      EXPECT_LE(Count, uint64_t(1) << 62);
    EXPECT_TRUE(*Result.SureShare >= 0 && *Result.SureShare <= 1);
  }
}

TEST_F(ModelTest, NoSamples) {
  MachineFrequencies Result = estimate(BinarySamples());
  EXPECT_TRUE(Result.Functions.empty());
  EXPECT_FALSE(Result.SureShare);
}
