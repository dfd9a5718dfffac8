//===- PostgreSQL.cpp - A store that many share ---------------------------===//
///
/// \file
/// libpq is loaded when a store is first opened that needs it: most lie in
/// files. Rows come all at once, so that a statement may be run while the rows
/// of another are read.
///
//===----------------------------------------------------------------------===//

#include "PostgreSQL.h"

#include "llvm/ADT/StringExtras.h"
#include <cstdlib>
#include <dlfcn.h>
#include <libpq-fe.h>
#include <string>
#include <vector>

using namespace toscac;
using namespace toscac::state;
using llvm::StringRef;

#define TOSCAC_POSTGRESQL_FUNCTIONS(FUNCTION)                                  \
  FUNCTION(PQconnectdb)                                                        \
  FUNCTION(PQfinish)                                                           \
  FUNCTION(PQstatus)                                                           \
  FUNCTION(PQerrorMessage)                                                     \
  FUNCTION(PQexec)                                                             \
  FUNCTION(PQexecParams)                                                       \
  FUNCTION(PQclear)                                                            \
  FUNCTION(PQresultStatus)                                                     \
  FUNCTION(PQntuples)                                                          \
  FUNCTION(PQgetvalue)                                                         \
  FUNCTION(PQgetlength)                                                        \
  FUNCTION(PQtransactionStatus)                                                \
  FUNCTION(PQsetNoticeProcessor)

namespace {

/// The functions of libpq, which keep their names.
struct Library {
  // NOLINTBEGIN(readability-identifier-naming)
#define FUNCTION(NAME) decltype(&::NAME) NAME = nullptr;
  TOSCAC_POSTGRESQL_FUNCTIONS(FUNCTION)
#undef FUNCTION
  // NOLINTEND(readability-identifier-naming)

  /// Null where it is not installed.
  static const Library *load();
};

} // namespace

const Library *Library::load() {
  static const std::optional<Library> loaded = []() -> std::optional<Library> {
    Library library;
    // The 5 is libpq's ABI, the same since PostgreSQL 8.2.
    void *file = dlopen("libpq.so.5", RTLD_LAZY | RTLD_LOCAL);
    bool isComplete = file;
#define FUNCTION(NAME)                                                         \
  if (isComplete) {                                                            \
    library.NAME =                                                             \
        reinterpret_cast<decltype(library.NAME)>(dlsym(file, #NAME));          \
    isComplete = library.NAME;                                                 \
  }
    TOSCAC_POSTGRESQL_FUNCTIONS(FUNCTION)
#undef FUNCTION
    return isComplete ? std::optional(library) : std::nullopt;
  }();
  return loaded ? &*loaded : nullptr;
}

namespace {

class Connection {
public:
  Connection(const Library &library, PGconn *handle)
      : library(library), handle(handle) {}
  Connection(const Connection &) = delete;
  Connection &operator=(const Connection &) = delete;
  ~Connection() { library.PQfinish(handle); }

  llvm::Error error() const {
    return llvm::createStringError(
        StringRef(library.PQerrorMessage(handle)).trim());
  }

  const Library &library;
  PGconn *handle;
};

class PostgreSQLQuery : public Query {
public:
  PostgreSQLQuery(Connection &connection, StringRef sql);
  ~PostgreSQLQuery() override { forget(); }

  void rewind() override {
    forget();
    texts.clear();
  }
  void bind(int position, StringRef text) override {
    if (texts.size() < static_cast<size_t>(position))
      texts.resize(position);
    texts[position - 1] = text.str();
  }
  void bind(int position, int64_t number) override {
    bind(position, StringRef(std::to_string(number)));
  }
  void bind(int position, double number) override;
  llvm::Expected<bool> next() override;
  StringRef text(int column) const override {
    return {library.PQgetvalue(rows, row, column),
            static_cast<size_t>(library.PQgetlength(rows, row, column))};
  }
  int64_t integer(int column) const override {
    int64_t number = 0;
    text(column).getAsInteger(10, number);
    return number;
  }
  double real(int column) const override {
    return strtod(library.PQgetvalue(rows, row, column), nullptr);
  }

private:
  void forget() {
    if (rows)
      library.PQclear(rows);
    rows = nullptr;
    row = -1;
  }

  const Library &library;
  Connection &connection;
  std::string sql;
  std::vector<std::string> texts;
  PGresult *rows = nullptr;
  int row = -1;
};

class PostgreSQLDatabase : public Database {
public:
  PostgreSQLDatabase(const Library &library, PGconn *handle)
      : connection(library, handle) {}

  llvm::Error connect(Durability durability);

  std::unique_ptr<Query> prepare(const char *sql) override {
    return std::make_unique<PostgreSQLQuery>(connection, sql);
  }
  llvm::Error execute(const char *sql) override;
  bool isInTransaction() const override {
    return connection.library.PQtransactionStatus(connection.handle) !=
           PQTRANS_IDLE;
  }
  llvm::Error begin() override { return execute("BEGIN"); }
  llvm::Error commit() override;
  StringRef rowLock() const override { return " FOR UPDATE"; }
  llvm::Error beginReading() override;
  void endReading() override;
  llvm::Expected<size_t> schemaVersion(size_t known) override;
  llvm::Error migrate(StringRef sql) override;
  llvm::Error setSchemaVersion(size_t version) override;
  llvm::Expected<int64_t> writes() override;

private:
  llvm::Expected<int64_t> number(const char *sql);

  Connection connection;
  bool isReading = false;
};

} // namespace

/// `?` and `?2` become `$1` and `$2`; no text of ours has question marks.
PostgreSQLQuery::PostgreSQLQuery(Connection &connection, StringRef given)
    : library(connection.library), connection(connection) {
  unsigned count = 0;
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i] != '?') {
      sql += given[i];
      continue;
    }
    bool isNumbered = i + 1 < given.size() && llvm::isDigit(given[i + 1]);
    sql += '$';
    if (!isNumbered)
      sql += std::to_string(++count);
  }
}

void PostgreSQLQuery::bind(int position, double number) {
  char text[40];
  snprintf(text, sizeof(text), "%.17g", number);
  bind(position, StringRef(text));
}

llvm::Expected<bool> PostgreSQLQuery::next() {
  if (!rows) {
    std::vector<const char *> values;
    for (const std::string &text : texts)
      values.push_back(text.c_str());
    rows = library.PQexecParams(connection.handle, sql.c_str(),
                                static_cast<int>(values.size()),
                                /*paramTypes=*/nullptr, values.data(),
                                /*paramLengths=*/nullptr,
                                /*paramFormats=*/nullptr, /*resultFormat=*/0);
    ExecStatusType status = library.PQresultStatus(rows);
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
      llvm::Error error = connection.error();
      forget();
      return error;
    }
  }
  if (++row < library.PQntuples(rows))
    return true;
  forget();
  return false;
}

llvm::Error PostgreSQLDatabase::execute(const char *sql) {
  const Library &library = connection.library;
  PGresult *result = library.PQexec(connection.handle, sql);
  ExecStatusType status = library.PQresultStatus(result);
  library.PQclear(result);
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
    return llvm::Error::success();
  return connection.error();
}

llvm::Error PostgreSQLDatabase::connect(Durability durability) {
  const Library &library = connection.library;
  if (library.PQstatus(connection.handle) != CONNECTION_OK)
    return connection.error();
  library.PQsetNoticeProcessor(
      connection.handle, [](void *, const char *) {}, nullptr);
  // A commit that is on its way to the disk survives the end of the process.
  return execute(durability == Durability::Power
                     ? "SET synchronous_commit = on"
                     : "SET synchronous_commit = off");
}

llvm::Error PostgreSQLDatabase::commit() {
  // After an error the server takes COMMIT for ROLLBACK, and is content.
  bool isBroken = connection.library.PQtransactionStatus(connection.handle) ==
                  PQTRANS_INERROR;
  if (!isBroken)
    return execute("COMMIT");
  rollback();
  return llvm::createStringError("an earlier statement of it has failed");
}

llvm::Error PostgreSQLDatabase::beginReading() {
  if (isInTransaction())
    return llvm::Error::success();
  isReading = true;
  return execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
}

void PostgreSQLDatabase::endReading() {
  if (isReading)
    llvm::consumeError(execute("COMMIT"));
  isReading = false;
}

llvm::Expected<int64_t> PostgreSQLDatabase::number(const char *sql) {
  PostgreSQLQuery query(connection, sql);
  llvm::Expected<bool> row = query.next();
  if (!row)
    return row.takeError();
  return *row ? query.integer(0) : 0;
}

llvm::Expected<size_t> PostgreSQLDatabase::schemaVersion(size_t known) {
  // Two that start on a new database would both make the tables.
  if (isInTransaction() && !isReading)
    if (llvm::Error error = execute("SELECT pg_advisory_xact_lock(7022919763)"))
      return error;
  llvm::Expected<int64_t> tables =
      number("SELECT count(*) FROM pg_catalog.pg_tables "
             "WHERE schemaname = current_schema() "
             "AND tablename = 'toscac_schema'");
  if (!tables)
    return tables.takeError();
  if (*tables == 0)
    return 0;
  llvm::Expected<int64_t> version = number("SELECT version FROM toscac_schema");
  if (!version)
    return version.takeError();
  if (*version > static_cast<int64_t>(known))
    return llvm::createStringError(
        "a newer program made it: its schema has version %lld, this program "
        "knows up to %zu",
        static_cast<long long>(*version), known);
  return static_cast<size_t>(*version);
}

llvm::Error PostgreSQLDatabase::migrate(StringRef sql) {
  static constexpr std::pair<StringRef, StringRef> words[] = {
      {"INTEGER PRIMARY KEY AUTOINCREMENT",
       "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"},
      {"INTEGER PRIMARY KEY",
       "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"},
      {" INTEGER", " BIGINT"},
      {" REAL", " DOUBLE PRECISION"},
      {" WITHOUT ROWID", ""},
      // A word of the standard.
      {" user TEXT", " \"user\" TEXT"}};
  std::string text = sql.str();
  for (auto [ours, theirs] : words)
    for (size_t at = 0;
         (at = text.find(ours.data(), at, ours.size())) != std::string::npos;
         at += theirs.size())
      text.replace(at, ours.size(), theirs);
  return execute(text.c_str());
}

llvm::Error PostgreSQLDatabase::setSchemaVersion(size_t version) {
  std::string sql =
      "CREATE TABLE IF NOT EXISTS toscac_schema(version BIGINT NOT NULL); "
      "DELETE FROM toscac_schema; INSERT INTO toscac_schema VALUES(" +
      std::to_string(version) + ")";
  return execute(sql.c_str());
}

/// Whatever was committed in this or another database of the server.
llvm::Expected<int64_t> PostgreSQLDatabase::writes() {
  return number("SELECT txid_snapshot_xmax(txid_current_snapshot())");
}

llvm::Expected<std::unique_ptr<Database>>
state::openPostgreSQL(StringRef url, Store::Access, Durability durability) {
  const Library *library = Library::load();
  if (!library)
    return llvm::createStringError(
        "libpq must be installed to reach it (Debian: libpq5)");
  auto database = std::make_unique<PostgreSQLDatabase>(
      *library, library->PQconnectdb(url.str().c_str()));
  if (llvm::Error error = database->connect(durability))
    return error;
  return database;
}
