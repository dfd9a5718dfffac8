//===- CheckUnmoved.cpp - Machines that nothing moves
//-----------------------===//

#include "Lower.h"
#include "SentEvents.h"

#include "toscac/Basic/DiagnosticsSema.h"
#include "llvm/ADT/DenseSet.h"

using namespace toscac;
using namespace toscac::sema;

void sema::checkUnmoved(const CheckedProgram &program,
                        DiagnosticEngine &diags) {
  SentEvents sent(program);
  llvm::DenseSet<uint32_t> reported;
  for (const ir::Machine &machine : program.machines) {
    auto isSent = [&](const ir::Operation &operation) {
      return operation.isNotification ||
             sent.contains(machine.interface, operation.name);
    };
    bool isMachine =
        machine.type && !machine.cells.empty() && !machine.operations.empty();
    if (isMachine && machine.intents.empty() &&
        !machine.roles.updateOperation && !machine.roles.checkOperation &&
        llvm::none_of(machine.operations, isSent) &&
        reported.insert(machine.range.begin.raw).second)
      diags.report(machine.range, diag::UnmovedMachine,
                   machine.interface.str());
  }
}
