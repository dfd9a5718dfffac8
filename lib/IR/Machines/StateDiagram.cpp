//===- StateDiagram.cpp - The states of one cell --------------------------===//

#include "toscac/IR/StateDiagram.h"

#include "toscac/IR/StateSpace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace toscac;
using namespace toscac::ir;
using llvm::ArrayRef;

std::string StateDiagram::valueName(uint32_t value) const {
  const Value &shown = cell->domain[value];
  return shown.isString() ? shown.asString().str() : toText(shown);
}

std::string StateDiagram::label(const Edge &edge) const {
  return (edge.operation.str() + (edge.fails ? " fails" : "")).str();
}

static bool setsCell(const Reaction &reaction, uint32_t cell) {
  return llvm::any_of(reaction.sets,
                      [&](const Set &set) { return set.cell == cell; });
}

/// The values of \p cell that some failure sets.
static std::set<uint32_t> failureValues(const Machine &machine, uint32_t cell) {
  std::set<uint32_t> values;
  ArrayRef<Value> domain = machine.cells[cell].domain;
  for (const Operation &operation : machine.operations)
    for (const Set &set : operation.failure.sets)
      if (set.cell == cell && set.value->isLiteral())
        values.insert(llvm::find(domain, set.value->value()) - domain.begin());
  return values;
}

static std::vector<StateDiagram::Edge>
edgesOf(const Machine &machine, const StateSpace &space, size_t position) {
  uint32_t cell = space.cells[position];
  std::set<uint32_t> failed = failureValues(machine, cell);
  std::set<std::tuple<uint32_t, bool, uint32_t, uint32_t>> edges;
  for (const StateSpace::Transition &transition : space.transitions) {
    const Operation &operation = machine.operations[transition.operation];
    uint32_t from = space.states[transition.from][position];
    uint32_t to = space.states[transition.to][position];
    bool starts = space.isNormal[transition.from] || failed.count(from);
    const Reaction &reaction =
        transition.fails ? operation.failure : operation.success;
    bool sets = setsCell(reaction, cell) ||
                (!transition.fails && setsCell(operation.entry, cell));
    if (starts && sets && from != to)
      edges.insert({transition.operation, transition.fails, from, to});
  }
  std::vector<StateDiagram::Edge> result;
  for (auto [operation, fails, from, to] : edges)
    result.push_back({from, to, machine.operations[operation].name, fails});
  return result;
}

static std::string titleOf(const ShownMachine &shown) {
  std::string title = shown.machine->interface.str().str();
  if (!shown.owners.empty())
    title += " of " + llvm::join(shown.owners, ", ");
  return title;
}

static void addDiagrams(const ShownMachine &shown,
                        std::vector<StateDiagram> &diagrams) {
  const Machine &machine = *shown.machine;
  ValueArena scratch;
  StateSpace space = explore(machine, scratch);
  size_t first = diagrams.size();
  for (auto [position, index] : llvm::enumerate(space.cells)) {
    const Cell &cell = machine.cells[index];
    if (space.isFree[position] || cell.type == TypeKind::Boolean)
      continue;
    StateDiagram diagram;
    diagram.shown = &shown;
    diagram.cell = &cell;
    auto initial = llvm::find(cell.domain, cell.initial);
    diagram.initial =
        initial == cell.domain.end() ? 0 : initial - cell.domain.begin();
    diagram.edges = edgesOf(machine, space, position);
    std::set<uint32_t> values = {diagram.initial};
    for (const StateDiagram::Edge &edge : diagram.edges)
      values.insert({edge.from, edge.to});
    diagram.values.assign(values.begin(), values.end());
    diagram.title = titleOf(shown);
    diagrams.push_back(std::move(diagram));
  }
  if (diagrams.size() > first + 1)
    for (StateDiagram &diagram : llvm::drop_begin(diagrams, first))
      diagram.title = (diagram.cell->name.str() + " in " + diagram.title).str();
}

std::vector<StateDiagram> ir::diagramsOf(ArrayRef<ShownMachine> machines) {
  std::vector<StateDiagram> diagrams;
  for (const ShownMachine &shown : machines)
    addDiagrams(shown, diagrams);
  return diagrams;
}
