//===- FlattenTypes.cpp - Types of blueprints with what they inherit ------===//

#include "Model.h"
#include "toscac/Basic/CsrGraph.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using namespace toscac::cloudify;
using llvm::StringRef;
using syntax::Node;

void cloudify::reportUnknown(StringRef kind, const Word &name,
                             llvm::ArrayRef<StringRef> known,
                             DiagnosticEngine &diags) {
  auto report =
      diags.report(name.range, diag::BlueprintNameUnknown, kind, name.text);
  Suggestion meant(name.text, known);
  meant.noteOn(report);
  meant.fixIn(report, name.range);
}

const FlatType *Model::findDataType(StringRef name) const {
  auto found = dataTypes.find(name);
  return found == dataTypes.end() ? nullptr : found->second.get();
}

std::optional<uint32_t> Model::findNode(StringRef name) const {
  auto found = nodesByName.find(name);
  if (found == nodesByName.end())
    return std::nullopt;
  return found->second;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Inputs of an operation in a type are definitions: what counts is the
/// default.
static std::vector<NamedValue> inputValues(const Operation &operation,
                                           bool isTemplate) {
  if (isTemplate)
    return operation.inputs;
  std::vector<NamedValue> values;
  for (const NamedValue &input : operation.inputs) {
    const Node *value = input.value;
    if (value->isMapping())
      value = value->find("default");
    if (value)
      values.push_back({input.name, value});
  }
  return values;
}

static void mergeOperation(Operation &inherited, const Operation &own,
                           bool isTemplate) {
  std::vector<NamedValue> given = inputValues(own, isTemplate);
  bool isOther = !own.implementation.isEmpty() &&
                 own.implementation.text != inherited.implementation.text;
  if (isOther)
    inherited.inputs.clear();
  for (const NamedValue &value : given) {
    auto same = llvm::find_if(inherited.inputs, [&](const NamedValue &other) {
      return other.name.text == value.name.text;
    });
    if (same == inherited.inputs.end())
      inherited.inputs.push_back(value);
    else
      *same = value;
  }
  if (!own.implementation.isEmpty())
    inherited.implementation = own.implementation;
  if (own.maxRetries)
    inherited.maxRetries = own.maxRetries;
  if (own.timeout)
    inherited.timeout = own.timeout;
  inherited.range = own.range;
}

template <typename T>
static T &entryNamed(std::vector<T> &entries, const Word &name) {
  auto found = llvm::find_if(
      entries, [&](const T &other) { return other.name.text == name.text; });
  if (found != entries.end())
    return *found;
  T &added = entries.emplace_back();
  added.name = name;
  return added;
}

std::vector<Interface>
cloudify::mergeInterfaces(llvm::ArrayRef<Interface> inherited,
                          llvm::ArrayRef<Interface> own, bool isTemplate) {
  std::vector<Interface> result = inherited.vec();
  for (const Interface &interface : own) {
    Interface &merged = entryNamed(result, interface.name);
    for (const Operation &operation : interface.operations)
      mergeOperation(entryNamed(merged.operations, operation.name), operation,
                     isTemplate);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

namespace {

class TypeFlattening {
public:
  TypeFlattening(Model &model, DiagnosticEngine &diags)
      : model(model), diags(diags) {}

  void run();

private:
  void inherit(const NodeType &type, FlatType &flat);
  void inherit(const RelationshipType &type, FlatType &flat);
  void inherit(const DataType &, FlatType &) {}
  template <typename T>
  void flattenAll(StringRef kind, llvm::ArrayRef<T> all,
                  llvm::StringMap<std::unique_ptr<FlatType>> &types);
  void checkTypes(llvm::ArrayRef<Parameter> parameters);

  Model &model;
  DiagnosticEngine &diags;
  llvm::StringSet<> dataTypes;
};

} // namespace

static void mergeProperties(std::vector<Parameter> &inherited,
                            llvm::ArrayRef<Parameter> own) {
  for (const Parameter &property : own)
    entryNamed(inherited, property.name) = property;
}

static RelationshipKind kindOf(StringRef name, const FlatType *parent) {
  return llvm::StringSwitch<RelationshipKind>(name)
      .Case("cloudify.relationships.depends_on", RelationshipKind::DependsOn)
      .Case("cloudify.relationships.connected_to",
            RelationshipKind::ConnectedTo)
      .Case("cloudify.relationships.contained_in",
            RelationshipKind::ContainedIn)
      .Default(parent ? parent->kind : RelationshipKind::Unknown);
}

void TypeFlattening::inherit(const NodeType &type, FlatType &flat) {
  if (flat.parent) {
    flat.interfaces = flat.parent->interfaces;
    flat.isCompute = flat.parent->isCompute;
  }
  flat.isCompute |= type.name.text == "cloudify.nodes.Compute";
  flat.interfaces = mergeInterfaces(flat.interfaces, type.interfaces,
                                    /*isTemplate=*/false);
}

void TypeFlattening::inherit(const RelationshipType &type, FlatType &flat) {
  if (flat.parent) {
    flat.interfaces = flat.parent->interfaces;
    flat.targetInterfaces = flat.parent->targetInterfaces;
  }
  flat.kind = kindOf(type.name.text, flat.parent);
  flat.interfaces = mergeInterfaces(flat.interfaces, type.sourceInterfaces,
                                    /*isTemplate=*/false);
  flat.targetInterfaces =
      mergeInterfaces(flat.targetInterfaces, type.targetInterfaces,
                      /*isTemplate=*/false);
}

/// Each type after the one that it is derived from, however long the chain.
template <typename T>
void TypeFlattening::flattenAll(
    StringRef kind, llvm::ArrayRef<T> all,
    llvm::StringMap<std::unique_ptr<FlatType>> &types) {
  llvm::StringMap<const T *> byName;
  std::vector<StringRef> known;
  for (const T &type : all) {
    byName[type.name.text] = &type;
    known.push_back(type.name.text);
  }
  for (const T &first : all) {
    llvm::SetVector<const T *> chain;
    for (const T *type = &first; type && !types.contains(type->name.text);
         type = byName.lookup(type->parent.text))
      if (!chain.insert(type)) {
        std::vector<std::string> cycle;
        for (auto at = llvm::find(chain, type); at != chain.end(); ++at)
          cycle.push_back((*at)->name.text.str());
        diags.report(type->parent.range, diag::BlueprintTypeCycle, kind,
                     type->name.text, describeCycle(cycle));
        break;
      }
    for (const T *type : llvm::reverse(chain)) {
      auto flat = std::make_unique<FlatType>();
      flat->name = type->name;
      if (!type->parent.isEmpty() && !byName.contains(type->parent.text))
        reportUnknown(kind, type->parent, known, diags);
      if (auto parent = types.find(type->parent.text); parent != types.end()) {
        flat->parent = parent->second.get();
        flat->properties = flat->parent->properties;
      }
      mergeProperties(flat->properties, type->properties);
      checkTypes(type->properties);
      inherit(*type, *flat);
      types[type->name.text] = std::move(flat);
    }
  }
}

void TypeFlattening::checkTypes(llvm::ArrayRef<Parameter> parameters) {
  auto check = [&](const Word &type) {
    if (type.isEmpty() || llvm::is_contained(valueTypes(), type.text) ||
        dataTypes.contains(type.text))
      return;
    std::vector<StringRef> known = valueTypes().vec();
    for (const DataType &other : model.blueprint.dataTypes)
      known.push_back(other.name.text);
    reportUnknown("data type", type, known, diags);
  };
  for (const Parameter &parameter : parameters) {
    check(parameter.type);
    check(parameter.itemType);
  }
}

void TypeFlattening::run() {
  const Blueprint &blueprint = model.blueprint;
  for (const DataType &type : blueprint.dataTypes)
    dataTypes.insert(type.name.text);
  flattenAll<DataType>("data type", blueprint.dataTypes, model.dataTypes);
  flattenAll<NodeType>("node type", blueprint.nodeTypes, model.nodeTypes);
  flattenAll<RelationshipType>("relationship type", blueprint.relationshipTypes,
                               model.relationshipTypes);
  checkTypes(blueprint.inputs);
}

void cloudify::flattenTypes(Model &model, DiagnosticEngine &diags) {
  TypeFlattening(model, diags).run();
}
