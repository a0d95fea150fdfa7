//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each node of the tree of stacks is a frame on its caller's; its samples are
// its own and those of all that stand on it.
//
//===----------------------------------------------------------------------===//

#include "inlay/Sampling/CallSamples.h"
#include "inlay/Sampling/StackBinaries.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <tuple>

using namespace llvm;

namespace inlay {

std::vector<CallSamples> callSamplesOf(const EventSamples &Event,
                                       const BinarySamples &Samples) {
  const StackBinaries Own(Event, Samples);
  ArrayRef<StackNode> Stacks = Event.Stacks;
  std::vector<uint64_t> Totals(Stacks.size());
  std::vector<CallSamples> Result;
  for (size_t I = Stacks.size(); I--;) {
    const StackNode &Node = Stacks[I];
    Totals[I] = SaturatingAdd(Totals[I], Node.Samples);
    // Callers come first.
    const bool HasCaller = Node.Caller < I;
    if (HasCaller)
      Totals[Node.Caller] = SaturatingAdd(Totals[Node.Caller], Totals[I]);
    if (!Own.contains(Node) || !Totals[I])
      continue;
    CallSamples &Call = Result.emplace_back();
    if (HasCaller && Own.contains(Stacks[Node.Caller]))
      Call.Return = Stacks[Node.Caller].Offset;
    Call.Callee = Node.Offset;
    Call.IsLeaf = Node.IsLeaf;
    Call.IsComplete = Event.hasCallStacks();
    Call.Samples = Totals[I];
  }

  auto Key = [](const CallSamples &C) {
    return std::tie(C.Return, C.Callee, C.IsLeaf);
  };
  llvm::sort(Result, [&](const CallSamples &A, const CallSamples &B) {
    return Key(A) < Key(B);
  });
  size_t Size = 0;
  for (const CallSamples &Call : Result)
    if (Size && Key(Result[Size - 1]) == Key(Call))
      Result[Size - 1].Samples =
          SaturatingAdd(Result[Size - 1].Samples, Call.Samples);
    else
      Result[Size++] = Call;
  Result.resize(Size);
  return Result;
}

} // namespace inlay
