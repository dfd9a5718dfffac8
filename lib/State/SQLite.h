//===- SQLite.h - A store in a file -----------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_STATE_SQLITE_H
#define TOSCAC_LIB_STATE_SQLITE_H

#include "Database.h"
#include "toscac/State/Store.h"

namespace toscac::state {

/// Opens the SQLite file \p path. To write, it must exist.
llvm::Expected<std::unique_ptr<Database>>
openSQLite(llvm::StringRef path, Store::Access access, Durability durability);

} // namespace toscac::state

#endif
