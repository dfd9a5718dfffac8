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

StringRef state::spelling(PlannedChange change) {
  switch (change) {
  case PlannedChange::New:
    return "new";
  case PlannedChange::Updated:
    return "updated";
  case PlannedChange::Replaced:
    return "replaced";
  case PlannedChange::None:
  case PlannedChange::Gone:
    return "";
  }
  llvm_unreachable("all kinds are handled");
}

static bool readChange(JSONField &value, PlannedChange &result) {
  std::optional<StringRef> text = value.string();
  for (PlannedChange change :
       {PlannedChange::New, PlannedChange::Updated, PlannedChange::Replaced})
    if (text == spelling(change)) {
      result = change;
      return true;
    }
  return false;
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
    if (key == "change")
      return readChange(value, result.change);
    if (key == "reason" || key == "moved_from") {
      std::optional<StringRef> text = value.string();
      (key == "reason" ? result.reason : result.movedFrom) =
          arena.save(text.value_or(""));
      return text.has_value();
    }
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
  if (result.gone)
    result.change = PlannedChange::Gone;
  if (result.content.name.empty())
    return llvm::createStringError("an entity has no name");
  return result;
}
