//===- StoreLocks.cpp - One writer per deployment -------------------------===//
///
/// \file
/// A lock is the kernel's: a byte of the file `STORE-lock` for each deployment.
/// It ends with the process that holds it, is seen in every container that
/// shares the volume, and, unlike a process number in a file, is never that of
/// another process. The table `locks` says which process holds it.
///
/// Where a file system lies on another machine, locks may not reach beyond this
/// one: there, a row of another host counts as well, as long as it is renewed.
/// Who takes over its lock raises the fence, so that a run which was only slow
/// cannot write any more, and starts no further step.
///
/// The locks of PostgreSQL belong to a connection, and are seen by all.
///
//===----------------------------------------------------------------------===//

#include "Locks.h"
#include "toscac/State/Store.h"
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <pwd.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace toscac;
using namespace toscac::state;
using llvm::StringRef;

/// The name of the host, with the number of the PID namespace unless that is
/// the first one, whose number is a constant of the kernel.
static std::string hostName() {
  constexpr ino_t firstNamespace = 0xEFFFFFFC;
  char name[256] = "";
  gethostname(name, sizeof(name) - 1);
  struct stat status;
  std::string result = name;
  if (stat("/proc/self/ns/pid", &status) == 0 &&
      status.st_ino != firstNamespace)
    result += "#" + std::to_string(status.st_ino);
  return result;
}

Owner Owner::self() {
  Owner owner;
  const passwd *entry = getpwuid(getuid());
  owner.user = entry ? entry->pw_name : std::to_string(getuid());
  owner.host = hostName();
  owner.process = getpid();
  owner.since = now();
  return owner;
}

bool Owner::isNear() const { return host == hostName(); }

/// Seconds for which a lock counts that its owner has renewed.
static constexpr double leaseTime = 120;

/// Whether \p owner, whose locks may not be seen here, may be alive.
static bool hasLease(const Owner &owner) {
  return !owner.isNear() &&
         now() - std::max(owner.since, owner.renewed) < leaseTime;
}

bool Store::isLocked(StringRef deployment, const Owner &owner) {
  llvm::Expected<bool> isTaken = locks->isTaken(deployment);
  if (!isTaken) {
    llvm::consumeError(isTaken.takeError());
    return true;
  }
  return *isTaken || (!locks->reachesAll() && hasLease(owner));
}

llvm::Expected<std::optional<Owner>> Store::lockOwner(StringRef deployment) {
  // A store that is only read may be one from before the last column.
  Statement query(*database, "SELECT * FROM locks WHERE deployment = ?");
  llvm::Expected<bool> row = query.bind(deployment).next();
  if (!row)
    return row.takeError();
  if (!*row)
    return std::nullopt;
  return Owner{query.text(1).str(), query.text(2).str(), query.integer(3),
               query.real(5), query.real(6)};
}

/// Whether the process of \p owner is known to have ended.
static bool isDead(const Owner &owner) {
  return owner.isNear() && kill(static_cast<pid_t>(owner.process), 0) != 0 &&
         errno == ESRCH;
}

/// A process that is killed while it starts a step leaves its lock to the child
/// until that calls exec, and a server takes notice a little later: a moment,
/// unless the machine is very busy.
llvm::Expected<bool> Store::isHeldByOther(StringRef deployment) {
  constexpr std::chrono::milliseconds pause(5);
  constexpr int pauses = 2000;
  for (int i = 0;; ++i) {
    llvm::Expected<bool> isOurs = locks->take(deployment);
    if (!isOurs)
      return isOurs.takeError();
    if (*isOurs)
      return false;
    llvm::Expected<std::optional<Owner>> owner = lockOwner(deployment);
    if (!owner)
      return owner.takeError();
    if (!*owner || !isDead(**owner) || i == pauses)
      return true;
    std::this_thread::sleep_for(pause);
  }
}

llvm::Expected<int64_t> Store::raiseFence(StringRef deployment) {
  Statement raise(*database,
                  "INSERT INTO fences(deployment, token) VALUES(?, 1) "
                  "ON CONFLICT(deployment) DO UPDATE SET "
                  "token = fences.token + 1 RETURNING token");
  llvm::Expected<bool> row = raise.bind(deployment).next();
  if (!row)
    return row.takeError();
  int64_t token = raise.integer(0);
  if (llvm::Error error = raise.run())
    return error;
  return token;
}

llvm::Expected<std::optional<Owner>> Store::lock(StringRef deployment) {
  llvm::Expected<bool> isHeld = isHeldByOther(deployment);
  if (!isHeld)
    return isHeld.takeError();
  Transaction transaction(*database);
  if (llvm::Error error = transaction.begin())
    return error;
  llvm::Expected<std::optional<Owner>> owner = lockOwner(deployment);
  if (!owner)
    return owner;
  // The holder is about to write its row.
  if (*isHeld)
    return *owner ? *owner : Owner();
  if (*owner && !locks->reachesAll() && hasLease(**owner))
    return owner;
  deadOwner = *owner;
  Owner self = Owner::self();
  Statement insert(
      *database,
      "INSERT INTO locks(deployment, \"user\", host, process, process_start, "
      "since, renewed) VALUES(?1, ?2, ?3, ?4, 0, ?5, ?6) "
      "ON CONFLICT(deployment) DO UPDATE SET \"user\" = excluded.\"user\", "
      "host = excluded.host, process = excluded.process, "
      "since = excluded.since, renewed = excluded.renewed");
  if (llvm::Error error = insert
                              .bind(deployment, self.user, self.host,
                                    self.process, self.since, self.since)
                              .run())
    return error;
  llvm::Expected<int64_t> token = raiseFence(deployment);
  if (!token)
    return token.takeError();
  if (llvm::Error error = transaction.commit())
    return error;
  fences[deployment.str()] = *token;
  lastRenewed = self.since;
  return std::nullopt;
}

llvm::Error Store::unlock(StringRef deployment) {
  auto own = fences.find(deployment);
  llvm::Error error = llvm::Error::success();
  if (own == fences.end()) {
    error = raiseFence(deployment).takeError();
    Statement remove(*database, "DELETE FROM locks WHERE deployment = ?");
    if (!error)
      error = remove.bind(deployment).run();
  } else {
    // Somebody may have taken it over.
    Statement remove(*database,
                     "DELETE FROM locks WHERE deployment = ?1 AND "
                     "(SELECT token FROM fences WHERE deployment = ?1) = ?2");
    error = remove.bind(deployment, own->second).run();
    fences.erase(own);
  }
  locks->release(deployment);
  return error;
}

double Store::keepLocks() {
  constexpr double period = leaseTime / 6;
  if (fences.empty() || locks->reachesAll())
    return HUGE_VAL;
  double left = lastRenewed + period - now();
  if (left > 0)
    return left;
  lastRenewed = now();
  Statement renew(*database,
                  "UPDATE locks SET renewed = ?1 WHERE deployment = ?2 AND "
                  "(SELECT token FROM fences WHERE deployment = ?2) = ?3");
  for (const auto &[deployment, token] : fences)
    llvm::consumeError(renew.bind(lastRenewed, deployment, token).run());
  return period;
}

llvm::Error Store::openTransaction(StringRef deployment) {
  if (database->isInTransaction())
    return llvm::Error::success();
  if (llvm::Error error = database->begin())
    return error;
  auto own = fences.find(deployment);
  if (own == fences.end())
    return llvm::Error::success();
  Statement query(*database, "SELECT token FROM fences WHERE deployment = ?" +
                                 database->rowLock().str());
  llvm::Expected<bool> row = query.bind(deployment).next();
  if (!row) {
    database->rollback();
    return row.takeError();
  }
  if (*row && query.integer(0) == own->second)
    return query.run();
  database->rollback();
  return llvm::createStringError("somebody else has taken over deployment '" +
                                 deployment + "'");
}
