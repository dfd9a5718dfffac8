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
using llvm::ArrayRef;
using llvm::StringRef;

/// The machines of the template that \p row comes from; of one that is not in
/// this service, all that its interfaces could be.
ArrayRef<const ir::Machine *> Change::machinesOf(uint32_t row) {
  const state::Entity &entity = recorded[row];
  bool isNode = entity.kind == state::EntityKind::Node;
  StringRef path = templatePath(isNode ? entity.name : entity.source);
  auto [known, isNew] =
      machines.try_emplace({path, isNode ? "" : entity.origin});
  std::vector<const ir::Machine *> &found = known->second;
  if (!isNew)
    return found;
  const sema::NodeTemplate *node = findTemplate(path);
  auto add = [&](ArrayRef<ir::MachineId> ids) {
    for (ir::MachineId id : ids)
      found.push_back(&program.machines[id.index]);
  };
  if (node && isNode)
    add(node->machines);
  else if (node)
    for (const sema::Requirement &requirement : node->requirements)
      if (requirement.name.str() == entity.origin)
        add(requirement.relationship.machines);
  if (!node)
    for (const ir::Machine &machine : program.machines)
      found.push_back(&machine);
  return found;
}

const Value *Change::cellOf(uint32_t row, const ir::Machine &machine,
                            uint32_t cell) const {
  const Value &cells = recorded[row].cells;
  const Value *own =
      cells.isMap() ? cells.find(machine.interface.str()) : nullptr;
  return own && own->isMap() ? own->find(machine.cells[cell].name.str())
                             : nullptr;
}

/// Whether a cell of \p row has a value that the profile marks as failed.
bool Change::hasFailed(uint32_t row) {
  for (const ir::Machine *machine : machinesOf(row))
    for (const ir::FailureMark &mark : machine->failures)
      if (const Value *now = cellOf(row, *machine, mark.cell);
          now && *now == mark.value)
        return true;
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

/// Whether the last intent that \p row was told is that of \p workflow.
bool Change::wants(uint32_t row, StringRef workflow) {
  bool hasIntent = false;
  for (const ir::Machine *machine : machinesOf(row))
    for (const ir::Intent &intent : machine->intents) {
      if (intent.workflow.str() != workflow)
        continue;
      const Value *now = cellOf(row, *machine, intent.cell);
      if (!now || !(*now == intent.value))
        return false;
      hasIntent = true;
    }
  return hasIntent;
}

/// Whether all machines of \p row are where their last intent wanted them.
bool Change::isThere(uint32_t row) {
  for (const ir::Machine *machine : machinesOf(row))
    for (const ir::Intent &intent : machine->intents) {
      const Value *wanted = cellOf(row, *machine, intent.cell);
      const Value *now = cellOf(row, *machine, intent.goal);
      if (wanted && now && !(*wanted == *now))
        return false;
    }
  return true;
}

/// Whether a workflow that was not finished wanted to take \p row down. The
/// relationships of a node that rests are down, too, and stay so.
bool Change::isGoingDown(uint32_t row) {
  auto rests = [&](uint32_t node) {
    return node != Recorded::none && !wants(node, "deploy") &&
           !wants(node, "undeploy");
  };
  return wants(row, "undeploy") && !rests(recorded.sourceOf(row)) &&
         !rests(recorded.targetOf(row));
}

/// What is broken: nodes that have failed, relationships that have, with their
/// sources where these could not go on; and all that an unfinished workflow was
/// taking down.
void Change::addBroken(llvm::function_ref<uint32_t(uint32_t)> treeOf,
                       bool restores) {
  for (uint32_t row = 0; row != recorded.deployment.entities.size(); ++row) {
    bool isDown = restores && isGoingDown(row);
    if (!isDown && !hasFailed(row))
      continue;
    if (recorded[row].kind == state::EntityKind::Node) {
      containment.addTree(treeOf(row), result.replaced);
      continue;
    }
    uint32_t source = recorded.sourceOf(row);
    if (source != Recorded::none && !isThere(source))
      containment.addTree(treeOf(source), result.replaced);
    else if (source != Recorded::none)
      result.replaced.insert(recorded[row].name);
  }
}

bool Change::heal() {
  if (!knowsParameters({"instance"}))
    return false;
  auto host = [&](uint32_t row) { return hostOf(row); };
  if (!parameter("instance")) {
    addBroken(host, /*restores=*/true);
    return true;
  }
  bool isComplete = true;
  for (uint32_t row : instances("instance", isComplete))
    containment.addTree(host(row), result.replaced);
  return isComplete;
}

void Change::update() {
  result.updates = true;
  addBroken([](uint32_t row) { return row; }, /*restores=*/false);
}
