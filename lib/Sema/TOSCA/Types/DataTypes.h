//===- DataTypes.h - Declared data types as types of values -----*- C++ -*-===//
///
/// \file
/// Turns data types, schemas and the definitions of properties, attributes and
/// parameters into the types of the module Value.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_DATATYPES_H
#define TOSCAC_LIB_SEMA_TOSCA_DATATYPES_H

#include "Flatten.h"
#include "toscac/Value/Type.h"

namespace toscac::sema {

/// Makes the types of all data types; reports what is wrong with their
/// definitions.
void buildDataTypes(Program &program);

/// The type of values of \p definition, a property, attribute, parameter,
/// output or schema. Any if it has none or an unknown one.
const Type &typeOf(Program &program, const Flat &definition);

/// The type that \p decl, a data type, stands for.
const Type &typeOf(Program &program, const TypeDecl &decl);

/// Fills \p into with the units of the scalar type \p flat; reports what
/// TOSCA 2.0 §9.1.2.2 forbids.
const ScalarDefinition *buildScalar(Program &program, const Flat &flat,
                                    const Type &parent);

} // namespace toscac::sema

#endif
