//===- Heal.cpp - Failed instances anew -----------------------------------===//
///
/// \file
/// The workflow `heal`: an instance, or every one that has failed, is replaced
/// together with the machine it runs on and all that runs there.
///
//===----------------------------------------------------------------------===//

#include "Change.h"
#include "toscac/Basic/DiagnosticsExpand.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::StringRef;

/// Whether a cell of \p row has a value that the profile marks as failed.
bool Change::hasFailed(uint32_t row) const {
  const Value &cells = recorded[row].cells;
  if (!cells.isMap())
    return false;
  for (const MapEntry &interface : cells.entries())
    for (const ir::Machine &machine : program.machines) {
      if (machine.interface.str() != interface.key.asString())
        continue;
      for (const ir::FailureMark &mark : machine.failures) {
        const Value *now =
            interface.value.find(machine.cells[mark.cell].name.str());
        if (now && *now == mark.value)
          return true;
      }
    }
  return false;
}

/// The outermost machine that \p row is inside of, or itself.
uint32_t Change::hostOf(uint32_t row) const {
  uint32_t host = row;
  for (uint32_t at = row; at != Recorded::none;
       at = containment.containerOf(at))
    if (containment.isCompute(at))
      host = at;
  return host;
}

std::vector<uint32_t> Change::failedNodes() const {
  std::vector<uint32_t> failed;
  for (uint32_t row = 0; row != recorded.deployment.entities.size(); ++row) {
    if (!hasFailed(row))
      continue;
    if (recorded[row].kind == state::EntityKind::Node)
      failed.push_back(row);
    else if (recorded.sourceOf(row) != Recorded::none)
      failed.push_back(recorded.sourceOf(row));
  }
  return failed;
}

bool Change::heal() {
  if (!knowsParameters({"instance"}))
    return false;
  bool isComplete = true;
  std::vector<uint32_t> sick =
      parameter("instance") ? instances("instance", isComplete) : failedNodes();
  for (uint32_t row : sick)
    containment.addTree(hostOf(row), result.replaced);
  return isComplete;
}

void Change::update() {
  result.updates = true;
  for (uint32_t row : failedNodes())
    containment.addTree(row, result.replaced);
}
