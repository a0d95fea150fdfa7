//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Call chains, from addresses to paths of the tree of stacks.
//
// A chain is walked from its innermost frame outwards until a frame is in no
// known code; that one and all around it are lost.
//
// Samples that follow each other mostly share their outer frames. The last
// chain's nodes are remembered, so that only the frames that differ are looked
// up, in the mappings and in the tree.
//
//===----------------------------------------------------------------------===//

#include "EventCounter.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inlay {

void EventCounter::countChain(int32_t Pid, ArrayRef<uint64_t> Frames,
                              CodeMap &Code) {
  if (Frames.empty())
    return;
  Samples.SamplesWithStack -= Stacks.makeRoom(Frames.size());
  if (Pid != Last.Pid || Code.Processes.changes() != Last.Changes ||
      Stacks.foldings() != Last.Foldings)
    Last.Frames.clear();
  Last.Pid = Pid;
  Last.Changes = Code.Processes.changes();
  Last.Foldings = Stacks.foldings();

  // From here on frames are numbered from the outermost. Those that both chains
  // have need no look-up; the innermost is never among them, for its node is of
  // another kind.
  const size_t Count = Frames.size();
  auto Frame = [&](size_t I) { return Frames[Count - 1 - I]; };
  size_t Common = 0;
  while (Common + 1 < std::min(Count, Last.Frames.size()) &&
         Frame(Common) == Last.Frames[Common])
    ++Common;
  if (Common <= Last.NumLost)
    Common = 0;
  size_t NumLost = Common ? Last.NumLost : 0;
  size_t Begin = Common;
  Last.Frames.resize(Count);
  Last.Nodes.resize(Count);
  Places.resize(Count);
  for (size_t I = Count; I-- != Common;) {
    const Mapping *M = Code.findUser(Pid, Frame(I));
    if (!M) {
      NumLost = Begin = I + 1;
      break;
    }
    Places[I] = {slotOf(M->Binary), M->offsetOf(Frame(I))};
  }
  Last.NumLost = NumLost;
  if (NumLost == Count) {
    Last.Frames.clear();
    return;
  }

  uint32_t Node = Begin > NumLost ? Last.Nodes[Begin - 1] : StackNode::Root;
  for (size_t I = Begin; I != Count; ++I) {
    Node =
        Stacks.child(Node, Places[I].first, Places[I].second, I + 1 == Count);
    Last.Nodes[I] = Node;
    Last.Frames[I] = Frame(I);
  }
  for (size_t I = Common; I < Begin; ++I)
    Last.Frames[I] = Frame(I);
  Stacks.addSample(Node);
  ++Samples.SamplesWithStack;
}

} // namespace inlay
