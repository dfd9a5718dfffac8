//===- SQLite.cpp - A store in a file -------------------------------------===//

#include "SQLite.h"

#include "llvm/Support/Path.h"
#include <sqlite3.h>
#include <unistd.h>

using namespace toscac;
using namespace toscac::state;
using llvm::StringRef;

/// Milliseconds to wait while another run of the same store writes.
static constexpr int patience = 60000;

/// "Tosc": tells a store from other SQLite files.
static constexpr int64_t applicationId = 0x546f7363;

/// What SQLite says went wrong last.
static llvm::Error sqliteError(sqlite3 *handle) {
  std::string text = sqlite3_errmsg(handle);
  int code = sqlite3_errcode(handle);
  if (code == SQLITE_IOERR || code == SQLITE_CANTOPEN || code == SQLITE_FULL)
    if (int number = sqlite3_system_errno(handle))
      text += ": " + std::generic_category().message(number);
  return llvm::createStringError(text.c_str());
}

namespace {

class SQLiteQuery : public Query {
public:
  SQLiteQuery(sqlite3 *handle, const char *sql) : handle(handle) {
    sqlite3_prepare_v3(handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement,
                       nullptr);
  }
  ~SQLiteQuery() override { sqlite3_finalize(statement); }

  void rewind() override { sqlite3_reset(statement); }
  void bind(int position, StringRef text) override {
    // An empty text is not NULL.
    sqlite3_bind_text64(statement, position, text.empty() ? "" : text.data(),
                        text.size(), SQLITE_STATIC, SQLITE_UTF8);
  }
  void bind(int position, int64_t number) override {
    sqlite3_bind_int64(statement, position, number);
  }
  void bind(int position, double number) override {
    sqlite3_bind_double(statement, position, number);
  }
  llvm::Expected<bool> next() override;
  StringRef text(int column) const override {
    const auto *data =
        reinterpret_cast<const char *>(sqlite3_column_text(statement, column));
    return {data, static_cast<size_t>(sqlite3_column_bytes(statement, column))};
  }
  int64_t integer(int column) const override {
    return sqlite3_column_int64(statement, column);
  }
  double real(int column) const override {
    return sqlite3_column_double(statement, column);
  }

private:
  sqlite3 *handle;
  sqlite3_stmt *statement = nullptr;
};

class SQLiteDatabase : public Database {
public:
  explicit SQLiteDatabase(sqlite3 *handle) : handle(handle) {}
  ~SQLiteDatabase() override;

  llvm::Error prepareToWrite(Durability durability);

  std::unique_ptr<Query> prepare(const char *sql) override {
    return std::make_unique<SQLiteQuery>(handle, sql);
  }
  llvm::Error execute(const char *sql) override {
    if (sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) != SQLITE_OK)
      return sqliteError(handle);
    return llvm::Error::success();
  }
  bool isInTransaction() const override {
    return !sqlite3_get_autocommit(handle);
  }
  llvm::Error begin() override { return execute("BEGIN IMMEDIATE"); }
  llvm::Error commit() override;
  llvm::Error beginReading() override { return execute("SAVEPOINT reading"); }
  void endReading() override { llvm::consumeError(execute("RELEASE reading")); }
  llvm::Expected<size_t> schemaVersion(size_t known) override;
  llvm::Error migrate(StringRef sql) override {
    return execute(sql.str().c_str());
  }
  llvm::Error setSchemaVersion(size_t version) override;
  llvm::Expected<int64_t> writes() override {
    return number("PRAGMA data_version");
  }
  void abandon() override { isAbandoned = true; }

private:
  llvm::Expected<int64_t> number(const char *sql);

  sqlite3 *handle;
  bool isAbandoned = false;
};

} // namespace

llvm::Expected<bool> SQLiteQuery::next() {
  if (!statement)
    return sqliteError(handle);
  int code = sqlite3_step(statement);
  if (code == SQLITE_ROW)
    return true;
  if (code == SQLITE_DONE) {
    sqlite3_reset(statement);
    return false;
  }
  llvm::Error error = sqliteError(handle);
  sqlite3_reset(statement);
  return error;
}

/// At rest a store is one file, which can be copied, and read where nothing can
/// be written. Where others have it open, the last one does this.
SQLiteDatabase::~SQLiteDatabase() {
  if (!isAbandoned && !sqlite3_db_readonly(handle, "main"))
    llvm::consumeError(execute("PRAGMA journal_mode = DELETE"));
  sqlite3_close(handle);
}

llvm::Error SQLiteDatabase::commit() {
  llvm::Error error = execute("COMMIT");
  if (error)
    rollback();
  return error;
}

llvm::Expected<int64_t> SQLiteDatabase::number(const char *sql) {
  SQLiteQuery query(handle, sql);
  llvm::Expected<bool> row = query.next();
  if (!row)
    return row.takeError();
  return *row ? query.integer(0) : 0;
}

llvm::Expected<size_t> SQLiteDatabase::schemaVersion(size_t known) {
  llvm::Expected<int64_t> tables = number("SELECT count(*) FROM sqlite_master");
  if (!tables)
    return tables.takeError();
  llvm::Expected<int64_t> id = number("PRAGMA application_id");
  if (!id)
    return id.takeError();
  llvm::Expected<int64_t> version = number("PRAGMA user_version");
  if (!version)
    return version.takeError();
  if (*tables == 0 && *id == 0)
    return 0;
  if (*id != applicationId)
    return llvm::createStringError(
        "this is an SQLite file, but no state store");
  if (*version > static_cast<int64_t>(known))
    return llvm::createStringError(
        "a newer program made it: its schema has version %lld, this program "
        "knows up to %zu",
        static_cast<long long>(*version), known);
  return static_cast<size_t>(*version);
}

llvm::Error SQLiteDatabase::setSchemaVersion(size_t version) {
  std::string marks =
      "PRAGMA application_id = " + std::to_string(applicationId) +
      "; PRAGMA user_version = " + std::to_string(version);
  return execute(marks.c_str());
}

llvm::Error SQLiteDatabase::prepareToWrite(Durability durability) {
  if (sqlite3_db_readonly(handle, "main"))
    return llvm::createStringError("it cannot be written");
  bool power = durability == Durability::Power;
  if (llvm::Error error = execute(
          power ? "PRAGMA synchronous = FULL"
                : "PRAGMA synchronous = OFF; PRAGMA cache_size = -8000"))
    return error;
  return execute("PRAGMA journal_mode = WAL");
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

llvm::Expected<std::unique_ptr<Database>>
state::openSQLite(StringRef path, Store::Access access, Durability durability) {
  bool writes = access == Store::Access::Write;
  sqlite3 *handle = nullptr;
  int flags = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                     : SQLITE_OPEN_READONLY;
  int code = sqlite3_open_v2(path.str().c_str(), &handle, flags, nullptr);
  auto database = std::make_unique<SQLiteDatabase>(handle);
  if (code != SQLITE_OK)
    return openError(path, writes, handle);
  sqlite3_busy_timeout(handle, patience);
  if (writes)
    if (llvm::Error error = database->prepareToWrite(durability))
      return error;
  return database;
}
