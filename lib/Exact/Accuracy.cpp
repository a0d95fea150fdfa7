//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shares need totals, so that the functions are gone through twice: once for
// counts, then for comparisons. In between, each block costs a few words; the
// graphs themselves are not kept.
//
//===----------------------------------------------------------------------===//

#include "inlay/Exact/Accuracy.h"
#include "TargetAccuracy.h"
#include "inlay/Object/MachineCFG.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>

using namespace llvm;

namespace inlay {

namespace {

/// One block, both sides.
struct BlockCounts {
  uint64_t Address;
  uint32_t Instructions;
  uint64_t Samples = 0;
  double Exact = 0, Estimate = 0;

  double exactWeight() const { return Exact * Instructions; }
  double estimatedWeight() const { return Estimate * Instructions; }
};

/// A conditional branch that executed.
struct BranchCounts {
  double Executions;
  double Exact, Estimate; ///< probability of the same one of the two ways
};

struct FunctionCounts {
  std::string Name;
  uint64_t Entry;
  uint64_t Samples = 0;
  std::vector<BlockCounts> Blocks;
  std::vector<BranchCounts> Branches;
  double ExactWeight = 0, EstimatedWeight = 0;
};

/// What is known of the parts of one function.
struct FunctionParts {
  SmallVector<const FunctionFrequencies *, 2> Exact, Estimate, RawSamples;
};

/// Weighted sums that make a branch error and a direction.
struct BranchSums {
  double Weight = 0, Error = 0;
  double DecidedWeight = 0, Right = 0;

  void add(const BranchCounts &Branch);
  std::optional<double> error() const {
    return Weight > 0 ? std::optional(Error / Weight) : std::nullopt;
  }
  std::optional<double> direction() const {
    return DecidedWeight > 0 ? std::optional(Right / DecidedWeight)
                             : std::nullopt;
  }
};

} // namespace

void BranchSums::add(const BranchCounts &Branch) {
  Weight += Branch.Executions;
  Error += Branch.Executions * std::abs(Branch.Exact - Branch.Estimate);
  constexpr double Even = 0.02;
  if (std::abs(Branch.Exact - 0.5) <= Even)
    return;
  DecidedWeight += Branch.Executions;
  if (std::abs(Branch.Estimate - 0.5) < 1e-9)
    Right += 0.5 * Branch.Executions;
  else if ((Branch.Exact > 0.5) == (Branch.Estimate > 0.5))
    Right += Branch.Executions;
}

namespace {

/// The counts of one side in a function. Its parts are sorted and do not
/// overlap, so that what they hold is sorted when put together.
class SideCounts {
public:
  explicit SideCounts(ArrayRef<const FunctionFrequencies *> Parts) {
    for (const FunctionFrequencies *Part : Parts) {
      llvm::append_range(Instructions, Part->Instructions);
      llvm::append_range(Edges, Part->Edges);
    }
  }
  uint64_t count(uint64_t Address) const {
    auto It = llvm::lower_bound(
        Instructions, Address,
        [](const auto &Entry, uint64_t A) { return Entry.first < A; });
    return It != Instructions.end() && It->first == Address ? It->second : 0;
  }
  bool hasEdges() const { return !Edges.empty(); }
  uint64_t count(uint64_t From, uint64_t To) const {
    auto It = llvm::lower_bound(Edges, std::pair(From, To),
                                [](const EdgeFrequency &E, const auto &K) {
                                  return std::pair(E.From, E.To) < K;
                                });
    uint64_t Sum = 0; // there may be two edges of one source and target
    for (; It != Edges.end() && It->From == From && It->To == To; ++It)
      Sum += It->Count;
    return Sum;
  }

private:
  std::vector<std::pair<uint64_t, uint64_t>> Instructions;
  std::vector<EdgeFrequency> Edges;
};

} // namespace

static void countBlocks(const MachineFunction &Function,
                        const SideCounts &Exact, const SideCounts &Estimate,
                        const SideCounts &RawSamples, FunctionCounts &Result) {
  for (const MachineBlock &Block : Function.Blocks) {
    ArrayRef<MachineInstruction> Instructions =
        ArrayRef(Function.Instructions).slice(Block.First, Block.Count);
    BlockCounts &Counts = Result.Blocks.emplace_back();
    Counts.Address = Instructions.front().Address;
    Counts.Instructions = std::max<uint32_t>(
        1, count_if(Instructions, [](const MachineInstruction &I) {
          return I.Kind != InstructionKind::Nop;
        }));
    // All of a block's instructions execute equally often, unless a call in it
    // does not return.
    Counts.Exact =
        static_cast<double>(Exact.count(Instructions.front().Address));
    uint64_t Most = 0;
    for (const MachineInstruction &Instruction : Instructions) {
      Most = std::max(Most, Estimate.count(Instruction.Address));
      Counts.Samples += RawSamples.count(Instruction.Address);
    }
    Counts.Estimate = static_cast<double>(Most);
    Result.ExactWeight += Counts.exactWeight();
    Result.EstimatedWeight += Counts.estimatedWeight();
  }
}

static void countBranches(const MachineFunction &Function,
                          const SideCounts &Exact, const SideCounts &Estimate,
                          FunctionCounts &Result) {
  ArrayRef<MachineEdge> Rest = Function.Edges;
  for (auto [Index, Block] : enumerate(Function.Blocks)) {
    auto Out = Rest.take_while(
        [Source = Index](const MachineEdge &E) { return E.Source == Source; });
    Rest = Rest.drop_front(Out.size());
    const MachineInstruction &Last =
        Function.Instructions[Block.First + Block.Count - 1];
    if (Last.Kind != InstructionKind::ConditionalBranch || Out.size() != 2 ||
        Out[0].Target == Out[1].Target)
      continue;
    const BlockCounts &To0 = Result.Blocks[Out[0].Target],
                      &To1 = Result.Blocks[Out[1].Target];
    auto Exact0 = static_cast<double>(Exact.count(Last.Address, To0.Address));
    auto Exact1 = static_cast<double>(Exact.count(Last.Address, To1.Address));
    double Estimate0 = To0.Estimate, Estimate1 = To1.Estimate;
    if (Estimate.hasEdges()) {
      Estimate0 =
          static_cast<double>(Estimate.count(Last.Address, To0.Address));
      Estimate1 =
          static_cast<double>(Estimate.count(Last.Address, To1.Address));
    }
    if (Exact0 + Exact1 == 0)
      continue;
    Result.Branches.push_back({Exact0 + Exact1, Exact0 / (Exact0 + Exact1),
                               Estimate0 + Estimate1 > 0
                                   ? Estimate0 / (Estimate0 + Estimate1)
                                   : 0.5});
  }
}

static std::vector<FunctionCounts> countAll(const MachineFrequencies &Exact,
                                            const MachineFrequencies &Estimate,
                                            const MachineFrequencies &Samples,
                                            MachineCode &Code) {
  std::map<uint64_t, FunctionParts> ByEntry;
  auto Collect = [&](const MachineFrequencies &Frequencies,
                     auto FunctionParts::*Side) {
    for (const FunctionFrequencies &Part : Frequencies.Functions)
      if (std::optional<uint64_t> Entry = Code.entryOf(Part.Begin))
        (ByEntry[*Entry].*Side).push_back(&Part);
  };
  Collect(Exact, &FunctionParts::Exact);
  Collect(Estimate, &FunctionParts::Estimate);
  Collect(Samples, &FunctionParts::RawSamples);

  std::vector<FunctionCounts> Functions;
  for (const auto &[Entry, Parts] : ByEntry) {
    Expected<MachineFunction> FunctionOrErr = Code.function(Entry);
    if (!FunctionOrErr) {
      consumeError(FunctionOrErr.takeError());
      continue;
    }
    FunctionCounts &Counts = Functions.emplace_back();
    Counts.Name = FunctionOrErr->Name.str();
    Counts.Entry = Entry;
    for (const FunctionFrequencies *Part : Parts.RawSamples)
      Counts.Samples += Part->Samples;
    const SideCounts ExactSide(Parts.Exact), EstimatedSide(Parts.Estimate);
    countBlocks(*FunctionOrErr, ExactSide, EstimatedSide,
                SideCounts(Parts.RawSamples), Counts);
    countBranches(*FunctionOrErr, ExactSide, EstimatedSide, Counts);
  }
  return Functions;
}

static FunctionAccuracy compare(const FunctionCounts &Function,
                                double ExactTotal, double EstimatedTotal,
                                size_t MaxBlocks) {
  FunctionAccuracy Result;
  Result.Name = Function.Name;
  Result.Entry = Function.Entry;
  Result.Samples = Function.Samples;
  Result.ExactShare = Function.ExactWeight / ExactTotal;
  Result.EstimatedShare = Function.EstimatedWeight / EstimatedTotal;
  double Overlap = 0;
  const bool HasOverlap =
      Function.ExactWeight > 0 && Function.EstimatedWeight > 0;
  for (const BlockCounts &Block : Function.Blocks) {
    double Misplaced = std::abs(Block.exactWeight() / ExactTotal -
                                Block.estimatedWeight() / EstimatedTotal);
    Result.Misplaced += Misplaced / 2;
    if (HasOverlap)
      Overlap += std::min(Block.exactWeight() / Function.ExactWeight,
                          Block.estimatedWeight() / Function.EstimatedWeight);
    if (Misplaced > 0)
      Result.Blocks.push_back(
          {Block.Address, Block.Instructions, Block.Samples, Block.Exact,
           Block.Estimate / EstimatedTotal * ExactTotal, Misplaced});
  }
  if (HasOverlap)
    Result.Overlap = Overlap;
  BranchSums Sums;
  for (const BranchCounts &Branch : Function.Branches)
    Sums.add(Branch);
  Result.BranchError = Sums.error();
  Result.Direction = Sums.direction();

  llvm::sort(Result.Blocks, [](const BlockAccuracy &L, const BlockAccuracy &R) {
    return std::tie(R.Misplaced, L.Address) < std::tie(L.Misplaced, R.Address);
  });
  if (Result.Blocks.size() > MaxBlocks)
    Result.Blocks.resize(MaxBlocks);
  return Result;
}

Expected<Accuracy> measureAccuracy(const MachineFrequencies &Exact,
                                   const MachineFrequencies &Estimate,
                                   const MachineFrequencies &RawSamples,
                                   MachineCode &Code,
                                   const AccuracyLimits &Limits) {
  const std::vector<FunctionCounts> Functions =
      countAll(Exact, Estimate, RawSamples, Code);
  double ExactTotal = 0, EstimatedTotal = 0, SampledTotal = 0;
  for (const FunctionCounts &Function : Functions) {
    ExactTotal += Function.ExactWeight;
    EstimatedTotal += Function.EstimatedWeight;
    if (Function.Samples)
      SampledTotal += Function.ExactWeight;
  }
  if (!(ExactTotal > 0))
    return createStringError(inconvertibleErrorCode(),
                             "no function has exact counts");
  if (!(EstimatedTotal > 0))
    return createStringError(inconvertibleErrorCode(),
                             "no function has an estimate");

  Accuracy Result;
  const TargetAccuracy Targets = measureTargets(Exact, Estimate, Code);
  if ((Result.IndirectCalls = Targets.Calls)) {
    Result.DominatingTarget = Targets.Dominating;
    Result.TargetOverlap = Targets.Overlap;
  }
  Result.ShareWithoutSamples = 1 - SampledTotal / ExactTotal;
  Result.Functions = Functions.size();
  BranchSums Sums;
  double FunctionOverlaps = 0;
  for (const FunctionCounts &Function : Functions) {
    FunctionAccuracy Compared =
        compare(Function, ExactTotal, EstimatedTotal, Limits.Blocks);
    Result.Blocks += Function.Blocks.size();
    for (const BlockCounts &Block : Function.Blocks) {
      double Exact = Block.exactWeight() / ExactTotal;
      double Estimated = Block.estimatedWeight() / EstimatedTotal;
      Result.Overlap += std::min(Exact, Estimated);
      if (Estimated >= Exact / 2 && Estimated <= Exact * 2)
        Result.WithinTwo += Exact;
    }
    if (Function.Samples) {
      ++Result.FunctionsWithSamples;
      FunctionOverlaps += Compared.Overlap.value_or(0) * Function.ExactWeight;
      for (const BranchCounts &Branch : Function.Branches)
        Sums.add(Branch);
      Result.Branches += Function.Branches.size();
    }
    Result.Worst.push_back(std::move(Compared));
  }
  if (SampledTotal > 0)
    Result.FunctionOverlap = FunctionOverlaps / SampledTotal;
  Result.BranchError = Sums.error();
  Result.Direction = Sums.direction();

  llvm::sort(
      Result.Worst, [](const FunctionAccuracy &L, const FunctionAccuracy &R) {
        return std::tie(R.Misplaced, L.Entry) < std::tie(L.Misplaced, R.Entry);
      });
  if (Result.Worst.size() > Limits.Functions)
    Result.Worst.resize(Limits.Functions);
  return Result;
}

} // namespace inlay
