//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How Inlay talks about trouble. A library returns llvm::Error and never
// prints; an error names the file, the place in it, what is wrong there, and
// what to do. A tool prints it once through reportError() and exits with 1.
// Warnings and notes are collected by a DiagnosticSink that the tool owns, so
// that libraries can speak up without knowing where their words go.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SUPPORT_DIAGNOSTICS_H
#define INLAY_SUPPORT_DIAGNOSTICS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace inlay {

/// An error about \p File as a whole: "FILE: MESSAGE".
llvm::Error fileError(llvm::StringRef File, const llvm::Twine &Message);

/// An error at byte \p Offset of \p File: "FILE: at offset 0x1f8: MESSAGE".
llvm::Error fileErrorAt(llvm::StringRef File, uint64_t Offset,
                        const llvm::Twine &Message);

/// Where warnings and notes go. The default sink drops them.
class DiagnosticSink {
public:
  virtual ~DiagnosticSink();
  virtual void warning(const llvm::Twine &Message) {}
  virtual void note(const llvm::Twine &Message) {}
};

/// Prints "TOOL: warning: ..." and "TOOL: note: ..." to standard error.
class StderrDiagnostics final : public DiagnosticSink {
public:
  explicit StderrDiagnostics(llvm::StringRef ToolName, bool Quiet = false)
      : ToolName(ToolName), Quiet(Quiet) {}
  void warning(const llvm::Twine &Message) override;
  void note(const llvm::Twine &Message) override;

private:
  llvm::StringRef ToolName;
  bool Quiet;
};

/// Prints every message in \p E as "TOOL: error: ...", and returns 1 for main.
int reportError(llvm::StringRef ToolName, llvm::Error E);

} // namespace inlay

#endif
