//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The subcommands of llvm-profstore. Each has a file of its own with its
// options and one function, which is all that main knows of it.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TOOLS_LLVM_PROFSTORE_SUBCOMMANDS_H
#define INLAY_TOOLS_LLVM_PROFSTORE_SUBCOMMANDS_H

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace inlay {

inline constexpr llvm::StringLiteral ToolName = "llvm-profstore";

/// What --help shows; LLVM's libraries bring hundreds of other options.
extern llvm::cl::OptionCategory ProfstoreCategory;

/// --store, of all subcommands, or else INLAY_STORE of the environment; an
/// error if there is neither.
llvm::Expected<std::string> storeURL();

/// --quiet, of all subcommands.
bool isQuiet();

extern llvm::cl::SubCommand InitCommand, MigrateCommand, IngestCommand,
    CollectCommand, ExportCommand, ListCommand, ShowCommand, GCCommand,
    CheckCommand, StatsCommand;

llvm::Error initialize();
llvm::Error ingest();
llvm::Error collect();
llvm::Error exportProfile();
llvm::Error list();
llvm::Error show();
llvm::Error collectGarbage();
llvm::Error check();
llvm::Error stats();

} // namespace inlay

#endif
