//===- Schema.h - Tables of the store ---------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_STATE_SCHEMA_H
#define TOSCAC_LIB_STATE_SCHEMA_H

#include "Database.h"

namespace toscac::state {

/// Checks that the open database is a store that this program understands.
llvm::Error checkSchema(Database &database);

/// Makes the tables of an empty database, or those that were added since an
/// older program made it. Gives whether it was empty.
llvm::Expected<bool> migrateSchema(Database &database);

} // namespace toscac::state

#endif
