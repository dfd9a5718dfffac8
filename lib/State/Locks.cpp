//===- Locks.cpp - Locks of the kernel and of a server --------------------===//

#include "Locks.h"

#include "llvm/Support/xxhash.h"
#include <cerrno>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

using namespace toscac;
using namespace toscac::state;
using llvm::StringRef;

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

namespace {

class FileLocks : public Locks {
public:
  explicit FileLocks(int file) : file(file) {}

  llvm::Expected<bool> take(StringRef deployment) override {
    struct flock byte = byteOf(deployment, F_WRLCK);
    bool isRefused = file >= 0 && fcntl(file, F_OFD_SETLK, &byte) != 0 &&
                     (errno == EAGAIN || errno == EACCES);
    return !isRefused;
  }
  void release(StringRef deployment) override {
    struct flock byte = byteOf(deployment, F_UNLCK);
    if (file >= 0)
      fcntl(file, F_OFD_SETLK, &byte);
  }
  llvm::Expected<bool> isTaken(StringRef deployment) override {
    struct flock byte = byteOf(deployment, F_WRLCK);
    return file >= 0 && fcntl(file, F_OFD_GETLK, &byte) == 0 &&
           byte.l_type != F_UNLCK;
  }
  bool reachesAll() const override { return !isRemote(file); }

private:
  int file;
};

class ServerLocks : public Locks {
public:
  explicit ServerLocks(Database &database)
      : takeOne(database, "SELECT CASE WHEN pg_try_advisory_lock("
                          "hashtextextended(current_schema(), 0) # ?) "
                          "THEN 1 ELSE 0 END"),
        releaseOne(database, "SELECT pg_advisory_unlock("
                             "hashtextextended(current_schema(), 0) # ?)"),
        countOne(database,
                 "SELECT count(*) FROM pg_locks, (SELECT "
                 "hashtextextended(current_schema(), 0) # ? AS number) AS key "
                 "WHERE locktype = 'advisory' AND objsubid = 1 AND database = "
                 "(SELECT oid FROM pg_database "
                 "WHERE datname = current_database()) "
                 "AND (classid::bigint << 32 | objid::bigint) = key.number") {}

  llvm::Expected<bool> take(StringRef deployment) override {
    return ask(takeOne, deployment);
  }
  void release(StringRef deployment) override {
    llvm::consumeError(releaseOne.bind(keyOf(deployment)).run());
  }
  llvm::Expected<bool> isTaken(StringRef deployment) override {
    return ask(countOne, deployment);
  }
  bool reachesAll() const override { return true; }

private:
  static int64_t keyOf(StringRef deployment) {
    return static_cast<int64_t>(llvm::xxh3_64bits(deployment));
  }
  static llvm::Expected<bool> ask(Statement &question, StringRef deployment) {
    llvm::Expected<bool> row = question.bind(keyOf(deployment)).next();
    if (!row)
      return row.takeError();
    return question.integer(0) != 0;
  }

  Statement takeOne;
  Statement releaseOne;
  Statement countOne;
};

} // namespace

std::unique_ptr<Locks> state::makeFileLocks(int file) {
  return std::make_unique<FileLocks>(file);
}

std::unique_ptr<Locks> state::makeServerLocks(Database &database) {
  return std::make_unique<ServerLocks>(database);
}
