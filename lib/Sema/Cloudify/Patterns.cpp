//===- Patterns.cpp - Kinds of nodes that the profile has -----------------===//

#include "Lower.h"
#include "llvm/ADT/StringSwitch.h"
#include <set>

using namespace toscac;
using namespace toscac::cloudify;
using llvm::ArrayRef;
using llvm::StringRef;

static bool implements(const Interface &interface, StringRef operation) {
  return llvm::any_of(interface.operations, [&](const Operation &own) {
    return (operation.empty() || own.name.text == operation) &&
           !own.implementation.isEmpty();
  });
}

/// Whether \p node implements one of \p operations of its lifecycle.
static bool implements(const BoundNode &node, ArrayRef<StringRef> operations) {
  return llvm::any_of(node.interfaces, [&](const Interface &interface) {
    return interface.name.text == "cloudify.interfaces.lifecycle" &&
           llvm::any_of(operations, [&](StringRef operation) {
             return implements(interface, operation);
           });
  });
}

bool cloudify::isUpdating(const BoundNode &node) {
  return implements(node, {"preupdate", "update", "postupdate", "update_config",
                           "update_apply", "update_postapply"});
}

/// Whether \p node does something of what is special about machines.
static bool isAttended(const BoundNode &node) {
  static constexpr StringRef special[] = {
      "cloudify.interfaces.host", "cloudify.interfaces.cloudify_agent",
      "cloudify.interfaces.monitoring_agent"};
  return llvm::any_of(node.interfaces, [](const Interface &interface) {
    return llvm::is_contained(special, interface.name.text) &&
           implements(interface, "");
  });
}

bool cloudify::wasAttended(const Value &operations) {
  return operations.isMap() && operations.find("cloudify_agent");
}

StringRef cloudify::patternOf(const BoundNode &node) {
  bool heals = implements(node, {"heal"});
  if (!node.type->isCompute)
    return heals ? "healing_node" : "node";
  if (isAttended(node))
    return heals ? "healing_attended" : "attended";
  return heals ? "healing_host" : "host";
}

/// The template \p pattern, if it takes long to read and is not always used.
static StringRef rarePattern(StringRef pattern) {
  return llvm::StringSwitch<StringRef>(pattern)
      .Case("attended", "    attended: { type: AttendedHost }\n")
      .Case("updating", "    updating: { type: UpdatingNode }\n")
      .Case("healing_node", "    healing_node: { type: HealingNode }\n")
      .Case("healing_host", "    healing_host: { type: HealingHost }\n")
      .Case("healing_attended",
            "    healing_attended: { type: HealingAttendedHost }\n")
      .Default("");
}

std::string cloudify::patternText(const Model &model,
                                  const state::Deployment *recorded) {
  std::set<StringRef> patterns;
  for (const BoundNode &node : model.nodes) {
    patterns.insert(rarePattern(patternOf(node)));
    if (isUpdating(node))
      patterns.insert(rarePattern("updating"));
  }
  if (recorded && recorded->operations.isMap())
    for (const auto &[name, operations] : recorded->operations.entries())
      if (wasAttended(operations))
        patterns.insert(rarePattern("attended"));
  std::string text = R"(tosca_definitions_version: tosca_2_0
imports:
- profile: cloudify
service_template:
  groups:
    scaled: { type: ScalingGroup, members: [ node ] }
    plain: { type: Group, members: [ node ] }
  node_templates:
    node:
      type: Node
      requirements:
      - depends_on: host
      - connected_to: host
      - contained_in: host
    host: { type: Host }
)";
  for (StringRef pattern : patterns)
    text += pattern;
  return text;
}
