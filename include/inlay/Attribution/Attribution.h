//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Carries frequencies of machine instructions back to the source: each address
// adds to the line of its inline stack in the ContextSummaryMap.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ATTRIBUTION_ATTRIBUTION_H
#define INLAY_ATTRIBUTION_ATTRIBUTION_H

#include "inlay/Frequency/ContextFrequencies.h"
#include "inlay/Frequency/MachineFrequencies.h"
#include "inlay/Profile/ContextSummaryMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace inlay {

class ProfiledBinary;
class PseudoProbes;

/// Samples here are raw ones where the frequencies tell them, else what the
/// estimator gave, before duplication factors.
struct AttributionStatistics {
  uint64_t AttributedSamples = 0; ///< at an instruction with a line
  /// Samples in the map's totals, but the compiler gave the instruction no line
  /// (line 0: merged or made up code).
  uint64_t SamplesWithoutLine = 0;
  /// Samples where DWARF covers the code but does not tell the function's first
  /// line: built without -fdebug-info-for-profiling (or -g).
  uint64_t SamplesWithoutFirstLine = 0;
  uint64_t SamplesWithoutDebugInfo = 0; ///< no debug information at all
  uint64_t SamplesWithoutProbes = 0;    ///< in functions that have none
  uint64_t Functions = 0;               ///< function symbols that got a line
  /// A discriminator other than 0 was met.
  bool HasDiscriminators = false;
};

/// Adds the contexts of \p Frequencies to \p Map. A line's count is the maximum
/// over its instructions, times the duplication factor; a line of a sampled
/// function whose instructions have no samples gets an explicit 0. A context's
/// total is the sum over its instructions, as create_llvm_prof computes it.
/// Symbols of one canonical name (foo and foo.cold) are one function.
///
/// Where the estimator knows them, entries become head samples, and calls the
/// call targets of their line, direct ones as well, as llvm-profgen writes
/// them. Copies of a call add up, and so their duplication factor is of no
/// account.
///
/// \p OnProgress is told how many functions of \p Frequencies are done.
AttributionStatistics
attribute(const MachineFrequencies &Frequencies, ProfiledBinary &Binary,
          ContextSummaryMap &Map,
          llvm::function_ref<void(uint64_t Functions)> OnProgress = nullptr);

/// The same with \p Contexts, by which \p Frequencies were divided: a function
/// under known callers becomes a node below them, at the line of the call,
/// marked as called. Where the call has no line the callers cannot be told: it
/// becomes a root.
AttributionStatistics
attribute(const MachineFrequencies &Frequencies,
          const ContextFrequencies &Contexts, ProfiledBinary &Binary,
          ContextSummaryMap &Map,
          llvm::function_ref<void(uint64_t Functions)> OnProgress = nullptr);

/// The same by probes, which Attribution by lines knows nothing of: the count
/// of a probe is the sum over its copies of the executions of the instructions
/// at their addresses, and a context's total the sum over its probes. Fails if
/// the estimator does not know executions: a timer may never hit the one
/// instruction that stands for a block.
llvm::Expected<AttributionStatistics> attributeToProbes(
    const MachineFrequencies &Frequencies, ProfiledBinary &Binary,
    const PseudoProbes &Probes, ContextSummaryMap &Map,
    llvm::function_ref<void(uint64_t Functions)> OnProgress = nullptr);

/// Functions with samples that share their name with others of \p Binary, as
/// static functions in different files do: a profile, which knows names only,
/// takes them for one. Most samples first.
std::vector<llvm::StringRef> namesakes(const MachineFrequencies &Frequencies,
                                       const ProfiledBinary &Binary);

/// Adds the functions that \p Binary has code of to \p Map's symbols, under
/// each of their names.
void addSymbols(const ProfiledBinary &Binary, ContextSummaryMap &Map);

} // namespace inlay

#endif
