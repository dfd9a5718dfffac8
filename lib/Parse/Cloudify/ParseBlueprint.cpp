//===- ParseBlueprint.cpp - The sections of a blueprint -------------------===//

#include "Shapes.h"
#include "toscac/Basic/Suggest.h"

using namespace toscac;
using namespace toscac::cloudify;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

namespace {

class BlueprintParser {
public:
  BlueprintParser(Blueprint &result, StringRef prefix, DiagnosticEngine &diags)
      : result(result), prefix(prefix), diags(diags) {}

  void parse(const Node &root, bool isImported);

private:
  using ParseEntry = void (BlueprintParser::*)(Word, const Node &);
  void parseSection(const Fields &root, StringRef key, ParseEntry parse);

  void parseInput(Word name, const Node &node);
  void parseNodeType(Word name, const Node &node);
  void parseRelationshipType(Word name, const Node &node);
  void parseDataType(Word name, const Node &node);
  void parseNode(Word name, const Node &node);
  void parseGroup(Word name, const Node &node);
  void parsePolicy(Word name, const Node &node);
  void parsePlugin(Word name, const Node &node);
  void parseOutput(Word name, const Node &node);
  void parseCapability(Word name, const Node &node);

  Parameter parseParameter(Word name, const Node &node, StringRef kind);
  std::vector<Parameter> parseProperties(const Fields &fields);
  std::vector<Interface> parseInterfaces(const Fields &fields, StringRef key);
  Operation parseOperation(Word name, const Node &node);
  Relationship parseRelationship(const Node &node, StringRef source);
  Scaling parseScaling(const Node &node, const std::string &what);

  template <typename T>
  T *add(std::vector<T> &entries, const Word &name, StringRef kind);
  Word qualified(Word name);
  std::vector<Word> qualified(std::vector<Word> names);
  Word typeOfValue(const Fields &fields, StringRef key);
  bool extendNode(const Word &name, const Node &node);

  Blueprint &result;
  StringRef prefix;
  DiagnosticEngine &diags;
};

} // namespace

static std::string quoted(StringRef kind, const Word &name) {
  return (kind + " '" + name.text + "'").str();
}

/// A new entry under \p name; null after a report.
template <typename T>
T *BlueprintParser::add(std::vector<T> &entries, const Word &name,
                        StringRef kind) {
  auto [known, isNew] =
      result.defined.try_emplace((kind + " " + name.text).str(), name.range);
  if (!isNew) {
    diags.report(name.range, diag::BlueprintNameRepeated, kind, name.text)
        .note(known->second, diag::FirstDefinedHere, name.text);
    return nullptr;
  }
  T &added = entries.emplace_back();
  added.name = name;
  return &added;
}

void BlueprintParser::parseSection(const Fields &root, StringRef key,
                                   ParseEntry parse) {
  for (const Entry &entry : root.entries(key))
    if (auto name = nameOf(entry.key, ("'" + key + "'").str(), diags))
      (this->*parse)(qualified(*name), entry.value);
}

//===----------------------------------------------------------------------===//
// Names of files that are imported under a prefix
//===----------------------------------------------------------------------===//

llvm::ArrayRef<StringRef> cloudify::valueTypes() {
  // The later ones are names of things that a manager knows.
  static constexpr StringRef types[] = {"string",
                                        "integer",
                                        "float",
                                        "boolean",
                                        "list",
                                        "dict",
                                        "regex",
                                        "textarea",
                                        "blueprint_id",
                                        "deployment_id",
                                        "capability_value",
                                        "secret_key",
                                        "node_id",
                                        "node_type",
                                        "node_instance",
                                        "scaling_group",
                                        "operation_name"};
  return types;
}

bool cloudify::isOwnName(StringRef name) {
  return name.starts_with("cloudify.");
}

const File &Blueprint::fileOf(SourceRange place) const {
  auto after = llvm::upper_bound(files, place.begin.raw,
                                 [](uint32_t offset, const File &file) {
                                   return offset < file.range.begin.raw;
                                 });
  // What is in none of them was given with the main file.
  bool isInside = after != files.begin() &&
                  place.begin.raw <= std::prev(after)->range.end.raw;
  return isInside ? *std::prev(after) : files.front();
}

Word BlueprintParser::qualified(Word name) {
  if (!prefix.empty() && !name.isEmpty() && !isOwnName(name.text))
    name.text = StringRef((prefix + name.text).str()).copy(result.texts);
  return name;
}

std::vector<Word> BlueprintParser::qualified(std::vector<Word> names) {
  for (Word &name : names)
    name = qualified(name);
  return names;
}

/// Built-in types have the same name everywhere.
Word BlueprintParser::typeOfValue(const Fields &fields, StringRef key) {
  Word type = fields.word(key);
  return llvm::is_contained(valueTypes(), type.text) ? type : qualified(type);
}

//===----------------------------------------------------------------------===//
// Parts of entries
//===----------------------------------------------------------------------===//

Parameter BlueprintParser::parseParameter(Word name, const Node &node,
                                          StringRef kind) {
  Parameter parameter;
  parameter.name = name;
  Fields fields(node, quoted(kind, name), diags);
  fields.check({{"type"},
                {"item_type"},
                {"default"},
                {"description"},
                {"required"},
                {"constraints"},
                {"display_label"},
                {"display"},
                {"hidden"}},
               result.version);
  parameter.type = typeOfValue(fields, "type");
  parameter.itemType = typeOfValue(fields, "item_type");
  parameter.defaultValue = fields.find("default");
  parameter.description = fields.word("description").text;
  parameter.constraints = fields.list("constraints");
  parameter.required = fields.boolean("required").value_or(true);
  parameter.hidden = fields.boolean("hidden").value_or(false);
  if (parameter.hidden && parameter.defaultValue)
    diags.hide(parameter.defaultValue->range());
  return parameter;
}

std::vector<Parameter> BlueprintParser::parseProperties(const Fields &fields) {
  std::vector<Parameter> result;
  for (const NamedValue &each : fields.values("properties"))
    result.push_back(parseParameter(each.name, *each.value, "property"));
  return result;
}

/// `create: scripts/create.sh` or a map.
Operation BlueprintParser::parseOperation(Word name, const Node &node) {
  Operation operation;
  operation.name = name;
  operation.range = name.range;
  if (node.isScalar()) {
    operation.implementation = {node.text(), node.range()};
    return operation;
  }
  Fields fields(node, quoted("operation", name), diags);
  fields.check({{"implementation"},
                {"inputs"},
                {"executor"},
                {"max_retries"},
                {"retry_interval"},
                {"timeout"},
                {"timeout_recoverable"}},
               result.version);
  operation.implementation = fields.word("implementation");
  operation.inputs = fields.values("inputs");
  operation.maxRetries = fields.number("max_retries");
  operation.timeout = fields.number("timeout");
  return operation;
}

std::vector<Interface> BlueprintParser::parseInterfaces(const Fields &fields,
                                                        StringRef key) {
  std::vector<Interface> result;
  for (const NamedValue &each : fields.values(key)) {
    Interface &interface = result.emplace_back();
    interface.name = each.name;
    std::string what = quoted("interface", each.name);
    Fields operations(*each.value, what, diags);
    if (!each.value->isMapping())
      continue;
    for (const Entry &entry : each.value->entries())
      if (auto name = nameOf(entry.key, what, diags))
        interface.operations.push_back(parseOperation(*name, entry.value));
  }
  return result;
}

Relationship BlueprintParser::parseRelationship(const Node &node,
                                                StringRef source) {
  Relationship relationship;
  relationship.range = node.range();
  Fields fields(node, ("a relationship of '" + source + "'").str(), diags);
  fields.check({{"type"},
                {"target"},
                {"properties"},
                {"source_interfaces"},
                {"target_interfaces"}},
               result.version);
  relationship.type = qualified(fields.requiredWord("type"));
  relationship.target = qualified(fields.requiredWord("target"));
  relationship.properties = fields.values("properties");
  relationship.sourceInterfaces = parseInterfaces(fields, "source_interfaces");
  relationship.targetInterfaces = parseInterfaces(fields, "target_interfaces");
  return relationship;
}

/// What `properties` of a scalable capability or a scaling policy say.
Scaling BlueprintParser::parseScaling(const Node &node,
                                      const std::string &what) {
  Fields fields(node, what, diags);
  fields.check({{"default_instances"},
                {"min_instances"},
                {"max_instances"},
                {"current_instances"},
                {"planned_instances"}},
               result.version);
  return {fields.find("default_instances"), fields.find("min_instances"),
          fields.find("max_instances")};
}

//===----------------------------------------------------------------------===//
// Entries of sections
//===----------------------------------------------------------------------===//

void BlueprintParser::parseInput(Word name, const Node &node) {
  if (Parameter *input = add(result.inputs, name, "inputs"))
    *input = parseParameter(name, node, "input");
}

void BlueprintParser::parseNodeType(Word name, const Node &node) {
  NodeType *type = add(result.nodeTypes, name, "node types");
  if (!type)
    return;
  Fields fields(node, quoted("node type", name), diags);
  fields.check(
      {{"derived_from"}, {"properties"}, {"interfaces"}, {"description"}},
      result.version);
  type->parent = qualified(fields.word("derived_from"));
  type->properties = parseProperties(fields);
  type->interfaces = parseInterfaces(fields, "interfaces");
}

void BlueprintParser::parseRelationshipType(Word name, const Node &node) {
  RelationshipType *type =
      add(result.relationshipTypes, name, "relationship types");
  if (!type)
    return;
  Fields fields(node, quoted("relationship type", name), diags);
  fields.check({{"derived_from"},
                {"properties"},
                {"source_interfaces"},
                {"target_interfaces"},
                {"description"}},
               result.version);
  type->parent = qualified(fields.word("derived_from"));
  type->properties = parseProperties(fields);
  type->sourceInterfaces = parseInterfaces(fields, "source_interfaces");
  type->targetInterfaces = parseInterfaces(fields, "target_interfaces");
}

void BlueprintParser::parseDataType(Word name, const Node &node) {
  DataType *type = add(result.dataTypes, name, "data types");
  if (!type)
    return;
  Fields fields(node, quoted("data type", name), diags);
  fields.check({{"derived_from"}, {"properties"}, {"description"}},
               result.version);
  type->parent = qualified(fields.word("derived_from"));
  type->properties = parseProperties(fields);
}

/// An entry with nothing but relationships adds them to a template that an
/// import brings.
bool BlueprintParser::extendNode(const Word &name, const Node &node) {
  auto known = llvm::find_if(result.nodes, [&](const NodeTemplate &other) {
    return other.name.text == name.text;
  });
  if (known == result.nodes.end() || !node.isMapping() ||
      node.entries().size() != 1 || !node.find("relationships"))
    return false;
  Fields fields(node, quoted("node template", name), diags);
  for (const Node &each : fields.list("relationships"))
    known->relationships.push_back(parseRelationship(each, name.text));
  return true;
}

void BlueprintParser::parseNode(Word name, const Node &node) {
  if (extendNode(name, node))
    return;
  NodeTemplate *added = add(result.nodes, name, "node templates");
  if (!added)
    return;
  std::string what = quoted("node template", name);
  Fields fields(node, what, diags);
  fields.check({{"type"},
                {"properties"},
                {"interfaces"},
                {"relationships"},
                {"capabilities", 3},
                {"instances"},
                {"description"}},
               result.version);
  added->type = qualified(fields.requiredWord("type"));
  added->properties = fields.values("properties");
  added->interfaces = parseInterfaces(fields, "interfaces");
  for (const Node &each : fields.list("relationships"))
    added->relationships.push_back(parseRelationship(each, name.text));
  for (const NamedValue &capability : fields.values("capabilities")) {
    Fields inner(*capability.value, quoted("capability", capability.name),
                 diags);
    inner.check({{"properties"}}, result.version);
    const Node *properties = inner.find("properties");
    if (capability.name.text == "scalable" && properties)
      added->scaling = parseScaling(*properties, "capability 'scalable'");
  }
  const Node *instances = fields.find("instances");
  if (!instances)
    return;
  if (fields.find("capabilities") && added->scaling.count)
    diags.report(instances->range(), diag::BlueprintTwoCounts, name.text);
  Fields legacy(*instances, "'instances' of " + what, diags);
  legacy.check({{"deploy"}}, result.version);
  added->scaling.count = legacy.find("deploy");
}

void BlueprintParser::parseGroup(Word name, const Node &node) {
  Group *group = add(result.groups, name, "groups");
  if (!group)
    return;
  Fields fields(node, quoted("group", name), diags);
  fields.check({{"members"}, {"policies"}}, result.version);
  if (!fields.find("members"))
    fields.reportMissing("members");
  group->members = qualified(fields.words("members"));
  for (const NamedValue &policy : fields.values("policies"))
    diags.report(policy.name.range, diag::ManagerOnly,
                 quoted("policy", policy.name));
}

void BlueprintParser::parsePolicy(Word name, const Node &node) {
  Policy *policy = add(result.policies, name, "policies");
  if (!policy)
    return;
  std::string what = quoted("policy", name);
  Fields fields(node, what, diags);
  fields.check({{"type"}, {"targets"}, {"properties"}}, result.version);
  policy->type = fields.requiredWord("type");
  if (!fields.find("targets"))
    fields.reportMissing("targets");
  policy->targets = qualified(fields.words("targets"));
  if (const Node *properties = fields.find("properties"))
    policy->scaling = parseScaling(*properties, "'properties' of " + what);
}

void BlueprintParser::parsePlugin(Word name, const Node &node) {
  // Several files may say that they need the same one.
  bool isKnown = llvm::any_of(result.plugins, [&](const Plugin &other) {
    return other.name.text == name.text;
  });
  Fields fields(node, quoted("plugin", name), diags);
  if (!isKnown)
    result.plugins.push_back({name});
}

void BlueprintParser::parseOutput(Word name, const Node &node) {
  Output *output = add(result.outputs, name, "outputs");
  if (!output)
    return;
  Fields fields(node, quoted("output", name), diags);
  fields.check({{"value"}, {"description"}}, result.version);
  output->value = fields.find("value");
  if (!output->value)
    fields.reportMissing("value");
}

void BlueprintParser::parseCapability(Word name, const Node &node) {
  Output *capability = add(result.capabilities, name, "capabilities");
  if (!capability)
    return;
  Fields fields(node, quoted("capability", name), diags);
  fields.check({{"value"}, {"description"}}, result.version);
  capability->value = fields.find("value");
  if (!capability->value)
    fields.reportMissing("value");
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

std::optional<unsigned> cloudify::parseVersion(const Node &root,
                                               DiagnosticEngine &diags) {
  const Node *node =
      root.isMapping() ? root.find("tosca_definitions_version") : nullptr;
  if (!node)
    return std::nullopt;
  StringRef text = node->isScalar() ? node->text() : "";
  StringRef figure = text;
  unsigned version;
  if (figure.consume_front("cloudify_dsl_1_") &&
      !figure.getAsInteger(10, version) && version <= 5)
    return version;
  auto report =
      diags.report(node->range(), diag::BlueprintVersionUnknown, text);
  Suggestion(text, {"cloudify_dsl_1_0", "cloudify_dsl_1_1", "cloudify_dsl_1_2",
                    "cloudify_dsl_1_3", "cloudify_dsl_1_4", "cloudify_dsl_1_5"})
      .noteOn(report);
  return std::nullopt;
}

void BlueprintParser::parse(const Node &root, bool isImported) {
  Fields fields(root, isImported ? "an imported file" : "a blueprint", diags);
  fields.check({{"tosca_definitions_version"},
                {"description"},
                {"metadata"},
                {"imports"},
                {"dsl_definitions"},
                {"inputs"},
                {"node_types"},
                {"relationships"},
                {"data_types", 2},
                {"node_templates"},
                {"plugins"},
                {"workflows"},
                {"outputs"},
                {"capabilities", 3},
                {"groups"},
                {"policies", 3},
                {"policy_types"},
                {"policy_triggers"},
                {"upload_resources", 2},
                {"labels"},
                {"blueprint_labels"},
                {"deployment_settings"},
                {"resource_tags"},
                {"namespace"}},
               result.version);
  // Those of plugins come with every import of them.
  if (!isImported)
    for (const NamedValue &workflow : fields.values("workflows"))
      diags.report(workflow.name.range, diag::ManagerOnly,
                   quoted("workflow", workflow.name));
  if (const Node *settings = fields.find("deployment_settings"))
    diags.report(settings->range(), diag::ManagerOnly, "'deployment_settings'");
  parseSection(fields, "inputs", &BlueprintParser::parseInput);
  parseSection(fields, "data_types", &BlueprintParser::parseDataType);
  parseSection(fields, "node_types", &BlueprintParser::parseNodeType);
  parseSection(fields, "relationships",
               &BlueprintParser::parseRelationshipType);
  parseSection(fields, "plugins", &BlueprintParser::parsePlugin);
  parseSection(fields, "node_templates", &BlueprintParser::parseNode);
  parseSection(fields, "groups", &BlueprintParser::parseGroup);
  parseSection(fields, "policies", &BlueprintParser::parsePolicy);
  parseSection(fields, "outputs", &BlueprintParser::parseOutput);
  parseSection(fields, "capabilities", &BlueprintParser::parseCapability);
}

void cloudify::parseFile(const Node &root, bool isImported, StringRef prefix,
                         Blueprint &blueprint, DiagnosticEngine &diags) {
  BlueprintParser(blueprint, prefix, diags).parse(root, isImported);
}
