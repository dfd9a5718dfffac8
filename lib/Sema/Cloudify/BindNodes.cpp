//===- BindNodes.cpp - Node templates and their relationships -------------===//

#include "Model.h"
#include "toscac/Basic/CsrGraph.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/SetVector.h"

using namespace toscac;
using namespace toscac::cloudify;
using llvm::StringRef;
using syntax::Node;
using syntax::ScalarType;

namespace {

class NodeBinding {
public:
  NodeBinding(Model &model, DiagnosticEngine &diags)
      : model(model), diags(diags) {}

  void run();

private:
  void bindNode(BoundNode &node);
  void bindRelationships(uint32_t source);
  std::optional<BoundRelationship> bind(const Relationship &written,
                                        uint32_t source);
  void dropRepeated(BoundNode &node);
  std::vector<NamedValue> bindProperties(const std::string &what,
                                         SourceRange place,
                                         llvm::ArrayRef<Parameter> defined,
                                         llvm::ArrayRef<NamedValue> given);
  void checkCycles();

  Model &model;
  DiagnosticEngine &diags;
};

} // namespace

/// The names of all types in \p types, for suggestions.
static std::vector<StringRef>
namesOf(const llvm::StringMap<std::unique_ptr<FlatType>> &types) {
  std::vector<StringRef> names;
  for (const auto &entry : types)
    names.push_back(entry.getKey());
  llvm::sort(names);
  return names;
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

std::vector<NamedValue>
NodeBinding::bindProperties(const std::string &what, SourceRange place,
                            llvm::ArrayRef<Parameter> defined,
                            llvm::ArrayRef<NamedValue> given) {
  std::vector<NamedValue> result;
  std::vector<StringRef> known;
  for (const Parameter &property : defined)
    known.push_back(property.name.text);
  // Under a misspelt name, a value is there.
  auto isMisspelt = [&](StringRef name) {
    return llvm::any_of(given, [&](const NamedValue &each) {
      return !llvm::is_contained(known, each.name.text) &&
             Suggestion(each.name.text, known).name == name;
    });
  };
  for (const Parameter &property : defined) {
    const auto *value = llvm::find_if(given, [&](const NamedValue &each) {
      return each.name.text == property.name.text;
    });
    std::string name =
        ("property '" + property.name.text + "' of " + what).str();
    if (value != given.end()) {
      checkValue(model, name, property, *value->value, diags);
      result.push_back(*value);
    } else if (property.defaultValue) {
      result.push_back({property.name, property.defaultValue});
    } else if (const FlatType *data = model.findDataType(property.type.text);
               data && property.required) {
      checkEmpty(model, name, *data, place, diags);
    } else if (property.required && !isMisspelt(property.name.text)) {
      diags.report(place, diag::BlueprintPropertyMissing, what,
                   property.name.text);
    }
  }
  for (const NamedValue &each : given) {
    if (llvm::is_contained(known, each.name.text))
      continue;
    reportProperty(what, each.name, known, diags);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

/// A number that is written as such; nothing where a function gives it, and
/// after a report. -1 is no bound, and so is the word.
static std::optional<int64_t> readCount(const Node *node, StringRef key,
                                        StringRef what,
                                        DiagnosticEngine &diags) {
  if (!node || node->isMapping())
    return std::nullopt;
  bool isMax = key == "max_instances";
  if (isMax && node->isScalar() && node->text() == "UNBOUNDED")
    return -1;
  int64_t number;
  bool isNumber = node->isScalar() &&
                  node->scalarType() == ScalarType::Integer &&
                  !node->text().getAsInteger(10, number);
  if (isNumber && (isMax ? number >= 1 || number == -1 : number >= 0))
    return number;
  diags.report(node->range(), diag::InstanceCountInvalid, key, what,
               isMax ? "at least 1, or UNBOUNDED" : "a number from 0 on");
  return std::nullopt;
}

void cloudify::checkScaling(const Scaling &scaling, StringRef what,
                            DiagnosticEngine &diags) {
  auto count = readCount(scaling.count, "default_instances", what, diags);
  auto min = readCount(scaling.min, "min_instances", what, diags);
  auto max = readCount(scaling.max, "max_instances", what, diags);
  if (!scaling.count)
    count = 1;
  if (count && min && *count < *min)
    diags.report((scaling.count ? scaling.count : scaling.min)->range(),
                 diag::InstanceCountInvalid, "default_instances", what,
                 "at least min_instances, " + std::to_string(*min));
  if (count && max && *max != -1 && *count > *max)
    diags.report((scaling.count ? scaling.count : scaling.max)->range(),
                 diag::InstanceCountInvalid, "default_instances", what,
                 "at most max_instances, " + std::to_string(*max));
}

//===----------------------------------------------------------------------===//
// Relationships
//===----------------------------------------------------------------------===//

/// The text of a property; empty where it is not written as such.
static StringRef textOf(llvm::ArrayRef<NamedValue> properties, StringRef name,
                        SourceRange &range) {
  for (const NamedValue &property : properties)
    if (property.name.text == name && property.value->isScalar()) {
      range = property.value->range();
      return property.value->text();
    }
  return {};
}

std::optional<BoundRelationship> NodeBinding::bind(const Relationship &written,
                                                   uint32_t source) {
  const NodeTemplate &node = *model.nodes[source].written;
  auto type = model.relationshipTypes.find(written.type.text);
  auto target = model.findNode(written.target.text);
  if (type == model.relationshipTypes.end() && !written.type.isEmpty())
    reportUnknown("relationship type", written.type,
                  namesOf(model.relationshipTypes), diags);
  if (!target && !written.target.isEmpty()) {
    std::vector<StringRef> known;
    for (const BoundNode &other : model.nodes)
      known.push_back(other.written->name.text);
    reportUnknown("node template", written.target, known, diags);
  }
  if (type == model.relationshipTypes.end() || !target)
    return std::nullopt;
  if (*target == source) {
    diags.report(written.target.range, diag::RelationshipToItself,
                 node.name.text);
    return std::nullopt;
  }
  BoundRelationship result{&written, type->second.get(), *target};
  if (result.type->kind == RelationshipKind::Unknown) {
    diags.report(written.type.range, diag::RelationshipKindUnknown,
                 written.type.text);
    return std::nullopt;
  }
  // A blueprint that defines the three types itself may leave this out.
  std::vector<Parameter> properties = result.type->properties;
  Parameter connection;
  connection.name.text = "connection_type";
  connection.required = false;
  if (llvm::none_of(properties, [](const Parameter &property) {
        return property.name.text == "connection_type";
      }))
    properties.push_back(connection);
  result.properties =
      bindProperties(("the relationship of '" + node.name.text + "' to '" +
                      written.target.text + "'")
                         .str(),
                     written.range, properties, written.properties);
  result.sourceInterfaces =
      mergeInterfaces(result.type->interfaces, written.sourceInterfaces,
                      /*isTemplate=*/true);
  result.targetInterfaces =
      mergeInterfaces(result.type->targetInterfaces, written.targetInterfaces,
                      /*isTemplate=*/true);
  return result;
}

/// What the properties say about instances and order.
static void readMeaning(BoundRelationship &relationship,
                        DiagnosticEngine &diags) {
  SourceRange range;
  StringRef connection =
      textOf(relationship.properties, "connection_type", range);
  if (!connection.empty() && connection != "all_to_all" &&
      connection != "all_to_one")
    diags.report(range, diag::ConnectionTypeUnknown, connection);
  relationship.isAllToOne =
      connection == "all_to_one" &&
      relationship.type->kind != RelationshipKind::ContainedIn;
  for (const FlatType *type = relationship.type; type; type = type->parent)
    if (type->name.text ==
        "cloudify.relationships.depends_on_lifecycle_operation")
      relationship.awaits = textOf(relationship.properties, "operation", range);
  static constexpr StringRef known[] = {"precreate", "create", "configure",
                                        "start", "poststart"};
  if (relationship.awaits.empty() ||
      llvm::is_contained(known, relationship.awaits))
    return;
  diags.report(range, diag::AwaitedOperationUnknown, relationship.awaits);
  relationship.awaits = {};
}

/// Of several to one target, the last counts; containment is a matter of its
/// own.
void NodeBinding::dropRepeated(BoundNode &node) {
  std::vector<BoundRelationship> kept;
  for (size_t i = 0; i != node.relationships.size(); ++i) {
    BoundRelationship &relationship = node.relationships[i];
    bool isContained = relationship.type->kind == RelationshipKind::ContainedIn;
    bool isRepeated =
        llvm::any_of(llvm::ArrayRef(node.relationships).drop_front(i + 1),
                     [&](const BoundRelationship &later) {
                       return later.target == relationship.target &&
                              !isContained &&
                              later.type->kind != RelationshipKind::ContainedIn;
                     });
    if (!isRepeated) {
      kept.push_back(std::move(relationship));
      continue;
    }
    diags.report(relationship.written->target.range, diag::RelationshipRepeated,
                 node.written->name.text, relationship.written->target.text);
  }
  node.relationships = std::move(kept);
}

void NodeBinding::bindRelationships(uint32_t source) {
  BoundNode &node = model.nodes[source];
  for (const Relationship &written : node.written->relationships) {
    auto bound = bind(written, source);
    if (!bound)
      continue;
    readMeaning(*bound, diags);
    if (bound->type->kind == RelationshipKind::ContainedIn) {
      if (node.container)
        diags.report(written.target.range, diag::SeveralContainers,
                     node.written->name.text,
                     model.nodes[*node.container].written->name.text,
                     written.target.text);
      node.container = bound->target;
    }
    node.relationships.push_back(std::move(*bound));
  }
  dropRepeated(node);
}

/// A cycle of relationships could not be installed.
void NodeBinding::checkCycles() {
  std::vector<CsrGraph::Edge> edges;
  for (auto [i, node] : llvm::enumerate(model.nodes))
    for (const BoundRelationship &each : node.relationships)
      edges.push_back({uint32_t(i), each.target});
  auto nameOf = [&](uint32_t node) {
    return model.nodes[node].written->name.text.str();
  };
  for (const Cycle &cycle : findCycles({model.nodes.size(), edges})) {
    auto last = llvm::find_if(
        model.nodes[cycle.back()].relationships,
        [&](const BoundRelationship &e) { return e.target == cycle.front(); });
    diags.report(last->written->target.range, diag::RelationshipCycle,
                 describeCycle(cycle, nameOf));
  }
}

void NodeBinding::bindNode(BoundNode &node) {
  const NodeTemplate &written = *node.written;
  std::string what = ("node template '" + written.name.text + "'").str();
  checkScaling(written.scaling, what, diags);
  auto type = model.nodeTypes.find(written.type.text);
  if (type == model.nodeTypes.end()) {
    if (!written.type.isEmpty())
      reportUnknown("node type", written.type, namesOf(model.nodeTypes), diags);
    return;
  }
  node.type = type->second.get();
  node.properties = bindProperties(what, written.name.range,
                                   node.type->properties, written.properties);
  node.interfaces = mergeInterfaces(node.type->interfaces, written.interfaces,
                                    /*isTemplate=*/true);
}

void NodeBinding::run() {
  for (const Parameter &input : model.blueprint.inputs)
    if (input.defaultValue)
      checkValue(model,
                 ("the default of input '" + input.name.text + "'").str(),
                 input, *input.defaultValue, diags);
  for (const NodeTemplate &written : model.blueprint.nodes) {
    model.nodesByName[written.name.text] = model.nodes.size();
    model.nodes.push_back({&written});
  }
  for (BoundNode &node : model.nodes)
    bindNode(node);
  for (uint32_t i = 0; i != model.nodes.size(); ++i)
    bindRelationships(i);
  checkCycles();
}

void cloudify::bindNodes(Model &model, DiagnosticEngine &diags) {
  NodeBinding(model, diags).run();
}
