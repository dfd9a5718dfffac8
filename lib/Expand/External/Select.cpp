//===- Select.cpp - Nodes that exist already ------------------------------===//
///
/// \file
/// A template with the directive `select` stands for nodes of other deployments
/// that are of its type and satisfy its filter (TOSCA 2.0 §6.9.3, §8.6), in the
/// order in which the state has them. What is recorded of them is known here;
/// nothing is done to them: their machines keep their cells and nothing else.
///
//===----------------------------------------------------------------------===//

#include "Select.h"
#include "Graph/GraphEnvironment.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "toscac/State/State.h"
#include "toscac/Value/CheckValue.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;

namespace {

class Selection {
public:
  Selection(Expansion &expansion, uint32_t nodeClass)
      : expansion(expansion), own(expansion.graph.nodeClasses[nodeClass]),
        written(*expansion.templates[nodeClass]), nodeClass(nodeClass) {}

  /// Whether there are nodes for all instances, which have their values then.
  bool run();
  void report() const;

private:
  bool isOfType(const state::Entity &entity) const;
  bool fits(const state::Entity &entity, uint32_t row);

  Expansion &expansion;
  ir::NodeClass &own;
  const sema::NodeTemplate &written;
  uint32_t nodeClass;
  uint32_t numOfType = 0, numFitting = 0;
};

} // namespace

bool Selection::isOfType(const state::Entity &entity) const {
  const auto &types = expansion.program.types;
  return entity.kind == state::EntityKind::Node &&
         llvm::any_of(llvm::enumerate(types), [&](auto type) {
           return type.value().kind == ir::TypeInfo::Kind::Node &&
                  type.value().name.str() == entity.type &&
                  ir::isDerivedFrom(types, {uint32_t(type.index())}, own.type);
         });
}

/// What is recorded is as it stands in JSON; what is of another type here, or
/// is not known, is not set.
static void fillColumns(Expansion &expansion,
                        std::vector<ir::ValueColumn> &columns,
                        ArrayRef<sema::Assignment> assignments,
                        const Value &recorded, uint32_t row, uint32_t rows) {
  for (auto [column, assignment] : llvm::zip(columns, assignments)) {
    const Value *plain =
        recorded.isMap() ? recorded.find(assignment.name.str()) : nullptr;
    Environment nothing;
    std::optional<Value> value;
    if (plain)
      value = checkValue(*plain, *assignment.type, nothing, expansion.arena(),
                         [](ArrayRef<PathStep>, const Problem &) {});
    column.values.set(
        row, value ? expansion.arena().make(Expr::literal(*value)) : nullptr,
        rows);
  }
}

static void fillCells(Expansion &expansion, ir::NodeClass &own,
                      const Value &recorded, uint32_t row) {
  if (!recorded.isMap())
    return;
  for (ir::MachineSlot &slot : own.machines) {
    const ir::Machine &machine = expansion.graph.machines[slot.machine.index];
    const Value *cells = recorded.find(machine.interface.str());
    for (auto [cell, column] : llvm::zip(machine.cells, slot.cells)) {
      const Value *value =
          cells && cells->isMap() ? cells->find(cell.name.str()) : nullptr;
      bool isAllowed = value && (cell.domain.empty() ||
                                 llvm::is_contained(cell.domain, *value));
      if (isAllowed)
        column.set(row, expansion.arena().make(Expr::literal(*value)),
                   own.nodes.count);
    }
  }
}

void expanding::fillFromState(Expansion &expansion, uint32_t nodeClass,
                              uint32_t row, const state::Entity &entity) {
  ir::NodeClass &own = expansion.graph.nodeClasses[nodeClass];
  const sema::NodeTemplate &written = *expansion.templates[nodeClass];
  fillColumns(expansion, own.properties, written.properties, entity.properties,
              row, own.nodes.count);
  fillColumns(expansion, own.attributes, written.attributes, entity.attributes,
              row, own.nodes.count);
  fillCells(expansion, own, entity.cells, row);
}

bool Selection::fits(const state::Entity &entity, uint32_t row) {
  fillFromState(expansion, nodeClass, row, entity);
  if (!written.filter)
    return true;
  Evaluation truth =
      evaluateAt(expansion, *written.filter, expansion.placeOf(own.nodes[row]));
  if (truth.isFailed())
    toscac::report(expansion.diags, truth.problem(), written.filter->range());
  return truth.isKnown() && truth.value().isTrue();
}

void expanding::retire(Expansion &expansion, uint32_t nodeClass) {
  ir::Graph &graph = expansion.graph;
  ir::NodeClass &own = graph.nodeClasses[nodeClass];
  for (ir::MachineSlot &slot : own.machines) {
    ir::Machine machine = graph.machines[slot.machine.index];
    machine.operations = {};
    machine.rules = {};
    machine.intents = {};
    machine.failures = {};
    machine.promises = {};
    machine.health = {};
    machine.roles = {};
    graph.machines.push_back(machine);
    slot.machine = {uint32_t(graph.machines.size() - 1)};
  }
  for (ir::RelationshipClassId id : own.relationships.ids()) {
    graph.relationshipClasses[id.index].offsets.assign(own.nodes.count + 1, 0);
    expansion.links[id.index].known = true;
  }
}

bool Selection::run() {
  auto properties = own.properties;
  auto attributes = own.attributes;
  auto machines = own.machines;
  expansion.isSelected[nodeClass] = true;
  uint32_t row = 0;
  if (const state::State *state = expansion.options.state)
    for (const state::Deployment &deployment : state->deployments)
      for (const state::Entity &entity : deployment.entities) {
        if (row == own.nodes.count ||
            deployment.name == expansion.options.deployment ||
            !isOfType(entity))
          continue;
        ++numOfType;
        row += fits(entity, row);
      }
  numFitting = row;
  if (row == own.nodes.count) {
    retire(expansion, nodeClass);
    return true;
  }
  expansion.isSelected[nodeClass] = false;
  own.properties = std::move(properties);
  own.attributes = std::move(attributes);
  own.machines = std::move(machines);
  return false;
}

void Selection::report() const {
  std::string type = expansion.program.types[own.type.index].name.str().str();
  std::string reason;
  if (!expansion.options.state)
    reason = "no state was given with --state";
  else if (numOfType == 0)
    reason = "no other deployment has a node of type '" + type + "'";
  else if (written.filter)
    reason = llvm::formatv(
        "{0} nodes are of type '{1}', but {2} is true of {3}, and {4} are "
        "wanted",
        numOfType, type, toText(*written.filter), numFitting, own.nodes.count);
  else
    reason = llvm::formatv("{0} nodes are of type '{1}', and {2} are wanted",
                           numOfType, type, own.nodes.count);
  expansion.diags.report(own.range, diag::NothingToSelect, own.name.str(),
                         reason);
}

bool expanding::selectNodes(Expansion &expansion, ir::SubgraphId subgraph) {
  bool complete = true;
  for (ir::NodeClassId id :
       expansion.graph.subgraphs[subgraph.index].classes.ids()) {
    ArrayRef<sema::Directive> directives =
        expansion.templates[id.index]->directives;
    const auto *select = llvm::find(directives, sema::Directive::Select);
    // What comes earlier is preferred; nodes can always be created.
    if (expansion.isMapped[id.index] || select == directives.end() ||
        llvm::is_contained(ArrayRef(directives.begin(), select),
                           sema::Directive::Create))
      continue;
    Selection selection(expansion, id.index);
    if (selection.run() || directives.size() > 1)
      continue;
    selection.report();
    complete = false;
  }
  return complete;
}
