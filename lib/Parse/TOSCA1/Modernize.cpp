//===- Modernize.cpp - Older forms of values ------------------------------===//
///
/// \file
/// Which form a value has is said by the table of its entity. Here are values
/// with functions and the small forms; what has more to it has a file.
///
//===----------------------------------------------------------------------===//

#include "Modernize.h"

#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using namespace toscac::tosca;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;
using syntax::ScalarType;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Words that YAML 1.1, and with it the tools of TOSCA 1.x, takes for booleans.
static std::optional<bool> booleanWord(const Node &node) {
  using Result = std::optional<bool>;
  if (!node.isPlain())
    return std::nullopt;
  return llvm::StringSwitch<Result>(node.text())
      .Cases("yes", "Yes", "YES", "on", "On", "ON", Result(true))
      .Cases("true", "True", "TRUE", Result(true))
      .Cases("no", "No", "NO", "off", "Off", "OFF", Result(false))
      .Cases("false", "False", "FALSE", Result(false))
      .Default(std::nullopt);
}

/// The function that is called \p name today; empty if there was none. A list
/// tells a call from a property of the same name, like a credential's `token`.
static StringRef modernFunction(StringRef name, const Node &arguments) {
  if (name == "get_input" && (arguments.isScalar() || arguments.isSequence()))
    return "$get_input";
  if (!arguments.isSequence() && name != "get_nodes_of_type")
    return "";
  return llvm::StringSwitch<StringRef>(name)
      .Case("get_property", "$get_property")
      .Case("get_attribute", "$get_attribute")
      .Case("get_artifact", "$get_artifact")
      .Case("get_operation_output", "$get_attribute")
      .Case("get_nodes_of_type", "$get_nodes_of_type")
      // Numbers may stand among its strings, as only `$join` allows today.
      .Cases("concat", "join", "$join")
      .Case("token", "$token")
      .Default("");
}

bool tosca::isOlderCall(const Node &node) {
  if (!node.isMapping() || node.entries().size() != 1)
    return false;
  const auto &[key, arguments] = node.entries().front();
  return key.isScalar() && !modernFunction(key.text(), arguments).empty();
}

namespace {

class ValueModernizer {
public:
  explicit ValueModernizer(llvm::BumpPtrAllocator &arena) : build(arena) {}

  Node modernize(const Node &node);
  /// A path, or a map of paths.
  Node paths(const Node &node);

private:
  Node scalar(const Node &node);
  Node call(const Node &node);
  Node path(const Node &steps);
  Node outputPath(const Node &steps);

  NodeBuilder build;
};

} // namespace

Node ValueModernizer::scalar(const Node &node) {
  StringRef text = node.text();
  if (std::optional<bool> word = booleanWord(node))
    return build.plain(*word ? "true" : "false", node.range());
  if (node.isString() && text.starts_with("$"))
    return build.string("$" + text, node.range());
  if (isOldIndex(node))
    return build.string(text, node.range());
  return node;
}

/// `SOURCE` and `TARGET` start at the relationship itself.
Node ValueModernizer::path(const Node &steps) {
  llvm::SmallVector<Node> items;
  for (const Node &step : steps.items())
    items.push_back(modernize(step));
  if (!items.empty() && items[0].isScalar() &&
      (items[0].text() == "SOURCE" || items[0].text() == "TARGET"))
    items.insert(items.begin(), build.plain("SELF", items[0].range()));
  return build.list(items, steps.range());
}

/// `[ entity, interface, operation, output ]`: operations leave their outputs
/// in attributes, here one of the interface with a name that nobody can
/// declare.
Node ValueModernizer::outputPath(const Node &steps) {
  Node start = path(steps);
  llvm::ArrayRef<Node> items = start.items();
  bool isWhole = items.size() >= 4 && llvm::all_of(items, [](const Node &step) {
                   return step.isScalar();
                 });
  if (!isWhole)
    return start;
  llvm::SmallVector<Node> way(items.drop_back(3));
  llvm::ArrayRef<Node> names = items.take_back(3);
  way.push_back(build.string(names[0].text() + "." + names[1].text() + "." +
                                 names[2].text(),
                             steps.range()));
  return build.list(way, steps.range());
}

Node ValueModernizer::paths(const Node &node) {
  if (node.isSequence())
    return path(node);
  if (!node.isMapping())
    return node.isNull() ? build.map({}, node.range()) : node;
  llvm::SmallVector<Entry> entries;
  for (const auto &[key, value] : node.entries())
    entries.push_back({key, value.isSequence() ? path(value) : value});
  return build.map(entries, node.range());
}

Node ValueModernizer::call(const Node &node) {
  const auto &[key, arguments] = node.entries().front();
  StringRef function = modernFunction(key.text(), arguments);
  Node modern = key.text() == "get_operation_output" ? outputPath(arguments)
                : function == "$get_property" || function == "$get_attribute" ||
                        function == "$get_artifact"
                    ? path(arguments)
                    : modernize(arguments);
  if (key.text() == "concat")
    modern = build.list({modern, build.string("", arguments.range())},
                        arguments.range());
  // Where the artifact is to be put is no matter of the template any more.
  if (function == "$get_artifact" && modern.items().size() > 2)
    modern = build.list(modern.items().take_front(2), arguments.range());
  return build.map({{build.plain(function, key.range()), modern}},
                   node.range());
}

Node ValueModernizer::modernize(const Node &node) {
  if (node.isScalar())
    return scalar(node);
  if (isOlderCall(node))
    return call(node);
  if (node.isSequence()) {
    llvm::SmallVector<Node> items;
    for (const Node &item : node.items())
      items.push_back(modernize(item));
    return build.list(items, node.range());
  }
  if (!node.isMapping())
    return node;
  llvm::SmallVector<Entry> entries;
  for (const auto &[key, value] : node.entries()) {
    bool isDollar = key.isString() && key.text().starts_with("$");
    entries.push_back(
        {isDollar ? build.string("$" + key.text(), key.range()) : key,
         modernize(value)});
  }
  return build.map(entries, node.range());
}

const Node *tosca::modernizeValue(const Node &node,
                                  llvm::BumpPtrAllocator &arena) {
  Node modern = ValueModernizer(arena).modernize(node);
  return NodeBuilder(arena).save(modern);
}

Node tosca::quoteNumbers(const Node &node, const NodeBuilder &build) {
  if (node.isSequence()) {
    llvm::SmallVector<Node> items;
    for (const Node &item : node.items())
      items.push_back(quoteNumbers(item, build));
    return build.list(items, node.range());
  }
  bool isNumber = node.isScalar() && (node.scalarType() == ScalarType::Float ||
                                      node.scalarType() == ScalarType::Integer);
  return isNumber ? build.string(node.text(), node.range()) : node;
}

Node OlderValue::modernArgument(const Node &argument) const {
  Node modern = ValueModernizer(arena).modernize(argument);
  return isOfVersion() ? quoteNumbers(modern, build) : modern;
}

//===----------------------------------------------------------------------===//
// Small forms
//===----------------------------------------------------------------------===//

/// A map of named entities is a list of maps with one entry each.
static const Node *modernizeNamedList(const OlderValue &value) {
  const Node &node = value.node;
  bool isAssigned = value.subject.owner.kind == EntityKind::NodeTemplate;
  llvm::SmallVector<Node> items;
  if (node.isMapping())
    for (const Entry &entry : node.entries())
      items.push_back(value.build.map(entry, entry.key.range()));
  else if (node.isSequence() && isAssigned)
    items.assign(node.items().begin(), node.items().end());
  else if (!node.isNull())
    return &node;
  if (isAssigned)
    for (Node &item : items)
      item = withoutOwnName(item, value.build);
  return value.build.save(value.build.list(items, node.range()));
}

/// `{ value: … }` in place of the value.
static Node attributeValue(const Node &node) {
  auto isKeyname = [](const Entry &entry) {
    return entry.key.isScalar() &&
           (entry.key.text() == "value" || entry.key.text() == "description");
  };
  const Node *inner = node.isMapping() ? node.find("value") : nullptr;
  return inner && llvm::all_of(node.entries(), isKeyname) ? *inner : node;
}

static const Node *modernizeAttributeValues(const OlderValue &value) {
  if (!value.node.isMapping())
    return &value.node;
  llvm::SmallVector<Entry> entries;
  for (const Entry &entry : value.node.entries())
    entries.push_back({entry.key, attributeValue(entry.value)});
  return value.build.save(value.build.map(entries, value.node.range()));
}

/// `unbounded` in any spelling.
static Node withUpperBound(const OlderValue &value) {
  const Node &node = value.node;
  bool isRange = node.isSequence() && node.items().size() == 2;
  const Node *most = isRange ? &node.items()[1] : nullptr;
  if (!most || !most->isScalar() ||
      !most->text().equals_insensitive("unbounded"))
    return node;
  return value.build.list(
      {node.items()[0], value.build.plain("UNBOUNDED", most->range())},
      node.range());
}

/// Of a requirement in a template, which makes as many relationships as there
/// must be, and at least one, because it is there.
static const Node *modernizeBounds(const OlderValue &value) {
  const Node &node = *value.build.save(withUpperBound(value));
  if (!checkShape(node, ShapeKind::CountRange, value.subject, value.diags))
    return nullptr;
  const Node &least = node.items()[0];
  return least.text() == "0"
             ? value.build.save(value.build.plain("1", least.range()))
             : &least;
}

static const Node *modernizeDirectives(const OlderValue &value) {
  if (!value.node.isSequence())
    return &value.node;
  llvm::SmallVector<Node> items;
  for (const Node &item : value.node.items()) {
    StringRef word = item.isScalar() ? item.text() : StringRef();
    if (word == "selectable")
      items.push_back(value.build.plain("select", item.range()));
    else if (word == "substitutable")
      items.push_back(value.build.plain("substitute", item.range()));
    else
      items.push_back(item);
  }
  return value.build.save(value.build.list(items, value.node.range()));
}

/// What every version writes alike, up to the habits of YAML 1.1: versions
/// without quotes, and sections without content.
static const Node *modernizeSame(const KeyRule &rule, const OlderValue &value,
                                 llvm::BumpPtrAllocator &arena) {
  const Node &node = value.node;
  switch (rule.shape.kind) {
  case ShapeKind::Value:
  case ShapeKind::Count:
    return value.build.save(value.modernArgument(node));
  case ShapeKind::Path:
  case ShapeKind::Paths:
    return value.build.save(ValueModernizer(arena).paths(node));
  case ShapeKind::Values:
  case ShapeKind::Metadata:
    if (node.isNull() ||
        (rule.shape.kind == ShapeKind::Metadata && node.isScalar()))
      return value.build.save(value.build.map({}, node.range()));
    return rule.shape.kind == ShapeKind::Values ? modernizeValue(node, arena)
                                                : &node;
  case ShapeKind::Map:
    return node.isNull() ? value.build.save(value.build.map({}, node.range()))
                         : &node;
  case ShapeKind::List:
  case ShapeKind::Names:
    return node.isNull() ? value.build.save(value.build.list({}, node.range()))
                         : &node;
  case ShapeKind::CountRange:
    return value.build.save(withUpperBound(value));
  case ShapeKind::Boolean:
    return booleanWord(node) ? modernizeValue(node, arena) : &node;
  case ShapeKind::Text:
  case ShapeKind::Version:
    if (node.isNull() || (node.isScalar() && !node.isString()))
      return value.build.save(
          value.build.string(node.isNull() ? "" : node.text(), node.range()));
    return &node;
  default:
    return &node;
  }
}

bool tosca::isLeftOut(const KeyRule &rule, const Node &node) {
  // Nothing is no default, and images whose names are inputs are not ours.
  return (rule.key == Key::Default && node.isNull()) ||
         (rule.key == Key::File && isOlderCall(node));
}

void tosca::completeFields(EntityKind kind, const Node &map,
                           llvm::BumpPtrAllocator &arena,
                           llvm::SmallVectorImpl<Field> &fields) {
  bool isValue = kind == EntityKind::PropertyDefinition ||
                 kind == EntityKind::ParameterDefinition;
  const Node *nothing = isValue ? map.find("default") : nullptr;
  if (!nothing || !nothing->isNull())
    return;
  // A definition whose default is null needs no value.
  llvm::erase_if(fields,
                 [](const Field &field) { return field.key == Key::Required; });
  NodeBuilder build(arena);
  Field required{Key::Required};
  required.keyNode = build.save(build.plain("required", nothing->range()));
  required.value = build.save(build.plain("false", nothing->range()));
  fields.push_back(required);
}

const Node *tosca::modernize(const KeyRule &rule, const Node &node,
                             const Subject &subject,
                             llvm::BumpPtrAllocator &arena,
                             DiagnosticEngine &diags) {
  OlderValue value{node, subject, arena, NodeBuilder(arena), diags};
  switch (rule.form) {
  case Form::Same:
    return modernizeSame(rule, value, arena);
  case Form::Imports:
    return modernizeImports(value);
  case Form::NamedList:
    return modernizeNamedList(value);
  case Form::Constraints:
    return modernizeConstraints(value);
  case Form::NodeFilter:
    return modernizeNodeFilter(value);
  case Form::AttributeValues: {
    const Node *values = modernizeAttributeValues(value);
    return modernizeValue(*values, arena);
  }
  case Form::Bounds:
    return modernizeBounds(value);
  case Form::PropertyMappings:
    return modernizePropertyMappings(value);
  case Form::RequirementMappings:
    return modernizeRequirementMappings(value);
  case Form::Directives:
    return modernizeDirectives(value);
  case Form::Conditions:
    // Whoever sends the event has looked at what a trigger of a policy
    // measures.
    if (subject.owner.kind == EntityKind::PolicyTrigger)
      return value.build.save(value.build.plain("true", node.range()));
    return modernizeConditions(value, rule.shape.kind == ShapeKind::Conditions);
  case Form::Activities:
    return modernizeActivities(value);
  }
  llvm_unreachable("all forms are handled");
}
