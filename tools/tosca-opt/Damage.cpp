//===- Damage.cpp - Graphs with something wrong ---------------------------===//

#include "Damage.h"

#include "toscac/IR/Graph.h"

using namespace toscac::ir;

namespace {
struct Row {
  const char *name;
  void (*apply)(Graph &);
};
} // namespace

/// A class with a machine that has cells.
static MachineSlot &firstSlot(Graph &graph) {
  for (NodeClass &nodeClass : graph.nodeClasses)
    if (!nodeClass.machines.empty())
      return nodeClass.machines.front();
  return graph.subgraphs.front().machines.front();
}

static constexpr Row rows[] = {
    {"type", [](Graph &g) { g.nodeClasses.front().type = {1000}; }},
    {"type-kind",
     [](Graph &g) {
       g.nodeClasses.front().type = g.relationshipClasses.front().type;
     }},
    {"machine", [](Graph &g) { firstSlot(g).machine = {1000}; }},
    {"cells", [](Graph &g) { firstSlot(g).cells.pop_back(); }},
    {"cell-value", [](Graph &g) { firstSlot(g).cells[0].setAll(nullptr); }},
    {"cell-rows",
     [](Graph &g) {
       const toscac::Expr *value = firstSlot(g).cells[0].at(0);
       firstSlot(g).cells[0].setAll(nullptr);
       firstSlot(g).cells[0].set(0, value, 7);
     }},
    {"artifacts", [](Graph &g) { g.artifacts.clear(); }},
    {"class-of-node", [](Graph &g) { g.classOfNode.back() = {0}; }},
    {"index", [](Graph &g) { g.indexOfNode.back() = 0; }},
    {"nodes", [](Graph &g) { g.nodeClasses.back().nodes.first++; }},
    {"target", [](Graph &g) { g.target.back() = {1000}; }},
    {"capability", [](Graph &g) { g.capability.back() = 1000; }},
    {"source", [](Graph &g) { g.source.back() = {0}; }},
    {"offsets",
     [](Graph &g) { g.relationshipClasses.back().offsets.pop_back(); }},
    {"class-of-relationship",
     [](Graph &g) { g.classOfRelationship.back() = {1000}; }},
    {"relationship-table", [](Graph &g) { g.capability.pop_back(); }},
    {"links",
     [](Graph &g) { std::swap(g.incoming.front(), g.incoming.back()); }},
    {"no-links", [](Graph &g) { g.incoming.clear(); }},
    {"scope", [](Graph &g) { g.subgraphs.front().classes.count--; }},
};

std::vector<std::string> damageNames() {
  std::vector<std::string> names;
  for (const Row &row : rows)
    names.emplace_back(row.name);
  return names;
}

void damage(Graph &graph, const std::string &name) {
  for (const Row &row : rows)
    if (name == row.name)
      row.apply(graph);
}
