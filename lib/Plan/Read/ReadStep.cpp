//===- ReadStep.cpp - Steps and entities of an open plan ------------------===//

#include "toscac/Plan/ReadPlan.h"

#include "llvm/ADT/StringSwitch.h"
#include <algorithm>
#include <unistd.h>

using namespace toscac;
using namespace toscac::planfile;
using llvm::StringRef;

/// What is read at once where the file is read from front to back.
static constexpr size_t sequentialSize = 1 << 17;

llvm::Expected<StringRef> PlanFile::read(Window &window, const Places &places,
                                         uint32_t number) {
  uint64_t offset = places.offsets[number];
  uint32_t length = places.lengths[number];
  auto isInside = [&] {
    return offset >= window.start &&
           offset + length <= window.start + window.size;
  };
  if (!isInside()) {
    bool isSequential = offset >= window.start &&
                        offset <= window.start + window.size + sequentialSize;
    size_t size = std::max<size_t>(length, isSequential ? sequentialSize : 0);
    if (window.bytes.size() < size)
      window.bytes.resize(size);
    ssize_t count = pread(file, window.bytes.data(), size, offset);
    window.start = offset;
    window.size = count < 0 ? 0 : count;
    if (!isInside())
      return llvm::createStringError("the plan has changed on disk");
  }
  return StringRef(window.bytes.data() + (offset - window.start), length);
}

static bool readText(JSONField &value, StringRef &result) {
  std::optional<StringRef> text = value.name();
  result = text.value_or("");
  return text.has_value();
}

static bool readExpr(JSONField &value, const Expr *&result) {
  result = value.expr();
  return result != nullptr;
}

static bool readSeconds(JSONField &value, double &result) {
  std::optional<Value> number = value.value();
  if (!number || !number->isNumber() || !(number->asNumber() >= 0))
    return false;
  result = number->asNumber();
  return true;
}

static bool readOutputs(JSONField &value, StepHandler &handler,
                        ValueArena &arena) {
  return value.fields([&](StringRef key, JSONField &path) {
    OutputMapping &output = handler.outputs.emplace_back();
    output.name = arena.save(key);
    std::optional<Value> steps = path.value();
    if (!steps || !steps->isList() || steps->items().size() < 2)
      return false;
    output.path = steps->items();
    return true;
  });
}

static bool readOutputTypes(JSONField &value, StepHandler &handler) {
  return value.fields([&](StringRef key, JSONField &type) {
    StringRef name;
    if (!readText(type, name))
      return false;
    for (OutputMapping &output : handler.outputs)
      if (output.name == key)
        output.type = name;
    return true;
  });
}

static bool readOutputValues(JSONField &value, StepHandler &handler) {
  return value.fields([&](StringRef key, JSONField &field) {
    std::optional<Value> values = field.value();
    if (!values || !values->isList())
      return false;
    for (OutputMapping &output : handler.outputs)
      if (output.name == key)
        output.values = values->items();
    return true;
  });
}

static bool readSensitive(JSONField &value, StepHandler &handler) {
  llvm::SmallVector<StringRef, 2> names;
  if (!value.names(names))
    return false;
  for (OutputMapping &output : handler.outputs)
    output.sensitive |= llvm::is_contained(names, output.name);
  return true;
}

static bool readHandler(JSONField &value, StepHandler &handler,
                        ValueArena &arena) {
  return value.fields([&](StringRef key, JSONField &part) {
    if (key == "artifact") {
      handler.artifact = part.index().value_or(none);
      return handler.artifact != none;
    }
    if (key == "host") {
      handler.host = part.index().value_or(none);
      return handler.host != none;
    }
    if (key == "inputs")
      return readExpr(part, handler.inputs);
    if (key == "outputs")
      return readOutputs(part, handler, arena);
    if (key == "output_types")
      return readOutputTypes(part, handler);
    if (key == "output_values")
      return readOutputValues(part, handler);
    if (key == "sensitive")
      return readSensitive(part, handler);
    return key != "files" || part.indices(handler.files);
  });
}

static bool readStepField(StringRef key, JSONField &value, Step &step,
                          ValueArena &arena) {
  const Expr **expr = llvm::StringSwitch<const Expr **>(key)
                          .Case("guard", &step.guard)
                          .Case("entry", &step.entry)
                          .Case("success", &step.success)
                          .Case("failure", &step.failure)
                          .Default(nullptr);
  if (expr)
    return readExpr(value, *expr);
  if (key == "name") {
    std::optional<StringRef> text = value.string();
    step.name = text.value_or("").str();
    return text.has_value();
  }
  if (key == "interface")
    return readText(value, step.interface);
  if (key == "operation")
    return readText(value, step.operation);
  if (key == "timeout")
    return readSeconds(value, step.timeout);
  if (key == "retries") {
    std::optional<uint32_t> number = value.index();
    step.retries = number.value_or(0);
    return number.has_value();
  }
  if (key == "former") {
    step.showsFormer = value.boolean().value_or(false);
    return step.showsFormer;
  }
  return key != "handlers" || value.elements([&](JSONField &handler) {
    return readHandler(handler, step.handlers.emplace_back(), arena);
  });
}

/// Joins need no name in the plan.
static void nameStep(Step &step) {
  if (step.name.empty())
    step.name = "step " + std::to_string(step.id);
}

llvm::Expected<Step> PlanFile::step(uint32_t id, JSONReader &json,
                                    ValueArena &arena) {
  const StepHead &head = heads[id];
  llvm::Expected<StringRef> line = read(stepWindow, stepPlaces, id);
  if (!line)
    return line.takeError();
  Step result;
  result.id = id;
  result.kind = head.kind;
  result.entity = head.entity;
  llvm::Error error = json.fields(*line, [&](StringRef key, JSONField &value) {
    return readStepField(key, value, result, arena);
  });
  if (error)
    return error;
  nameStep(result);
  return result;
}

llvm::Expected<std::string> PlanFile::stepName(uint32_t id) {
  ValueArena arena;
  NameTable names;
  JSONReader json(arena, names);
  llvm::Expected<StringRef> line = read(stepWindow, stepPlaces, id);
  if (!line)
    return line.takeError();
  Step result;
  result.id = id;
  llvm::Error error = json.fields(*line, [&](StringRef key, JSONField &value) {
    return key != "name" || readStepField(key, value, result, arena);
  });
  if (error)
    return error;
  nameStep(result);
  return result.name;
}

llvm::Expected<StringRef> PlanFile::entityLine(uint32_t id) {
  return read(entityWindow, entityPlaces, id);
}

llvm::Expected<state::PlannedEntity>
PlanFile::entity(uint32_t id, JSONReader &json, ValueArena &arena) {
  llvm::Expected<StringRef> line = entityLine(id);
  if (!line)
    return line.takeError();
  return state::readPlannedEntity(*line, json, arena);
}
