//===- toscac/IR/Updates.h - Who tells nodes of changes ---------*- C++ -*-===//

#ifndef TOSCAC_IR_UPDATES_H
#define TOSCAC_IR_UPDATES_H

#include "toscac/IR/Machine.h"
#include "llvm/ADT/STLExtras.h"

namespace toscac::ir {

/// Whether a rule of \p machine itself sends the operation that takes over
/// changed properties, so that nobody else has to.
inline bool noticesChanges(const Machine &machine) {
  return machine.update &&
         llvm::any_of(machine.rules, [&](const Trigger &rule) {
           return rule.receiver.steps.empty() &&
                  rule.interface == machine.interface &&
                  rule.operation == machine.operations[*machine.update].name;
         });
}

} // namespace toscac::ir

#endif
