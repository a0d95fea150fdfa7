//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm-profstore init and migrate: make the tables, or bring those of an older
// version up to date. Two names for one thing, since either is what somebody
// looks for.
//
//===----------------------------------------------------------------------===//

#include "Subcommands.h"
#include "inlay/Store/Schema.h"
#include "inlay/Support/Diagnostics.h"

using namespace llvm;

namespace inlay {

cl::SubCommand InitCommand("init", "Make a store, or update its tables");
cl::SubCommand MigrateCommand("migrate", "The same");

Error initialize() {
  StderrDiagnostics Diagnostics(ToolName, isQuiet());
  Expected<std::string> URL = storeURL();
  if (!URL)
    return URL.takeError();
  Expected<std::unique_ptr<Database>> DB =
      Database::connect(*URL, DatabaseAccess::Create);
  if (!DB)
    return DB.takeError();
  Expected<unsigned> Found = migrate(**DB);
  if (!Found)
    return Found.takeError();
  // A newer one than we know, for example.
  if (Error E = checkSchema(**DB))
    return E;
  Diagnostics.note((*DB)->name() + ": " +
                   (*Found == CurrentSchemaVersion ? "is up to date"
                    : *Found ? "brought from version " + Twine(*Found) +
                                   " to " + Twine(CurrentSchemaVersion)
                             : Twine("made a store")));
  return Error::success();
}

} // namespace inlay
