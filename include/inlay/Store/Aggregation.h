//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums over captures: which are taken, what each weighs, and what comes out.
//
// The database adds up. Weights are decided here, for groups of captures (one
// day, one version, one host), and travel to the database as whole numbers, so
// that both engines, and the same one twice, give the same sums.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_STORE_AGGREGATION_H
#define INLAY_STORE_AGGREGATION_H

#include "inlay/Sampling/CallSamples.h"
#include "inlay/Sampling/RawProfile.h"
#include "inlay/Store/Database.h"
#include <optional>

namespace inlay {

/// Days are those of UTC, counted from 1970.
using Day = int64_t;
constexpr int64_t SecondsPerDay = 86400;

/// Captures of one day, version and host.
struct CaptureGroup {
  Day On = 0;
  int64_t VersionID = 0, HostID = 0;
  std::string Version, Host;
  uint64_t Samples = 0;
  /// Of what weighs most.
  double Weight = 1;
};

/// Which captures of an application are taken.
struct CaptureSelection {
  std::string Application;
  /// Days back from the newest capture of the application, that day included;
  /// not from today, so that what is asked twice is answered alike.
  std::optional<double> SinceDays;
  /// Leaves out the newest days: that many.
  std::optional<double> BeforeDays;
  std::vector<std::string> Versions, Hosts; ///< glob patterns; empty: all
};

/// How much captures weigh.
struct CaptureWeighting {
  /// A capture that is older than the newest by that weighs half.
  std::optional<double> HalfLifeDays;
  /// No host, no version has more than that share of the weighted samples. If
  /// there are too few for it, all have the same.
  std::optional<double> MaxHostShare, MaxVersionShare;
};

/// The groups that \p Selection takes, with their weights; oldest first, then
/// by version and host. An error if there is no such application, or nothing is
/// taken.
llvm::Expected<std::vector<CaptureGroup>>
selectCaptures(Database &DB, const CaptureSelection &Selection,
               const CaptureWeighting &Weighting);

/// Sets the weights, of which the greatest is 1.
void weigh(llvm::MutableArrayRef<CaptureGroup> Groups,
           const CaptureWeighting &Weighting);

/// Samples of one event in one binary, summed over captures.
struct SummedSamples {
  /// The event, and the kind of machine it was recorded on.
  PerfEventAttr Event;
  std::string Arch, CpuDesc, CpuID;
  BinarySamples Samples; ///< Total includes VirtualCounts
  /// Virtual address in the ELF file -> samples, where no offset is known.
  OffsetCounts<uint64_t> VirtualCounts;
  /// What the samples' call chains tell of calls; in a fixed order. Empty where
  /// none were recorded.
  std::vector<CallSamples> Calls;
};

/// Weighted sums of all binaries and events of \p Groups, in an order that
/// depends on nothing but what is in the store: most samples first. Fractions
/// of samples are carried from address to address, so that they are not lost.
llvm::Expected<std::vector<SummedSamples>>
sumCaptures(Database &DB, llvm::StringRef Application,
            llvm::ArrayRef<CaptureGroup> Groups);

} // namespace inlay

#endif
