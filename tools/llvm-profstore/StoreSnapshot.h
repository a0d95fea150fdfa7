//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A store that is only read, as it is at one moment.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TOOLS_LLVM_PROFSTORE_STORESNAPSHOT_H
#define INLAY_TOOLS_LLVM_PROFSTORE_STORESNAPSHOT_H

#include "inlay/Store/Schema.h"

namespace inlay {

struct StoreSnapshot {
  std::unique_ptr<Database> DB; ///< never null
  Transaction Reading;          ///< ends before the connection does

  static llvm::Expected<StoreSnapshot> open(llvm::StringRef URL) {
    llvm::Expected<std::unique_ptr<Database>> DB =
        openStore(URL, DatabaseAccess::Read);
    if (!DB)
      return DB.takeError();
    llvm::Expected<Transaction> Reading =
        Transaction::begin(**DB, TransactionKind::Read);
    if (!Reading)
      return Reading.takeError();
    return StoreSnapshot{std::move(*DB), std::move(*Reading)};
  }
};

} // namespace inlay

#endif
