//===- DropUnset.cpp - Properties without a value -------------------------===//

#include "PassFunctions.h"

using namespace toscac;
using namespace toscac::expanding;

static void dropUnsetColumns(std::vector<ir::ValueColumn> &properties) {
  llvm::erase_if(properties, [](const ir::ValueColumn &column) {
    return column.values.isShared() && !column.values.at(0);
  });
}

void expanding::dropUnset(ir::Graph &graph, NameTable &) {
  for (ir::NodeClass &nodeClass : graph.nodeClasses) {
    dropUnsetColumns(nodeClass.properties);
    for (ir::CapabilityColumns &capability : nodeClass.capabilities)
      dropUnsetColumns(capability.properties);
  }
  for (ir::RelationshipClass &own : graph.relationshipClasses)
    dropUnsetColumns(own.properties);
}
