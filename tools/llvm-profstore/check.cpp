//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm-profstore check: is the store sound?
//
//===----------------------------------------------------------------------===//

#include "StoreSnapshot.h"
#include "Subcommands.h"
#include "inlay/Store/Housekeeping.h"
#include "inlay/Support/Diagnostics.h"

using namespace llvm;

namespace inlay {

cl::SubCommand CheckCommand("check", "Check the integrity of the store");

Error check() {
  StderrDiagnostics Diagnostics(ToolName, isQuiet());
  Expected<std::string> URL = storeURL();
  if (!URL)
    return URL.takeError();
  Expected<StoreSnapshot> Snapshot = StoreSnapshot::open(*URL);
  if (!Snapshot)
    return Snapshot.takeError();
  Database &DB = *Snapshot->DB;
  unsigned Problems = 0;
  if (Error E = checkStore(DB, [&](const Twine &Problem) {
        Diagnostics.warning(DB.name() + ": " + Problem);
        ++Problems;
      }))
    return E;
  if (Problems)
    return createStringError(inconvertibleErrorCode(),
                             DB.name() + ": " + Twine(Problems) +
                                 (Problems == 1 ? " problem" : " problems"));
  Diagnostics.note(DB.name() + ": no problems");
  return Error::success();
}

} // namespace inlay
