//===- ModelFor.cpp - Kinds of nodes that the profile has -----------------===//

#include "Lower.h"

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

StringRef cloudify::modelFor(const BoundNode &node) {
  bool heals = implements(node, {"heal"});
  if (!node.type->isCompute)
    return heals ? "HealingNode" : "Node";
  if (isAttended(node))
    return heals ? "HealingAttendedHost" : "AttendedHost";
  return heals ? "HealingHost" : "Host";
}
