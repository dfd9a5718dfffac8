//===- Store.cpp - Opening the store --------------------------------------===//

#include "toscac/State/Store.h"

#include "Schema.h"
#include "Statements.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <chrono>
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

Store::~Store() {
  statements.reset();
  // At rest a store is one file, which can be copied, and read where nothing
  // can be written. Where others have it open, the last one does this.
  if (!sqlite3_db_readonly(handle, "main") && !isGone())
    sqlite3_exec(handle, "PRAGMA journal_mode = DELETE", nullptr, nullptr,
                 nullptr);
  sqlite3_close(handle);
}

llvm::Expected<std::unique_ptr<Store>>
Store::open(StringRef path, Access access, Durability durability) {
  sqlite3 *handle = nullptr;
  bool writes = access == Access::Write;
  int flags = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                     : SQLITE_OPEN_READONLY;
  int code = sqlite3_open_v2(path.str().c_str(), &handle, flags, nullptr);
  std::unique_ptr<Store> store(new Store(path.str(), handle));
  if (code != SQLITE_OK) {
    // SQLite tries to read then, and says why that is not possible.
    StringRef folder = llvm::sys::path::parent_path(path);
    std::string place = folder.empty() ? "." : folder.str();
    if (writes && ::access(place.c_str(), W_OK) != 0)
      return llvm::createStringError("'" + place + "' cannot be written: " +
                                     std::generic_category().message(errno));
    return sqliteError(handle);
  }
  if (llvm::Error error = store->prepare(access, durability))
    return error;
  return store;
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
