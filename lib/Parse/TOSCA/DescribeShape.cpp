//===- DescribeShape.cpp - Words for shapes and entities ------------------===//
///
/// \file
/// What messages and documentation call the things of the grammar.
///
//===----------------------------------------------------------------------===//

#include "ParseEntity.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::tosca;
using llvm::StringRef;
using syntax::Node;
using syntax::NodeKind;
using syntax::ScalarType;

StringRef tosca::describe(const Node &node) {
  switch (node.kind()) {
  case NodeKind::Sequence:
    return node.items().empty() ? "an empty list" : "a list";
  case NodeKind::Mapping:
    return node.entries().empty() ? "an empty map" : "a map";
  case NodeKind::Null:
  case NodeKind::Scalar:
    break;
  }
  switch (node.scalarType()) {
  case ScalarType::Null:
    return "null";
  case ScalarType::Boolean:
    return "a boolean";
  case ScalarType::Integer:
    return "an integer";
  case ScalarType::Float:
    return "a float";
  case ScalarType::String:
    return node.text().empty() ? "an empty string" : "a string";
  }
  llvm_unreachable("all scalar types are handled");
}

static std::string plural(StringRef noun) {
  if (noun.ends_with("y"))
    return (noun.drop_back() + "ies").str();
  return (noun + "s").str();
}

static StringRef article(StringRef noun) {
  return StringRef("aeiou").contains(llvm::toLower(noun.front())) ? "an "
                                                                  : "a ";
}

/// What may stand for an entity: the short form, if it has one, and the map.
static std::string describeEntity(EntityKind kind) {
  const EntityRule &table = rule(kind);
  std::string result;
  if (const ShortForm *form = table.shortForm) {
    switch (form->kind) {
    case ShortForm::Kind::Scalar:
      result = "a string or ";
      break;
    case ShortForm::Kind::Path:
      result = describe(table.find(word(form->key))->shape) + ", or ";
      break;
    case ShortForm::Kind::Value:
      result = "a value or ";
      break;
    }
  }
  return (result + "a map of the keynames of " + article(table.noun) +
          table.noun)
      .str();
}

std::string tosca::describe(Shape shape) {
  StringRef noun = rule(shape.entity).noun;
  switch (shape.kind) {
  case ShapeKind::Text:
    return "a string";
  case ShapeKind::Name:
    return "a string that is not empty";
  case ShapeKind::Names:
    return "a list of names";
  case ShapeKind::NameOrNames:
    return "a name or a list of names";
  case ShapeKind::Boolean:
    return "true or false";
  case ShapeKind::Version:
    return "a version";
  case ShapeKind::DefinitionsVersion:
    return "a version of TOSCA, such as tosca_2_0";
  case ShapeKind::Metadata:
  case ShapeKind::Dsl:
    return "a map";
  case ShapeKind::Value:
    return "a value";
  case ShapeKind::Values:
    return "a map from names to values";
  case ShapeKind::Condition:
    return "a boolean expression such as { $equal: [ … ] }";
  case ShapeKind::Conditions:
    return "a list of boolean expressions";
  case ShapeKind::Constraints:
    return "a boolean expression or a list of maps from an operator to its "
           "argument";
  case ShapeKind::Count:
    return "an integer of at least 0 or a function call";
  case ShapeKind::CountRange:
    return "[ min, max ]";
  case ShapeKind::Numbers:
    return "a map from strings to numbers";
  case ShapeKind::NodeReference:
    return "a name or [ name, index ]";
  case ShapeKind::Allocation:
    return "a map from capability properties to values";
  case ShapeKind::Path:
    return "a list that leads to an attribute";
  case ShapeKind::Paths:
    return "a map from names to lists that lead to attributes";
  case ShapeKind::EventPath:
    return "an operation or a list that leads to one";
  case ShapeKind::Cells:
    return "a map from attributes to values, or [ attribute, value ]";
  case ShapeKind::NameMappings:
    return "a map from properties or attributes to names";
  case ShapeKind::CapabilityMappings:
    return "a map from names to [ node template, capability ]";
  case ShapeKind::RequirementMappings:
    return "a list of maps from a requirement to [ node template, requirement "
           "]";
  case ShapeKind::InterfaceMappings:
    return "a map from interfaces to maps from operations to workflows";
  case ShapeKind::Reaction:
    return "a map or list of 'set' and 'triggers'";
  case ShapeKind::One:
    return describeEntity(shape.entity);
  case ShapeKind::Map:
    return "a map from names to " + plural(noun);
  case ShapeKind::List:
    return "a list of " + plural(noun);
  case ShapeKind::NamedList:
    return "a list of named " + plural(noun) + " (- name: …)";
  }
  llvm_unreachable("all shapes are handled");
}

std::string tosca::describe(const Entity &entity) {
  StringRef noun = rule(entity.kind).noun;
  if (!entity.name)
    return noun.str();
  return (noun + " '" + entity.name.str() + "'").str();
}

std::string Subject::str() const {
  if (owner.isShort)
    return describe(owner);
  std::string keyname = ("'" + word(key) + "'").str();
  if (owner.kind == EntityKind::File)
    return keyname;
  return keyname + " of " + describe(owner);
}
