//===- LowerOperations.h - What operations run ------------------*- C++ -*-===//
///
/// \file
/// Handlers, inputs and outputs of operations. The nearest layer that says what
/// an operation runs replaces those behind it.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_LOWEROPERATIONS_H
#define TOSCAC_LIB_SEMA_TOSCA_LOWEROPERATIONS_H

#include "LowerMachines.h"

namespace toscac::sema {

/// Where an operation stands, with all that was written about it.
struct OperationSite {
  const InterfaceOwner &owner;
  /// The interface and the operation; null for an event of a service.
  const Flat *interface = nullptr;
  const Flat *operation = nullptr;
  /// What templates assign to both, nearest first.
  llvm::ArrayRef<const Entity *> interfaces;
  /// All definitions and assignments of the operation, nearest first.
  llvm::SmallVector<Layer, 4> layers;
};

/// Completes \p result with what \p site says about its execution.
void lowerExecution(Lowering &lowering, const OperationSite &site,
                    ir::Operation &result);

} // namespace toscac::sema

#endif
