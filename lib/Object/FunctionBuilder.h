//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the control-flow graph of one function from its bytes.
//
// The bytes are decoded from the start of each part to its end. That finds
// everything, dead code and padding included, and goes wrong only where data
// lies between instructions; a branch from live code that does not hit the
// start of an instruction says so, and we decode again with that start.
//
// What an indirect jump leads to may depend on code that only another indirect
// jump leads to, what belongs to the function on jumps into split-off parts,
// and what is live on both. So the graph is made again until nothing new turns
// up; each round only adds starts, parts and targets, and there are limits to
// all of them.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_OBJECT_FUNCTIONBUILDER_H
#define INLAY_LIB_OBJECT_FUNCTIONBUILDER_H

#include "IndirectJumps.h"
#include "InstructionSet.h"
#include "LoadedImage.h"
#include "inlay/Object/MachineCFG.h"
#include <map>
#include <set>
#include <vector>

namespace inlay {

/// What a function's graph depends on outside of its own code.
class CodeContext {
public:
  virtual ~CodeContext() = default;
  virtual const InstructionSet &instructionSet() const = 0;
  virtual const LoadedImage &image() const = 0;
  virtual const FunctionRange *functionAt(uint64_t Address) const = 0;
  /// \p Part was split off from a function that is called like \p Function.
  virtual bool isSplitPart(const FunctionRange &Part,
                           const FunctionRange &Function) const = 0;
  /// A function of this name or at this address never returns, as its name
  /// tells.
  virtual bool isKnownNotToReturn(uint64_t Callee) = 0;
  virtual bool isKnownNotToReturn(llvm::StringRef Name) const = 0;
  /// The same, if need be by looking at the function's own code.
  virtual bool neverReturns(uint64_t Callee) = 0;
  /// A call of it may return more than once.
  virtual bool mayReturnTwice(uint64_t Callee) = 0;
  virtual bool mayReturnTwice(llvm::StringRef Name) const = 0;
  /// Landing pads of the code in [Begin, End), wherever they are.
  virtual std::vector<uint64_t> landingPads(uint64_t Begin, uint64_t End) = 0;
  /// The next address after \p Address that a data symbol or code anywhere in
  /// the binary says something begins at.
  virtual uint64_t nextObject(uint64_t Address) = 0;
  /// An address that code of the function mentions.
  virtual void addressMentioned(uint64_t Address) = 0;
  /// For messages.
  virtual llvm::StringRef path() const = 0;
};

class FunctionBuilder {
public:
  FunctionBuilder(CodeContext &Context, const FunctionRange &Range)
      : Context(Context), Set(Context.instructionSet()),
        Image(Context.image()) {
    Parts.push_back(Range);
  }

  llvm::Expected<MachineFunction> build();

private:
  struct PartInstructions {
    uint32_t First, End; ///< indices
  };

  llvm::Error decodeParts();
  void markFrameAccesses();
  void findLeaders();
  void resolveIndirectCalls();
  void findCallsThatDoNotReturn();
  void makeBlocks();
  void makeEdges();
  void findReachable();
  /// True if something new was found and the graph must be made again.
  bool findPartsAndStarts();
  bool resolveIndirectJumps();
  void makeCalls();

  const std::vector<uint64_t> &landingPads(const FunctionRange &Part);
  std::optional<uint32_t> indexOf(uint64_t Address) const;
  bool isInParts(uint64_t Address) const;
  /// A part of this function that is not yet among Parts.
  const FunctionRange *newPartAt(uint64_t Address) const;
  bool isPartEnd(uint32_t Index) const;
  bool endsBlock(uint32_t Index) const;
  bool isDirectTargetInside(uint32_t Index, uint32_t &Target) const;

  CodeContext &Context;
  const InstructionSet &Set;
  const LoadedImage &Image;

  llvm::SmallVector<FunctionRange, 1> Parts;
  std::set<uint64_t> ForcedStarts;
  std::map<uint64_t, std::vector<uint64_t>> PadsOfPart; // by its begin
  /// By address of the jump or call. Of calls, what their own block tells.
  std::map<uint64_t, IndirectTargets> Resolved;
  uint64_t Budget = 0;
  size_t IndirectEdges = 0;

  MachineFunction F;
  std::vector<PartInstructions> PartRanges; // parallel to Parts
  bool SetsFramePointer = false;
  std::vector<std::optional<uint64_t>> DirectTargets; // by instruction
  std::vector<uint32_t> Invalid;                      // instructions
  std::vector<uint64_t> Mentioned;                    // sorted
  std::vector<uint8_t> IsLeader, DoesNotReturn;       // by instruction
  /// Instructions that are reached by other ways than edges.
  std::vector<uint32_t> LandingPads;
  std::vector<uint32_t> BlockOf; // by instruction
  std::vector<llvm::SmallVector<MachineEdge, 2>> Predecessors;
};

} // namespace inlay

#endif
