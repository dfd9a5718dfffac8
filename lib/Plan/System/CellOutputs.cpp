//===- CellOutputs.cpp - Outputs that become cells ------------------------===//

#include "CellOutputs.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

/// `[ SELF, INTERFACE, name, cell ]`, or from an end of a relationship.
static bool isCell(const ir::OutputMapping &mapping) {
  return mapping.target.size() == 4 && mapping.target[1].str() == "INTERFACE";
}

std::optional<uint32_t> toscac::plan::cellOf(const ir::Machine &machine,
                                             const ir::OutputMapping &mapping) {
  if (!isCell(mapping) || mapping.target[0].str() != "SELF" ||
      mapping.target[2] != machine.interface)
    return std::nullopt;
  for (auto [i, cell] : llvm::enumerate(machine.cells))
    if (cell.name == mapping.target[3])
      return i;
  return std::nullopt;
}

llvm::SmallVector<CellOutput, 1>
toscac::plan::cellOutputs(const ir::Machine &machine,
                          const ir::Operation &operation) {
  llvm::SmallVector<CellOutput, 1> result;
  if (operation.handlers.empty())
    return result;
  auto add = [&](ArrayRef<ir::OutputMapping> mappings) {
    for (const ir::OutputMapping &mapping : mappings)
      if (isCell(mapping))
        result.push_back({cellOf(machine, mapping), &mapping});
  };
  for (const ir::Handler &handler : operation.handlers)
    add(handler.outputs);
  add(operation.outputs);
  return result;
}

bool toscac::plan::isOutput(const ir::Machine &machine,
                            const ir::Operation &operation, uint32_t cell) {
  return llvm::any_of(
      cellOutputs(machine, operation),
      [&](const CellOutput &output) { return output.cell == cell; });
}

/// The literals in \p expr, and of numbers those beside them.
static void addLiterals(const Expr &expr, EventSystem &system,
                        std::vector<ValueId> &values) {
  auto add = [&](const Value &value) {
    ValueId id = system.values.intern(value);
    if (!llvm::is_contained(values, id))
      values.push_back(id);
  };
  if (expr.isLiteral()) {
    const Value &value = expr.value();
    if (value.isList())
      llvm::for_each(value.items(), add);
    else
      add(value);
    if (value.isInteger())
      for (int64_t beside : {-1, 1})
        add(Value::integer(int64_t(uint64_t(value.asInteger()) + beside)));
    return;
  }
  if (expr.isCall(Function::GetAttribute))
    return;
  for (const Expr &child : expr.children())
    addLiterals(child, system, values);
}

std::vector<ValueId> toscac::plan::outcomesOf(CellId id, EventSystem &system) {
  CellPlace at = system.layout.place(id);
  const ir::Machine &machine = system.layout.machine(at.slot);
  const ir::Cell &cell = machine.cells[at.cell];
  std::vector<ValueId> values;
  for (const Value &value : cell.domain)
    values.push_back(system.values.intern(value));
  if (!values.empty())
    return values;
  if (cell.type == TypeKind::Boolean)
    return {system.values.intern(Value::boolean(false)),
            system.values.intern(Value::boolean(true))};
  values.push_back(system.values.intern(cell.initial));
  if (cell.type == TypeKind::String)
    values.push_back(system.values.intern(Value::string("…")));
  for (const Atom &atom : system.conditions.atoms)
    if (atom.cell.interface == machine.interface && atom.cell.cell == cell.name)
      addLiterals(*atom.test, system, values);
  return values;
}
