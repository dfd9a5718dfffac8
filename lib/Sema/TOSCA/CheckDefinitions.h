//===- CheckDefinitions.h - Properties, attributes, parameters --*- C++ -*-===//
///
/// \file
/// Checks of the definitions of values.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_CHECKDEFINITIONS_H
#define TOSCAC_LIB_SEMA_TOSCA_CHECKDEFINITIONS_H

#include "CheckExpression.h"

namespace toscac::sema {

/// Checks the definitions of values in every type.
void checkTypes(Program &program);

/// Checks \p definition and all in it; its expressions stand in \p context.
void checkDefinitions(Program &program, const Flat &definition,
                      const ExprContext &context);

/// The rules for \p decl, an interface type, beyond those of its definitions.
void checkInterfaceType(Program &program, const TypeDecl &decl);

} // namespace toscac::sema

#endif
