//===- LowerMachines.h - Interfaces as state machines -----------*- C++ -*-===//
///
/// \file
/// Makes the machines of IR/Machine.h from the interfaces of types and what
/// templates assign to them.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_LOWERMACHINES_H
#define TOSCAC_LIB_SEMA_TOSCA_LOWERMACHINES_H

#include "Lower.h"

namespace toscac::sema {

/// A node or relationship with interfaces.
struct InterfaceOwner {
  const ServiceScope &service;
  Origin origin;
  /// The type, or the relationship definition of a requirement, with all that
  /// it inherits.
  const Flat &definition;
  /// Interface assignments of templates, nearest first; none of them is null.
  llvm::SmallVector<const Field *, 2> assignments;
  /// Artifacts of the template; null if it has none.
  const Field *artifacts = nullptr;
  /// The template of a node, or the one at the source of a relationship.
  const Template *node = nullptr;
  /// The template at the target of a relationship, if one is named.
  const Template *target = nullptr;
  /// The requirement assignment that a relationship comes from, if there is
  /// one.
  SourceRange range;
};

/// One machine for each interface, in the order of definition. Owners to which
/// templates add nothing share those of their definition.
std::vector<ir::MachineId> lowerInterfaces(Lowering &lowering,
                                           const InterfaceOwner &owner);

/// What templates add to the machines of \p owner.
MachineOrigin machineOrigin(const InterfaceOwner &owner);

/// The machine of the service's events, if it has any.
std::vector<ir::MachineId> lowerEvents(Lowering &lowering,
                                       const ServiceScope &service);

} // namespace toscac::sema

#endif
