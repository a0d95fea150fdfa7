//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The grids of log f and of log m have commensurable steps, so the Poisson
// terms of a sample count need to be computed once for all sums log f + log m,
// and a row is a correlation of these with the class's weights.
//
//===----------------------------------------------------------------------===//

#include "BlockPosterior.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace inlay {

namespace {

constexpr double LeastLogFrequency = -16, LogFrequencyStep = 0.25;
/// At least up to here; further if there are more samples.
constexpr double LogFrequencyTop = 13;
/// Steps of log f in one of log m.
constexpr unsigned Stride = RateGrid::Step / LogFrequencyStep;
static_assert(Stride * LogFrequencyStep == RateGrid::Step);

/// A weak normal prior on log f: keeps the mean where it is finite although
/// the samples are few.
constexpr double PriorMean = -8, PriorPrecision = 0.02;

/// Where the saturation of rarity is measured: about 100 times the scale.
constexpr size_t FarSteps = 18;

/// Rows are forgotten beyond so many (of about 1 KiB each).
constexpr size_t MostRows = 32768;

/// The s for which s * log(1 + \p Ratio / s), which grows with s from 0 to
/// \p Ratio, is \p Drop.
double saturation(double Ratio, double Drop) {
  double Low = 0.05, High = 1000;
  for (unsigned Step = 0; Step < 30; ++Step) {
    double S = std::sqrt(Low * High);
    (S * std::log1p(Ratio / S) < Drop ? Low : High) = S;
  }
  return High;
}

} // namespace

BlockPosteriors::BlockPosteriors(const RateTable &Table, uint64_t MostSamples)
    : Table(Table) {
  double Top = std::max(LogFrequencyTop, std::log1p(double(MostSamples)) + 3);
  unsigned Size = std::ceil((Top - LeastLogFrequency) / LogFrequencyStep) + 1;
  for (unsigned I = 0; I < Size; ++I) {
    double T = LeastLogFrequency + I * LogFrequencyStep;
    Grid.push_back(T);
    LogPrior.push_back(-PriorPrecision * (T - PriorMean) * (T - PriorMean) / 2);
  }
  for (unsigned I = 0; I < Size + (RateGrid::Size - 1) * Stride; ++I) {
    LogRate.push_back(Grid.front() + RateGrid::First + I * LogFrequencyStep);
    Rate.push_back(std::exp(LogRate.back()));
  }
  Sum.resize(Size);
  Probability.resize(Size);
}

void BlockPosteriors::fillRow(InstructionClass Class, uint64_t Samples,
                              double *Row) const {
  ArrayRef<double> Weights = Table.weights(Class);
  // log Poisson without the constant log S!, and relative to its peak.
  SmallVector<double, 256> LogPoisson, Poisson;
  double Count = double(Samples);
  double Peak = Samples ? Count * std::log(Count) - Count : 0;
  for (auto [L, R] : zip_equal(LogRate, Rate)) {
    LogPoisson.push_back(Count * L - R - Peak);
    Poisson.push_back(std::exp(LogPoisson.back()));
  }
  for (unsigned I = 0; I < Grid.size(); ++I) {
    double Likelihood = 0;
    for (unsigned K = 0; K < RateGrid::Size; ++K)
      Likelihood += Weights[K] * Poisson[I + K * Stride];
    if (Likelihood > 1e-290) {
      Row[I] = std::log(Likelihood);
      continue;
    }
    // Far from the peak one term is so much larger than the rest that the sum
    // is that term.
    double Largest = -INFINITY;
    for (unsigned K = 0; K < RateGrid::Size; ++K)
      Largest =
          std::max(Largest, std::log(Weights[K]) + LogPoisson[I + K * Stride]);
    Row[I] = Largest;
  }
}

ArrayRef<double> BlockPosteriors::row(InstructionClass Class,
                                      uint64_t Samples) {
  if (RowIndex.size() >= MostRows) {
    RowIndex.clear();
    Rows.clear();
  }
  auto [It, IsNew] =
      RowIndex.try_emplace({Class, Samples}, Rows.size() / Grid.size());
  size_t Begin = It->second * Grid.size();
  if (IsNew) {
    Rows.resize(Rows.size() + Grid.size());
    fillRow(Class, Samples, &Rows[Begin]);
  }
  return ArrayRef<double>(Rows).slice(Begin, Grid.size());
}

BlockPosterior
BlockPosteriors::compute(ArrayRef<InstructionSamples> Instructions) {
  static const InstructionClass Fused = *findInstructionClass("fused");
  auto IsSilent = [&](const InstructionSamples &I) {
    return I.Class == NoInstructionClass ||
           (I.Class == Fused && !Table.hasClass(Fused));
  };
  // A block that was seen did run, even if only its silent instructions were.
  bool IsSeenInSilence =
      any_of(Instructions, [](auto &I) { return I.Samples > 0; }) &&
      all_of(Instructions,
             [&](auto &I) { return I.Samples == 0 || IsSilent(I); });
  std::fill(Sum.begin(), Sum.end(), 0.0);
  for (const InstructionSamples &I : Instructions) {
    if (IsSilent(I) && !IsSeenInSilence)
      continue;
    ArrayRef<double> Row = row(I.Class, I.Samples);
    for (size_t K = 0; K < Sum.size(); ++K)
      Sum[K] += Row[K];
  }

  BlockPosterior Result;
  double Top = *std::max_element(Sum.begin(), Sum.end());
  Result.MayNeverHaveRun = Top - Sum.front() < 1;
  if (Result.MayNeverHaveRun) {
    Result.Scale = INFINITY;
    for (size_t K = 1; K < Sum.size(); ++K)
      if (Sum.front() - Sum[K] > 1) {
        // Between this point and the one before.
        double Below = Sum.front() - Sum[K - 1];
        double Part = (1 - Below) / (Sum.front() - Sum[K] - Below);
        Result.Scale = std::exp(Grid[K - 1] + Part * LogFrequencyStep);
        size_t Far = std::min(K + FarSteps, Sum.size() - 1);
        Result.Saturation = saturation(std::exp(FarSteps * LogFrequencyStep),
                                       Sum.front() - Sum[Far]);
        break;
      }
  }

  double PosteriorTop = -INFINITY;
  for (size_t K = 0; K < Sum.size(); ++K)
    PosteriorTop = std::max(PosteriorTop, Sum[K] += LogPrior[K]);
  double Total = 0, First = 0;
  for (size_t K = 0; K < Sum.size(); ++K) {
    Probability[K] = std::exp(Sum[K] - PosteriorTop);
    Total += Probability[K];
    First += Probability[K] * Grid[K];
  }
  Result.Mean = First / Total;
  double Second = 0;
  for (size_t K = 0; K < Sum.size(); ++K)
    Second +=
        Probability[K] * (Grid[K] - Result.Mean) * (Grid[K] - Result.Mean);
  Result.Deviation = std::sqrt(Second / Total);
  return Result;
}

FlowEvidence BlockPosteriors::evidence(const BlockPosterior &Posterior,
                                       double LeastDeviation) {
  if (!Posterior.MayNeverHaveRun)
    return FlowEvidence::near(std::exp(Posterior.Mean),
                              std::max(Posterior.Deviation, LeastDeviation));
  if (std::isinf(Posterior.Scale))
    return FlowEvidence::none();
  return FlowEvidence::rare(Posterior.Scale, Posterior.Saturation);
}

} // namespace inlay
