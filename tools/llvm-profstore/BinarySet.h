//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The binaries that an export symbolizes with: named ones, and those that are
// found by build ID.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TOOLS_LLVM_PROFSTORE_BINARYSET_H
#define INLAY_TOOLS_LLVM_PROFSTORE_BINARYSET_H

#include "inlay/Object/ProfiledBinary.h"
#include "inlay/Sampling/RawProfile.h"
#include <map>

namespace inlay {

class BinarySet {
public:
  explicit BinarySet(std::vector<std::string> DebugDirectories)
      : DebugDirectories(std::move(DebugDirectories)) {}

  /// Opens a binary that the user named.
  llvm::Error add(llvm::StringRef Path);
  bool hasNamed() const { return !Named.empty(); }

  /// The binary that \p Samples are of, opened once. A path is no identity in a
  /// fleet: without a build ID only a named binary of that file name will do.
  /// The error says why there is none that can be used.
  llvm::Expected<ProfiledBinary *> find(const BinarySamples &Samples);

  /// The first named binary that find() never gave; null if there is none.
  const ProfiledBinary *unusedNamed() const;

private:
  struct Entry {
    std::unique_ptr<ProfiledBinary> Binary;
    bool IsUsed = false;
  };
  std::vector<std::string> DebugDirectories;
  std::vector<Entry> Named;
  std::map<std::string, std::unique_ptr<ProfiledBinary>> Found;
  std::map<std::string, std::string> Missing; ///< and why
};

} // namespace inlay

#endif
