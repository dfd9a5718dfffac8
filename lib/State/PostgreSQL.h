//===- PostgreSQL.h - A store that many share -------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_STATE_POSTGRESQL_H
#define TOSCAC_LIB_STATE_POSTGRESQL_H

#include "Database.h"
#include "toscac/State/Store.h"

namespace toscac::state {

/// Connects to the database that \p url names.
llvm::Expected<std::unique_ptr<Database>> openPostgreSQL(llvm::StringRef url,
                                                         Store::Access access,
                                                         Durability durability);

} // namespace toscac::state

#endif
