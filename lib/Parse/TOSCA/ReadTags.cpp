//===- ReadTags.cpp - What a service can stand for ------------------------===//

#include "toscac/Parse/TOSCA/ReadTags.h"

#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::tosca;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

bool tosca::isToscaFile(const Node &root) {
  return root.isMapping() && root.find("tosca_definitions_version");
}

static void addTag(std::vector<ServiceTag> &tags, StringRef key,
                   const Node &value) {
  auto known = llvm::find_if(
      tags, [&](const ServiceTag &tag) { return tag.key == key; });
  if (known != tags.end())
    return;
  ServiceTag tag{key, {}};
  if (value.isScalar())
    tag.values.push_back(&value);
  else if (value.isSequence())
    for (const Node &item : value.items())
      if (item.isScalar())
        tag.values.push_back(&item);
  if (!tag.values.empty())
    tags.push_back(std::move(tag));
}

static void addMetadata(std::vector<ServiceTag> &tags, const Node &owner) {
  const Node *metadata = owner.find("metadata");
  if (!metadata || !metadata->isMapping())
    return;
  for (const Entry &entry : metadata->entries())
    if (entry.key.isScalar() && entry.key.text() != "template_name")
      addTag(tags, entry.key.text(), entry.value);
}

/// The property that `{ $get_property: [ SELF, name ] }` reads; empty for all
/// else.
static StringRef propertyOf(const Node &node) {
  const Node *path = node.isMapping() ? node.find("$get_property") : nullptr;
  if (!path || !path->isSequence() || path->items().size() != 2 ||
      !path->items()[1].isScalar())
    return "";
  return path->items()[1].text();
}

/// Adds what a filter fixes: `$equal` and `$valid_values` of a property with
/// values, alone or under `$and`.
static void addFilter(std::vector<ServiceTag> &tags, const Node &filter) {
  if (!filter.isMapping() || filter.entries().size() != 1)
    return;
  const Entry &call = filter.entries().front();
  StringRef name = call.key.isScalar() ? call.key.text() : "";
  if (!call.value.isSequence())
    return;
  llvm::ArrayRef<Node> arguments = call.value.items();
  if (name == "$and")
    for (const Node &part : arguments)
      addFilter(tags, part);
  bool compares =
      (name == "$equal" || name == "$valid_values") && arguments.size() == 2;
  if (!compares)
    return;
  StringRef left = propertyOf(arguments[0]), right = propertyOf(arguments[1]);
  if (!left.empty())
    addTag(tags, left, arguments[1]);
  else if (!right.empty() && name == "$equal")
    addTag(tags, right, arguments[0]);
}

std::vector<ServiceTag> tosca::readTags(const Node &root) {
  std::vector<ServiceTag> tags;
  const Node *service = root.find("service_template");
  if (!service)
    service = root.find("topology_template");
  if (service && service->isMapping()) {
    const Node *mappings = service->find("substitution_mappings");
    if (mappings && mappings->isMapping()) {
      if (const Node *type = mappings->find("node_type"))
        addTag(tags, "node_type", *type);
      if (const Node *filter = mappings->find("substitution_filter"))
        addFilter(tags, *filter);
    }
    addMetadata(tags, *service);
  }
  if (service)
    addMetadata(tags, root);
  return tags;
}
