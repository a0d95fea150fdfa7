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
#include "IndirectCalls.h"
#include "ModelledFunction.h"
#include "NegligibleFlow.h"
#include "inlay/Frequency/RateTraining.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"
#include <cmath>

using namespace llvm;

namespace inlay {

namespace {

class Model {
public:
  Model(const SampledFunctions &Sampled, const CallerShares &Shares,
        MachineCode &Code, const EstimationOptions &Options,
        EstimationProgress &Progress);

  void observe() { observe(Functions); }
  void solve();
  void selfTrain();
  void linkCalls();
  /// From here on blocks that never ran have the count 0.
  void dropNegligible();
  void writeTo(MachineFrequencies &Result);

private:
  ModelledFunction model(const SampledFunction &Function) const;
  /// What the samples of \p Functions say, if there were \p Factor times as
  /// many.
  void observe(MutableArrayRef<ModelledFunction> Functions,
               uint64_t Factor = 1) const;
  void solve(MutableArrayRef<ModelledFunction> Functions,
             bool WithDeviations) const;
  void adaptRates();
  /// Of each function, what call chains tell of its indirect calls.
  std::vector<std::vector<IndirectTarget>> indirectTargets() const;
  std::optional<RecordingAdvice> advise(double SureShare) const;

  const SampledFunctions &Sampled;
  const CallerShares &Shares;
  MachineCode &Code;
  const EstimationOptions &Options;
  EstimationProgress &Progress;
  RateTable Rates;
  std::vector<ModelledFunction> Functions;
  unsigned SolutionsLeft;
};

} // namespace

Model::Model(const SampledFunctions &Sampled, const CallerShares &Shares,
             MachineCode &Code, const EstimationOptions &Options,
             EstimationProgress &Progress)
    : Sampled(Sampled), Shares(Shares), Code(Code), Options(Options),
      Progress(Progress), Rates(Options.Rates),
      SolutionsLeft(1 + Options.SelfTrainingRounds + Options.CallRounds) {
  Functions.reserve(Sampled.Functions.size());
  for (const SampledFunction &Function : Sampled.Functions)
    Functions.push_back(model(Function));
  // And once more for the advice.
  Progress.beginStage(1, uint64_t(SolutionsLeft + 1) * Functions.size());
}

ModelledFunction Model::model(const SampledFunction &Function) const {
  ModelledFunction M;
  M.Sampled = &Function;
  M.Classes = classifyInstructions(Function.Code, Rates.skid());
  M.Graph = makeFlowGraph(Function.Code);
  return M;
}

void Model::observe(MutableArrayRef<ModelledFunction> Functions,
                    uint64_t Factor) const {
  BlockPosteriors Rows(Rates, SaturatingMultiply(Factor, Sampled.MostSamples));
  SmallVector<InstructionSamples, 32> Instructions;
  for (ModelledFunction &Function : Functions) {
    const SampledFunction &S = *Function.Sampled;
    Function.Posteriors.clear();
    for (auto [Block, Node] : zip_equal(S.Code.Blocks, Function.Graph.Nodes)) {
      Instructions.clear();
      for (uint32_t N = Block.First; N < Block.First + Block.Count; ++N)
        Instructions.push_back(
            {Function.Classes[N], SaturatingMultiply(Factor, S.Samples[N])});
      Function.Posteriors.push_back(Rows.compute(Instructions));
      Node.Evidence = BlockPosteriors::evidence(Function.Posteriors.back(),
                                                Options.LeastDeviation);
    }
    // One sample in a function tells that much of a block of average size.
    Function.Graph.Resolution =
        double(S.Code.Blocks.size()) /
        double(std::max<size_t>(S.Code.Instructions.size(), 1));
  }
}

void Model::solve(MutableArrayRef<ModelledFunction> Functions,
                  bool WithDeviations) const {
  parallelFor(0, Functions.size(), [&](size_t I) {
    Functions[I].Solution =
        solveFlow(Functions[I].Graph, FlowSolver::Convex, WithDeviations);
    Progress.step();
  });
}

void Model::solve() {
  // Only of the last solution anybody asks how certain it is.
  solve(Functions, /*WithDeviations=*/--SolutionsLeft == 0);
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
  // From the table's own rates each time: what rounds learned does not add up.
  Rates = adaptRateTable(Options.Rates, Observations);
}

void Model::selfTrain() {
  std::vector<double> Executed;
  Executed.reserve(Functions.size());
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
  CallLinks Links(Functions, Shares, Code, Options.CallDeviation);
  for (unsigned Round = 0; Round < Options.CallRounds; ++Round) {
    Links.exchange();
    solve();
  }
}

void Model::dropNegligible() {
  for (ModelledFunction &Function : Functions)
    inlay::dropNegligible(Function.Graph, Options.NegligibleShare,
                          Function.Solution);
}

std::optional<RecordingAdvice> Model::advise(double SureShare) const {
  // A step worth the while, in SureShare, and in time.
  constexpr double Worthwhile = 0.05;
  constexpr unsigned Factor = 4;
  std::vector<ModelledFunction> Longer = Functions;
  observe(Longer, Factor);
  for (ModelledFunction &Function : Longer)
    Function.Graph.Entry.Count *= Factor;
  solve(Longer, /*WithDeviations=*/true);
  Certainty Sum;
  for (const ModelledFunction &Function : Longer)
    Sum.add(certaintyOf(Function.Sampled->Code, Function.Solution));
  if (Sum.share() < SureShare + Worthwhile)
    return std::nullopt;
  return RecordingAdvice{Factor, Sum.share()};
}

std::vector<std::vector<IndirectTarget>> Model::indirectTargets() const {
  std::vector<std::vector<IndirectTarget>> Result(Functions.size());
  for (auto [Index, Callee] : enumerate(Functions))
    for (const CallerShares::Site &Site : Shares.sitesOf(Index)) {
      const MachineFunction &Caller = Functions[Site.Function].Sampled->Code;
      const MachineCall &Call = Caller.Calls[Site.Call];
      if (!Call.Target)
        Result[Site.Function].push_back({Call.Instruction,
                                         Callee.Sampled->Code.Entry,
                                         Site.Share * Callee.Solution.Entry});
    }
  for (std::vector<IndirectTarget> &Targets : Result)
    llvm::sort(Targets, [](const IndirectTarget &A, const IndirectTarget &B) {
      return std::tie(A.Instruction, A.Target) <
             std::tie(B.Instruction, B.Target);
    });
  return Result;
}

void Model::writeTo(MachineFrequencies &Result) {
  Certainty Program;
  std::vector<std::vector<IndirectTarget>> Targets = indirectTargets();
  for (auto [Function, Targets] : zip_equal(Functions, Targets)) {
    Certainty C = certaintyOf(Function.Sampled->Code, Function.Solution);
    Program.add(C);
    FunctionCounts Counts =
        countsOfBlocks(Function.Sampled->Code, Function.Solution.Nodes,
                       Function.Solution.Edges, Code);
    Counts.Entry = Function.Solution.Entry;
    addIndirectCalls(Function.Sampled->Code, Function.Solution.Nodes, Targets,
                     Code, Counts);
    appendFrequencies(*Function.Sampled, Counts, C.share(), Result);
  }
  if (!Functions.empty()) {
    Result.SureShare = Program.share();
    Result.Advice = advise(Program.share());
  }
}

void estimateModel(const SampledFunctions &Sampled, const CallerShares &Shares,
                   MachineCode &Code, const EstimationOptions &Options,
                   EstimationProgress &Progress, MachineFrequencies &Result) {
  Model M(Sampled, Shares, Code, Options, Progress);
  M.observe();
  M.solve();
  M.selfTrain();
  M.linkCalls();
  M.dropNegligible();
  M.writeTo(Result);
}

} // namespace inlay
