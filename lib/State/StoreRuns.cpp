//===- StoreRuns.cpp - Runs and their journals ----------------------------===//

#include "Statements.h"

using namespace toscac;
using namespace toscac::state;
using llvm::StringRef;

/// Puts \p links, a JSON array, in the place of what \p deployment shared.
static llvm::Error replaceShared(sqlite3 *handle, StringRef deployment,
                                 StringRef links) {
  Statement clear(handle, "DELETE FROM shared_links WHERE deployment = "
                          "(SELECT id FROM deployments WHERE name = ?)");
  if (llvm::Error error = clear.bind(deployment).run())
    return error;
  Statement insert(
      handle,
      "INSERT INTO shared_links(deployment, position, name, type, provider, "
      "content) SELECT deployments.id, link.key, "
      "json_extract(link.value, '$.name'), json_extract(link.value, '$.type'), "
      "json_extract(link.value, '$.provider'), "
      "json_extract(link.value, '$.content') "
      "FROM deployments, json_each(?) AS link WHERE deployments.name = ?");
  return insert.bind(links, deployment).run();
}

/// Sets what a plan says of the deployment; entities are not touched.
static llvm::Error saveHeader(sqlite3 *handle, StringRef deployment,
                              const DeploymentHeader &header) {
  Statement upsert(
      handle,
      "INSERT INTO deployments(name, service, template, inputs, next_index, "
      "counts, operations) VALUES(?, ?, ?, ?, ?, ?, ?) "
      "ON CONFLICT(name) DO UPDATE SET "
      "service = excluded.service, template = excluded.template, "
      "inputs = excluded.inputs, next_index = excluded.next_index, "
      "counts = excluded.counts, operations = excluded.operations");
  return upsert
      .bind(deployment, header.service, header.templateDigest, header.inputs,
            header.nextIndex, header.counts,
            header.operations.empty() ? "{}" : header.operations)
      .run();
}

/// What a way back restores, as JSON; empty: nothing is recorded.
static llvm::Expected<std::string> formerHeader(sqlite3 *handle,
                                                StringRef deployment) {
  Statement query(handle,
                  "SELECT json_object('inputs', json(inputs), 'counts', "
                  "json(counts)) FROM deployments WHERE name = ?");
  std::string result;
  llvm::Error error = query.bind(deployment).forEachRow([&] {
    result = query.text(0).str();
    return llvm::Error::success();
  });
  if (error)
    return error;
  return result;
}

llvm::Error Store::beginRun(RunRecord &run, const DeploymentHeader &header) {
  if (llvm::Error error = statements->open())
    return error;
  llvm::Expected<std::string> former = formerHeader(handle, run.deployment);
  if (!former)
    return former.takeError();
  if (llvm::Error error = saveHeader(handle, run.deployment, header))
    return error;
  if (!header.shared.empty())
    if (llvm::Error error =
            replaceShared(handle, run.deployment, header.shared))
      return error;
  run.started = now();
  Statement insert(handle,
                   "INSERT INTO runs(deployment, plan, plan_digest, workflow, "
                   "status, started, ended, outputs, steps_done, folded, "
                   "on_failure) "
                   "VALUES(?, ?, ?, ?, 'running', ?, 0, '', 0, 0, ?) "
                   "RETURNING id");
  llvm::Expected<bool> row = insert
                                 .bind(run.deployment, run.plan, run.planDigest,
                                       run.workflow, run.started, run.onFailure)
                                 .next();
  if (!row)
    return row.takeError();
  run.id = insert.integer(0);
  run.status = "running";
  if (llvm::Error error = insert.run())
    return error;
  return former->empty()
             ? llvm::Error::success()
             : statements->addJournal.bind(run.id, "former", now(), *former)
                   .run();
}

llvm::Error Store::restoreInputs(StringRef deployment, int64_t run) {
  if (llvm::Error error = statements->open())
    return error;
  Statement update(
      handle,
      "UPDATE deployments SET inputs = json_extract(former.body, '$.inputs'), "
      "counts = json_extract(former.body, '$.counts') "
      "FROM (SELECT body FROM journal WHERE run = ? AND kind = 'former') "
      "AS former WHERE name = ?");
  if (llvm::Error error = update.bind(run, deployment).run())
    return error;
  return commit();
}

llvm::Error Store::reopenRun(RunRecord &run) {
  if (llvm::Error error = statements->open())
    return error;
  Statement update(handle, "UPDATE runs SET status = 'running', ended = 0, "
                           "on_failure = ? WHERE id = ?");
  run.status = "running";
  return update.bind(run.onFailure, run.id).run();
}

llvm::Error Store::addEntities(const RunRecord &run, StringRef lines) {
  if (llvm::Error error = statements->open())
    return error;
  return statements->addJournal.bind(run.id, "entities", now(), lines).run();
}

llvm::Error Store::addEvents(const RunRecord &run, StringRef lines) {
  if (llvm::Error error = statements->open())
    return error;
  return statements->addJournal.bind(run.id, "events", now(), lines).run();
}

llvm::Expected<std::vector<RunRecord>> Store::runs(StringRef deployment) {
  // A store that is only read may be one from before the last column.
  Statement query(handle, "SELECT * FROM runs WHERE deployment = ? "
                          "ORDER BY id");
  query.bind(deployment);
  std::vector<RunRecord> result;
  llvm::Error error = query.forEachRow([&] {
    result.push_back({.id = query.integer(0),
                      .deployment = query.text(1).str(),
                      .plan = query.text(2).str(),
                      .planDigest = query.text(3).str(),
                      .workflow = query.text(4).str(),
                      .status = query.text(5).str(),
                      .started = query.real(6),
                      .ended = query.real(7),
                      .outputs = query.text(8).str(),
                      .stepsDone = query.integer(9),
                      .onFailure = query.text(11).str()});
    return llvm::Error::success();
  });
  if (error)
    return error;
  return result;
}

llvm::Error
Store::events(int64_t run,
              llvm::function_ref<llvm::Error(double, StringRef)> visit) {
  Statement query(handle, "SELECT time, body FROM journal "
                          "WHERE run = ? AND kind = 'events' ORDER BY id");
  query.bind(run);
  return query.forEachRow([&] { return visit(query.real(0), query.text(1)); });
}

llvm::Error
Store::newEvents(int64_t run, int64_t &after,
                 llvm::function_ref<llvm::Error(double, StringRef)> visit) {
  Statement query(handle, "SELECT id, time, body FROM journal WHERE run = ? "
                          "AND kind = 'events' AND id > ? ORDER BY id");
  query.bind(run, after);
  return query.forEachRow([&] {
    after = query.integer(0);
    return visit(query.real(1), query.text(2));
  });
}

llvm::Expected<int64_t> Store::version() {
  Statement query(handle, "PRAGMA data_version");
  llvm::Expected<bool> row = query.next();
  if (!row)
    return row.takeError();
  return query.integer(0);
}

llvm::Expected<Journal> Store::journal(int64_t run, JSONReader &json,
                                       ValueArena &arena) {
  Journal result;
  llvm::Error error = events(run, [&](double, StringRef lines) {
    return result.add(lines, json, arena);
  });
  if (error)
    return error;
  return result;
}

llvm::Expected<std::vector<std::string>> Store::names() {
  Statement query(handle, "SELECT name FROM deployments ORDER BY name");
  std::vector<std::string> result;
  llvm::Error error = query.forEachRow([&] {
    result.push_back(query.text(0).str());
    return llvm::Error::success();
  });
  if (error)
    return error;
  return result;
}
