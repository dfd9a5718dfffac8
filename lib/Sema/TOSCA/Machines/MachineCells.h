//===- MachineCells.h - The variables of machines ---------------*- C++ -*-===//
///
/// \file
/// Cells of a machine from the attributes and properties of its interface, and
/// what metadata says about them.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_MACHINECELLS_H
#define TOSCAC_LIB_SEMA_TOSCA_MACHINECELLS_H

#include "BindCondition.h"

namespace toscac::sema {

/// The cells of \p interface: attributes, then properties. \p assignments are
/// interface assignments of templates, nearest first.
llvm::SmallVector<ir::Cell>
buildCells(const EventScope &scope, const Flat &interface,
           llvm::ArrayRef<const Entity *> assignments);

/// The marks `intent.WORKFLOW`, `failed.CELL`, `healthy.CELL`, `observed.CELL`
/// and the roles of the interface's type and its ancestors.
struct MachineMarks {
  llvm::SmallVector<ir::Intent> intents;
  llvm::SmallVector<ir::FailureMark> failures, health;
  ir::Roles roles;
  /// What the operation with the role `check.operation` writes to cells.
  llvm::SmallVector<ir::OutputMapping> observed;
};
/// The marks `always.NAME` and `goal.WORKFLOW` of all that refines the
/// interface: none takes another back.
llvm::SmallVector<ir::Promise> buildPromises(const EventScope &scope,
                                             const Flat &interface);
MachineMarks buildMarks(const EventScope &scope, const Flat &interface,
                        llvm::ArrayRef<ir::Cell> cells,
                        llvm::ArrayRef<ir::Operation> operations);

} // namespace toscac::sema

#endif
