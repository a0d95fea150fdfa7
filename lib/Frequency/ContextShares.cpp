//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sweeps over the blocks, from the shares of the whole function. Each is linear
// in the samples, and the same for all owners, so that shares keep adding up.
//
//===----------------------------------------------------------------------===//

#include "ContextShares.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inlay {

namespace {
struct Neighbour {
  uint32_t Block;
  double Weight; ///< those of one block add up to 1
};
} // namespace

static std::vector<SmallVector<Neighbour, 4>>
neighboursOf(const MachineFunction &Function, ArrayRef<double> Counts) {
  std::vector<SmallVector<Neighbour, 4>> Result(Function.Blocks.size());
  for (const MachineEdge &Edge : Function.Edges) {
    if (Edge.Source == Edge.Target)
      continue;
    // No more flows from one to the other. What does not execute hardly counts.
    constexpr double Least = 1e-6;
    const double Weight =
        std::max(std::min(Counts[Edge.Source], Counts[Edge.Target]), Least);
    Result[Edge.Source].push_back({Edge.Target, Weight});
    Result[Edge.Target].push_back({Edge.Source, Weight});
  }
  for (SmallVector<Neighbour, 4> &Neighbours : Result) {
    double Sum = 0;
    for (const Neighbour &N : Neighbours)
      Sum += N.Weight;
    for (Neighbour &N : Neighbours)
      N.Weight /= Sum;
  }
  return Result;
}

std::vector<std::vector<double>>
contextShares(const MachineFunction &Function, ArrayRef<double> Counts,
              ArrayRef<const std::map<uint32_t, double> *> Samples) {
  const size_t Size = Function.Blocks.size();
  std::vector<double> Totals(Size);
  double All = 0;
  for (const std::map<uint32_t, double> *Owner : Samples)
    for (auto [Block, Count] : *Owner) {
      Totals[Block] += Count;
      All += Count;
    }
  const std::vector<SmallVector<Neighbour, 4>> Neighbours =
      neighboursOf(Function, Counts);

  std::vector<std::vector<double>> Result;
  for (const std::map<uint32_t, double> *Owner : Samples) {
    double Mine = 0;
    std::vector<double> Own(Size);
    for (auto [Block, Count] : *Owner) {
      Own[Block] = Count;
      Mine += Count;
    }
    // Without any samples, nobody has more than another.
    const double Share = All > 0 ? Mine / All : 1.0 / double(Samples.size());
    std::vector<double> &Shares = Result.emplace_back(Size, Share);
    constexpr unsigned Sweeps = 16;
    for (unsigned Sweep = 0; Sweep < Sweeps; ++Sweep)
      for (size_t Block = 0; Block < Size; ++Block) {
        if (Neighbours[Block].empty()) {
          Shares[Block] = (Own[Block] + BorrowedSamples * Share) /
                          (Totals[Block] + BorrowedSamples);
          continue;
        }
        double Around = 0;
        for (const Neighbour &N : Neighbours[Block])
          Around += N.Weight * Shares[N.Block];
        Shares[Block] = (Own[Block] + BorrowedSamples * Around) /
                        (Totals[Block] + BorrowedSamples);
      }
  }
  return Result;
}

} // namespace inlay
