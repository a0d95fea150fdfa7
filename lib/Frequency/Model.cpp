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
// Then the program teaches the model. What an instruction of a class costs
// differs from program to program; with the first solution for the truth, the
// rates are learned again, and all is solved again (self-training). Left to
// itself this runs away: where a function seems to execute less, its
// instructions seem to cost more, and so on. So it may move executions within a
// function but not between functions, and the table's own rates weigh as much
// as a hundred observations of a class.
//
// Last, calls tie functions together (CallLinks.h).
//
//===----------------------------------------------------------------------===//

#include "Model.h"
#include "CallLinks.h"
#include "Certainty.h"
#include "ModelledFunction.h"
#include "NegligibleFlow.h"
#include "inlay/Frequency/RateTraining.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Parallel.h"
#include <cmath>

using namespace llvm;

namespace inlay {

namespace {

class Model {
public:
  Model(const SampledFunctions &Sampled, MachineCode &Code,
        const EstimationOptions &Options);

  void observe();
  void solve();
  void selfTrain();
  void linkCalls();
  void writeTo(MachineFrequencies &Result);

private:
  void adaptRates();
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

void Model::selfTrain() {
  std::vector<double> Executed;
  for (const ModelledFunction &Function : Functions)
    Executed.push_back(Function.executed());
  for (unsigned Round = 0; Round < Options.SelfTrainingRounds; ++Round) {
    adaptRates();
    observe();
    solve();
    for (auto [Function, Before] : zip_equal(Functions, Executed))
      if (double Now = Function.executed(); Now > 0 && Before > 0)
        Function.scale(Before / Now);
  }
}

void Model::linkCalls() {
  CallLinks Links(Functions, Code, Options.CallDeviation);
  for (unsigned Round = 0; Round < Options.CallRounds; ++Round) {
    Links.exchange();
    solve();
  }
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
  M.selfTrain();
  M.linkCalls();
  M.writeTo(Result);
}

} // namespace inlay
