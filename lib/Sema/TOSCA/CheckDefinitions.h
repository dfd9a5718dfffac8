//===- CheckDefinitions.h - Properties, attributes, parameters --*- C++ -*-===//
///
/// \file
/// Checks of the definitions of values.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_CHECKDEFINITIONS_H
#define TOSCAC_LIB_SEMA_TOSCA_CHECKDEFINITIONS_H

#include "Flatten.h"

namespace toscac::sema {

/// Checks the definitions of values in every type.
void checkTypes(Program &program);

/// Checks \p owner, if it is a definition of a value, and all in it.
void checkDefinitions(Program &program, const Flat &owner);

} // namespace toscac::sema

#endif
