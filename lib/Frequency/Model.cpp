//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each function: classes of its instructions, what their samples say of
// each block (BlockPosterior.h), and the flow that fits best. Functions are
// independent and solved in parallel.
//
// Calls tie functions together: a function that is entered by direct calls only
// is entered as often as these execute. After a first solution such functions
// get that sum as evidence of their entries and are solved again.
//
//===----------------------------------------------------------------------===//

#include "Model.h"
#include "BlockPosterior.h"
#include "Certainty.h"
#include "NegligibleFlow.h"
#include "inlay/Frequency/RateTraining.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Parallel.h"
#include <cmath>

using namespace llvm;

namespace inlay {

namespace {

/// One function under way.
struct ModelledFunction {
  const SampledFunction *Sampled;
  std::vector<InstructionClass> Classes;  ///< of instructions
  std::vector<BlockPosterior> Posteriors; ///< of blocks
  FlowGraph Graph;
  Flow Solution;
};

class Model {
public:
  Model(const SampledFunctions &Sampled, MachineCode &Code,
        const EstimationOptions &Options);

  void observe();
  void solve();
  /// Evidence of entries from the calls of the last solution.
  void linkCalls();
  void adaptRates();
  void writeTo(MachineFrequencies &Result);

private:
  /// Posteriors of all blocks of \p Function if there were \p Factor times the
  /// samples.
  std::vector<BlockPosterior> posteriors(BlockPosteriors &Rows,
                                         const ModelledFunction &Function,
                                         uint64_t Factor) const;
  std::optional<RecordingAdvice> advise(double SureShare) const;

  const SampledFunctions &Sampled;
  MachineCode &Code;
  const EstimationOptions &Options;
  RateTable Rates;
  std::vector<ModelledFunction> Functions;
};

} // namespace

Model::Model(const SampledFunctions &Sampled, MachineCode &Code,
             const EstimationOptions &Options)
    : Sampled(Sampled), Code(Code), Options(Options), Rates(Options.Rates) {
  Functions.reserve(Sampled.Functions.size());
  for (const SampledFunction &Function : Sampled.Functions) {
    ModelledFunction M;
    M.Sampled = &Function;
    M.Classes = classifyInstructions(Function.Code, Rates.skid());
    M.Graph = makeFlowGraph(Function.Code);
    Functions.push_back(std::move(M));
  }
}

std::vector<BlockPosterior> Model::posteriors(BlockPosteriors &Rows,
                                              const ModelledFunction &Function,
                                              uint64_t Factor) const {
  std::vector<BlockPosterior> Result;
  SmallVector<InstructionSamples, 32> Instructions;
  for (const MachineBlock &Block : Function.Sampled->Code.Blocks) {
    Instructions.clear();
    for (uint32_t N = Block.First; N < Block.First + Block.Count; ++N)
      Instructions.push_back(
          {Function.Classes[N], Factor * Function.Sampled->Samples[N]});
    Result.push_back(Rows.compute(Instructions));
  }
  return Result;
}

void Model::observe() {
  BlockPosteriors Rows(Rates, Sampled.MostSamples);
  for (ModelledFunction &Function : Functions) {
    Function.Posteriors = posteriors(Rows, Function, 1);
    for (auto [Node, Posterior] :
         zip_equal(Function.Graph.Nodes, Function.Posteriors))
      Node.Evidence =
          BlockPosteriors::evidence(Posterior, Options.LeastDeviation);
    // One sample in a function tells that much of a block of average size.
    Function.Graph.Resolution =
        double(Function.Graph.Nodes.size()) /
        std::max<size_t>(Function.Sampled->Code.Instructions.size(), 1);
  }
}

void Model::solve() {
  parallelFor(0, Functions.size(), [&](size_t I) {
    Functions[I].Solution = solveFlow(Functions[I].Graph, FlowSolver::Convex);
  });
}

static double executionsOf(const MachineCall &Call,
                           const ModelledFunction &Function) {
  double Count = Function.Solution.Nodes[Call.Block];
  if (Call.IsConditional)
    for (auto [Edge, EdgeCount] :
         zip_equal(Function.Graph.Edges, Function.Solution.Edges))
      if (Edge.Source == Call.Block)
        Count -= EdgeCount;
  return std::max(Count, 0.0);
}

void Model::linkCalls() {
  DenseMap<uint64_t, double> Calls;
  for (const ModelledFunction &Function : Functions)
    for (const MachineCall &Call : Function.Sampled->Code.Calls)
      if (std::optional<uint64_t> Callee =
              Call.Target ? Code.calleeEntry(*Call.Target) : std::nullopt)
        Calls[*Callee] += executionsOf(Call, Function);
  for (ModelledFunction &Function : Functions) {
    uint64_t Entry = Function.Sampled->Code.Entry;
    auto It = Calls.find(Entry);
    if (It != Calls.end() && It->second > 0 && !Code.isAddressTaken(Entry))
      Function.Graph.Entry =
          FlowEvidence::near(It->second, Options.CallDeviation);
  }
}

void Model::adaptRates() {
  std::vector<RateObservation> Observations;
  for (const ModelledFunction &Function : Functions)
    for (auto [Block, Count] :
         zip_equal(Function.Sampled->Code.Blocks, Function.Solution.Nodes))
      for (uint32_t N = Block.First; N < Block.First + Block.Count; ++N)
        if (Function.Classes[N] != NoInstructionClass)
          Observations.push_back(
              {Function.Classes[N], Function.Sampled->Samples[N], Count});
  Rates = adaptRateTable(Rates, Observations);
}

std::optional<RecordingAdvice> Model::advise(double SureShare) const {
  // A step worth the while, in SureShare.
  constexpr double Worthwhile = 0.05;
  for (unsigned Factor : {2, 4, 8, 16}) {
    BlockPosteriors Rows(Rates, Factor * Sampled.MostSamples);
    Certainty Sum;
    for (const ModelledFunction &Function : Functions)
      Sum.add(certaintyOf(Function.Sampled->Code,
                          posteriors(Rows, Function, Factor), Function.Solution,
                          Options.LeastDeviation));
    if (Sum.share() >= SureShare + Worthwhile)
      return RecordingAdvice{Factor, Sum.share()};
  }
  return std::nullopt;
}

void Model::writeTo(MachineFrequencies &Result) {
  Certainty Program;
  for (const ModelledFunction &Function : Functions) {
    Certainty C = certaintyOf(Function.Sampled->Code, Function.Posteriors,
                              Function.Solution, Options.LeastDeviation);
    Program.add(C);
    Flow Solution = Function.Solution;
    dropNegligible(Function.Graph, Options.NegligibleShare, Solution);
    appendFrequencies(
        *Function.Sampled,
        {std::move(Solution.Nodes), std::move(Solution.Edges), Solution.Entry},
        C.share(), Code, Result);
  }
  if (!Functions.empty()) {
    Result.SureShare = Program.share();
    Result.Advice = advise(Program.share());
  }
}

void estimateModel(const SampledFunctions &Sampled, MachineCode &Code,
                   const EstimationOptions &Options,
                   MachineFrequencies &Result) {
  Model M(Sampled, Code, Options);
  M.observe();
  M.solve();
  for (unsigned Round = 0; Round < Options.SelfTrainingRounds; ++Round) {
    M.adaptRates();
    M.observe();
    M.solve();
  }
  if (Options.UseCalls) {
    M.linkCalls();
    M.solve();
  }
  M.writeTo(Result);
}

} // namespace inlay
