//===- Locks.h - One writer per deployment ----------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_STATE_LOCKS_H
#define TOSCAC_LIB_STATE_LOCKS_H

#include "Database.h"

namespace toscac::state {

/// Locks that end with the process that has them.
class Locks {
public:
  virtual ~Locks() = default;

  /// Takes the lock of \p deployment; false: another process has it.
  virtual llvm::Expected<bool> take(llvm::StringRef deployment) = 0;
  virtual void release(llvm::StringRef deployment) = 0;
  virtual llvm::Expected<bool> isTaken(llvm::StringRef deployment) = 0;
  /// Whether all who share the store see them.
  virtual bool reachesAll() const = 0;
};

/// Bytes of \p file stand for deployments; negative: there is no file.
std::unique_ptr<Locks> makeFileLocks(int file);
/// The server of \p database has them.
std::unique_ptr<Locks> makeServerLocks(Database &database);

/// Opens the file whose bytes the kernel locks, for the store \p store;
/// negative where that is not possible.
int openLockFile(const std::string &store, bool writes);

/// Seconds since 1970.
double now();

} // namespace toscac::state

#endif
