//===- Store.cpp - Opening the store --------------------------------------===//

#include "toscac/State/Store.h"

#include "Schema.h"
#include "Statements.h"
#include "toscac/Basic/PrivateFile.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace toscac;
using namespace toscac::state;
using llvm::StringRef;

/// Milliseconds to wait while another run of the same store writes.
static constexpr int patience = 60000;

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

Store::Store(std::string path, sqlite3 *handle)
    : file(std::move(path)), handle(handle) {}

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
  statements.reset();
  {
    Setup setup(lockFile);
    // At rest a store is one file, which can be copied, and read where nothing
    // can be written. Where others have it open, the last one does this.
    if (!sqlite3_db_readonly(handle, "main") && !isGone())
      sqlite3_exec(handle, "PRAGMA journal_mode = DELETE", nullptr, nullptr,
                   nullptr);
    sqlite3_close(handle);
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

/// Says what is wrong with the place of a store that cannot be opened.
static llvm::Error openError(StringRef path, bool writes, sqlite3 *handle) {
  // SQLite tries to read then, and says why that is not possible.
  StringRef folder = llvm::sys::path::parent_path(path);
  std::string place = folder.empty() ? "." : folder.str();
  if (writes && access(place.c_str(), W_OK) != 0)
    return llvm::createStringError("'" + place + "' cannot be written: " +
                                   std::generic_category().message(errno));
  return sqliteError(handle);
}

llvm::Expected<std::unique_ptr<Store>>
Store::open(StringRef path, Access access, Durability durability) {
  std::string file = path.str();
  bool writes = access == Access::Write;
  if (writes)
    if (llvm::Error error = checkOwnFile(path))
      return error;
  int lockFile = openLockFile(file, writes);
  Setup setup(writes ? lockFile : -1);
  std::string lost = writes ? findLoss(file, lockFile) : "";
  if (writes) {
    // SQLite gives its other files the mode of this one.
    int made =
        ::open(file.c_str(), O_CREAT | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (made >= 0)
      ::close(made);
  }
  sqlite3 *handle = nullptr;
  int flags = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                     : SQLITE_OPEN_READONLY;
  int code = sqlite3_open_v2(file.c_str(), &handle, flags, nullptr);
  std::unique_ptr<Store> store(new Store(file, handle));
  store->lockFile = lockFile;
  store->lost = lost;
  llvm::Error error = code == SQLITE_OK ? store->prepare(access, durability)
                                        : openError(path, writes, handle);
  if (!error)
    return store;
  // Closing it asks for what we have.
  setup.end();
  store.reset();
  return error;
}

llvm::Error Store::prepare(Access access, Durability durability) {
  sqlite3_busy_timeout(handle, patience);
  if (access == Access::Read)
    return checkSchema(handle);
  if (sqlite3_db_readonly(handle, "main"))
    return llvm::createStringError("it cannot be written");
  bool power = durability == Durability::Power;
  if (llvm::Error error = execute(
          handle, power
                      ? "PRAGMA synchronous = FULL"
                      : "PRAGMA synchronous = OFF; PRAGMA cache_size = -8000"))
    return error;
  if (llvm::Error error = execute(handle, "PRAGMA journal_mode = WAL"))
    return error;
  if (llvm::Error error = migrateSchema(handle))
    return error;
  inode = inodeOf(file);
  noteUse(lockFile);
  statements = std::make_unique<Statements>(handle);
  return llvm::Error::success();
}

bool Store::isGone() const { return inode && inodeOf(file) != inode; }

llvm::Error Store::copyTo(StringRef target) {
  Statement copy(handle, "VACUUM INTO ?");
  return copy.bind(target).run();
}

llvm::Error Store::Statements::open() {
  return sqlite3_get_autocommit(handle) ? begin.run() : llvm::Error::success();
}

llvm::Error Store::commit() {
  if (sqlite3_get_autocommit(handle))
    return llvm::Error::success();
  if (llvm::Error error = statements->commit.run()) {
    sqlite3_exec(handle, "ROLLBACK", nullptr, nullptr, nullptr);
    return error;
  }
  return llvm::Error::success();
}
