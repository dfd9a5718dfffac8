//===- UnusedTypes.h - What is wrong where nobody looks ---------*- C++ -*-===//

#ifndef TOSCAC_LIB_SEMA_TOSCA1_UNUSEDTYPES_H
#define TOSCAC_LIB_SEMA_TOSCA1_UNUSEDTYPES_H

#include "TOSCA/Types/Scope.h"

namespace toscac::sema {

/// Makes warnings of errors in types of TOSCA 1.x that somebody else owns and
/// that no template, and no type that one uses, speaks of.
void tolerateInUnusedTypes(Program &program);

} // namespace toscac::sema

#endif
