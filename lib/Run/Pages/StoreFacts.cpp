//===- StoreFacts.cpp - A store as a page ---------------------------------===//

#include "RunHistory.h"
#include "StateAsPlan.h"
#include "Values/LiveState.h"
#include "toscac/Basic/JSONWriter.h"
#include "toscac/Plan/PlanFacts.h"
#include "toscac/Run/WatchRun.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
using state::RunRecord;
using state::Store;

/// The last ones.
static constexpr size_t maxShownRuns = 100;
/// Runs that are asked what they found.
static constexpr size_t maxAskedRuns = 20;

namespace {

class StoreFacts {
public:
  StoreFacts(Store &store, StringRef shown, llvm::raw_ostream &os)
      : store(store), shown(shown), json(os) {}

  llvm::Error write();

private:
  llvm::Error writeDeployment(const std::string &name);
  void writeRun(const RunRecord &run, bool isAlive);
  llvm::Error writeShown();
  llvm::Error writeDrift(const state::Deployment &deployment,
                         llvm::ArrayRef<RunRecord> runs);

  Store &store;
  StringRef shown;
  JSONWriter json;
};

} // namespace

static llvm::Expected<bool> isRunning(Store &store, StringRef deployment) {
  auto owner = store.lockOwner(deployment);
  if (!owner)
    return owner.takeError();
  return *owner && store.isLocked(deployment, **owner);
}

void StoreFacts::writeRun(const RunRecord &run, bool isAlive) {
  json.object([&] {
    json.attribute("id", run.id);
    json.attribute("workflow", run.workflow);
    bool isDead = run.status == "running" && !isAlive;
    json.attribute("status", isDead ? StringRef("dead") : run.status);
    json.rawAttribute("started", llvm::formatv("{0:f3}", run.started).str());
    if (run.ended > 0)
      json.rawAttribute("seconds",
                        llvm::formatv("{0:f3}", run.ended - run.started).str());
    json.attribute("steps", run.stepsDone);
  });
}

llvm::Error StoreFacts::writeDeployment(const std::string &name) {
  auto runs = store.runs(name);
  if (!runs)
    return runs.takeError();
  llvm::Expected<bool> isAlive = isRunning(store, name);
  if (!isAlive)
    return isAlive.takeError();
  json.newLine();
  json.object([&] {
    json.attribute("name", name);
    json.attribute("running", *isAlive);
    if (runs->empty())
      return;
    json.attributeBegin("last");
    writeRun(runs->back(), *isAlive);
  });
  return llvm::Error::success();
}

/// What steps have seen that was not known, and is still so.
llvm::Error StoreFacts::writeDrift(const state::Deployment &deployment,
                                   llvm::ArrayRef<RunRecord> runs) {
  // By cell: its last value, and what was known before the first one.
  std::map<std::string, Finding> drifts;
  for (const RunRecord &record : runs.take_back(maxAskedRuns)) {
    RunHistory run(record.id);
    if (llvm::Error error = run.read(store, record))
      return error;
    for (const Finding &each : run.findings()) {
      std::string key = each.name + "." + each.interface + "." + each.cell;
      Finding &drift = drifts[key];
      if (drift.value != each.known)
        drift = each;
      else
        drift.value = each.value;
    }
  }
  auto valueOf = [&](const Finding &drift) -> std::string {
    for (const state::Entity &entity : deployment.entities) {
      if (entity.name != drift.name || !entity.cells.isMap())
        continue;
      const Value *own = entity.cells.find(drift.interface);
      const Value *cell = own && own->isMap() ? own->find(drift.cell) : nullptr;
      return cell ? jsonText(*cell) : "";
    }
    return "";
  };
  json.newLine();
  json.attributeBegin("drift");
  json.array([&] {
    for (const auto &[cell, drift] : drifts)
      if (drift.value != drift.known && valueOf(drift) == drift.value)
        json.object([&, &cell = cell, &drift = drift] {
          json.attribute("cell", cell);
          json.rawAttribute("known", drift.known);
          json.rawAttribute("value", drift.value);
        });
  });
  return llvm::Error::success();
}

llvm::Error StoreFacts::writeShown() {
  llvm::Expected<state::State> state =
      store.load(state::InFlight::Running, shown);
  if (!state)
    return state.takeError();
  if (state->deployments.empty())
    return llvm::Error::success();
  const state::Deployment &deployment = state->deployments.front();
  auto runs = store.runs(shown);
  if (!runs)
    return runs.takeError();
  llvm::Expected<bool> isAlive = isRunning(store, shown);
  if (!isAlive)
    return isAlive.takeError();
  json.attribute("shown", shown);
  json.attribute("service", deployment.service);
  size_t left = maxShownRuns;
  json.newLine();
  json.attributeBegin("runs");
  json.array([&] {
    for (const RunRecord &run : llvm::reverse(*runs)) {
      if (left-- == 0)
        return;
      json.newLine();
      writeRun(run, *isAlive && run.id == runs->back().id);
    }
  });
  if (deployment.inputs.isMap()) {
    json.attributeBegin("inputs");
    writeJSON(json, deployment.inputs);
  }
  for (const RunRecord &run : llvm::reverse(*runs)) {
    // What has been taken down says nothing of itself any more.
    if (run.status != "done" || deployment.entities.empty())
      continue;
    if (!run.outputs.empty())
      json.rawAttribute("outputs", run.outputs);
    break;
  }
  return writeDrift(deployment, *runs);
}

llvm::Error StoreFacts::write() {
  auto names = store.names();
  if (!names)
    return names.takeError();
  json.objectBegin();
  json.attributeBegin("deployments");
  json.arrayBegin();
  for (const std::string &name : *names)
    if (llvm::Error error = writeDeployment(name))
      return error;
  json.arrayEnd();
  if (!shown.empty())
    if (llvm::Error error = writeShown())
      return error;
  json.objectEnd();
  return llvm::Error::success();
}

/// Where nobody says which one, the only one.
static llvm::Expected<std::string> chosenIn(Store &store, StringRef shown) {
  auto names = store.names();
  if (!names)
    return names.takeError();
  return shown.empty() && names->size() == 1 ? names->front() : shown.str();
}

llvm::Expected<std::string> run::storeFacts(Store &store, StringRef shown) {
  llvm::Expected<std::string> name = chosenIn(store, shown);
  if (!name)
    return name.takeError();
  std::string text;
  llvm::raw_string_ostream os(text);
  if (llvm::Error error = StoreFacts(store, *name, os).write())
    return error;
  return text;
}

/// The entities that are there.
static llvm::Expected<std::string> topologyOf(Store &store, StringRef name) {
  llvm::Expected<state::State> state =
      store.load(state::InFlight::Running, name);
  if (!state)
    return state.takeError();
  if (state->deployments.empty())
    return "";
  StateAsPlan plan(state->deployments.front());
  std::string text;
  llvm::raw_string_ostream os(text);
  if (llvm::Error error = writePlanFacts(plan, planfile::ViewOptions(), os))
    return error;
  return text;
}

llvm::Error run::writeStorePage(Store &store, StringRef shown,
                                const WatchOptions &options,
                                llvm::raw_ostream &os) {
  llvm::Expected<std::string> name = chosenIn(store, shown);
  if (!name)
    return name.takeError();
  auto facts = storeFacts(store, *name);
  if (!facts)
    return facts.takeError();
  std::vector<page::Part> parts;
  if (!name->empty()) {
    auto topology = topologyOf(store, *name);
    if (!topology)
      return topology.takeError();
    if (!topology->empty())
      parts.push_back({"plan", std::move(*topology)});
  }
  parts.push_back({"store", std::move(*facts)});
  page::Page page;
  page.title = name->empty() ? "Deployments" : *name;
  page.summary = page.title;
  page.feed = options.feed;
  page.parts = parts;
  page::writePage(page, os);
  return llvm::Error::success();
}
