//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model is the default. What it cannot do (events that do not tell how
// often code ran, targets whose instructions nobody has classified) is done
// with max, and a warning says why; unless the model was asked for by name.
//
//===----------------------------------------------------------------------===//

#include "inlay/Frequency/EstimatorChoice.h"
#include "inlay/Object/ProfiledBinary.h"
#include "inlay/Support/Progress.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace inlay {

const char EstimatorHelp[] =
    "How samples become counts: model estimates executions, from branch "
    "records "
    "where there are some (default where the target and the event allow it); "
    "branches takes branch records as they are; max takes the maximum of "
    "samples over a line's instructions, mean the mean over a block's, "
    "mean-flow makes that consistent";
const char RatesHelp[] =
    "Go by this table of rates (made by llvm-profconv calibrate). Default: the "
    "built-in one that suits the CPU and event of the recording";

// For experiments: not in --help, and no promise.
static Error complain(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

static cl::opt<unsigned> CallRounds("model-call-rounds", cl::Hidden,
                                    cl::init(EstimationOptions().CallRounds),
                                    cl::sub(cl::SubCommand::getAll()));
static cl::opt<double>
    CallDeviation("model-call-deviation", cl::Hidden,
                  cl::init(EstimationOptions().CallDeviation),
                  cl::sub(cl::SubCommand::getAll()));
static cl::opt<double>
    NegligibleShare("model-negligible", cl::Hidden,
                    cl::init(EstimationOptions().NegligibleShare),
                    cl::sub(cl::SubCommand::getAll()));
static cl::opt<double>
    LeastDeviation("model-least-deviation", cl::Hidden,
                   cl::init(EstimationOptions().LeastDeviation),
                   cl::sub(cl::SubCommand::getAll()));
static cl::opt<unsigned>
    SelfTrainingRounds("model-self-training", cl::Hidden,
                       cl::init(EstimationOptions().SelfTrainingRounds),
                       cl::sub(cl::SubCommand::getAll()));

static std::optional<EstimatorKind> kindCalled(StringRef Name) {
  if (Name.empty() || Name == "model")
    return EstimatorKind::Model;
  if (Name == "branches")
    return EstimatorKind::Branches;
  if (Name == "max")
    return EstimatorKind::Max;
  if (Name == "mean")
    return EstimatorKind::Mean;
  if (Name == "mean-flow")
    return EstimatorKind::MeanFlow;
  return std::nullopt;
}

static Expected<RateTable> readRateTable(StringRef Path) {
  // Looked at before it is read: a device would never end.
  sys::fs::file_status Status;
  if (std::error_code EC = sys::fs::status(Path, Status))
    return fileError(Path, EC.message());
  if (!sys::fs::is_regular_file(Status))
    return fileError(Path, "is not a table of rates: not a file");
  constexpr size_t MostBytes = 1 << 20;
  if (Status.getSize() > MostBytes)
    return fileError(Path, "is not a table of rates: it has more than 1 MiB");
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return fileError(Path, Buffer.getError().message());
  return parseRateTable((*Buffer)->getBuffer(), Path);
}

Error checkEstimatorRequest(const EstimatorRequest &Request) {
  if (!kindCalled(Request.Name))
    return complain("unknown estimator '" + Request.Name +
                    "'; --estimator takes model, branches, max, mean or "
                    "mean-flow");
  if (!Request.RatesPath.empty() &&
      kindCalled(Request.Name) != EstimatorKind::Model)
    return complain("--rates are for --estimator=model, not for " +
                    Request.Name);
  return Request.RatesPath.empty()
             ? Error::success()
             : readRateTable(Request.RatesPath).takeError();
}

/// Branch records of all types: they tell what ran in between.
static bool hasRanges(const EventSamples &Event) {
  return any_of(Event.Binaries, [](const BinarySamples &Samples) {
    return !Samples.Ranges.empty();
  });
}

static void describeRates(const ChosenRateTable &Chosen, StringRef CpuID,
                          DiagnosticSink &Diagnostics) {
  if (Chosen.Fit == RateTableFit::SameCPU ||
      Chosen.Table.Event == SampledEvent::Instructions)
    return;
  Diagnostics.note(
      (CpuID.empty() ? Twine("the recording does not tell its CPU")
                     : "no rates were made on a " + CpuID) +
      "; going by those of " + Chosen.Table.Name +
      " (llvm-profconv calibrate makes some on the machine it runs on)");
}

Expected<EstimationOptions> chooseEstimation(const RawProfile &Profile,
                                             const EventSamples &Event,
                                             const EstimatorRequest &Request,
                                             DiagnosticSink &Diagnostics) {
  EstimationOptions Options;
  Options.Kind = kindCalled(Request.Name).value_or(EstimatorKind::Model);
  if (Options.Kind == EstimatorKind::Max)
    return Options;
  if (Options.Kind == EstimatorKind::Branches) {
    if (hasRanges(Event))
      return Options;
    return complain("--estimator=branches: the samples of " + Event.Attr.Name +
                    (Event.hasBranches() ? " have not all types of branches"
                                         : " have no branch records") +
                    "; record with perf record -b");
  }
  const bool UsesBranches =
      Options.Kind == EstimatorKind::Model && hasRanges(Event);
  std::optional<SampledEvent> Sampled = sampledEventOf(Event.Attr);
  Options.NegligibleShare = NegligibleShare;
  if (UsesBranches && !Sampled) {
    Options.CountsBranches = true;
    return Options;
  }
  if (!Sampled) {
    std::string Why =
        "the event " + Event.Attr.Name + " does not tell how often code ran";
    if (!Request.Name.empty())
      return complain(Why + "; say --estimator=max, or record "
                            "cpu-clock, cycles or instructions");
    Diagnostics.warning(Why + ": its samples become counts as they are, as "
                              "with --estimator=max");
    Options.Kind = EstimatorKind::Max;
    return Options;
  }

  ChosenRateTable Chosen =
      chooseRateTable(Profile.CpuID, *Sampled, isPrecise(Event.Attr));
  if (Request.RatesPath.empty()) {
    if (Options.Kind == EstimatorKind::Model && !UsesBranches)
      describeRates(Chosen, Profile.CpuID, Diagnostics);
    Options.Rates = std::move(Chosen.Table);
  } else {
    Expected<RateTable> Table = readRateTable(Request.RatesPath);
    if (!Table)
      return Table.takeError();
    Options.Rates = std::move(*Table);
    if (Options.Rates.Event != *Sampled ||
        Options.Rates.IsPrecise != isPrecise(Event.Attr))
      Diagnostics.warning(
          Request.RatesPath + ": rates of " +
          sampledEventName(Options.Rates.Event) +
          (Options.Rates.IsPrecise ? " events, precise" : " events") +
          ", but the samples are of " + Event.Attr.Name +
          "; counts will come out wrong");
  }
  Options.ExecutionsPerSample =
      executionScale(Event.Attr, Options.Rates).ExecutionsPerSample;
  Options.CallRounds = CallRounds;
  Options.CallDeviation = CallDeviation;
  Options.LeastDeviation = LeastDeviation;
  Options.SelfTrainingRounds = SelfTrainingRounds;
  return Options;
}

Expected<MachineFrequencies>
estimateOrFallBack(const BinarySamples &Samples, ProfiledBinary &Binary,
                   const EstimationOptions &Options,
                   const EstimatorRequest &Request, DiagnosticSink &Diagnostics,
                   ArrayRef<CallSamples> Calls) {
  Expected<MachineFrequencies> Frequencies = [&] {
    Progress Estimating(("estimating counts of " + Binary.path()).str(), 100,
                        Progress::Unit::Percent);
    return estimateFrequencies(
        Samples, Binary, Options, Calls,
        [&](double Share) { Estimating.update(uint64_t(100 * Share)); });
  }();
  if (Frequencies &&
      Frequencies->ImpossibleBranchRecords > Frequencies->BranchRecords / 20)
    Diagnostics.warning(
        Binary.path() + ": " + Twine(Frequencies->ImpossibleBranchRecords) +
        " of " + Twine(Frequencies->BranchRecords) +
        " branch records contradict its code; it is not the binary that ran, "
        "or its code was changed since");
  if (Frequencies || !Request.Name.empty())
    return Frequencies;
  Diagnostics.warning(toString(Frequencies.takeError()) +
                      ": its samples become counts as they are, as with "
                      "--estimator=max");
  EstimationOptions Fallback = Options;
  Fallback.Kind = EstimatorKind::Max;
  return estimateFrequencies(Samples, Binary, Fallback);
}

static std::string percent(double Share) {
  std::string Text;
  raw_string_ostream(Text) << format("%.0f %%", std::floor(100 * Share));
  return Text;
}

void describeCertainty(const MachineFrequencies &Frequencies,
                       StringRef BinaryPath, DiagnosticSink &Diagnostics) {
  if (!Frequencies.SureShare)
    return;
  std::string Text = (sys::path::filename(BinaryPath) + ": " +
                      percent(*Frequencies.SureShare) +
                      " of the executed instructions are counted within a "
                      "factor of two")
                         .str();
  if (Frequencies.Advice)
    Text += "; recording " + std::to_string(Frequencies.Advice->Factor) +
            " times as long would make that about " +
            percent(Frequencies.Advice->SureShare);
  Diagnostics.note(Text);
}

} // namespace inlay
