//===- PrintSchema.cpp - Grammar as JSON schema ---------------------------===//

#include "toscac/Parse/TOSCA/PrintSchema.h"

#include "toscac/Parse/TOSCA/Grammar.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::tosca;
using llvm::StringRef;

static llvm::json::Object schemaOfEntity(EntityKind entity) {
  return llvm::json::Object{
      {"$ref", ("#/definitions/" + tosca::rule(entity).id).str()}};
}

static llvm::json::Object schemaOfType(StringRef type) {
  return llvm::json::Object{{"type", type.str()}};
}

static llvm::json::Object schemaOfMap(llvm::json::Value inner) {
  return llvm::json::Object{{"type", llvm::json::Array{"object", "null"}},
                            {"additionalProperties", std::move(inner)}};
}

static llvm::json::Object schemaOfList(llvm::json::Value inner) {
  return llvm::json::Object{{"type", llvm::json::Array{"array", "null"}},
                            {"items", std::move(inner)}};
}

/// Earlier versions write some values in forms of their own, which the tables
/// do not describe.
static llvm::json::Value schemaOf(const KeyRule &key, bool isOlder) {
  if (isOlder && key.form != Form::Same)
    return llvm::json::Object{};
  const Shape &shape = key.shape;
  switch (shape.kind) {
  case ShapeKind::Text:
    return llvm::json::Object{
        {"type", llvm::json::Array{"string", "number", "boolean", "null"}}};
  case ShapeKind::Name:
    return schemaOfType("string");
  case ShapeKind::DefinitionsVersion:
    return schemaOfType("string");
  case ShapeKind::Version:
    return llvm::json::Object{{"type", llvm::json::Array{"string", "number"}}};
  case ShapeKind::Names:
    return schemaOfList(schemaOfType("string"));
  case ShapeKind::Metadata:
  case ShapeKind::Dsl:
  case ShapeKind::Values:
  case ShapeKind::Numbers:
  case ShapeKind::Allocation:
    return llvm::json::Object{{"type", llvm::json::Array{"object", "null"}}};
  case ShapeKind::One:
    return schemaOfEntity(shape.entity);
  case ShapeKind::Map:
    return schemaOfMap(schemaOfEntity(shape.entity));
  case ShapeKind::List:
    return schemaOfList(schemaOfEntity(shape.entity));
  case ShapeKind::NamedList:
    return schemaOfList(schemaOfMap(schemaOfEntity(shape.entity)));
  case ShapeKind::NameOrNames:
  case ShapeKind::Boolean:
  case ShapeKind::Value:
  case ShapeKind::Condition:
  case ShapeKind::Conditions:
  case ShapeKind::Constraints:
  case ShapeKind::Count:
  case ShapeKind::CountRange:
  case ShapeKind::NodeReference:
  case ShapeKind::Path:
  case ShapeKind::Paths:
  case ShapeKind::EventPath:
  case ShapeKind::Cells:
  case ShapeKind::NameMappings:
  case ShapeKind::CapabilityMappings:
  case ShapeKind::RequirementMappings:
  case ShapeKind::InterfaceMappings:
  case ShapeKind::Reaction:
    return llvm::json::Object{};
  }
  llvm_unreachable("all shapes are handled");
}

/// Interfaces of earlier forms hold operations directly.
static bool mayHoldMore(EntityKind kind) {
  return kind == EntityKind::InterfaceType ||
         kind == EntityKind::InterfaceDefinition ||
         kind == EntityKind::InterfaceAssignment;
}

static llvm::json::Object schemaOf(const EntityRule &entity, bool isOlder) {
  llvm::json::Object properties;
  llvm::json::Array required;
  for (const KeyRule &key : entity.keys) {
    properties[word(key.key)] = schemaOf(key, isOlder);
    if (key.presence == Presence::Mandatory &&
        key.status == KeyRule::Status::Current)
      required.push_back(word(key.key));
  }
  bool mayBeEmpty = required.empty();
  llvm::json::Object map{{"type", "object"},
                         {"properties", std::move(properties)}};
  if (!mayHoldMore(entity.kind))
    map["additionalProperties"] = false;
  // A keyname has other spellings, or comes with a copy.
  bool hasOthers = llvm::any_of(
      entity.keys, [](const KeyRule &key) { return key.meaning != key.key; });
  if (!mayBeEmpty && !hasOthers)
    map["required"] = std::move(required);
  llvm::json::Array choices;
  choices.push_back(std::move(map));
  if (mayBeEmpty)
    choices.push_back(schemaOfType("null"));
  if (entity.shortForm)
    choices.push_back(entity.shortForm->kind == ShortForm::Kind::Scalar
                          ? schemaOfType("string")
                          : llvm::json::Object{});
  llvm::json::Object result{{"description", entity.noun.str()}};
  if (choices.size() == 1)
    result = std::move(*choices[0].getAsObject());
  else
    result["anyOf"] = std::move(choices);
  return result;
}

void tosca::printSchema(StringRef version, llvm::raw_ostream &os) {
  const EarlierVersion *older = findEarlierVersion(version);
  llvm::ArrayRef<EntityRule> entities = older ? older->entities : allEntities();
  llvm::json::Object definitions;
  for (const EntityRule &entity : entities)
    definitions[entity.id] = schemaOf(entity, older != nullptr);
  llvm::json::Object schema{
      {"$schema", "http://json-schema.org/draft-07/schema#"},
      {"title", version.str()},
      {"$ref", "#/definitions/File"},
      {"definitions", std::move(definitions)}};
  os << llvm::formatv("{0:2}", llvm::json::Value(std::move(schema))) << '\n';
}
