//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two engines, as Database::connect() knows them.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_STORE_ENGINES_H
#define INLAY_LIB_STORE_ENGINES_H

#include "inlay/Store/Database.h"

namespace inlay {

llvm::Expected<std::unique_ptr<Database>> connectSQLite(llvm::StringRef Path,
                                                        DatabaseAccess Access);

llvm::Expected<std::unique_ptr<Database>>
connectPostgreSQL(llvm::StringRef URL);

} // namespace inlay

#endif
