//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The subcommands of llvm-profconv. Each has a file of its own with its options
// and one function, which is all that main knows of it.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TOOLS_LLVM_PROFCONV_SUBCOMMANDS_H
#define INLAY_TOOLS_LLVM_PROFCONV_SUBCOMMANDS_H

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace inlay {

inline constexpr llvm::StringLiteral ToolName = "llvm-profconv";

/// What --help shows; LLVM's libraries bring hundreds of other options.
extern llvm::cl::OptionCategory ProfconvCategory;

/// An error that is about no file: of the command line, say.
inline llvm::Error complain(const llvm::Twine &Message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Message);
}

/// What --help says of a subcommand above and below its options.
struct SubcommandHelp {
  const char *Overview, *Examples;
};

extern llvm::cl::SubCommand ConvertCommand;
extern const SubcommandHelp ConvertHelp;
llvm::Error convert();

extern llvm::cl::SubCommand ShowCommand;
extern const SubcommandHelp ShowHelp;
llvm::Error show();

extern llvm::cl::SubCommand AccuracyCommand;
extern const SubcommandHelp AccuracyHelp;
llvm::Error accuracy();

extern llvm::cl::SubCommand CalibrateCommand;
extern const SubcommandHelp CalibrateHelp;
llvm::Error calibrate();

} // namespace inlay

#endif
