//===- StoreState.cpp - Deployments in the store --------------------------===//

#include "Locks.h"
#include "toscac/Basic/JSONWriter.h"
#include "toscac/State/ApplyRun.h"
#include "toscac/State/Store.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace toscac;
using namespace toscac::state;
using llvm::StringRef;

namespace {

/// Deployments on their way from and to the tables.
class Tables {
public:
  Tables(Database &database, Store &store, ValueArena &arena)
      : database(database), store(store), arena(arena), json(arena, names) {}

  llvm::Expected<std::vector<LoadedDeployment>> load(StringRef only);
  /// Applies the journals that are not in the tables yet.
  llvm::Error apply(LoadedDeployment &deployment, InFlight inFlight);
  llvm::Error save(const LoadedDeployment &deployment);
  llvm::Error saveShared(const LoadedDeployment &deployment);
  llvm::Error markFolded(StringRef deployment);

private:
  struct OpenRun {
    int64_t id;
    bool isComplete;
  };
  llvm::Expected<std::vector<OpenRun>> openRuns(StringRef deployment);
  llvm::Error applyOne(const OpenRun &run, LoadedDeployment &deployment,
                       InFlight inFlight);
  llvm::Error loadEntities(LoadedDeployment &deployment);
  llvm::Error loadShared(LoadedDeployment &deployment);
  llvm::Error readEntity(const Statement &row, Entity &entity);
  llvm::Error readMap(StringRef text, Value &result);
  llvm::Error insert(Statement &statement, int64_t deployment, int64_t position,
                     const Entity &entity);
  StringRef save(StringRef text) { return arena.save(text); }

  Database &database;
  Store &store;
  ValueArena &arena;
  NameTable names;
  JSONReader json;
};

} // namespace

llvm::Error Tables::readMap(StringRef text, Value &result) {
  if (text.empty() || text == "{}") {
    result = Value();
    return llvm::Error::success();
  }
  llvm::Expected<Value> value = json.value(text);
  if (!value)
    return value.takeError();
  result = *value;
  return llvm::Error::success();
}

llvm::Error Tables::readEntity(const Statement &row, Entity &entity) {
  entity.name = save(row.text(1));
  entity.kind = parseEntityKind(row.text(2)).value_or(EntityKind::Node);
  entity.origin = save(row.text(3));
  entity.index = static_cast<uint32_t>(row.integer(4));
  entity.type = save(row.text(5));
  entity.source = save(row.text(7));
  entity.target = save(row.text(8));
  entity.capability = save(row.text(9));
  if (StringRef groups = row.text(6); groups != "[]") {
    llvm::Expected<Value> list = json.value(groups);
    if (!list)
      return list.takeError();
    llvm::SmallVector<StringRef> items;
    for (const Value &item : list->items())
      items.push_back(item.asString());
    entity.groups = arena.save(llvm::ArrayRef<StringRef>(items));
  }
  return llvm::joinErrors(
      readMap(row.text(10), entity.properties),
      llvm::joinErrors(readMap(row.text(11), entity.attributes),
                       readMap(row.text(12), entity.cells)));
}

llvm::Error Tables::loadEntities(LoadedDeployment &deployment) {
  Statement query(database,
                  "SELECT position, name, kind, origin, idx, type, groups, "
                  "source, target, capability, properties, attributes, cells "
                  "FROM entities WHERE deployment = ? ORDER BY position");
  query.bind(deployment.id);
  return query.forEachRow([&] {
    deployment.positions.push_back(query.integer(0));
    deployment.changes.push_back(EntityChange::None);
    return readEntity(query, deployment.content.entities.emplace_back());
  });
}

llvm::Error Tables::loadShared(LoadedDeployment &deployment) {
  Statement query(database, "SELECT name, type, provider, content "
                            "FROM shared_links WHERE deployment = ? "
                            "ORDER BY position");
  query.bind(deployment.id);
  return query.forEachRow([&]() -> llvm::Error {
    llvm::Expected<Value> content = json.value(query.text(3));
    if (!content)
      return content.takeError();
    deployment.content.shared.push_back({save(query.text(0)),
                                         save(query.text(1)),
                                         save(query.text(2)), *content});
    return llvm::Error::success();
  });
}

llvm::Expected<std::vector<LoadedDeployment>> Tables::load(StringRef only) {
  // A store that is only read may be one from before the last column.
  Statement query(database, "SELECT * FROM deployments "
                            "WHERE ?1 = '' OR name = ?1 ORDER BY name");
  query.bind(only);
  std::vector<LoadedDeployment> result;
  llvm::Error error = query.forEachRow([&]() -> llvm::Error {
    LoadedDeployment &deployment = result.emplace_back();
    deployment.id = query.integer(0);
    Deployment &content = deployment.content;
    content.name = save(query.text(1));
    content.service = save(query.text(2));
    content.templateDigest = save(query.text(3));
    if (llvm::Error error = llvm::joinErrors(
            readMap(query.text(4), content.inputs),
            llvm::joinErrors(
                readMap(query.text(5), content.nextIndex),
                llvm::joinErrors(readMap(query.text(6), content.counts),
                                 readMap(query.text(7), content.operations)))))
      return error;
    if (llvm::Error error = loadEntities(deployment))
      return error;
    return loadShared(deployment);
  });
  if (error)
    return error;
  return result;
}

llvm::Expected<std::vector<Tables::OpenRun>>
Tables::openRuns(StringRef deployment) {
  Statement query(database,
                  "SELECT id, CASE WHEN status = 'done' THEN 1 ELSE 0 END "
                  "FROM runs WHERE deployment = ? AND folded = 0 ORDER BY id");
  query.bind(deployment);
  std::vector<OpenRun> result;
  llvm::Error error = query.forEachRow([&] {
    result.push_back({query.integer(0), query.integer(1) != 0});
    return llvm::Error::success();
  });
  if (error)
    return error;
  return result;
}

llvm::Error Tables::applyOne(const OpenRun &run, LoadedDeployment &deployment,
                             InFlight inFlight) {
  PlanEntities entities(arena);
  Statement query(database, "SELECT body FROM journal WHERE run = ? AND "
                            "kind = 'entities' ORDER BY id");
  query.bind(run.id);
  if (llvm::Error error =
          query.forEachRow([&] { return entities.add(query.text(0), json); }))
    return error;
  if (llvm::Error error = entities.resolve())
    return error;
  llvm::Expected<Journal> journal = store.journal(run.id, json, arena);
  if (!journal)
    return journal.takeError();
  applyRun(entities, *journal, run.isComplete, inFlight, deployment, arena);
  return llvm::Error::success();
}

llvm::Error Tables::apply(LoadedDeployment &deployment, InFlight inFlight) {
  llvm::Expected<std::vector<OpenRun>> open = openRuns(deployment.content.name);
  if (!open)
    return open.takeError();
  for (const OpenRun &run : *open)
    if (llvm::Error error = applyOne(run, deployment, inFlight))
      return error;
  return llvm::Error::success();
}

static std::string printed(const Value &value) {
  if (!value.isMap())
    return "{}";
  std::string text;
  llvm::raw_string_ostream os(text);
  JSONWriter json(os);
  writeJSON(json, value);
  return text;
}

static std::string printed(llvm::ArrayRef<StringRef> groups) {
  std::string text;
  llvm::raw_string_ostream os(text);
  JSONWriter json(os);
  json.array([&] {
    for (StringRef group : groups)
      json.value(group);
  });
  return text;
}

llvm::Error Tables::insert(Statement &statement, int64_t deployment,
                           int64_t position, const Entity &entity) {
  return statement
      .bind(deployment, position, entity.name, spelling(entity.kind),
            entity.origin, entity.index, entity.type, printed(entity.groups),
            entity.source, entity.target, entity.capability,
            printed(entity.properties), printed(entity.attributes),
            printed(entity.cells))
      .run();
}

llvm::Error Tables::save(const LoadedDeployment &deployment) {
  Statement insertRow(
      database,
      "INSERT INTO entities(deployment, position, name, kind, origin, idx, "
      "type, groups, source, target, capability, properties, attributes, "
      "cells) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
      "ON CONFLICT(deployment, position) DO UPDATE SET name = excluded.name, "
      "kind = excluded.kind, origin = excluded.origin, idx = excluded.idx, "
      "type = excluded.type, groups = excluded.groups, "
      "source = excluded.source, target = excluded.target, "
      "capability = excluded.capability, properties = excluded.properties, "
      "attributes = excluded.attributes, cells = excluded.cells");
  Statement removeRow(database, "DELETE FROM entities WHERE deployment = ? "
                                "AND position = ?");
  int64_t last = 0;
  for (auto [position, change] :
       llvm::zip(deployment.positions, deployment.changes))
    if (change != EntityChange::Added)
      last = std::max(last, position);
  for (auto [row, entity] : llvm::enumerate(deployment.content.entities)) {
    int64_t position = deployment.positions[row];
    llvm::Error error = llvm::Error::success();
    switch (deployment.changes[row]) {
    case EntityChange::None:
      break;
    case EntityChange::Updated:
      error = insert(insertRow, deployment.id, position, entity);
      break;
    case EntityChange::Added:
      error = insert(insertRow, deployment.id, ++last, entity);
      break;
    case EntityChange::Removed:
      // Those that came and went in one run have no row.
      error = removeRow.bind(deployment.id, position).run();
      break;
    }
    if (error)
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Tables::saveShared(const LoadedDeployment &deployment) {
  Statement insertRow(database,
                      "INSERT INTO shared_links(deployment, position, "
                      "name, type, provider, content) "
                      "VALUES(?, ?, ?, ?, ?, ?)");
  for (auto [i, link] : llvm::enumerate(deployment.content.shared)) {
    std::string content;
    llvm::raw_string_ostream os(content);
    JSONWriter json(os);
    writeJSON(json, link.content);
    if (llvm::Error error =
            insertRow
                .bind(deployment.id, static_cast<int64_t>(i), link.name,
                      link.type, link.provider, content)
                .run())
      return error;
  }
  return llvm::Error::success();
}

/// The journals are in the tables now. Their events stay, for the history.
llvm::Error Tables::markFolded(StringRef deployment) {
  Statement clear(database,
                  "DELETE FROM journal WHERE kind = 'entities' AND run IN "
                  "(SELECT id FROM runs WHERE deployment = ? AND folded = 0)");
  if (llvm::Error error = clear.bind(deployment).run())
    return error;
  Statement mark(database, "UPDATE runs SET folded = 1 WHERE deployment = ?");
  return mark.bind(deployment).run();
}

llvm::Expected<State> Store::load(InFlight inFlight, StringRef only) {
  // One view, whatever others write meanwhile.
  if (llvm::Error error = database->beginReading())
    return error;
  auto release = llvm::make_scope_exit([&] { database->endReading(); });
  State state;
  Tables tables(*database, *this, *state.arena);
  llvm::Expected<std::vector<LoadedDeployment>> loaded = tables.load(only);
  if (!loaded)
    return loaded.takeError();
  for (LoadedDeployment &deployment : *loaded) {
    if (llvm::Error error = tables.apply(deployment, inFlight))
      return error;
    if (llvm::is_contained(deployment.changes, EntityChange::Removed))
      deployment.dropRemoved();
    state.deployments.push_back(std::move(deployment.content));
  }
  return state;
}

llvm::Expected<State> Store::loadTables(StringRef only) {
  State state;
  Tables tables(*database, *this, *state.arena);
  llvm::Expected<std::vector<LoadedDeployment>> loaded = tables.load(only);
  if (!loaded)
    return loaded.takeError();
  for (LoadedDeployment &deployment : *loaded)
    state.deployments.push_back(std::move(deployment.content));
  return state;
}

llvm::Error Store::foldJournals(StringRef deployment) {
  State state;
  Tables tables(*database, *this, *state.arena);
  llvm::Expected<std::vector<LoadedDeployment>> loaded =
      tables.load(deployment);
  if (!loaded)
    return loaded.takeError();
  for (LoadedDeployment &each : *loaded) {
    if (llvm::Error error = tables.apply(each, InFlight::Failed))
      return error;
    if (llvm::Error error = tables.save(each))
      return error;
  }
  return tables.markFolded(deployment);
}

llvm::Error Store::settle(StringRef deployment) {
  if (llvm::Error error = openTransaction(deployment))
    return error;
  if (llvm::Error error = foldJournals(deployment))
    return error;
  Statement mark(*database, "UPDATE runs SET status = 'dead', ended = ? "
                            "WHERE deployment = ? AND status = 'running'");
  if (llvm::Error error = mark.bind(now(), deployment).run())
    return error;
  return commit();
}

/// What is shared of outputs gets their values.
static llvm::Error shareOutputs(Database &database, const RunRecord &run) {
  if (run.outputs.empty())
    return llvm::Error::success();
  ValueArena arena;
  NameTable names;
  JSONReader json(arena, names);
  llvm::Expected<Value> outputs = json.value(run.outputs);
  if (!outputs)
    return outputs.takeError();
  Statement query(
      database, "SELECT deployment, position, shared_links.name, content FROM "
                "shared_links, deployments WHERE deployment = id AND "
                "deployments.name = ?");
  Statement update(database, "UPDATE shared_links SET content = ? "
                             "WHERE deployment = ? AND position = ?");
  return query.bind(run.deployment).forEachRow([&]() -> llvm::Error {
    const Value *output =
        outputs->isMap() ? outputs->find(query.text(2)) : nullptr;
    llvm::Expected<Value> content = json.value(query.text(3));
    if (!content)
      return content.takeError();
    if (!output || !content->isMap() || !content->find("value"))
      return llvm::Error::success();
    Value shared = merge(
        *content, arena.map(MapEntry{Value::string("value"), *output}), arena);
    return update
        .bind(llvm::to_string(shared), query.integer(0), query.integer(1))
        .run();
  });
}

llvm::Error Store::endRun(RunRecord &run) {
  if (llvm::Error error = openTransaction(run.deployment))
    return error;
  run.ended = now();
  Statement update(*database, "UPDATE runs SET status = ?, ended = ?, "
                              "outputs = ?, steps_done = ? WHERE id = ?");
  if (llvm::Error error =
          update.bind(run.status, run.ended, run.outputs, run.stepsDone, run.id)
              .run())
    return error;
  if (llvm::Error error = shareOutputs(*database, run))
    return error;
  // One that was stopped may go on: its journal stays open.
  if (run.status != "stopped")
    if (llvm::Error error = foldJournals(run.deployment))
      return error;
  return commit();
}

llvm::Error Store::replace(const Deployment &deployment) {
  if (llvm::Error error = openTransaction(deployment.name))
    return error;
  for (const char *sql : {"DELETE FROM entities WHERE deployment IN "
                          "(SELECT id FROM deployments WHERE name = ?)",
                          "DELETE FROM shared_links WHERE deployment IN "
                          "(SELECT id FROM deployments WHERE name = ?)",
                          "DELETE FROM deployments WHERE name = ?",
                          "UPDATE runs SET folded = 1 WHERE deployment = ?"}) {
    Statement statement(*database, sql);
    if (llvm::Error error = statement.bind(deployment.name).run())
      return error;
  }
  Statement insert(*database,
                   "INSERT INTO deployments(name, service, template, "
                   "inputs, next_index, counts, operations) "
                   "VALUES(?, ?, ?, ?, ?, ?, ?) RETURNING id");
  llvm::Expected<bool> row =
      insert
          .bind(deployment.name, deployment.service, deployment.templateDigest,
                printed(deployment.inputs), printed(deployment.nextIndex),
                printed(deployment.counts), printed(deployment.operations))
          .next();
  if (!row)
    return row.takeError();
  LoadedDeployment loaded{deployment, insert.integer(0)};
  if (llvm::Error error = insert.run())
    return error;
  loaded.positions.resize(deployment.entities.size());
  loaded.changes.resize(deployment.entities.size(), EntityChange::Added);
  ValueArena arena;
  Tables tables(*database, *this, arena);
  if (llvm::Error error = tables.save(loaded))
    return error;
  if (llvm::Error error = tables.saveShared(loaded))
    return error;
  return commit();
}
