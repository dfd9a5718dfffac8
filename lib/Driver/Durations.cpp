//===- Durations.cpp - How long steps take --------------------------------===//

#include "toscac/State/Durations.h"
#include "Emit.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "toscac/State/FindStore.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <thread>

using namespace toscac;
using llvm::StringRef;

/// An event of a trace: microseconds of a step.
static void addTraced(const llvm::json::Object *event,
                      llvm::StringMap<double> &durations) {
  if (!event)
    return;
  auto name = event->getString("name");
  auto micros = event->getNumber("dur");
  if (name && micros)
    durations[*name] = *micros / 1e6;
}

bool toscac::readDurations(StringRef path, llvm::StringMap<double> &durations,
                           DiagnosticEngine &diags) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    diags.report({}, diag::CannotReadFile, path, buffer.getError().message());
    return false;
  }
  auto fail = [&](llvm::Error error) {
    diags.report({}, diag::BadDurations, path,
                 llvm::toString(std::move(error)));
    return false;
  };
  StringRef text = (*buffer)->getBuffer();
  if (auto whole = llvm::json::parse(text)) {
    if (const llvm::json::Object *object = whole->getAsObject()) {
      for (const auto &[name, seconds] : *object)
        durations[name.str()] = seconds.getAsNumber().value_or(0);
      return true;
    }
    if (const llvm::json::Array *trace = whole->getAsArray()) {
      for (const llvm::json::Value &event : *trace)
        addTraced(event.getAsObject(), durations);
      return true;
    }
  } else {
    llvm::consumeError(whole.takeError());
  }
  for (StringRef line : llvm::split(text, '\n')) {
    if (line.trim().empty())
      continue;
    auto record = llvm::json::parse(line);
    if (!record)
      return fail(record.takeError());
    const llvm::json::Object *object = record->getAsObject();
    if (!object)
      continue;
    auto step = object->getString("step");
    auto seconds = object->getNumber("seconds");
    if (step && seconds)
      durations[*step] = *seconds;
  }
  return true;
}

planfile::ViewOptions toscac::viewOptions(const planfile::Plan &plan,
                                          StringRef file,
                                          const DriverOptions &options) {
  planfile::ViewOptions view;
  // As many as tosca-run starts at once, unless it is told otherwise.
  view.jobs = std::max(1u, std::thread::hardware_concurrency());
  if (!options.plan.durations.empty()) {
    // What is wrong with them has been said.
    DiagnosticEngine quiet;
    readDurations(options.plan.durations, view.durations, quiet);
    return view;
  }
  const planfile::PlanHeader &header = plan.header();
  std::string store = options.state.file.empty()
                          ? state::storeBeside(file, !header.state.empty())
                          : options.state.file;
  state::readLastDurations(store, header.deployment, view.durations);
  return view;
}
