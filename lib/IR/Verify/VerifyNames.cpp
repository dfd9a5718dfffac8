//===- VerifyNames.cpp - Names within one entity --------------------------===//

#include "Verifier.h"
#include "llvm/ADT/DenseSet.h"
#include <map>

using namespace toscac;
using namespace toscac::ir;
using llvm::StringRef;

namespace {

struct NamedPlace {
  Name name;
  SourceRange range;
};

class NameVerifier {
public:
  NameVerifier(const Graph &graph, DiagnosticEngine &diags)
      : graph(graph), diags(diags) {}

  void verify();

private:
  template <typename Range, typename GetName>
  void differ(StringRef noun, const Range &items, GetName getName,
              SourceRange range = {});
  template <typename Range>
  void differ(StringRef noun, const Range &items, SourceRange range = {}) {
    differ(noun, items, [](const auto &item) { return item.name; }, range);
  }
  void verifyMachine(const Machine &machine);
  void verifySubgraph(const Subgraph &subgraph);
  void verifyMappings(const Subgraph &subgraph);
  void expectCapability(const NodeClass &nodeClass, Name name);
  void verifyClass(const NodeClass &nodeClass);
  void verifySlots(llvm::ArrayRef<MachineSlot> slots, SourceRange range);

  const Graph &graph;
  DiagnosticEngine &diags;
};

} // namespace

template <typename Range, typename GetName>
void NameVerifier::differ(StringRef noun, const Range &items, GetName getName,
                          SourceRange range) {
  llvm::DenseSet<const char *> seen;
  for (const auto &item : items) {
    Name name = getName(item);
    if (seen.insert(name.str().data()).second)
      continue;
    SourceRange place = range;
    if constexpr (requires { item.range; })
      place = item.range;
    diags.report(place, diag::IrRepeatedName, noun, name.str());
  }
}

void NameVerifier::verifyMachine(const Machine &machine) {
  differ("cell", machine.cells);
  differ("operation", machine.operations);
}

void NameVerifier::verifySlots(llvm::ArrayRef<MachineSlot> slots,
                               SourceRange range) {
  auto nameOfSlot = [&](const MachineSlot &slot) {
    return graph.machines[slot.machine.index].interface;
  };
  differ("interface", slots, nameOfSlot, range);
}

template <typename Range>
static bool hasName(const Range &items, Name name) {
  return llvm::any_of(items,
                      [&](const auto &item) { return item.name == name; });
}

void NameVerifier::expectCapability(const NodeClass &nodeClass, Name name) {
  if (!hasName(nodeClass.capabilities, name))
    diags.report(nodeClass.range, diag::IrUnknownName, "capability",
                 (nodeClass.name.str() + "." + name.str()).str());
}

/// Both sides of what a service and the node that it stands for share.
void NameVerifier::verifyMappings(const Subgraph &subgraph) {
  auto classes = llvm::ArrayRef(graph.nodeClasses)
                     .slice(subgraph.classes.first, subgraph.classes.count);
  for (const Subgraph::CapabilityMapping &mapping : subgraph.capabilities) {
    if (subgraph.substitutes)
      expectCapability(graph.classOf(*subgraph.substitutes), mapping.outer);
    const auto *inner = llvm::find_if(classes, [&](const NodeClass &own) {
      return own.name == mapping.node;
    });
    if (inner == classes.end())
      diags.report({}, diag::IrUnknownName, "class", mapping.node.str());
    else
      expectCapability(*inner, mapping.inner);
  }
}

void NameVerifier::verifySubgraph(const Subgraph &subgraph) {
  verifySlots(subgraph.machines, {});
  differ("input", subgraph.inputs);
  verifyMappings(subgraph);
  differ("workflow", subgraph.workflows);
  for (const Workflow &workflow : subgraph.workflows)
    differ("step", workflow.steps);
  differ("class", llvm::ArrayRef(graph.nodeClasses)
                      .slice(subgraph.classes.first, subgraph.classes.count));
}

void NameVerifier::verifyClass(const NodeClass &nodeClass) {
  differ("property", nodeClass.properties, nodeClass.range);
  differ("attribute", nodeClass.attributes, nodeClass.range);
  differ("capability", nodeClass.capabilities, nodeClass.range);
  verifySlots(nodeClass.machines, nodeClass.range);
}

void NameVerifier::verify() {
  differ("input", graph.inputs);
  differ("output", graph.outputs);
  differ("parameter", graph.goal.parameters);
  std::map<uint32_t, std::vector<NamedPlace>> groups;
  for (const Group &group : graph.groups)
    groups[group.subgraph.index].push_back({group.name, group.range});
  for (const auto &[subgraph, ofSubgraph] : groups)
    differ("group", ofSubgraph);
  llvm::for_each(graph.machines,
                 [&](const Machine &machine) { verifyMachine(machine); });
  llvm::for_each(graph.subgraphs,
                 [&](const Subgraph &subgraph) { verifySubgraph(subgraph); });
  for (const NodeClass &nodeClass : graph.nodeClasses)
    verifyClass(nodeClass);
  for (const RelationshipClass &requirement : graph.relationshipClasses) {
    differ("property", requirement.properties, requirement.range);
    differ("attribute", requirement.attributes, requirement.range);
    verifySlots(requirement.machines, requirement.range);
  }
}

void ir::verifyNames(const Graph &graph, DiagnosticEngine &diags) {
  NameVerifier(graph, diags).verify();
}
