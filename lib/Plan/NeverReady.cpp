//===- NeverReady.cpp - Operations that are sent in vain ------------------===//

#include "NeverReady.h"

#include "toscac/Basic/DiagnosticsPlan.h"
#include "toscac/IR/StateSpace.h"
#include "llvm/ADT/DenseSet.h"

using namespace toscac;
using namespace toscac::plan;

using OperationName = std::pair<const char *, const char *>;

static OperationName nameOf(Name interface, Name operation) {
  return {interface.str().data(), operation.str().data()};
}

/// The names, which are interned, of all that is sent anywhere.
static llvm::DenseSet<OperationName> sentOperations(const Layout &layout) {
  llvm::DenseSet<OperationName> sent;
  auto add = [&](llvm::ArrayRef<ir::Trigger> triggers) {
    for (const ir::Trigger &trigger : triggers)
      sent.insert(nameOf(trigger.interface, trigger.operation));
  };
  for (const ir::Machine &machine : layout.set.machines) {
    add(machine.rules);
    for (const ir::Operation &operation : machine.operations) {
      add(operation.entry.triggers);
      add(operation.success.triggers);
    }
  }
  return sent;
}

void toscac::plan::findNeverReady(const Run &run) {
  const Layout &layout = run.system.layout;
  llvm::DenseSet<OperationName> sent = sentOperations(layout);
  llvm::DenseSet<uint32_t> seen;
  for (auto [i, slot] : llvm::enumerate(layout.slots)) {
    const ir::Machine &machine = layout.machine({uint32_t(i)});
    if (slot.rows == 0 || !seen.insert(slot.machine.index).second)
      continue;
    ValueArena scratch;
    ir::StateSpace space = ir::explore(machine, scratch);
    for (auto [j, operation] : llvm::enumerate(machine.operations))
      if (space.isComplete && !space.cells.empty() && !space.accepted[j] &&
          sent.contains(nameOf(machine.interface, operation.name)))
        run.system.conditions.diags.report(
            operation.range, diag::NeverReady,
            layout.nameOf(layout.event({uint32_t(i)}, /*row=*/0, uint32_t(j))));
  }
}
