//===- Schema.h - Tables of the store ---------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_STATE_SCHEMA_H
#define TOSCAC_LIB_STATE_SCHEMA_H

#include "llvm/Support/Error.h"

struct sqlite3;

namespace toscac::state {

/// Checks that the open database is a store that this program understands.
llvm::Error checkSchema(sqlite3 *handle);

/// Makes the tables of an empty database, or those that were added since an
/// older program made it.
llvm::Error migrateSchema(sqlite3 *handle);

} // namespace toscac::state

#endif
