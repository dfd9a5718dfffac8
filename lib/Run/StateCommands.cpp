//===- StateCommands.cpp - Looking into the store -------------------------===//

#include "toscac/Run/StateCommands.h"

#include "FormatTime.h"
#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Basic/DiagnosticsState.h"
#include "toscac/Basic/Files.h"
#include "toscac/Run/ExitCode.h"
#include "toscac/State/Store.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
using state::Store;

static int fail(const StateOptions &options, llvm::Error error,
                DiagnosticEngine &diags) {
  diags.report({}, diag::BrokenStore, options.store,
               llvm::toString(std::move(error)));
  return ExitFile;
}

/// Opens the store and hands it to \p command.
template <typename Command>
static int withStore(const StateOptions &options, Store::Access access,
                     DiagnosticEngine &diags, Command command) {
  llvm::Expected<std::unique_ptr<Store>> store =
      Store::open(options.store, access);
  if (!store)
    return fail(options, store.takeError(), diags);
  llvm::Expected<int> code = command(**store);
  return code ? *code : fail(options, code.takeError(), diags);
}

static StringRef deploymentOf(const StateOptions &options) {
  return options.deployment.empty() ? StringRef("default") : options.deployment;
}

static int reportUnknown(const StateOptions &options, DiagnosticEngine &diags) {
  diags.report({}, diag::UnknownDeployment, options.store,
               deploymentOf(options));
  return ExitRefused;
}

int run::listDeployments(const StateOptions &options, llvm::raw_ostream &out,
                         DiagnosticEngine &diags) {
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
          out << deployment.name << ": service " << deployment.service << ", "
              << deployment.entities.size() << " entities";
          if (!runs->empty())
            out << ", last run " << runs->back().workflow << " "
                << runs->back().status;
          if (*owner)
            out << ((*owner)->mayBeAlive() ? ", locked"
                                           : ", locked by a dead run");
          out << "\n";
        }
        return ExitDone;
      });
}

static void showEntity(const state::Entity &entity, llvm::raw_ostream &out) {
  out << entity.name << " : " << entity.type;
  if (entity.kind == state::EntityKind::Relationship)
    out << " -> " << entity.target;
  out << "\n";
  auto show = [&](StringRef what, const Value &map) {
    if (map.isMap())
      for (const MapEntry &entry : map.entries())
        out << "  " << what << " " << entry.key.asString() << " = "
            << entry.value << "\n";
  };
  show("property", entity.properties);
  show("attribute", entity.attributes);
  show("state", entity.cells);
}

int run::showDeployment(const StateOptions &options, llvm::raw_ostream &out,
                        DiagnosticEngine &diags) {
  return withStore(options, Store::Access::Read, diags,
                   [&](Store &store) -> llvm::Expected<int> {
                     llvm::Expected<state::State> state = store.load(
                         state::InFlight::Running, deploymentOf(options));
                     if (!state)
                       return state.takeError();
                     if (state->deployments.empty())
                       return reportUnknown(options, diags);
                     const state::Deployment &deployment =
                         state->deployments.front();
                     out << "deployment " << deployment.name << ", service "
                         << deployment.service << "\n";
                     for (const state::Entity &entity : deployment.entities)
                       showEntity(entity, out);
                     return ExitDone;
                   });
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

int run::importState(const StateOptions &options, llvm::raw_ostream &out,
                     DiagnosticEngine &diags) {
  std::optional<state::State> state = state::readState(options.file, diags);
  if (!state)
    return ExitFile;
  if (!options.deployment.empty() && !state->find(options.deployment)) {
    diags.report({}, diag::UnknownDeployment, options.file, options.deployment);
    return ExitRefused;
  }
  return withStore(options, Store::Access::Write, diags,
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
                       out << "imported " << deployment.name << ": "
                           << deployment.entities.size() << " entities\n";
                     }
                     return ExitDone;
                   });
}

static llvm::Error showEvents(Store &store, int64_t run,
                              llvm::raw_ostream &out) {
  return store.events(run, [&](double time, StringRef lines) {
    while (!lines.empty()) {
      auto [line, rest] = lines.split('\n');
      lines = rest;
      if (!line.empty())
        out << formatTime(time) << " " << line << "\n";
    }
    return llvm::Error::success();
  });
}

static void showRun(const state::RunRecord &run, llvm::raw_ostream &out) {
  out << "run " << run.id << ": " << run.workflow << " " << run.status
      << ", started " << formatTime(run.started);
  if (run.ended > 0)
    out << llvm::formatv(", took {0:f1} s, {1} steps done",
                         run.ended - run.started, run.stepsDone);
  out << ", plan " << run.plan << "\n";
}

int run::showHistory(const StateOptions &options, llvm::raw_ostream &out,
                     DiagnosticEngine &diags) {
  return withStore(options, Store::Access::Read, diags,
                   [&](Store &store) -> llvm::Expected<int> {
                     auto runs = store.runs(deploymentOf(options));
                     if (!runs)
                       return runs.takeError();
                     bool found = false;
                     for (const state::RunRecord &run : *runs) {
                       if (options.run && run.id != options.run)
                         continue;
                       found = true;
                       showRun(run, out);
                       if (options.run)
                         if (llvm::Error error = showEvents(store, run.id, out))
                           return error;
                     }
                     if (found || !options.run)
                       return ExitDone;
                     diags.report({}, diag::UnknownRun, deploymentOf(options),
                                  options.run);
                     return ExitRefused;
                   });
}

int run::unlockDeployment(const StateOptions &options, llvm::raw_ostream &out,
                          DiagnosticEngine &diags) {
  return withStore(options, Store::Access::Write, diags,
                   [&](Store &store) -> llvm::Expected<int> {
                     StringRef deployment = deploymentOf(options);
                     auto owner = store.lockOwner(deployment);
                     if (!owner)
                       return owner.takeError();
                     if (!*owner) {
                       out << deployment << " is not locked\n";
                       return ExitDone;
                     }
                     if ((*owner)->mayBeAlive() && !options.force)
                       return reportLocked(deployment, **owner, diags);
                     if (llvm::Error error = store.unlock(deployment))
                       return error;
                     out << "unlocked " << deployment << "\n";
                     return ExitDone;
                   });
}

int run::showOutputs(const StateOptions &options, llvm::raw_ostream &out,
                     DiagnosticEngine &diags) {
  return withStore(options, Store::Access::Read, diags,
                   [&](Store &store) -> llvm::Expected<int> {
                     auto runs = store.runs(deploymentOf(options));
                     if (!runs)
                       return runs.takeError();
                     for (const state::RunRecord &run : llvm::reverse(*runs))
                       if (run.status == "done") {
                         out << run.outputs << "\n";
                         return ExitDone;
                       }
                     diags.report({}, diag::NoOutputs, options.store,
                                  deploymentOf(options));
                     return ExitRefused;
                   });
}
