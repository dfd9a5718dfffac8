//===- Heal.cpp - Replacing failed instances ------------------------------===//
///
/// \file
/// The workflow `heal`: an instance, or every one that has failed, is replaced
/// together with the compute node it runs on and all that runs there.
///
//===----------------------------------------------------------------------===//

#include "ChangeBuilder.h"
#include "toscac/Basic/DiagnosticsExpand.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;
using llvm::StringRef;

/// The machines of the template that \p row comes from; of one that is not in
/// this service, all that its interfaces could be.
ArrayRef<const ir::Machine *> ChangeBuilder::machinesOf(uint32_t row) {
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

const Value *ChangeBuilder::cellOf(uint32_t row, const ir::Machine &machine,
                                   uint32_t cell) const {
  const Value &cells = recorded[row].cells;
  const Value *own =
      cells.isMap() ? cells.find(machine.interface.str()) : nullptr;
  return own && own->isMap() ? own->find(machine.cells[cell].name.str())
                             : nullptr;
}

/// The cell of \p row with a value that the profile marks as failed.
std::string ChangeBuilder::failureOf(uint32_t row) {
  for (const ir::Machine *machine : machinesOf(row))
    for (const ir::FailureMark &mark : machine->failures)
      if (const Value *now = cellOf(row, *machine, mark.cell);
          now && *now == mark.value)
        return (machine->interface.str() + "." +
                machine->cells[mark.cell].name.str() + " is " + toText(*now))
            .str();
  return "";
}

void ChangeBuilder::replaceTree(uint32_t row, const llvm::Twine &reason) {
  llvm::StringRef name = recorded[row].name;
  if (!result.replaced.contains(name))
    result.reasons[name] = reason.str();
  llvm::StringSet<> tree;
  containment.addTree(row, tree);
  for (const auto &entry : tree)
    if (result.replaced.insert(entry.getKey()).second && entry.getKey() != name)
      result.reasons[entry.getKey()] = ("it is in " + name).str();
}

/// The outermost compute node that \p row is inside of, or itself.
uint32_t ChangeBuilder::hostOf(uint32_t row) const {
  uint32_t host = row;
  for (uint32_t at = row; at != Recorded::none;
       at = containment.containerOf(at))
    if (containment.isCompute(at))
      host = at;
  return host;
}

/// Whether the last intent that was set on \p row is that of \p way.
bool ChangeBuilder::wants(uint32_t row, ir::Intent::Way way) {
  bool hasIntent = false;
  for (const ir::Machine *machine : machinesOf(row))
    for (const ir::Intent &intent : machine->intents) {
      if (intent.way != way)
        continue;
      const Value *now = cellOf(row, *machine, intent.cell);
      if (!now || !(*now == intent.value))
        return false;
      hasIntent = true;
    }
  return hasIntent;
}

/// Whether all machines of \p row are where their last intent wanted them.
bool ChangeBuilder::isThere(uint32_t row) {
  for (const ir::Machine *machine : machinesOf(row))
    for (const ir::Intent &intent : machine->intents) {
      const Value *wanted = cellOf(row, *machine, intent.cell);
      const Value *now = cellOf(row, *machine, intent.goal);
      if (wanted && now && !(*wanted == *now))
        return false;
    }
  return true;
}

/// Whether a workflow that was not finished wanted to take \p row down. A
/// relationship of a node without an intent is down as well, and stays so.
bool ChangeBuilder::isGoingDown(uint32_t row) {
  auto rests = [&](uint32_t node) {
    return node != Recorded::none && !wants(node, ir::Intent::Way::Up) &&
           !wants(node, ir::Intent::Way::Down);
  };
  return wants(row, ir::Intent::Way::Down) && !rests(recorded.sourceOf(row)) &&
         !rests(recorded.targetOf(row));
}

/// What is broken: nodes that have failed, relationships that have, with their
/// sources where these could not go on; and all that an unfinished workflow was
/// taking down.
void ChangeBuilder::addBroken(llvm::function_ref<uint32_t(uint32_t)> treeOf,
                              bool restores) {
  for (uint32_t row = 0; row != recorded.deployment.entities.size(); ++row) {
    std::string reason = failureOf(row);
    if (reason.empty() && restores && isGoingDown(row))
      reason = "it was on its way down";
    if (reason.empty())
      continue;
    auto replace = [&](uint32_t node) {
      uint32_t tree = treeOf(node);
      replaceTree(tree, tree == row ? reason
                                    : recorded[row].name.str() + ": " + reason);
    };
    if (recorded[row].kind == state::EntityKind::Node) {
      replace(row);
      continue;
    }
    uint32_t source = recorded.sourceOf(row);
    if (source != Recorded::none && !isThere(source)) {
      replace(source);
    } else if (source != Recorded::none) {
      result.replaced.insert(recorded[row].name);
      result.reasons[recorded[row].name] = reason;
    }
  }
}

bool ChangeBuilder::heal() {
  if (!knowsParameters({"instances"}))
    return false;
  auto host = [&](uint32_t row) { return hostOf(row); };
  StringRef name = instancesParameter();
  if (name.empty()) {
    addBroken(host, /*restores=*/true);
    spareHealthy();
    return true;
  }
  bool isComplete = true;
  for (uint32_t row : instances(name, isComplete)) {
    StringRef healed = host(row) == row ? "it" : recorded[row].name;
    replaceTree(host(row), healed + " is to be healed");
  }
  spareHealthy();
  return isComplete;
}

bool ChangeBuilder::check() {
  result.checks = true;
  return knowsParameters({});
}

bool ChangeBuilder::update() {
  if (!knowsParameters({}))
    return false;
  result.updates = true;
  addBroken([](uint32_t row) { return row; }, /*restores=*/false);
  return true;
}
