//===- Durations.cpp - How long steps take --------------------------------===//

#include "toscac/State/Durations.h"
#include "Emit.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

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

void toscac::readLastDurations(const Compilation &compilation,
                               llvm::StringMap<double> &durations) {
  const std::string &file = compilation.options.state.file;
  if (!file.empty() && compilation.graph)
    state::readLastDurations(file,
                             compilation.graph->deployment.name.empty()
                                 ? "default"
                                 : compilation.graph->deployment.name,
                             durations);
}
