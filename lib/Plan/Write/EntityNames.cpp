//===- EntityNames.cpp - Names of entities in JSON ------------------------===//

#include "EntityNames.h"

#include "toscac/Basic/JSONWriter.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::StringRef;

static bool isPlain(Name name) {
  return llvm::all_of(name.str(), [](unsigned char c) {
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
  });
}

EntityNames::EntityNames(const ir::Graph &graph) : graph(graph) {
  auto plainClass = [](const ir::NodeClass &c) { return isPlain(c.name); };
  auto plainRequirement = [](const ir::RelationshipClass &c) {
    return isPlain(c.requirement);
  };
  arePlain = llvm::all_of(graph.nodeClasses, plainClass) &&
             llvm::all_of(graph.relationshipClasses, plainRequirement);
}

void EntityNames::write(ir::EntityId entity, llvm::raw_ostream &os) const {
  if (!arePlain || graph.isService(entity)) {
    std::string quoted;
    llvm::raw_string_ostream text(quoted);
    writeJSONString(text, graph.nameOf(entity));
    os << StringRef(quoted).drop_front().drop_back();
    return;
  }
  if (!graph.isNode(entity)) {
    ir::RelationshipId id = graph.relationship(entity);
    write(graph.entity(graph.source[id.index]), os);
    os << '.' << graph.classOf(id).requirement.str() << '[';
    writeDecimal(os, graph.indexOfRelationship[id.index]);
    os << ']';
    return;
  }
  const ir::NodeClass &nodeClass = graph.classOf(graph.node(entity));
  if (auto outer = graph.subgraphs[nodeClass.subgraph.index].substitutes) {
    write(graph.entity(*outer), os);
    os << '/';
  }
  os << nodeClass.name.str() << '[';
  writeDecimal(os, graph.indexOfNode[entity.index]);
  os << ']';
}
