//===- StoreRuns.cpp - Runs and their journals ----------------------------===//

#include "Locks.h"
#include "toscac/State/Store.h"
#include "toscac/Value/ReadJSON.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace toscac;
using namespace toscac::state;
using llvm::StringRef;

/// Puts \p links, a JSON array, in the place of what \p deployment shared.
static llvm::Error replaceShared(Database &database, StringRef deployment,
                                 StringRef links) {
  Statement clear(database, "DELETE FROM shared_links WHERE deployment = "
                            "(SELECT id FROM deployments WHERE name = ?)");
  if (llvm::Error error = clear.bind(deployment).run())
    return error;
  ValueArena arena;
  NameTable names;
  llvm::Expected<Value> list = JSONReader(arena, names).value(links);
  if (!list)
    return list.takeError();
  Statement insert(
      database,
      "INSERT INTO shared_links(deployment, position, name, type, provider, "
      "content) SELECT id, ?, ?, ?, ?, ? FROM deployments WHERE name = ?");
  for (auto [position, link] : llvm::enumerate(list->items())) {
    auto text = [&](const char *key) {
      const Value *part = link.isMap() ? link.find(key) : nullptr;
      return part && part->isString() ? part->asString() : StringRef();
    };
    const Value *content = link.isMap() ? link.find("content") : nullptr;
    if (llvm::Error error =
            insert
                .bind(static_cast<int64_t>(position), text("name"),
                      text("type"), text("provider"),
                      content ? llvm::to_string(*content) : "null", deployment)
                .run())
      return error;
  }
  return llvm::Error::success();
}

/// Sets what a plan says of the deployment; entities are not touched.
static llvm::Error saveHeader(Database &database, StringRef deployment,
                              const DeploymentHeader &header) {
  Statement upsert(
      database,
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
static llvm::Expected<std::string> formerHeader(Database &database,
                                                StringRef deployment) {
  Statement query(database,
                  "SELECT inputs, counts FROM deployments WHERE name = ?");
  std::string result;
  llvm::Error error = query.bind(deployment).forEachRow([&] {
    result = (llvm::Twine("{\"inputs\": ") + query.text(0) +
              ", \"counts\": " + query.text(1) + "}")
                 .str();
    return llvm::Error::success();
  });
  if (error)
    return error;
  return result;
}

llvm::Error Store::beginRun(RunRecord &run, const DeploymentHeader &header) {
  if (llvm::Error error = openTransaction(run.deployment))
    return error;
  llvm::Expected<std::string> former = formerHeader(*database, run.deployment);
  if (!former)
    return former.takeError();
  if (llvm::Error error = saveHeader(*database, run.deployment, header))
    return error;
  if (!header.shared.empty())
    if (llvm::Error error =
            replaceShared(*database, run.deployment, header.shared))
      return error;
  run.started = now();
  Statement insert(*database,
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
  return former->empty() ? llvm::Error::success()
                         : addToJournal(run, "former", *former);
}

llvm::Error Store::restoreInputs(StringRef deployment, int64_t run) {
  if (llvm::Error error = openTransaction(deployment))
    return error;
  Statement query(*database, "SELECT body FROM journal "
                             "WHERE run = ? AND kind = 'former'");
  std::string former;
  if (llvm::Error error = query.bind(run).forEachRow([&] {
        former = query.text(0).str();
        return llvm::Error::success();
      }))
    return error;
  if (former.empty())
    return commit();
  ValueArena arena;
  NameTable names;
  llvm::Expected<Value> parts = JSONReader(arena, names).value(former);
  if (!parts)
    return parts.takeError();
  const Value *inputs = parts->isMap() ? parts->find("inputs") : nullptr;
  const Value *counts = parts->isMap() ? parts->find("counts") : nullptr;
  if (!inputs || !counts)
    return llvm::createStringError("what the run found is not recorded");
  Statement update(*database, "UPDATE deployments SET inputs = ?, counts = ? "
                              "WHERE name = ?");
  if (llvm::Error error = update
                              .bind(llvm::to_string(*inputs),
                                    llvm::to_string(*counts), deployment)
                              .run())
    return error;
  return commit();
}

llvm::Error Store::reopenRun(RunRecord &run) {
  if (llvm::Error error = openTransaction(run.deployment))
    return error;
  Statement update(*database, "UPDATE runs SET status = 'running', ended = 0, "
                              "on_failure = ? WHERE id = ?");
  run.status = "running";
  return update.bind(run.onFailure, run.id).run();
}

llvm::Error Store::addToJournal(const RunRecord &run, const char *kind,
                                StringRef lines) {
  if (llvm::Error error = openTransaction(run.deployment))
    return error;
  if (!appendToJournal)
    appendToJournal = std::make_unique<Statement>(
        *database,
        "INSERT INTO journal(run, kind, time, body) VALUES(?, ?, ?, ?)");
  return appendToJournal->bind(run.id, kind, now(), lines).run();
}

llvm::Error Store::addEntities(const RunRecord &run, StringRef lines) {
  return addToJournal(run, "entities", lines);
}

llvm::Error Store::addEvents(const RunRecord &run, StringRef lines) {
  return addToJournal(run, "events", lines);
}

llvm::Expected<std::vector<RunRecord>> Store::runs(StringRef deployment) {
  // A store that is only read may be one from before the last column.
  Statement query(*database, "SELECT * FROM runs WHERE deployment = ? "
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
  Statement query(*database, "SELECT time, body FROM journal "
                             "WHERE run = ? AND kind = 'events' ORDER BY id");
  query.bind(run);
  return query.forEachRow([&] { return visit(query.real(0), query.text(1)); });
}

llvm::Error
Store::newEvents(int64_t run, int64_t &after,
                 llvm::function_ref<llvm::Error(double, StringRef)> visit) {
  Statement query(*database, "SELECT id, time, body FROM journal WHERE run = ? "
                             "AND kind = 'events' AND id > ? ORDER BY id");
  query.bind(run, after);
  return query.forEachRow([&] {
    after = query.integer(0);
    return visit(query.real(1), query.text(2));
  });
}

llvm::Expected<int64_t> Store::version() { return database->writes(); }

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
  Statement query(*database, "SELECT name FROM deployments ORDER BY name");
  std::vector<std::string> result;
  llvm::Error error = query.forEachRow([&] {
    result.push_back(query.text(0).str());
    return llvm::Error::success();
  });
  if (error)
    return error;
  return result;
}
