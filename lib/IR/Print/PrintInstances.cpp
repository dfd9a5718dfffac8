//===- PrintInstances.cpp - Instances as text -----------------------------===//

#include "InstancePrinter.h"
#include "WriteExpr.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::StringRef;

static bool areAlikeOrNull(const Expr *a, const Expr *b) {
  return a == b || (a && b && areAlike(*a, *b));
}

InstancePrinter::InstancePrinter(PrintedText &printed) : PartPrinter(printed) {
  for (const Machine &machine : graph.machines) {
    std::vector<Expr> &initial = initialValues.emplace_back();
    for (const Cell &cell : machine.cells)
      initial.push_back(Expr::literal(cell.initial));
  }
}

/// Boyer and Moore's vote: each row of another value cancels one for the
/// candidate, so that only a majority can be left over.
const Expr *InstancePrinter::commonValue(const Column &column, uint32_t rows) {
  if (column.isShared() || rows == 0)
    return column.at(0);
  const Expr *candidate = nullptr;
  uint32_t votes = 0;
  for (uint32_t row = 0; row < rows; ++row) {
    if (votes == 0)
      candidate = column.at(row);
    votes += areAlikeOrNull(candidate, column.at(row)) ? 1 : -1;
  }
  uint32_t count = 0;
  for (uint32_t row = 0; row < rows; ++row)
    count += areAlikeOrNull(candidate, column.at(row));
  return count > rows / 2 ? candidate : nullptr;
}

void InstancePrinter::printColumns(StringRef keyword,
                                   llvm::ArrayRef<ValueColumn> columns,
                                   uint32_t rows) {
  for (const ValueColumn &column : columns) {
    line(keyword);
    name(column.name);
    typeKind(column.type, TypeKind::Any);
    os << (column.sensitive ? " sensitive" : "");
    value(commonValue(column.values, rows));
    os << '\n';
  }
}

/// Cells that have their initial value are not printed.
static bool isInitial(const Cell &cell, const Expr *value) {
  return !value ||
         (value->isLiteral() && areAlike(value->value(), cell.initial));
}

void InstancePrinter::printSlot(const MachineSlot &slot, uint32_t rows) {
  const Machine &machine = graph.machines[slot.machine.index];
  line("interface ");
  label(machine.interface, printed.machineOrdinals[slot.machine.index]);
  llvm::SmallVector<const Expr *> values;
  for (auto [cell, column] : llvm::zip(machine.cells, slot.cells)) {
    const Expr *common = commonValue(column, rows);
    values.push_back(isInitial(cell, common) ? nullptr : common);
  }
  block(llvm::any_of(values, [](const Expr *e) { return e; }), [&] {
    for (auto [cell, common] : llvm::zip(machine.cells, values)) {
      if (!common)
        continue;
      line("cell ");
      name(cell.name);
      value(common);
      os << '\n';
    }
  });
}

void InstancePrinter::addVarying(StringRef section,
                                 const CapabilityColumns *owner,
                                 llvm::ArrayRef<ValueColumn> columns,
                                 uint32_t rows) {
  for (const ValueColumn &column : columns)
    if (!column.values.isShared())
      varying.push_back({owner ? "capability " : "",
                         owner ? owner->name : Name(), section, column.name,
                         &column.values, commonValue(column.values, rows),
                         /*unset=*/nullptr});
}

void InstancePrinter::addVarying(llvm::ArrayRef<MachineSlot> slots,
                                 uint32_t rows) {
  for (const MachineSlot &slot : slots) {
    const Machine &machine = graph.machines[slot.machine.index];
    for (auto [i, column] : llvm::enumerate(slot.cells)) {
      if (column.isShared())
        continue;
      const Expr *common = commonValue(column, rows);
      const Expr &initial = initialValues[slot.machine.index][i];
      varying.push_back({"cell ", machine.interface, "", machine.cells[i].name,
                         &column, common ? common : &initial, &initial});
    }
  }
}

void InstancePrinter::collectVarying(const NodeClass &nodeClass) {
  uint32_t rows = nodeClass.nodes.count;
  varying.clear();
  addVarying("property ", nullptr, nodeClass.properties, rows);
  addVarying("attribute ", nullptr, nodeClass.attributes, rows);
  for (const CapabilityColumns &capability : nodeClass.capabilities) {
    addVarying("property ", &capability, capability.properties, rows);
    addVarying("attribute ", &capability, capability.attributes, rows);
    addVarying("remaining ", &capability, capability.remaining, rows);
  }
  addVarying(nodeClass.machines, rows);
}

void InstancePrinter::collectVarying(const RelationshipClass &requirement) {
  uint32_t rows = requirement.relationships.count;
  varying.clear();
  addVarying("property ", nullptr, requirement.properties, rows);
  addVarying("attribute ", nullptr, requirement.attributes, rows);
  addVarying(requirement.machines, rows);
}

void InstancePrinter::printVarying(uint32_t row) {
  for (const Varying &column : varying) {
    const Expr *own = column.column->at(row);
    if (!own)
      own = column.unset;
    if (areAlikeOrNull(own, column.common))
      continue;
    os << ' ' << column.ownerKeyword;
    if (!column.ownerKeyword.empty()) {
      name(column.owner);
      os << ' ';
    }
    os << column.section;
    name(column.name);
    if (own)
      value(own);
    else
      os << " = none";
  }
}
