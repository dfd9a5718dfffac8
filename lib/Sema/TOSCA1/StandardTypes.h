//===- StandardTypes.h - The types that TOSCA 1.x brings along --*- C++ -*-===//

#ifndef TOSCAC_LIB_SEMA_TOSCA1_STANDARDTYPES_H
#define TOSCAC_LIB_SEMA_TOSCA1_STANDARDTYPES_H

#include "TOSCA/Types/Scope.h"

namespace toscac::sema {

/// \p requirement, a definition of TOSCA 1.x that refines nothing, with what it
/// leaves out: one relationship (1.3 §3.7.3), of a type that leads to what is
/// asked for.
const Entity *completeRequirement(Program &program, const Scope &scope,
                                  const Entity &requirement);

} // namespace toscac::sema

#endif
