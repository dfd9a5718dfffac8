//===- PlannedEntity.cpp - Entities of plans ------------------------------===//

#include "toscac/State/PlannedEntity.h"

#include "toscac/Value/ReadJSON.h"

using namespace toscac;
using namespace toscac::state;
using llvm::StringRef;

static bool readSteps(JSONField &value, ValueArena &arena,
                      std::optional<llvm::ArrayRef<uint32_t>> &result) {
  llvm::SmallVector<uint32_t> steps;
  bool good = value.indices(steps);
  result = arena.save(llvm::ArrayRef<uint32_t>(steps));
  return good;
}

static bool readEnd(JSONField &value, uint32_t &result) {
  std::optional<uint32_t> id = value.index();
  result = id.value_or(0);
  return id.has_value();
}

llvm::Expected<PlannedEntity> state::readPlannedEntity(StringRef json,
                                                       JSONReader &reader,
                                                       ValueArena &arena) {
  PlannedEntity result;
  llvm::Error error = reader.fields(json, [&](StringRef key, JSONField &value) {
    if (key == "source")
      return readEnd(value, result.source);
    if (key == "target")
      return readEnd(value, result.target);
    if (key == "gone")
      return readSteps(value, arena, result.gone);
    if (key == "renewed")
      return readSteps(value, arena, result.renewed);
    if (key == "lasting") {
      std::optional<Value> operations = value.value();
      result.lasting = operations.value_or(Value());
      return operations && operations->isList();
    }
    if (key == "former") {
      std::optional<Value> properties = value.value();
      result.former = properties.value_or(Value());
      return properties && properties->isMap();
    }
    return readEntityField(key, value, result.content, arena);
  });
  if (error)
    return error;
  if (result.content.name.empty())
    return llvm::createStringError("an entity has no name");
  return result;
}
