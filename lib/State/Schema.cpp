//===- Schema.cpp - Tables of the store -----------------------------------===//
///
/// \file
/// The schema as a list of migrations: the version of a store is how many of
/// them it has had. One that was released is never changed.
///
//===----------------------------------------------------------------------===//

#include "Schema.h"

#include "SQLite.h"

using namespace toscac;
using namespace toscac::state;

/// "Tosc": tells a store from other SQLite files.
static constexpr int64_t applicationId = 0x546f7363;

static const char *const migrations[] = {
    // 1
    R"(CREATE TABLE deployments(
         id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
         service TEXT NOT NULL, template TEXT NOT NULL, inputs TEXT NOT NULL,
         next_index TEXT NOT NULL, counts TEXT NOT NULL);
       CREATE TABLE entities(
         deployment INTEGER NOT NULL, position INTEGER NOT NULL,
         name TEXT NOT NULL, kind TEXT NOT NULL, origin TEXT NOT NULL,
         idx INTEGER NOT NULL, type TEXT NOT NULL, groups TEXT NOT NULL,
         source TEXT NOT NULL, target TEXT NOT NULL, capability TEXT NOT NULL,
         properties TEXT NOT NULL, attributes TEXT NOT NULL,
         cells TEXT NOT NULL,
         PRIMARY KEY(deployment, position)) WITHOUT ROWID;
       CREATE TABLE shared_links(
         deployment INTEGER NOT NULL, position INTEGER NOT NULL,
         name TEXT NOT NULL, type TEXT NOT NULL, provider TEXT NOT NULL,
         content TEXT NOT NULL,
         PRIMARY KEY(deployment, position)) WITHOUT ROWID;
       CREATE TABLE runs(
         id INTEGER PRIMARY KEY AUTOINCREMENT, deployment TEXT NOT NULL,
         plan TEXT NOT NULL, plan_digest TEXT NOT NULL, workflow TEXT NOT NULL,
         status TEXT NOT NULL, started REAL NOT NULL, ended REAL NOT NULL,
         outputs TEXT NOT NULL, steps_done INTEGER NOT NULL,
         folded INTEGER NOT NULL);
       CREATE TABLE journal(
         id INTEGER PRIMARY KEY, run INTEGER NOT NULL, kind TEXT NOT NULL,
         time REAL NOT NULL, body TEXT NOT NULL);
       CREATE INDEX journal_by_run ON journal(run);
       CREATE TABLE locks(
         deployment TEXT PRIMARY KEY, user TEXT NOT NULL, host TEXT NOT NULL,
         process INTEGER NOT NULL, process_start INTEGER NOT NULL,
         since REAL NOT NULL);)",
    // 2
    R"(ALTER TABLE deployments
         ADD COLUMN operations TEXT NOT NULL DEFAULT '{}';)",
    // 3
    R"(ALTER TABLE runs
         ADD COLUMN on_failure TEXT NOT NULL DEFAULT 'stop';)",
};

static llvm::Expected<int64_t> pragma(sqlite3 *handle, const char *sql) {
  Statement statement(handle, sql);
  llvm::Expected<bool> row = statement.next();
  if (!row)
    return row.takeError();
  return *row ? statement.integer(0) : 0;
}

llvm::Error state::checkSchema(sqlite3 *handle) {
  llvm::Expected<int64_t> id = pragma(handle, "PRAGMA application_id");
  if (!id)
    return id.takeError();
  llvm::Expected<int64_t> version = pragma(handle, "PRAGMA user_version");
  if (!version)
    return version.takeError();
  if (*id != applicationId)
    return llvm::createStringError(
        "this is an SQLite file, but no state store");
  if (*version > static_cast<int64_t>(std::size(migrations)))
    return llvm::createStringError(
        "a newer program made it: its schema has version %lld, this program "
        "knows up to %zu",
        static_cast<long long>(*version), std::size(migrations));
  return llvm::Error::success();
}

/// How many migrations the store has had.
static llvm::Expected<size_t> versionOf(sqlite3 *handle) {
  llvm::Expected<int64_t> tables =
      pragma(handle, "SELECT count(*) FROM sqlite_master");
  if (!tables)
    return tables.takeError();
  if (*tables == 0)
    return 0;
  if (llvm::Error error = checkSchema(handle))
    return error;
  llvm::Expected<int64_t> version = pragma(handle, "PRAGMA user_version");
  if (!version)
    return version.takeError();
  return static_cast<size_t>(*version);
}

/// What is there is looked at inside of the transaction: somebody else may be
/// about to make the same tables.
llvm::Error state::migrateSchema(sqlite3 *handle) {
  Transaction transaction(handle);
  if (llvm::Error error = transaction.begin())
    return error;
  llvm::Expected<size_t> from = versionOf(handle);
  if (!from)
    return from.takeError();
  if (*from == std::size(migrations))
    return llvm::Error::success();
  for (size_t i = *from; i < std::size(migrations); ++i)
    if (llvm::Error error = execute(handle, migrations[i]))
      return error;
  std::string marks =
      "PRAGMA application_id = " + std::to_string(applicationId) +
      "; PRAGMA user_version = " + std::to_string(std::size(migrations));
  if (llvm::Error error = execute(handle, marks.c_str()))
    return error;
  return transaction.commit();
}
