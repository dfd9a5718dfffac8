//===- Resolve.cpp - What the compiler makes of a template ----------------===//

#include "Resolve.h"

#include "toscac/IR/Graph.h"
#include "toscac/IR/StateDiagram.h"
#include "toscac/Sema/Service.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::edit;
using llvm::StringRef;
using tosca::Entity;
using tosca::EntityKind;

/// The instances of the template \p name in the service itself.
static const ir::NodeClass *findClass(const Checked &checked, StringRef name) {
  const ir::Graph *graph = checked->graph();
  if (!graph)
    return nullptr;
  for (const ir::NodeClass &nodeClass : graph->nodeClasses)
    if (nodeClass.name.str() == name &&
        !graph->subgraphs[nodeClass.subgraph.index].substitutes)
      return &nodeClass;
  return nullptr;
}

std::optional<uint32_t> edit::instancesOf(const Checked &checked,
                                          StringRef name) {
  const ir::NodeClass *found = findClass(checked, name);
  return found ? std::optional(found->nodes.count) : std::nullopt;
}

std::string edit::resolvedValue(const Checked &checked, StringRef node,
                                StringRef property) {
  constexpr uint32_t maxShown = 4;
  const ir::NodeClass *found = findClass(checked, node);
  if (!found)
    return "";
  for (const ir::ValueColumn &column : found->properties) {
    if (column.name.str() != property || column.sensitive)
      continue;
    uint32_t rows = column.values.isShared() ? 1 : found->nodes.count;
    std::string text;
    for (uint32_t row = 0; row < std::min(rows, maxShown); ++row) {
      const Expr *value = column.values.at(row);
      if (!value || !value->isLiteral())
        return "";
      text += (row ? ", `" : "`") + toText(*value) + "`";
    }
    return text + (rows > maxShown ? ", …" : "");
  }
  return "";
}

/// The interface around a place: its name at the template or type, or that of
/// the interface type itself.
struct InterfaceAt {
  StringRef name;
  StringRef type;
};

static InterfaceAt interfaceAround(const Place &place) {
  for (EntityKind kind :
       {EntityKind::InterfaceAssignment, EntityKind::InterfaceDefinition})
    if (const Entity *around = place.enclosing(kind))
      return {around->name.str(), ""};
  if (const Entity *type = place.enclosing(EntityKind::InterfaceType))
    return {"", type->name.str()};
  return {};
}

static const ir::Machine *findMachine(const sema::CheckedProgram &program,
                                      const Place &place, StringRef operation) {
  InterfaceAt interface = interfaceAround(place);
  auto fits = [&](const ir::Machine &machine) {
    bool isSame = interface.type.empty()
                      ? machine.interface.str() == interface.name
                      : machine.type && machine.type.str() == interface.type;
    return isSame &&
           llvm::any_of(machine.operations, [&](const ir::Operation &each) {
             return each.name.str() == operation;
           });
  };
  const Entity *node = place.enclosing(EntityKind::NodeTemplate);
  if (node && program.hasEntry)
    for (const sema::NodeTemplate &each : program.services.front().nodes)
      if (each.name.str() == node->name.str())
        for (ir::MachineId id : each.machines)
          if (fits(program.machines[id.index]))
            return &program.machines[id.index];
  for (const ir::Machine &machine : llvm::concat<const ir::Machine>(
           program.machines, program.interfaceTypes))
    if (fits(machine))
      return &machine;
  return nullptr;
}

std::string edit::transitionsOf(const Checked &checked, const Place &place,
                                StringRef operation) {
  const ir::Machine *machine =
      findMachine(checked->program(), place, operation);
  if (!machine)
    return "";
  ir::ShownMachine shown{machine, {}};
  std::string text;
  for (const ir::StateDiagram &diagram : ir::diagramsOf(shown))
    for (const ir::StateDiagram::Edge &edge : diagram.edges)
      if (edge.operation.str() == operation)
        text += "- `" + diagram.cell->name.str().str() +
                "`: " + diagram.valueName(edge.from) + " → " +
                diagram.valueName(edge.to) +
                (edge.fails ? ", if it fails\n" : "\n");
  return text.empty() ? "" : "Transitions\n\n" + text + "\n";
}
