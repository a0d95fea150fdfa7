//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls tie functions together: a function whose address nobody takes is
// entered as often as the calls of it execute. Solving all functions at once
// would make one big system of many small ones. Instead they tell each other:
// after a solution, each function learns from its callers how often it was
// entered, and each call site from its callee how often it executed; then all
// are solved again.
//
// Where call chains were recorded, they say which share of a callee's
// executions each site has, and of indirect calls whom they lead to; else the
// callers' present solutions have to.
//
// Either message is as certain as its sender. What a function says is what its
// own samples alone told it, so that nobody hears his own echo.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FREQUENCY_CALLLINKS_H
#define INLAY_LIB_FREQUENCY_CALLLINKS_H

#include "CallerShares.h"
#include "ModelledFunction.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace inlay {

class CallLinks {
public:
  /// \p Functions are solved by their own evidence; they and \p Shares, which
  /// counts them alike, outlive this. A message's deviation (of the log of a
  /// count) is never below \p Deviation: callers may lack samples, and so be
  /// unknown.
  CallLinks(llvm::MutableArrayRef<ModelledFunction> Functions,
            const CallerShares &Shares, MachineCode &Code, double Deviation);

  /// Replaces the evidence of entries and call sites by what the present
  /// solutions of the others make of it.
  void exchange();

private:
  struct Own {
    std::vector<FlowEvidence> Evidence; ///< of blocks
    double Entry;
  };
  struct Calls {
    double Sum = 0;      ///< executions of the call sites
    double Variance = 0; ///< of that sum
    const ModelledFunction *Callee = nullptr;
    double OwnEntry = 0;
  };

  /// What call chains say of a site.
  struct Told {
    double Sum = 0, Variance = 0;
  };

  /// Where \p Told knows a call, it goes by that.
  void tellCaller(ModelledFunction &Caller, const Own &Before,
                  const llvm::DenseMap<uint32_t, Told> &Told) const;
  void listenToChains();
  void tellCallee(ModelledFunction &Callee) const;

  llvm::MutableArrayRef<ModelledFunction> Functions;
  const CallerShares &Shares;
  double Deviation;
  std::vector<Own> Before; ///< parallel to Functions
  /// By entry; of functions that are entered by direct calls alone.
  llvm::DenseMap<uint64_t, Calls> CallsOf;
  /// Parallel to Functions, by index of the call.
  std::vector<llvm::DenseMap<uint32_t, Told>> Chains;
};

} // namespace inlay

#endif
