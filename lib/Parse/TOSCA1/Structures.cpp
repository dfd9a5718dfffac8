//===- Structures.cpp - Imports, mappings and activities ------------------===//

#include "Modernize.h"

#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using namespace toscac::tosca;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

static bool isImportKeyname(StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases("file", "repository", "namespace_prefix", "namespace_uri",
             "description", "metadata", true)
      .Default(false);
}

/// An import may have a name, which nobody uses: `- name: file` or
/// `- name: { file: … }`.
static Node withoutName(const Node &item) {
  if (!item.isMapping() || item.entries().size() != 1)
    return item;
  const auto &[key, value] = item.entries().front();
  bool isNamed = key.isScalar() && !isImportKeyname(key.text());
  return isNamed ? value : item;
}

const Node *tosca::modernizeImports(const OlderValue &value) {
  const Node &node = value.node;
  llvm::SmallVector<Node> items;
  if (node.isMapping())
    for (const Entry &entry : node.entries())
      items.push_back(withoutName(value.build.map(entry, entry.key.range())));
  else if (node.isSequence())
    for (const Node &item : node.items())
      items.push_back(withoutName(item));
  else if (!node.isNull())
    return &node;
  return value.build.save(value.build.list(items, node.range()));
}

/// `property: [ input ]` is `property: input`. Constants and properties of
/// nodes inside have no like today.
const Node *tosca::modernizePropertyMappings(const OlderValue &value) {
  const Node &node = value.node;
  if (!node.isMapping())
    return node.isNull() ? value.build.save(value.build.map({}, node.range()))
                         : &node;
  llvm::SmallVector<Entry> entries;
  for (const auto &[key, mapping] : node.entries()) {
    bool isList = mapping.isSequence() && mapping.items().size() == 1;
    const Node &target = isList ? mapping.items().front() : mapping;
    if (target.isString())
      entries.push_back({key, target});
  }
  return value.build.save(value.build.map(entries, node.range()));
}

const Node *tosca::modernizeRequirementMappings(const OlderValue &value) {
  const Node &node = value.node;
  llvm::SmallVector<Node> items;
  if (node.isMapping())
    for (const Entry &entry : node.entries()) {
      // Templates of NFV name what they do not map.
      bool isMapped = !entry.value.isSequence() || !entry.value.items().empty();
      if (isMapped)
        items.push_back(value.build.map(entry, entry.key.range()));
    }
  else if (!node.isNull())
    return &node;
  return value.build.save(value.build.list(items, node.range()));
}

Node tosca::withoutOwnName(const Node &item, const NodeBuilder &build) {
  if (!item.isMapping() || item.entries().size() != 1)
    return item;
  const auto &[key, value] = item.entries().front();
  const Node *properties =
      value.isMapping() ? value.find("properties") : nullptr;
  const Node *meant =
      value.isMapping() ? value.find("type_requirement") : nullptr;
  if (!properties && !meant)
    return item;
  llvm::SmallVector<Entry> entries, relationship;
  for (const Entry &entry : value.entries()) {
    StringRef word = entry.key.isScalar() ? entry.key.text() : "";
    if (word == "properties")
      relationship.push_back(entry);
    else if (word == "relationship" && properties && entry.value.isScalar())
      relationship.push_back(
          {build.plain("type", entry.key.range()), entry.value});
    else if (word != "type_requirement")
      entries.push_back(entry);
  }
  if (!relationship.empty())
    entries.push_back({build.plain("relationship", key.range()),
                       build.map(relationship, value.range())});
  Node name = meant && meant->isScalar() ? *meant : key;
  return build.map({{name, build.map(entries, value.range())}}, item.range());
}

/// Before 1.3 an action was a map from names to operations, or their names.
const Node *tosca::modernizeActivities(const OlderValue &value) {
  const Node &node = value.node;
  llvm::SmallVector<Node> activities;
  if (node.isSequence())
    for (const Node &item : node.items())
      if (!item.isScalar())
        activities.push_back(item);
  return value.build.save(value.build.list(activities, node.range()));
}
