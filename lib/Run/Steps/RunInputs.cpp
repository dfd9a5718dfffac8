//===- RunInputs.cpp - Inputs that a plan leaves open ---------------------===//

#include "RunInputs.h"

#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Basic/Files.h"
#include "toscac/Basic/GivenText.h"
#include "toscac/Value/Sealed.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;

namespace {

class InputReader {
public:
  InputReader(const planfile::PlanFile &plan, LiveState &state,
              DiagnosticEngine &diags);

  void readFile(StringRef path);
  void readText(StringRef given);
  /// Takes what an earlier run has kept.
  void takeKept(const Value &inputs);
  void reportMissing();

private:
  void take(StringRef name, const Value &value);
  Value valueOf(StringRef name, StringRef text);
  StringRef typeOf(StringRef name) const {
    const Value *type = types.isMap() ? types.find(name) : nullptr;
    return type && type->isString() ? type->asString() : "";
  }

  LiveState &state;
  DiagnosticEngine &diags;
  std::vector<std::string> open;
  /// Of sensitive inputs.
  Value types;
};

} // namespace

InputReader::InputReader(const planfile::PlanFile &plan, LiveState &state,
                         DiagnosticEngine &diags)
    : state(state), diags(diags), open(state.missingInputs()) {
  llvm::Expected<Value> marks = state.json.value(plan.header().sensitive);
  if (!marks) {
    llvm::consumeError(marks.takeError());
    return;
  }
  if (const Value *inputs = marks->find("inputs"))
    types = *inputs;
}

void InputReader::take(StringRef name, const Value &value) {
  if (!llvm::is_contained(open, name)) {
    diags.report({}, diag::UnwantedInput, name);
    return;
  }
  // What it is must not be shown, but that it does not fit can be.
  StringRef type = typeOf(name);
  if (!fitsType(value, type))
    diags.report({}, diag::UnfitInput, name, describe(value.kind()), type);
  state.setInput(name, value);
}

/// Names and values of a JSON file.
void InputReader::readFile(StringRef path) {
  std::unique_ptr<llvm::MemoryBuffer> text = toscac::readFile(path, diags);
  if (!text)
    return;
  llvm::Expected<Value> map = state.json.value(text->getBuffer().trim());
  if (map && map->isMap()) {
    for (const MapEntry &entry : map->entries())
      take(entry.key.asString(), entry.value);
    return;
  }
  // What the reader says may quote the text.
  if (!map)
    llvm::consumeError(map.takeError());
  diags.report({}, diag::CannotReadFile, path,
               map ? "it is no JSON object" : "it is not valid JSON");
}

/// What is no JSON is a string, so that words need no quotes; and what is to be
/// a string keeps its text.
Value InputReader::valueOf(StringRef name, StringRef text) {
  StringRef type = typeOf(name);
  Value string = state.arena.string(text);
  bool isText = type == "string" || type == "bytes" || type == "timestamp" ||
                type == "version" || type == "scalar";
  if (isText)
    return string;
  llvm::Expected<Value> value = state.json.value(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return string;
  }
  // Where the plan does not say, a number has to be all that the text says.
  bool isLost = value->isNumber() && llvm::to_string(*value) != text;
  return isLost && (type.empty() || type == "any") ? string : *value;
}

void InputReader::readText(StringRef given) {
  auto [name, text] = given.split('=');
  if (std::optional<std::string> resolved = readGivenText(name, text, diags))
    take(name, valueOf(name, *resolved));
}

void InputReader::takeKept(const Value &inputs) {
  if (!inputs.isMap())
    return;
  for (const MapEntry &entry : inputs.entries()) {
    StringRef name = entry.key.asString();
    const Value *sealed = sealedText(entry.value);
    if (!sealed || state.isGiven(name))
      continue;
    llvm::Expected<Value> value =
        state.secrets.opened(sealed->asString(), state.json);
    if (value) {
      state.setInput(name, *value);
      continue;
    }
    std::string reason = llvm::toString(value.takeError());
    if (llvm::is_contained(open, name)) {
      diags.report({}, diag::SecretNotOpened, name, reason);
      std::erase(open, name.str());
    }
  }
}

void InputReader::reportMissing() {
  for (const std::string &name : state.missingInputs())
    if (llvm::is_contained(open, name))
      diags.report({}, diag::SecretNotGiven, name);
}

bool run::takeInputs(const RunOptions &options, const planfile::PlanFile &plan,
                     LiveState &state, const Value &kept,
                     DiagnosticEngine &diags) {
  size_t before = diags.numErrors();
  InputReader reader(plan, state, diags);
  for (const std::string &path : options.inputFiles)
    reader.readFile(path);
  for (StringRef given : options.inputs)
    reader.readText(given);
  if (diags.numErrors() != before)
    return false;
  reader.takeKept(kept);
  reader.reportMissing();
  return diags.numErrors() == before;
}
