//===- SpareHealthy.cpp - What need not be healed -------------------------===//

#include "ChangeBuilder.h"

using namespace toscac;
using namespace toscac::expanding;

/// Whether a cell of \p row has a value that the profile marks as a sign that
/// all is well.
bool ChangeBuilder::isHealthy(uint32_t row) const {
  const Value &cells = recorded[row].cells;
  if (!cells.isMap())
    return false;
  for (const ir::Machine &machine : program.machines) {
    if (machine.health.empty())
      continue;
    const Value *own = cells.find(machine.interface.str());
    for (const ir::FailureMark &mark : machine.health)
      if (const Value *now =
              own && own->isMap()
                  ? own->find(machine.cells[mark.cell].name.str())
                  : nullptr;
          now && *now == mark.value)
        return true;
  }
  return false;
}

/// Whether \p row has an operation to be healed with, which has not failed yet.
bool ChangeBuilder::canHeal(uint32_t row) {
  for (const ir::Machine *machine : machinesOf(row)) {
    auto failed = [&](const ir::FailureMark &mark) {
      const Value *now = cellOf(row, *machine, mark.cell);
      return now && *now == mark.value;
    };
    if (machine->roles.healRequest)
      return isThere(row) && llvm::none_of(machine->failures, failed);
  }
  return false;
}

void ChangeBuilder::spareHealthy() {
  bool hasMarks =
      llvm::any_of(program.machines, [](const ir::Machine &machine) {
        return !machine.health.empty() || machine.roles.healRequest;
      });
  if (!hasMarks)
    return;
  // From containers to contents: what is inside of something that is replaced
  // is replaced, too.
  std::vector<uint32_t> open;
  for (const auto &entry : result.replaced)
    if (uint32_t row = recorded.find(entry.getKey()); row != Recorded::none)
      if (uint32_t outer = containment.containerOf(row);
          outer == Recorded::none ||
          !result.replaced.contains(recorded[outer].name))
        open.push_back(row);
  while (!open.empty()) {
    uint32_t row = open.back();
    open.pop_back();
    if (recorded[row].kind != state::EntityKind::Node)
      continue;
    if (!isHealthy(row)) {
      if (!canHeal(row))
        continue;
      result.healed.insert(recorded[row].name);
    }
    result.replaced.erase(recorded[row].name);
    for (uint32_t inside : containment.contentsOf(row))
      if (result.replaced.contains(recorded[inside].name))
        open.push_back(inside);
  }
}
