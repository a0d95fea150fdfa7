//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sample belongs to the function that owns its address, split-off parts
// included, and there to the instruction that covers it.
//
//===----------------------------------------------------------------------===//

#include "SampledFunctions.h"
#include "inlay/Object/ProfiledBinary.h"
#include "inlay/Sampling/RawProfile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <map>

using namespace llvm;

namespace inlay {

/// Deals \p Function.RawSamples out to its instructions. Returns the samples
/// that no instruction covers, and adds to \p Inside those amidst one.
static uint64_t dealOut(SampledFunction &Function, uint64_t &Inside) {
  ArrayRef<MachineInstruction> Instructions = Function.Code.Instructions;
  Function.Samples.assign(Instructions.size(), 0);
  uint64_t Missed = 0;
  // Instructions are sorted by address within each part only.
  size_t First = 0;
  for (const FunctionRange &Part : Function.Code.Parts) {
    size_t Last = First;
    while (Last < Instructions.size() &&
           Instructions[Last].Address >= Part.Begin &&
           Instructions[Last].Address < Part.End)
      ++Last;
    auto Begin = llvm::lower_bound(
        Function.RawSamples, std::pair<uint64_t, uint64_t>(Part.Begin, 0));
    size_t I = First;
    for (auto It = Begin;
         It != Function.RawSamples.end() && It->first < Part.End; ++It) {
      while (I < Last &&
             Instructions[I].Address + Instructions[I].Size <= It->first)
        ++I;
      if (I == Last || Instructions[I].Address > It->first) {
        Missed += It->second;
        continue;
      }
      Function.Samples[I] += It->second;
      if (Instructions[I].Address != It->first)
        Inside += It->second;
    }
    First = Last;
  }
  return Missed;
}

SampledFunctions collectSampledFunctions(const BinarySamples &Samples,
                                         const ProfiledBinary &Binary,
                                         MachineCode &Code,
                                         EstimationProgress &Progress,
                                         double EndShare) {
  SampledFunctions Result;
  std::map<uint64_t, std::map<uint64_t, uint64_t>> ByEntry;
  for (auto [FileOffset, Count] : Samples.Counts) {
    std::optional<uint64_t> Address = Binary.addressOf(FileOffset);
    if (!Address) {
      Result.SamplesOutsideText += Count;
      continue;
    }
    if (std::optional<uint64_t> Entry = Code.entryOf(*Address))
      ByEntry[*Entry][*Address] += Count;
    else
      Result.SamplesOutsideFunctions += Count;
  }

  Progress.beginStage(EndShare, ByEntry.size());
  for (const auto &[Entry, Addresses] : ByEntry) {
    Progress.step();
    uint64_t Total = 0;
    for (auto [Address, Count] : Addresses)
      Total += Count;
    Expected<MachineFunction> FunctionOrErr = Code.function(Entry);
    if (!FunctionOrErr) {
      // Its bytes are not in the file.
      consumeError(FunctionOrErr.takeError());
      Result.SamplesOutsideFunctions += Total;
      continue;
    }
    SampledFunction Function;
    Function.Code = std::move(*FunctionOrErr);
    Function.RawSamples.assign(Addresses.begin(), Addresses.end());
    Result.SamplesOutsideFunctions +=
        dealOut(Function, Result.SamplesInsideInstructions);
    for (uint64_t Count : Function.Samples)
      Result.MostSamples = std::max(Result.MostSamples, Count);
    Result.Functions.push_back(std::move(Function));
  }
  return Result;
}

std::optional<uint32_t> findInstruction(const MachineFunction &Function,
                                        uint64_t Address) {
  // By address within the entry's part, and again within those split off.
  ArrayRef<MachineInstruction> All = Function.Instructions;
  const FunctionRange &First = Function.Parts.front();
  auto IsIn = [&](uint64_t A) { return A >= First.Begin && A < First.End; };
  const size_t Size =
      partition_point(
          All, [&](const MachineInstruction &I) { return IsIn(I.Address); }) -
      All.begin();
  ArrayRef<MachineInstruction> Part =
      IsIn(Address) ? All.take_front(Size) : All.drop_front(Size);
  const auto *It = partition_point(
      Part, [&](const MachineInstruction &I) { return I.Address < Address; });
  if (It == Part.end() || It->Address != Address)
    return std::nullopt;
  return It - All.begin();
}

FlowGraph makeFlowGraph(const MachineFunction &Function) {
  FlowGraph Graph;
  Graph.Nodes.resize(Function.Blocks.size());
  std::vector<bool> IsTarget(Function.Blocks.size());
  for (const MachineEdge &Edge : Function.Edges) {
    Graph.Edges.push_back({Edge.Source, Edge.Target});
    IsTarget[Edge.Target] = true;
  }
  for (auto [Node, Block, IsTarget] :
       zip_equal(Graph.Nodes, Function.Blocks, IsTarget)) {
    // The unwinder leads to landing pads, and who knows what to the targets of
    // jumps that were not understood.
    Node.IsEntry = Block.IsLandingPad || (!Block.IsReachable && !IsTarget);
    Node.IsExit = Block.IsExit;
    const MachineInstruction &Last =
        Function.Instructions[Block.First + Block.Count - 1];
    // Calls end a block where they do not return.
    Node.IsUnlikely =
        Block.IsExit && (Last.Kind == InstructionKind::Trap ||
                         Last.Kind == InstructionKind::Call ||
                         Last.Kind == InstructionKind::IndirectCall);
  }
  return Graph;
}

static uint64_t toExecutions(double Count, double Scale) {
  // Far below what double can represent as an integer, far above what a
  // program can execute.
  constexpr double Most = double(uint64_t(1) << 62);
  double Executions = Count * Scale;
  return Executions >= Most ? uint64_t(1) << 62
                            : uint64_t(std::llround(std::max(Executions, 0.0)));
}

FunctionCounts countsOfBlocks(const MachineFunction &Function,
                              ArrayRef<double> Blocks, ArrayRef<double> Edges,
                              MachineCode &Code) {
  FunctionCounts Result;
  Result.Instructions.resize(Function.Instructions.size());
  for (auto [Block, Count] : zip_equal(Function.Blocks, Blocks))
    std::fill_n(Result.Instructions.begin() + Block.First, Block.Count, Count);
  Result.Edges = Edges.vec();

  std::vector<double> Leaving(Function.Blocks.size());
  if (!Edges.empty())
    for (auto [Edge, Count] : zip_equal(Function.Edges, Edges))
      Leaving[Edge.Source] += Count;
  for (const MachineCall &Call : Function.Calls) {
    if (!Call.Target && Call.TargetName.empty())
      continue;
    double Count = Blocks[Call.Block];
    if (Call.IsConditional)
      Count = Edges.empty() ? 0 : Count - Leaving[Call.Block];
    Result.Calls.push_back(
        {Call.Instruction, Call.Target.value_or(0),
         Call.Target ? Code.calleeName(*Call.Target) : Call.TargetName, Count});
  }
  return Result;
}

void appendFrequencies(const SampledFunction &Function,
                       const FunctionCounts &Counts,
                       std::optional<double> Confidence,
                       MachineFrequencies &Result) {
  const MachineFunction &MF = Function.Code;
  double Scale = Result.ExecutionsPerSample;
  size_t FirstPart = Result.Functions.size();
  for (const FunctionRange &Part : MF.Parts) {
    FunctionFrequencies F;
    F.Begin = Part.Begin;
    F.End = Part.End;
    F.Confidence = Confidence;
    Result.Functions.push_back(std::move(F));
  }
  MutableArrayRef<FunctionFrequencies> Parts(Result.Functions);
  Parts = Parts.drop_front(FirstPart);
  if (Counts.Entry)
    Parts.front().EntryCount = toExecutions(*Counts.Entry, Scale);

  auto PartAt = [&](uint64_t Address) -> FunctionFrequencies & {
    for (FunctionFrequencies &Part : Parts)
      if (Address >= Part.Begin && Address < Part.End)
        return Part;
    return Parts.front();
  };
  for (auto [Address, Samples] : Function.RawSamples) {
    FunctionFrequencies &Part = PartAt(Address);
    Part.RawSamples.emplace_back(Address, Samples);
    Part.Samples += Samples;
    Result.SamplesInFunctions += Samples;
  }
  for (auto [Instruction, Count] :
       zip_equal(MF.Instructions, Counts.Instructions))
    if (uint64_t Executions = toExecutions(Count, Scale))
      PartAt(Instruction.Address)
          .Instructions.emplace_back(Instruction.Address, Executions);
  if (!Counts.Edges.empty())
    for (auto [Edge, Count] : zip_equal(MF.Edges, Counts.Edges)) {
      const MachineBlock &Source = MF.Blocks[Edge.Source];
      uint64_t From = MF.Instructions[Source.First + Source.Count - 1].Address;
      uint64_t To = MF.Instructions[MF.Blocks[Edge.Target].First].Address;
      PartAt(From).Edges.push_back({From, To, toExecutions(Count, Scale)});
    }
  for (const FunctionCounts::Call &Call : Counts.Calls)
    if (uint64_t Executions = toExecutions(Call.Count, Scale)) {
      uint64_t Site = MF.Instructions[Call.Instruction].Address;
      PartAt(Site).Calls.push_back(
          {Site, Call.Target, Call.TargetName, Executions});
    }
  for (FunctionFrequencies &Part : Parts) {
    llvm::sort(Part.Instructions);
    llvm::sort(Part.Edges, [](const EdgeFrequency &A, const EdgeFrequency &B) {
      return std::pair(A.From, A.To) < std::pair(B.From, B.To);
    });
    llvm::sort(Part.Calls, [](const CallFrequency &A, const CallFrequency &B) {
      return std::tie(A.Site, A.Target, A.TargetName) <
             std::tie(B.Site, B.Target, B.TargetName);
    });
  }
}

} // namespace inlay
