//===- Bind.h - Machines for interface types of others ----------*- C++ -*-===//
///
/// \file
/// Most interface types in the world declare operations and no machine. A
/// binding gives them one without touching them. It stands in the metadata of a
/// file, under `binds`, by its name:
///
///   standard:
///     interfaces:
///     - types: [ Lifecycle.Standard ]      names of interface types, or
///       must: [ create, delete ]           operations that one has to have,
///       may: [ start, stop ]               and those it can have besides
///       machine: Standard                  the interface type that drives it
///       operations: { begin: start }       its names: those of the machine
///     nodes:
///     - like: Root                         node types have its interfaces
///     relationships:
///     - like: HostedOn                     those of these names have these,
///       types: [ Inside ]
///       requirements: [ host ]             and where there is no type at all
///     - like: DependsOn                    all others
///
/// Names of types under `machine` and `like` mean what they mean in that file.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_BIND_H
#define TOSCAC_LIB_SEMA_TOSCA_BIND_H

#include "TOSCA/Types/Scope.h"

namespace toscac::sema {

/// Finds a binding for every interface type without a machine, and says what
/// Flatten gives to types that have none. \p choice: the name of the binding to
/// use, `none`, or empty: whichever fits.
void bindLifecycles(Program &program, llvm::StringRef choice);

} // namespace toscac::sema

#endif
