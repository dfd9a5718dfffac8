//===- RunInputs.cpp - Inputs that a plan leaves open ---------------------===//

#include "RunInputs.h"

#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Basic/Files.h"

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;

static bool take(StringRef name, const Value &value,
                 llvm::ArrayRef<std::string> open, LiveState &state,
                 Secrets &secrets, DiagnosticEngine &diags) {
  if (!llvm::is_contained(open, name)) {
    diags.report({}, diag::UnwantedInput, name);
    return false;
  }
  state.setInput(name, value);
  secrets.add(value);
  return true;
}

/// Names and values of a JSON file.
static std::optional<Value> readInputFile(StringRef path, LiveState &state,
                                          DiagnosticEngine &diags) {
  std::unique_ptr<llvm::MemoryBuffer> text = readFile(path, diags);
  if (!text)
    return std::nullopt;
  llvm::Expected<Value> map = state.json.value(text->getBuffer().trim());
  if (map && map->isMap())
    return *map;
  diags.report({}, diag::CannotReadFile, path,
               map ? std::string("it is no JSON object")
                   : llvm::toString(map.takeError()));
  return std::nullopt;
}

bool run::takeInputs(const RunOptions &options, LiveState &state,
                     Secrets &secrets, DiagnosticEngine &diags) {
  std::vector<std::string> open = state.missingInputs();
  bool good = true;
  for (const std::string &path : options.inputFiles) {
    std::optional<Value> map = readInputFile(path, state, diags);
    good &= map.has_value();
    for (const MapEntry &entry :
         map ? map->entries() : llvm::ArrayRef<MapEntry>())
      good &=
          take(entry.key.asString(), entry.value, open, state, secrets, diags);
  }
  for (StringRef given : options.inputs) {
    auto [name, text] = given.split('=');
    // What is no JSON is a string, so that words need no quotes.
    llvm::Expected<Value> value = state.json.value(text);
    if (!value)
      llvm::consumeError(value.takeError());
    good &= take(name, value ? *value : state.arena.string(text), open, state,
                 secrets, diags);
  }
  for (const std::string &name : state.missingInputs()) {
    diags.report({}, diag::SecretNotGiven, name);
    good = false;
  }
  return good;
}
