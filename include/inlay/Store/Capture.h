//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A capture: what one host saw of one application in one stretch of time, and
// how it gets into a store.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_STORE_CAPTURE_H
#define INLAY_STORE_CAPTURE_H

#include "inlay/Sampling/RawProfile.h"
#include "inlay/Store/Database.h"
#include "llvm/ADT/DenseSet.h"

namespace inlay {

struct Capture {
  std::string Application;
  std::string Version; ///< a label of the application's release; may be empty
  std::string Host;
  int64_t Started = 0;  ///< seconds since 1970
  int64_t Duration = 0; ///< milliseconds; 0 when unknown
  /// What makes it the same capture when it is delivered again: contentKey().
  std::string Content;
  RawProfile Profile;
  /// Counts are by the binary's virtual addresses, not by file offset. Then
  /// there are no branches.
  bool CountsVirtualAddresses = false;
};

/// What the rows of a binary's samples count. The numbers are in the database.
enum class SampleKind : int64_t {
  Address = 0,   ///< a: offset
  Branch = 1,    ///< a: branch, b: target
  BranchIn = 2,  ///< a: target
  BranchOut = 3, ///< a: branch
  Range = 4,     ///< a: first instruction, b: last
  /// a: virtual address in the ELF file: what some profilers tell instead of an
  /// offset, and no offset until the file is at hand.
  VirtualAddress = 5,
  // Of call chains the pairs of frames that CallSamples knows. b: return
  // address in the caller; 0 if that is unknown, for what a call returns to is
  // never the first byte of a file.
  SampledFrame = 6, ///< a: offset of the sampled instruction
  CallingFrame = 7  ///< a: return address in the callee
};
/// Kinds from 0 to this one are known.
constexpr auto LastSampleKind = static_cast<int64_t>(SampleKind::CallingFrame);

/// No count of one capture is larger; what is, is cut.
constexpr uint64_t MaxCaptureCount = uint64_t(1) << 40;
/// The same for periods, in events.
constexpr uint64_t MaxCapturePeriod = uint64_t(1) << 50;
/// And for what a day's captures of a host sum up to. A single folded count is
/// no larger than MaxCaptureCount.
constexpr uint64_t MaxSummedCount = uint64_t(1) << 50;
constexpr uint64_t MaxSummedPeriod = uint64_t(1) << 55;

/// No more pairs of frames are kept of one event, binary and kind in one
/// capture: of more, those with most samples.
constexpr size_t MaxCaptureFrames = size_t(1) << 16;

/// The key of a capture that was recorded in a file of these bytes: the same
/// file of the same host and application is one capture however often it
/// comes.
llvm::Expected<std::string> contentKey(llvm::StringRef Application,
                                       llvm::StringRef Host,
                                       llvm::StringRef FilePath);

/// An error if \p Name cannot be that of an application, a host or a version:
/// too long, not UTF-8, control characters. \p What says which.
llvm::Error checkName(llvm::StringRef What, llvm::StringRef Name);

// Ids of names: 63 bits of a hash of what they say.
int64_t applicationID(llvm::StringRef Name);
int64_t hostID(llvm::StringRef Name);
int64_t versionID(llvm::StringRef Application, llvm::StringRef Label);

/// Delivers captures to a store. Needs the right to insert, no other.
class CaptureWriter {
public:
  explicit CaptureWriter(Database &DB) : DB(DB) {}

  /// When this returns true, the capture is in the store for good; false: it
  /// was there already. One transaction; tried again if others are in the way.
  llvm::Expected<bool> deliver(const Capture &C);

private:
  llvm::Expected<bool> tryDeliver(const Capture &C);

  Database &DB;
  /// Names that are known to be in the store.
  llvm::DenseSet<int64_t> Known;
};

} // namespace inlay

#endif
