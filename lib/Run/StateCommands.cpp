//===- StateCommands.cpp - Looking into the store -------------------------===//

#include "toscac/Run/StateCommands.h"

#include "Show/FormatTime.h"
#include "Steps/StepFiles.h"
#include "Values/LiveState.h"
#include "toscac/Basic/Counted.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Basic/DiagnosticsState.h"
#include "toscac/Basic/Files.h"
#include "toscac/Basic/JSONWriter.h"
#include "toscac/Basic/PrintableStream.h"
#include "toscac/Basic/Suggest.h"
#include "toscac/Run/ExitCode.h"
#include "toscac/State/FindStore.h"
#include "toscac/State/Store.h"
#include "toscac/Value/Sealed.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
using state::Store;

/// \p value as people see it, to whom what is sealed says nothing.
static Value shown(const Value &value, ValueArena &arena) {
  if (sealedText(value))
    return Value::string("(sensitive)");
  if (value.isMap()) {
    llvm::SmallVector<MapEntry> entries;
    for (const MapEntry &entry : value.entries())
      entries.push_back({entry.key, shown(entry.value, arena)});
    return arena.map(entries);
  }
  if (!value.isList())
    return value;
  llvm::SmallVector<Value> items;
  for (const Value &item : value.items())
    items.push_back(shown(item, arena));
  return arena.list(items);
}

static int fail(const StateOptions &options, llvm::Error error,
                DiagnosticEngine &diags) {
  diags.report({}, diag::BrokenStore, state::shownStore(options.store),
               llvm::toString(std::move(error)));
  return ExitFile;
}

std::string run::storeOf(const StateOptions &options) {
  return options.store.empty() ? state::findStore("") : options.store;
}

/// Opens the store, or makes it, and hands it to \p command.
template <typename Command>
static int inStore(const StateOptions &options, Store::Access access,
                   DiagnosticEngine &diags, Command command) {
  llvm::Expected<std::unique_ptr<Store>> store =
      Store::open(options.store, access);
  if (!store)
    return fail(options, store.takeError(), diags);
  llvm::Expected<int> code = command(**store);
  return code ? *code : fail(options, code.takeError(), diags);
}

/// The same with a store that must be there.
template <typename Command>
static int withStore(StateOptions options, Store::Access access,
                     DiagnosticEngine &diags, Command command) {
  bool isGiven = !options.store.empty();
  options.store = storeOf(options);
  if (!state::isStoreUrl(options.store) &&
      !llvm::sys::fs::exists(options.store)) {
    diags.report({}, diag::NoSuchStore, state::shownStore(options.store),
                 isGiven ? "" : "; name another with --state");
    return ExitFile;
  }
  return inStore(options, access, diags, command);
}

static StringRef deploymentOf(const StateOptions &options) {
  return options.deployment.empty() ? StringRef("default") : options.deployment;
}

static int reportUnknown(const StateOptions &options, DiagnosticEngine &diags) {
  diags.report({}, diag::UnknownDeployment, state::shownStore(storeOf(options)),
               deploymentOf(options));
  return ExitRefused;
}

static size_t numInstances(const state::Deployment &deployment) {
  return llvm::count_if(deployment.entities, [](const state::Entity &entity) {
    return entity.kind == state::EntityKind::Node;
  });
}

static void listAsJSON(const state::Deployment &deployment, size_t instances,
                       StringRef lastRun, bool isLocked,
                       llvm::raw_ostream &out) {
  JSONWriter json(out);
  json.object([&] {
    json.attribute("deployment", deployment.name);
    json.attribute("service", deployment.service);
    json.attribute("instances", uint64_t(instances));
    if (!lastRun.empty())
      json.attribute("last_run", lastRun);
    json.attribute("locked", isLocked);
  });
  out << "\n";
}

int run::listDeployments(const StateOptions &options, llvm::raw_ostream &target,
                         DiagnosticEngine &diags) {
  PrintableStream out(target);
  return withStore(
      options, Store::Access::Read, diags,
      [&](Store &store) -> llvm::Expected<int> {
        llvm::Expected<state::State> state =
            store.load(state::InFlight::Running);
        if (!state)
          return state.takeError();
        for (const state::Deployment &deployment : state->deployments) {
          auto runs = store.runs(deployment.name);
          if (!runs)
            return runs.takeError();
          auto owner = store.lockOwner(deployment.name);
          if (!owner)
            return owner.takeError();
          size_t instances = numInstances(deployment);
          StringRef last = runs->empty() ? "" : StringRef(runs->back().status);
          bool isLocked = *owner && store.isLocked(deployment.name, **owner);
          if (options.json) {
            listAsJSON(deployment, instances, last, isLocked, target);
            continue;
          }
          out << deployment.name << ": service " << deployment.service << ", "
              << counted(instances, "instance");
          if (!last.empty() && last != "done")
            out << ", last run " << last;
          if (*owner)
            out << (isLocked ? ", locked" : ", locked by a dead run");
          out << "\n";
        }
        return ExitDone;
      });
}

static void showEntity(const state::Entity &entity, llvm::raw_ostream &target) {
  PrintableStream out(target);
  out << entity.name << " : " << entity.type;
  if (entity.kind == state::EntityKind::Relationship)
    out << " -> " << entity.target;
  out << "\n";
  ValueArena arena;
  auto show = [&](StringRef what, const Value &map) {
    if (map.isMap())
      for (const MapEntry &entry : map.entries())
        out << "  " << what << " " << entry.key.asString() << " = "
            << shown(entry.value, arena) << "\n";
  };
  show("property", entity.properties);
  show("attribute", entity.attributes);
  show("state", entity.cells);
}

/// Whether \p name means \p entity: its own name, its template, or a node that
/// it leaves.
static bool isMeant(const state::Entity &entity, StringRef name) {
  return name.empty() || entity.name == name ||
         (entity.kind == state::EntityKind::Node && entity.origin == name) ||
         entity.source == name;
}

static int reportUnknownEntity(const StateOptions &options,
                               const state::Deployment &deployment,
                               DiagnosticEngine &diags) {
  std::vector<StringRef> known;
  for (const state::Entity &entity : deployment.entities)
    known.push_back(entity.name);
  diags.report({}, diag::UnknownInstance, deployment.name, options.name,
               didYouMean(options.name, known));
  return ExitRefused;
}

int run::showDeployment(const StateOptions &options, llvm::raw_ostream &out,
                        DiagnosticEngine &diags) {
  auto show = [&](Store &store) -> llvm::Expected<int> {
    llvm::Expected<state::State> state =
        store.load(state::InFlight::Running, deploymentOf(options));
    if (!state)
      return state.takeError();
    if (state->deployments.empty())
      return reportUnknown(options, diags);
    const state::Deployment &deployment = state->deployments.front();
    if (options.name.empty() && !options.json)
      PrintableStream(out) << "deployment " << deployment.name << ", service "
                           << deployment.service << "\n";
    bool isFound = options.name.empty();
    for (const state::Entity &entity : deployment.entities) {
      if (!isMeant(entity, options.name))
        continue;
      isFound = true;
      if (!options.json) {
        showEntity(entity, out);
        continue;
      }
      ValueArena arena;
      state::Entity seen = entity;
      seen.properties = shown(entity.properties, arena);
      seen.attributes = shown(entity.attributes, arena);
      JSONWriter json(out);
      writeEntity(json, seen);
      out << "\n";
    }
    return isFound ? ExitDone : reportUnknownEntity(options, deployment, diags);
  };
  return withStore(options, Store::Access::Read, diags, show);
}

int run::removeEntity(const StateOptions &options, llvm::raw_ostream &out,
                      DiagnosticEngine &diags) {
  auto remove = [&](Store &store) -> llvm::Expected<int> {
    StringRef name = deploymentOf(options);
    auto owner = store.lock(name);
    if (!owner)
      return owner.takeError();
    if (*owner)
      return reportLocked(name, **owner, diags);
    llvm::Expected<state::State> state =
        store.load(state::InFlight::Failed, name);
    if (!state)
      return state.takeError();
    if (state->deployments.empty())
      return reportUnknown(options, diags);
    state::Deployment &deployment = state->deployments.front();
    size_t before = deployment.entities.size();
    // What was inside of it is gone with it.
    std::string inside = options.name + "/";
    llvm::erase_if(deployment.entities, [&](const state::Entity &entity) {
      auto isGone = [&](StringRef other) {
        return other == options.name || other.starts_with(inside);
      };
      return isGone(entity.name) ||
             (entity.kind == state::EntityKind::Relationship &&
              (isGone(entity.source) || isGone(entity.target)));
    });
    if (deployment.entities.size() == before)
      return reportUnknownEntity(options, deployment, diags);
    deployment.knownDigest = {};
    if (llvm::Error error = store.replace(deployment))
      return error;
    size_t after = deployment.entities.size();
    if (options.json) {
      JSONWriter json(out);
      json.object([&] {
        json.attribute("forgotten", uint64_t(before - after));
        json.attribute("left", uint64_t(after));
      });
      out << "\n";
      return ExitDone;
    }
    out << "forgot " << before - after << " of " << before << " entities\n";
    return ExitDone;
  };
  return withStore(options, Store::Access::Write, diags, remove);
}

int run::exportState(const StateOptions &options, llvm::raw_ostream &out,
                     DiagnosticEngine &diags) {
  return withStore(
      options, Store::Access::Read, diags,
      [&](Store &store) -> llvm::Expected<int> {
        llvm::Expected<state::State> state =
            store.load(state::InFlight::Failed, options.deployment);
        if (!state)
          return state.takeError();
        if (!options.deployment.empty() && state->deployments.empty())
          return reportUnknown(options, diags);
        auto write = [&](llvm::raw_ostream &os) { writeState(*state, os); };
        if (options.file.empty()) {
          write(out);
          return ExitDone;
        }
        writeFile(options.file, write, diags);
        return diags.hasErrors() ? ExitFile : ExitDone;
      });
}

int run::reportLocked(StringRef deployment, const state::Owner &owner,
                      DiagnosticEngine &diags) {
  diags.report({}, diag::DeploymentLocked, deployment, owner.user, owner.host,
               owner.process, formatTime(owner.since));
  return ExitRefused;
}

static void tellImported(const state::Deployment &deployment, bool asJSON,
                         llvm::raw_ostream &out) {
  size_t count = deployment.entities.size();
  if (asJSON) {
    JSONWriter json(out);
    json.object([&] {
      json.attribute("deployment", deployment.name);
      json.attribute("entities", uint64_t(count));
    });
    out << "\n";
  } else {
    out << "imported " << deployment.name << ": "
        << counted(count, "entity", "entities") << "\n";
  }
}

int run::importState(const StateOptions &options, llvm::raw_ostream &out,
                     DiagnosticEngine &diags) {
  std::optional<state::State> state = state::readState(options.file, diags);
  if (!state)
    return ExitFile;
  if (!options.deployment.empty() && !state->find(options.deployment)) {
    diags.report({}, diag::UnknownDeployment, options.file, options.deployment);
    return ExitRefused;
  }
  StateOptions into = options;
  into.store = storeOf(options);
  return inStore(into, Store::Access::Write, diags,
                 [&](Store &store) -> llvm::Expected<int> {
                   for (const state::Deployment &deployment :
                        state->deployments) {
                     if (!options.deployment.empty() &&
                         deployment.name != options.deployment)
                       continue;
                     auto owner = store.lock(deployment.name);
                     if (!owner)
                       return owner.takeError();
                     if (*owner)
                       return reportLocked(deployment.name, **owner, diags);
                     llvm::Error error = store.replace(deployment);
                     if (error)
                       return error;
                     if (llvm::Error unlocked = store.unlock(deployment.name))
                       return unlocked;
                     tellImported(deployment, options.json, out);
                   }
                   return ExitDone;
                 });
}

static llvm::Error showEvents(Store &store, int64_t run, bool isJSON,
                              llvm::raw_ostream &out) {
  return store.events(run, [&](double time, StringRef lines) {
    while (!lines.empty()) {
      auto [line, rest] = lines.split('\n');
      lines = rest;
      if (line.empty())
        continue;
      if (!isJSON) {
        PrintableStream(out) << formatTime(time) << " " << line << "\n";
        continue;
      }
      JSONWriter json(out);
      json.object([&] {
        json.rawAttribute("time", llvm::formatv("{0:f3}", time).str());
        json.rawAttribute("event", line);
      });
      out << "\n";
    }
    return llvm::Error::success();
  });
}

static void showRun(const state::RunRecord &run, llvm::raw_ostream &target) {
  PrintableStream out(target);
  out << "run " << run.id << ": " << run.workflow << " " << run.status
      << ", started " << formatTime(run.started);
  if (run.ended > 0)
    out << llvm::formatv(", took {0:f1} s, {1} done", run.ended - run.started,
                         counted(run.stepsDone, "step"));
  out << ", plan " << run.plan << "\n";
}

static void showRunAsJSON(const state::RunRecord &run, llvm::raw_ostream &out) {
  JSONWriter json(out);
  json.object([&] {
    json.attribute("run", run.id);
    json.attribute("workflow", run.workflow);
    json.attribute("status", run.status);
    json.rawAttribute("started", llvm::formatv("{0:f3}", run.started).str());
    if (run.ended > 0)
      json.rawAttribute("ended", llvm::formatv("{0:f3}", run.ended).str());
    json.attribute("steps", run.stepsDone);
    json.attribute("plan", run.plan);
  });
  out << "\n";
}

int run::showHistory(const StateOptions &options, llvm::raw_ostream &out,
                     DiagnosticEngine &diags) {
  auto show = [&](Store &store) -> llvm::Expected<int> {
    auto runs = store.runs(deploymentOf(options));
    if (!runs)
      return runs.takeError();
    bool found = false;
    for (const state::RunRecord &run : *runs) {
      if (options.run && run.id != options.run)
        continue;
      found = true;
      if (options.json)
        showRunAsJSON(run, out);
      else
        showRun(run, out);
      if (options.run)
        if (llvm::Error error = showEvents(store, run.id, options.json, out))
          return error;
    }
    if (found || !options.run)
      return ExitDone;
    diags.report({}, diag::UnknownRun, deploymentOf(options), options.run);
    return ExitRefused;
  };
  return withStore(options, Store::Access::Read, diags, show);
}

/// The log that \p step has in \p folder; empty: none.
static std::string findLog(StringRef folder, StringRef step) {
  namespace fs = llvm::sys::fs;
  std::error_code error;
  for (fs::directory_iterator i(folder, error), end; !error && i != end;
       i.increment(error)) {
    StringRef name = llvm::sys::path::filename(i->path());
    // `12-site[0].standard.start.log`
    name.consume_back(".log");
    if (name.split('-').second == logName(step))
      return i->path();
  }
  return "";
}

int run::showLog(const StateOptions &options, llvm::raw_ostream &out,
                 DiagnosticEngine &diags) {
  auto show = [&](Store &store) -> llvm::Expected<int> {
    auto runs = store.runs(deploymentOf(options));
    if (!runs)
      return runs.takeError();
    llvm::SmallString<128> work(
        state::isStoreUrl(store.path())
            ? StringRef()
            : llvm::sys::path::parent_path(store.path()));
    llvm::sys::path::append(work, ".tosca-run");
    for (const state::RunRecord &run : llvm::reverse(*runs)) {
      if (options.run && run.id != options.run)
        continue;
      std::string log = findLog(
          (work + "/" + llvm::Twine(run.id) + "/logs").str(), options.name);
      if (log.empty())
        continue;
      auto text = llvm::MemoryBuffer::getFile(log);
      if (!text)
        return llvm::errorCodeToError(text.getError());
      StringRef said = (*text)->getBuffer();
      if (!options.json) {
        // A file gets the log as it is.
        PrintableStream shown(out);
        (out.is_displayed() ? shown : out) << said;
        return ExitDone;
      }
      JSONWriter json(out);
      json.object([&] {
        json.attribute("step", options.name);
        json.attribute("run", run.id);
        json.attribute("log", said);
      });
      out << "\n";
      return ExitDone;
    }
    out << "nothing: " << options.name
        << " has not run here, or has said nothing\n";
    return ExitRefused;
  };
  return withStore(options, Store::Access::Read, diags, show);
}

int run::unlockDeployment(const StateOptions &options, llvm::raw_ostream &out,
                          DiagnosticEngine &diags) {
  return withStore(options, Store::Access::Write, diags,
                   [&](Store &store) -> llvm::Expected<int> {
                     StringRef deployment = deploymentOf(options);
                     auto owner = store.lockOwner(deployment);
                     if (!owner)
                       return owner.takeError();
                     auto tell = [&](bool wasLocked) {
                       JSONWriter json(out);
                       json.object([&] {
                         json.attribute("deployment", deployment);
                         json.attribute("unlocked", wasLocked);
                       });
                       out << "\n";
                       return ExitDone;
                     };
                     if (!*owner && options.json)
                       return tell(false);
                     if (!*owner) {
                       out << deployment << " is not locked\n";
                       return ExitDone;
                     }
                     // Nobody can take a lock from one who lives here.
                     bool isFar = !(*owner)->isNear();
                     if (store.isLocked(deployment, **owner) &&
                         !(options.force && isFar))
                       return reportLocked(deployment, **owner, diags);
                     if (llvm::Error error = store.unlock(deployment))
                       return error;
                     if (options.json)
                       return tell(true);
                     out << "unlocked " << deployment << "\n";
                     return ExitDone;
                   });
}

static llvm::Expected<int> printOutputs(StringRef json,
                                        const StateOptions &options,
                                        llvm::raw_ostream &out,
                                        DiagnosticEngine &diags) {
  ValueArena arena;
  NameTable names;
  llvm::Expected<Value> outputs = JSONReader(arena, names).value(json);
  if (!outputs)
    return outputs.takeError();
  Value seen = shown(*outputs, arena);
  if (options.name.empty()) {
    out << jsonText(seen) << "\n";
    return ExitDone;
  }
  const Value *one = seen.isMap() ? seen.find(options.name) : nullptr;
  if (!one) {
    std::vector<StringRef> known;
    if (seen.isMap())
      for (const MapEntry &entry : seen.entries())
        known.push_back(entry.key.asString());
    diags.report({}, diag::UnknownOutput, deploymentOf(options), options.name,
                 didYouMean(options.name, known));
    return ExitRefused;
  }
  if (one->isString() && !options.json)
    out << one->asString() << "\n";
  else
    out << jsonText(*one) << "\n";
  return ExitDone;
}

int run::showOutputs(const StateOptions &options, llvm::raw_ostream &out,
                     DiagnosticEngine &diags) {
  auto show = [&](Store &store) -> llvm::Expected<int> {
    auto runs = store.runs(deploymentOf(options));
    if (!runs)
      return runs.takeError();
    llvm::Expected<state::State> state =
        store.load(state::InFlight::Running, deploymentOf(options));
    if (!state)
      return state.takeError();
    bool isThere = !state->deployments.empty() &&
                   numInstances(state->deployments.front()) > 0;
    for (const state::RunRecord &run : llvm::reverse(*runs)) {
      if (run.status != "done")
        continue;
      if (!isThere)
        diags.report({}, diag::NothingDeployed, deploymentOf(options));
      return printOutputs(isThere ? StringRef(run.outputs) : "{}", options, out,
                          diags);
    }
    diags.report({}, diag::NoOutputs, state::shownStore(storeOf(options)),
                 deploymentOf(options));
    return ExitRefused;
  };
  return withStore(options, Store::Access::Read, diags, show);
}
