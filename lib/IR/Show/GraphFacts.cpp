//===- GraphFacts.cpp - A graph for pages ---------------------------------===//

#include "toscac/IR/GraphFacts.h"

#include "Machines/MachineFacts.h"
#include "toscac/Basic/JSONWriter.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::StringRef;

/// Instances whose capacities are told.
static constexpr uint32_t maxRows = 24;

namespace {

class GraphFacts {
public:
  GraphFacts(const Graph &graph, PlaceOf placeOf, llvm::raw_ostream &os)
      : graph(graph), placeOf(placeOf), json(os) {}

  void write();

private:
  /// `db/`: the nodes that the service is inside of.
  std::string scopeOf(SubgraphId id) const;
  std::string nameOf(const NodeClass &nodeClass) const {
    return scopeOf(nodeClass.subgraph) + nodeClass.name.str().str();
  }
  std::string nameOf(const RelationshipClass &requirement) const {
    return nameOf(graph.nodeClasses[requirement.source.index]) + "." +
           requirement.requirement.str().str();
  }
  void writeTemplates();
  void writeCapability(const NodeClass &nodeClass,
                       const CapabilityColumns &capability);
  void writeRequirements();
  void writeMachines();

  const Graph &graph;
  PlaceOf placeOf;
  JSONWriter json;
};

} // namespace

std::string GraphFacts::scopeOf(SubgraphId id) const {
  std::string scope;
  while (std::optional<NodeId> outer = graph.subgraphs[id.index].substitutes) {
    const NodeClass &around = graph.classOf(*outer);
    scope = (around.name.str() + "/" + scope).str();
    id = around.subgraph;
  }
  return scope;
}

void GraphFacts::writeCapability(const NodeClass &nodeClass,
                                 const CapabilityColumns &capability) {
  json.object([&] {
    json.attribute("name", capability.name.str());
    if (capability.type)
      json.attribute("type", graph.types[capability.type.index].name.str());
    if (capability.remaining.empty())
      return;
    json.attributeBegin("remaining");
    json.object([&] {
      for (const ValueColumn &column : capability.remaining) {
        if (column.sensitive)
          continue;
        json.attributeBegin(column.name.str());
        json.array([&] {
          for (uint32_t row = 0;
               row != std::min(nodeClass.nodes.count, maxRows); ++row)
            if (const Expr *value = column.values.at(row))
              json.value(toText(*value));
        });
      }
    });
  });
}

void GraphFacts::writeTemplates() {
  json.attributeBegin("templates");
  llvm::StringSet<> seen;
  json.array([&] {
    for (const NodeClass &nodeClass : graph.nodeClasses) {
      std::string name = nameOf(nodeClass);
      if (!seen.insert(name).second)
        continue;
      json.newLine();
      json.object([&] {
        json.attribute("name", name);
        if (nodeClass.type)
          json.attribute("type", graph.types[nodeClass.type.index].name.str());
        json.attribute("count", nodeClass.nodes.count);
        writePlace(nodeClass.range, placeOf, json);
        json.attributeBegin("capabilities");
        json.array([&] {
          for (const CapabilityColumns &capability : nodeClass.capabilities)
            writeCapability(nodeClass, capability);
        });
      });
    }
  });
}

void GraphFacts::writeRequirements() {
  json.newLine();
  json.attributeBegin("requirements");
  llvm::StringSet<> seen;
  json.array([&] {
    for (const RelationshipClass &requirement : graph.relationshipClasses) {
      std::string name = nameOf(requirement);
      if (!seen.insert(name).second)
        continue;
      json.newLine();
      json.object([&] {
        json.attribute("name", name);
        if (findMark(graph.types, requirement.type, "containment") == "true")
          json.attribute("containment", true);
        writePlace(requirement.range, placeOf, json);
      });
    }
  });
}

void GraphFacts::writeMachines() {
  llvm::MapVector<uint32_t, ShownMachine> shown;
  auto add = [&](llvm::ArrayRef<MachineSlot> slots, const std::string &owner) {
    for (const MachineSlot &slot : slots) {
      ShownMachine &machine = shown[slot.machine.index];
      machine.machine = &graph.machines[slot.machine.index];
      if (!llvm::is_contained(machine.owners, owner))
        machine.owners.push_back(owner);
    }
  };
  for (const NodeClass &nodeClass : graph.nodeClasses)
    add(nodeClass.machines, nameOf(nodeClass));
  for (const RelationshipClass &requirement : graph.relationshipClasses)
    add(requirement.machines, nameOf(requirement));
  for (const Subgraph &subgraph : graph.subgraphs)
    add(subgraph.machines, subgraph.service.str().str());
  json.newLine();
  json.attributeBegin("machines");
  json.array([&] {
    for (const auto &[id, machine] : shown)
      writeMachineFacts(machine, placeOf, json);
  });
}

void GraphFacts::write() {
  json.object([&] {
    writeTemplates();
    writeRequirements();
    writeMachines();
  });
}

void ir::writeGraphFacts(const Graph &graph, PlaceOf placeOf,
                         llvm::raw_ostream &os) {
  GraphFacts(graph, placeOf, os).write();
}
