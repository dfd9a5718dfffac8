//===- Store.cpp - Opening the store --------------------------------------===//

#include "toscac/State/Store.h"

#include "Locks.h"
#include "PostgreSQL.h"
#include "SQLite.h"
#include "Schema.h"
#include "toscac/Basic/PrivateFile.h"
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace toscac;
using namespace toscac::state;
using llvm::StringRef;

double state::now() {
  using namespace std::chrono;
  return duration<double>(system_clock::now().time_since_epoch()).count();
}

bool state::isStore(int file) {
  constexpr StringRef magic("SQLite format 3\0", 16);
  char start[16];
  return pread(file, start, sizeof(start), 0) == sizeof(start) &&
         StringRef(start, sizeof(start)) == magic;
}

static uint64_t inodeOf(const std::string &path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

bool state::isStoreUrl(StringRef path) {
  return path.starts_with("postgresql://") || path.starts_with("postgres://");
}

std::string state::shownStore(StringRef path) {
  if (!isStoreUrl(path))
    return path.str();
  auto [scheme, rest] = path.split("://");
  StringRef place =
      rest.take_until([](char c) { return c == '/' || c == '?'; });
  size_t end = place.rfind('@');
  size_t colon = place.find(':');
  std::string result = path.str();
  if (end != StringRef::npos && colon < end)
    result = (scheme + "://" + place.take_front(colon) + ":***" +
              rest.drop_front(end))
                 .str();
  // It may stand among the parameters, too.
  if (size_t at = result.find("password="); at != std::string::npos)
    result.replace(at + 9, result.find('&', at) - (at + 9), "***");
  return result;
}

Store::Store(std::string path) : file(std::move(path)) {}

namespace {

/// While it lives, nobody else opens or closes the store: what SQLite does then
/// fails where others do the same.
class Setup {
public:
  explicit Setup(int file) : file(file) { set(F_WRLCK); }
  ~Setup() { end(); }
  void end() { set(F_UNLCK); }

private:
  void set(short type) {
    struct flock lock{};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_len = 1;
    if (file >= 0)
      fcntl(file, F_OFD_SETLKW, &lock);
  }
  int file;
};

} // namespace

Store::~Store() {
  {
    Setup setup(lockFile);
    if (database && isGone())
      database->abandon();
    appendToJournal.reset();
    locks.reset();
    database.reset();
  }
  if (lockFile >= 0)
    ::close(lockFile);
}

/// Notes in the lock file that the store is one from now on.
static void noteUse(int lockFile) {
  if (lockFile >= 0)
    (void)!pwrite(lockFile, "\n", 1, 0);
}

/// A log that is gone proves nothing: whoever looks into the store by another
/// program and leaves it last brings the log into it.
static std::string findLoss(const std::string &file, int lockFile) {
  struct stat status;
  bool wasUsed =
      lockFile >= 0 && fstat(lockFile, &status) == 0 && status.st_size > 0;
  bool isEmpty = stat(file.c_str(), &status) != 0 || status.st_size == 0;
  return isEmpty && wasUsed ? "it was used before and is gone" : "";
}

llvm::Expected<std::unique_ptr<Store>>
Store::open(StringRef path, Access access, Durability durability) {
  if (!isStoreUrl(path))
    return openFile(path, access, durability);
  std::unique_ptr<Store> store(new Store(path.str()));
  llvm::Expected<std::unique_ptr<Database>> database =
      openPostgreSQL(path, access, durability);
  if (!database)
    return database.takeError();
  store->database = std::move(*database);
  if (llvm::Error error = store->prepare(access))
    return error;
  store->locks = makeServerLocks(*store->database);
  return store;
}

llvm::Expected<std::unique_ptr<Store>>
Store::openFile(StringRef path, Access access, Durability durability) {
  std::string file = path.str();
  bool writes = access == Access::Write;
  if (writes)
    if (llvm::Error error = checkOwnFile(path))
      return error;
  int lockFile = openLockFile(file, writes);
  Setup setup(writes ? lockFile : -1);
  std::unique_ptr<Store> store(new Store(file));
  store->lockFile = lockFile;
  store->locks = makeFileLocks(lockFile);
  if (writes) {
    store->lost = findLoss(file, lockFile);
    // SQLite gives its other files the mode of this one.
    int made =
        ::open(file.c_str(), O_CREAT | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (made >= 0)
      ::close(made);
  }
  llvm::Expected<std::unique_ptr<Database>> database =
      openSQLite(file, access, durability);
  llvm::Error error = database ? llvm::Error::success() : database.takeError();
  if (database) {
    store->database = std::move(*database);
    error = store->prepare(access);
  }
  if (!error) {
    if (writes) {
      store->inode = inodeOf(file);
      noteUse(lockFile);
    }
    return store;
  }
  // Closing it asks for what we have.
  setup.end();
  store.reset();
  return error;
}

llvm::Error Store::prepare(Access access) {
  if (access == Access::Read)
    return checkSchema(*database);
  llvm::Expected<bool> wasEmpty = migrateSchema(*database);
  if (!wasEmpty)
    return wasEmpty.takeError();
  if (*wasEmpty && isStoreUrl(file))
    lost = "there is nothing in it yet";
  return llvm::Error::success();
}

bool Store::isGone() const { return inode && inodeOf(file) != inode; }

llvm::Error Store::copyTo(StringRef target) {
  // Only a file can vanish under our feet.
  Statement copy(*database, "VACUUM INTO ?");
  return copy.bind(target).run();
}

llvm::Error Store::commit() {
  return database->isInTransaction() ? database->commit()
                                     : llvm::Error::success();
}
