//===- MappedConstants.cpp - Constants in substitution mappings -----------===//

#include "MappedConstants.h"

using namespace toscac;
using namespace toscac::sema;
using syntax::Node;

bool sema::isConstantMapping(const ServiceScope &service,
                             const Entity &mappings,
                             const syntax::Entry &entry) {
  if (!service.scope.isOlder() || !entry.key.isScalar() ||
      !entry.value.isScalar() || service.inputs.contains(entry.value.text()))
    return false;
  // Values are in the form of TOSCA 2.0, where both are scalars.
  const Node *written = mappings.node->find("properties");
  const Node *value = written && written->isMapping()
                          ? written->find(entry.key.text())
                          : nullptr;
  return value && value->isScalar();
}
