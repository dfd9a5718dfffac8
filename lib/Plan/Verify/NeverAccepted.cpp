//===- NeverAccepted.cpp - Events that no order accepts -------------------===//

#include "NeverAccepted.h"

#include "toscac/Basic/DiagnosticsPlan.h"
#include "toscac/IR/StateSpace.h"
#include "llvm/ADT/DenseSet.h"

using namespace toscac;
using namespace toscac::plan;

bool toscac::plan::findNeverAccepted(const GroundSystem &system,
                                     const SymbolicRun &run) {
  const Layout &layout = run.system.layout;
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> seen;
  bool found = false;
  for (EventId event : system.sentInVain) {
    EventPlace at = layout.place(event);
    uint32_t number = layout.slots[at.slot.index].machine.index;
    if (!seen.insert({number, at.operation}).second)
      continue;
    const ir::Machine &machine = layout.machine(at.slot);
    ValueArena scratch;
    ir::StateSpace space = ir::explore(machine, scratch);
    if (!space.isComplete || space.cells.empty() ||
        space.accepted[at.operation])
      continue;
    run.system.conditions.diags.report(machine.operations[at.operation].range,
                                       diag::NeverReady, layout.nameOf(event));
    found = true;
  }
  return found;
}
