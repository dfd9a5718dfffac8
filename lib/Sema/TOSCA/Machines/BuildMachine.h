//===- BuildMachine.h - Layers merged into one machine ----------*- C++ -*-===//
///
/// \file
/// The machine of an interface with all that types and templates refined:
/// preconditions are conjoined, sets and triggers added. What an operation
/// runs, and with which inputs, is not in it; LowerMachines adds that.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_BUILDMACHINE_H
#define TOSCAC_LIB_SEMA_TOSCA_BUILDMACHINE_H

#include "EventPath.h"

namespace toscac::sema {

/// Builds the machine of `scope.interface`. \p assignments are what templates
/// assign to it, nearest first. Reports what is wrong in any layer.
ir::Machine buildMachine(const EventScope &scope,
                         llvm::ArrayRef<const Entity *> assignments);

/// The machine of the events of `scope.service`.
ir::Machine buildServiceMachine(const EventScope &scope);

/// What \p interfaces, assignments to an interface, assign to one of its
/// operations (or notifications), nearest first.
llvm::SmallVector<const Entity *, 2>
assignedOperations(llvm::ArrayRef<const Entity *> interfaces, Key key,
                   llvm::StringRef operation);

} // namespace toscac::sema

#endif
