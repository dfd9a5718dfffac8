//===- Schema.cpp - Tables of the store -----------------------------------===//
///
/// \file
/// The schema as a list of migrations: the version of a store is how many of
/// them it has had. One that was released is never changed. They are written
/// for SQLite; PostgreSQL.cpp says them in other words.
///
//===----------------------------------------------------------------------===//

#include "Schema.h"

using namespace toscac;
using namespace toscac::state;

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
    // 4
    R"(CREATE TABLE fences(
         deployment TEXT PRIMARY KEY, token INTEGER NOT NULL);
       ALTER TABLE locks ADD COLUMN renewed REAL NOT NULL DEFAULT 0;)",
};

llvm::Error state::checkSchema(Database &database) {
  llvm::Expected<size_t> version =
      database.schemaVersion(std::size(migrations));
  if (!version)
    return version.takeError();
  return *version ? llvm::Error::success()
                  : llvm::createStringError("nothing has been stored in it");
}

/// What is there is looked at inside of the transaction: somebody else may be
/// about to make the same tables.
llvm::Expected<bool> state::migrateSchema(Database &database) {
  Transaction transaction(database);
  if (llvm::Error error = transaction.begin())
    return error;
  llvm::Expected<size_t> from = database.schemaVersion(std::size(migrations));
  if (!from)
    return from.takeError();
  if (*from == std::size(migrations))
    return false;
  for (size_t i = *from; i < std::size(migrations); ++i)
    if (llvm::Error error = database.migrate(migrations[i]))
      return error;
  if (llvm::Error error = database.setSchemaVersion(std::size(migrations)))
    return error;
  if (llvm::Error error = transaction.commit())
    return error;
  return *from == 0;
}
