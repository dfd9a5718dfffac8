//===- StoreLocks.cpp - One writer per deployment -------------------------===//
///
/// \file
/// A lock is the kernel's: a byte of the file `STORE-lock` for each deployment.
/// It ends with the process that holds it, is seen in every container that
/// shares the volume, and, unlike a process number in a file, is never that of
/// another process. The table `locks` says which process holds it.
///
/// Where a file system lies on another machine, locks may not reach beyond this
/// one: there, a row of another host counts as well.
///
//===----------------------------------------------------------------------===//

#include "Statements.h"
#include "llvm/Support/xxhash.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <linux/magic.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/vfs.h>
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

int state::openLockFile(const std::string &store, bool writes) {
  int flags = writes ? O_RDWR | O_CREAT : O_RDONLY;
  return open((store + "-lock").c_str(), flags | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/// The byte of \p deployment. Two that share one exclude each other for no
/// reason, once in 2^62.
static struct flock byteOf(StringRef deployment, short type) {
  struct flock lock{};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(llvm::xxh3_64bits(deployment) >> 2) + 1;
  lock.l_len = 1;
  return lock;
}

/// Whether locks on \p file may be unknown to other machines.
static bool isRemote(int file) {
  struct statfs status;
  if (file < 0 || fstatfs(file, &status) != 0)
    return true;
  constexpr unsigned long cifs = 0xFF534D42, smb2 = 0xFE534D42,
                          fuse = 0x65735546, plan9 = 0x01021997;
  for (unsigned long type :
       {static_cast<unsigned long>(NFS_SUPER_MAGIC), cifs, smb2, fuse, plan9})
    if (static_cast<unsigned long>(status.f_type) == type)
      return true;
  return false;
}

bool Store::isLocked(StringRef deployment, const Owner &owner) {
  struct flock lock = byteOf(deployment, F_WRLCK);
  if (lockFile >= 0 && fcntl(lockFile, F_OFD_GETLK, &lock) == 0 &&
      lock.l_type != F_UNLCK)
    return true;
  return isRemote(lockFile) && !owner.isNear();
}

llvm::Expected<std::optional<Owner>> Store::lockOwner(StringRef deployment) {
  Statement query(handle, "SELECT user, host, process, since "
                          "FROM locks WHERE deployment = ?");
  llvm::Expected<bool> row = query.bind(deployment).next();
  if (!row)
    return row.takeError();
  if (!*row)
    return std::nullopt;
  return Owner{query.text(0).str(), query.text(1).str(), query.integer(2),
               query.real(3)};
}

/// Whether the process of \p owner is known to have ended.
static bool isDead(const Owner &owner) {
  return owner.isNear() && kill(static_cast<pid_t>(owner.process), 0) != 0 &&
         errno == ESRCH;
}

/// Whether another process holds the byte of \p deployment in \p file, after
/// it was asked for.
static bool isRefused(int file, StringRef deployment) {
  struct flock byte = byteOf(deployment, F_WRLCK);
  return file >= 0 && fcntl(file, F_OFD_SETLK, &byte) != 0 &&
         (errno == EAGAIN || errno == EACCES);
}

/// A process that is killed while it starts a step leaves its lock to the child
/// until that calls exec: a moment, unless the machine is very busy.
llvm::Expected<bool> Store::isHeldByOther(StringRef deployment) {
  constexpr std::chrono::milliseconds pause(5);
  constexpr int pauses = 2000;
  for (int i = 0; isRefused(lockFile, deployment); ++i) {
    llvm::Expected<std::optional<Owner>> owner = lockOwner(deployment);
    if (!owner)
      return owner.takeError();
    if (!*owner || !isDead(**owner) || i == pauses)
      return true;
    std::this_thread::sleep_for(pause);
  }
  return false;
}

llvm::Expected<std::optional<Owner>> Store::lock(StringRef deployment) {
  llvm::Expected<bool> isHeld = isHeldByOther(deployment);
  if (!isHeld)
    return isHeld.takeError();
  Transaction transaction(handle);
  if (llvm::Error error = transaction.begin())
    return error;
  llvm::Expected<std::optional<Owner>> owner = lockOwner(deployment);
  if (!owner)
    return owner;
  // The holder is about to write its row.
  if (*isHeld)
    return *owner ? *owner : Owner();
  if (*owner && isRemote(lockFile) && !(*owner)->isNear())
    return owner;
  deadOwner = *owner;
  Owner self = Owner::self();
  Statement insert(handle, "INSERT OR REPLACE INTO locks(deployment, user, "
                           "host, process, process_start, since) "
                           "VALUES(?, ?, ?, ?, 0, ?)");
  if (llvm::Error error =
          insert
              .bind(deployment, self.user, self.host, self.process, self.since)
              .run())
    return error;
  if (llvm::Error error = transaction.commit())
    return error;
  return std::nullopt;
}

llvm::Error Store::unlock(StringRef deployment) {
  Statement remove(handle, "DELETE FROM locks WHERE deployment = ?");
  llvm::Error error = remove.bind(deployment).run();
  struct flock byte = byteOf(deployment, F_UNLCK);
  if (lockFile >= 0)
    fcntl(lockFile, F_OFD_SETLK, &byte);
  return error;
}
