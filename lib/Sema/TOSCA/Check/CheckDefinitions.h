//===- CheckDefinitions.h - Properties, attributes, parameters --*- C++ -*-===//
///
/// \file
/// Checks of the definitions of values.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_CHECKDEFINITIONS_H
#define TOSCAC_LIB_SEMA_TOSCA_CHECKDEFINITIONS_H

#include "TOSCA/Values/CheckExpression.h"

namespace toscac::sema {

/// Checks the definitions of values in every type.
void checkTypes(Program &program);
/// Warns of metadata of types that is nearly one of the roles.
void checkMarks(Program &program);

/// Checks \p definition and all in it; its expressions stand in \p context.
void checkDefinitions(Program &program, const Flat &definition,
                      const ExprContext &context);

/// The rules for \p decl, an interface type, beyond those of its definitions.
void checkInterfaceType(Program &program, const TypeDecl &decl);

/// Checks the artifacts in \p entity, and in all that is part of it; SELF in
/// \p context is what they belong to.
void checkArtifacts(Program &program, const ExprContext &context,
                    const Entity &entity);

/// Checks what flows into and out of the handlers of \p operation.
void checkHandlers(Program &program, const ExprContext &context,
                   const Entity &operation);

} // namespace toscac::sema

#endif
