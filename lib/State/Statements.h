//===- Statements.h - What the store asks often -----------------*- C++ -*-===//

#ifndef TOSCAC_LIB_STATE_STATEMENTS_H
#define TOSCAC_LIB_STATE_STATEMENTS_H

#include "SQLite.h"
#include "toscac/State/Store.h"

namespace toscac::state {

/// Prepared once per store.
class Store::Statements {
public:
  explicit Statements(sqlite3 *handle)
      : handle(handle),
        addJournal(handle, "INSERT INTO journal(run, kind, time, body) "
                           "VALUES(?, ?, ?, ?)"),
        begin(handle, "BEGIN IMMEDIATE"), commit(handle, "COMMIT") {}

  /// Begins a transaction unless one is open.
  llvm::Error open();

  sqlite3 *handle;
  Statement addJournal;
  Statement begin;
  Statement commit;
};

/// Opens the file whose bytes the kernel locks, for the store \p store;
/// negative where that is not possible.
int openLockFile(const std::string &store, bool writes);

/// Seconds since 1970.
double now();

} // namespace toscac::state

#endif
