//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The wording of errors and warnings, in one place so that all of Inlay's tools
// sound alike.
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/Diagnostics.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inlay {

Error fileError(StringRef File, const Twine &Message) {
  return createStringError(inconvertibleErrorCode(),
                           Twine(File) + ": " + Message);
}

Error fileErrorAt(StringRef File, uint64_t Offset, const Twine &Message) {
  return createStringError(inconvertibleErrorCode(),
                           Twine(File) + ": at offset 0x" +
                               Twine::utohexstr(Offset) + ": " + Message);
}

DiagnosticSink::~DiagnosticSink() = default;

void StderrDiagnostics::warning(const Twine &Message) {
  if (!Quiet)
    WithColor::warning(errs(), ToolName) << Message << '\n';
}

void StderrDiagnostics::note(const Twine &Message) {
  if (!Quiet)
    WithColor::note(errs(), ToolName) << Message << '\n';
}

int reportError(StringRef ToolName, Error E) {
  handleAllErrors(std::move(E), [&](const ErrorInfoBase &Info) {
    WithColor::error(errs(), ToolName) << Info.message() << '\n';
  });
  return 1;
}

} // namespace inlay
