//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How much more or less often than an average instruction those of each class
// are hit by samples, for one kind of CPU and of event.
//
// Even within a class the rate varies by orders of magnitude (a load may miss
// the cache), so a class has no number but a distribution: weights over a grid
// of log(rate). A rate of 1 is about the average over the instructions that the
// table was learned from.
//
// Tables are JSON; those in lib/Frequency/RateTables are compiled in. See
// docs/llvm-profconv.md for the format.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_FREQUENCY_RATETABLE_H
#define INLAY_FREQUENCY_RATETABLE_H

#include "inlay/Frequency/InstructionClasses.h"
#include "inlay/Sampling/SampledEvent.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace inlay {

/// The CPUs that a table is for, as perf.data names them: "AuthenticAMD,25,1,1"
/// is vendor, family, model, stepping.
struct CPUMatch {
  std::string Vendor;             ///< empty: any CPU
  std::vector<unsigned> Families; ///< empty: any of the vendor
  std::vector<unsigned> Models;   ///< empty: any of the families
};

/// The grid of log(rate) that all tables share. Its points are multiples of the
/// step of the grid of log(frequency) on which posteriors are computed.
struct RateGrid {
  static constexpr double First = -6;
  static constexpr double Step = 0.5;
  static constexpr unsigned Size = 27;
  static constexpr double point(unsigned K) { return First + K * Step; }
};

class RateTable {
public:
  RateTable();

  std::string Name;       ///< for messages
  std::string Provenance; ///< how it came about, in a sentence
  CPUMatch CPU;
  SampledEvent Event = SampledEvent::Timer;
  /// The event records the very instruction that it measured.
  bool IsPrecise = false;
  /// Time that an average instruction takes, for the absolute scale; nullopt:
  /// not known.
  std::optional<double> NanosecondsPerInstruction;

  SampleSkid skid() const {
    return IsPrecise ? SampleSkid::None : SampleSkid::Next;
  }
  /// Weights over the grid; positive, their sum is 1. If the table has none for
  /// \p Class, those of the class without its wait; if it has none of that
  /// either, and for NoInstructionClass, those of all classes together.
  llvm::ArrayRef<double> weights(InstructionClass Class) const;
  llvm::ArrayRef<double> globalWeights() const { return Global; }
  bool hasClass(InstructionClass Class) const {
    return !ByClass[Class].empty();
  }

  /// Both take RateGrid::Size weights that are finite and not negative, and
  /// scale them.
  void setGlobalWeights(llvm::ArrayRef<double> Weights);
  void setWeights(InstructionClass Class, llvm::ArrayRef<double> Weights);

private:
  std::vector<double> Global;
  std::vector<std::vector<double>> ByClass;
};

/// Fails on what is not such a table; \p File is for the message.
llvm::Expected<RateTable> parseRateTable(llvm::StringRef JSON,
                                         llvm::StringRef File);
std::string formatRateTable(const RateTable &Table);

/// Why a table was chosen.
enum class RateTableFit : uint8_t {
  SameCPU,    ///< made on such a CPU for such an event
  SameVendor, ///< made on another CPU of the vendor
  Generic     ///< all that there are for such an event, taken together
};

struct ChosenRateTable {
  RateTable Table;
  RateTableFit Fit;
};

/// The compiled-in table that suits best. \p CpuID as in perf.data's header,
/// may be empty.
ChosenRateTable chooseRateTable(llvm::StringRef CpuID, SampledEvent Event,
                                bool IsPrecise);

/// The compiled-in tables as they are, by name.
std::vector<RateTable> builtinRateTables();

} // namespace inlay

#endif
