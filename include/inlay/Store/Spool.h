//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where captures wait until the store takes them: a directory with a file for
// each.
//
// A capture that is in the spool survives the collector, and the machine. It
// leaves when the store has it; if the collector dies in between, it is
// delivered again and recognized. What is full is full: then the oldest go.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_STORE_SPOOL_H
#define INLAY_STORE_SPOOL_H

#include "inlay/Store/Capture.h"
#include "inlay/Support/Diagnostics.h"

namespace inlay {

class Spool {
public:
  /// Opens the directory, made if missing, for this process alone.
  static llvm::Expected<Spool> open(llvm::StringRef Directory,
                                    uint64_t MaxBytes);
  Spool(Spool &&Other);
  Spool &operator=(Spool &&) = delete;
  ~Spool();

  llvm::StringRef directory() const { return Directory; }

  /// When this returns, \p C is on the disk. Older ones make room for it, which
  /// is told to \p Diagnostics.
  llvm::Error put(const Capture &C, DiagnosticSink &Diagnostics);

  /// Delivers all captures, oldest first, and removes those that are in the
  /// store. Stops at the first error but those of a single file: one that is
  /// damaged is set aside, with a warning. Returns the number delivered.
  llvm::Expected<unsigned> deliverTo(Database &DB, DiagnosticSink &Diagnostics);

  /// Captures that wait.
  llvm::Expected<unsigned> size() const;

private:
  Spool(llvm::StringRef Directory, uint64_t MaxBytes, int Lock)
      : Directory(Directory), MaxBytes(MaxBytes), Lock(Lock) {}
  llvm::Expected<std::vector<std::string>> files() const;

  std::string Directory;
  uint64_t MaxBytes;
  int Lock; ///< a descriptor; -1 after a move
};

} // namespace inlay

#endif
