//===- Context.cpp - What the words of a place mean -----------------------===//

#include "Context.h"

#include "toscac/Parse/TOSCA/Load.h"
#include "toscac/Sema/TOSCA/Analyze.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::edit;
using llvm::StringRef;

static std::optional<EntityKind> typeKindOf(EntityKind owner) {
  switch (owner) {
  case EntityKind::NodeTemplate:
    return EntityKind::NodeType;
  case EntityKind::RelationshipTemplate:
  case EntityKind::RelationshipDefinition:
  case EntityKind::RelationshipAssignment:
    return EntityKind::RelationshipType;
  case EntityKind::Group:
    return EntityKind::GroupType;
  case EntityKind::Policy:
    return EntityKind::PolicyType;
  case EntityKind::PropertyDefinition:
  case EntityKind::AttributeDefinition:
  case EntityKind::ParameterDefinition:
  case EntityKind::OutputDefinition:
  case EntityKind::SchemaDefinition:
    return EntityKind::DataType;
  case EntityKind::CapabilityDefinition:
    return EntityKind::CapabilityType;
  case EntityKind::InterfaceDefinition:
    return EntityKind::InterfaceType;
  case EntityKind::ArtifactDefinition:
  case EntityKind::ArtifactReference:
    return EntityKind::ArtifactType;
  default:
    return std::nullopt;
  }
}

static bool isType(EntityKind kind) {
  return tosca::rule(kind).id.ends_with("Type");
}

std::optional<EntityKind> edit::typeKindUnder(EntityKind owner, Key key) {
  switch (key) {
  case Key::Type:
    return typeKindOf(owner);
  case Key::DerivedFrom:
    return isType(owner) ? std::optional(owner) : std::nullopt;
  case Key::Node:
    return EntityKind::NodeType;
  case Key::Capability:
    return EntityKind::CapabilityType;
  case Key::Relationship:
    return EntityKind::RelationshipType;
  case Key::NodeType:
  case Key::ValidSourceNodeTypes:
  case Key::ValidTargetNodeTypes:
    return EntityKind::NodeType;
  case Key::ValidCapabilityTypes:
    return EntityKind::CapabilityType;
  case Key::ValidRelationshipTypes:
    return EntityKind::RelationshipType;
  case Key::Members:
  case Key::Targets:
    return isType(owner) ? std::optional(EntityKind::NodeType) : std::nullopt;
  default:
    return std::nullopt;
  }
}

Context::Context(const Checked &checked, const Document &document)
    : checked(checked), known(checked.find(document.path)) {}

const sema::TypeDecl *Context::findType(EntityKind kind, StringRef name) const {
  const Analysis *analysis = checked->analysis();
  return analysis && known && !name.empty()
             ? analysis->names().find(*known, kind, name)
             : nullptr;
}

std::vector<std::string> Context::typeNames(EntityKind kind) const {
  const Analysis *analysis = checked->analysis();
  return analysis && known ? analysis->names().visible(*known, kind)
                           : std::vector<std::string>();
}

const sema::TypeDecl *Context::typeOfTemplate(const Entity &entity) const {
  std::optional<EntityKind> kind = typeKindOf(entity.kind);
  return kind ? findType(*kind, entity.text(Key::Type)) : nullptr;
}

const Type *Context::valueType(const sema::Flat &definition) const {
  const Analysis *analysis = checked->analysis();
  return analysis ? analysis->names().valueType(definition) : nullptr;
}

static const sema::Flat *flatOrNull(const sema::TypeDecl *type) {
  return type ? sema::flatOf(*type) : nullptr;
}

const sema::Flat *Context::flatOf(const Place &place, size_t count) const {
  const sema::Flat *flat = nullptr;
  for (size_t i = 0; i < count; ++i) {
    const Entity &entity = *place.steps[i].entity;
    const sema::Flat *owner = flat;
    const Field *field = i > 0 ? place.steps[i - 1].field : nullptr;
    flat = nullptr;
    if (isType(entity.kind))
      flat = flatOrNull(findType(entity.kind, entity.name.str()));
    else if (owner && field)
      flat = sema::partOf(*owner, field->key, entity.name.str());
    if (!flat)
      flat = flatOrNull(typeOfTemplate(entity));
    if (!flat && entity.kind == EntityKind::SubstitutionMapping)
      flat = flatOrNull(
          findType(EntityKind::NodeType, entity.text(Key::NodeType)));
  }
  return flat;
}

std::string edit::shortText(const syntax::Node &node,
                            const SourceManager &sources) {
  constexpr size_t enough = 120;
  StringRef text = sources.text(node.range());
  std::string result;
  bool wasSpace = false;
  for (char c : text) {
    bool isSpace = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!isSpace)
      result += c;
    else if (!wasSpace)
      result += ' ';
    wasSpace = isSpace;
    if (result.size() > enough)
      return result + " …";
  }
  return StringRef(result).trim().str();
}
