//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Profiles on disk: LLVM's own sample-profile formats, written and read with
// LLVM's own code, so that whatever reads one of ours is what reads
// everybody's.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PROFILE_PROFILEFILE_H
#define INLAY_PROFILE_PROFILEFILE_H

#include "inlay/Profile/ContextSummaryMap.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/ProfileSummary.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace llvm {
class Module;
} // namespace llvm

namespace inlay {

enum class ProfileFormat { Text, ExtBinary };

/// How contexts are written.
enum class ContextForm {
  /// Below their callers, as if all of them were inlined. Every consumer of
  /// sample profiles reads that.
  Nested,
  /// CSSPGO's: each context by itself, under the name of its whole path; those
  /// that were inlined carry an attribute.
  Full
};

/// Writes \p Map to \p Path ("-": standard output) with the whole-program
/// summary computed by LLVM's SampleProfileSummaryBuilder. The file appears
/// whole or not at all.
llvm::Error writeProfile(llvm::StringRef Path, const ContextSummaryMap &Map,
                         ProfileFormat Format,
                         ContextForm Form = ContextForm::Nested);

/// What writeProfile() writes.
llvm::Expected<llvm::SmallVector<char, 0>>
profileBytes(const ContextSummaryMap &Map, ProfileFormat Format,
             ContextForm Form = ContextForm::Nested);

/// A profile read from disk.
struct ProfileFile {
  ContextSummaryMap Map;
  /// Of the whole program, also when Map holds one module's functions only.
  std::unique_ptr<llvm::ProfileSummary> Summary;
  /// Names that the profiled binary defined (LLVM's profile symbol list), as
  /// far as the module has them; null if the profile has no list.
  std::unique_ptr<llvm::sampleprof::ProfileSymbolList> SymbolList;
  /// Those of them, by name, that occur nowhere in the profile, in other
  /// modules' functions neither, as inlinees or callees. Empty without a
  /// module.
  std::set<FunctionId> NeverRan;
  bool IsContextSensitive = false; ///< was in CSSPGO's context form
  std::string Format;
};

/// What is read of an extended binary profile. Others are read as a whole.
enum class ProfileExtent {
  Module, ///< functions that the module defines or calls
  Program
};

/// Reads any format that LLVM's reader reads; without a module all of it.
llvm::Expected<ProfileFile>
readProfile(llvm::StringRef Path, const llvm::Module *M = nullptr,
            ProfileExtent Extent = ProfileExtent::Module);

/// The same of what is in memory; errors name the buffer.
llvm::Expected<ProfileFile>
readProfile(std::unique_ptr<llvm::MemoryBuffer> Buffer,
            const llvm::Module *M = nullptr,
            ProfileExtent Extent = ProfileExtent::Module);

} // namespace inlay

#endif
