//===- ScalarValue.h - Scalars of YAML as values ----------------*- C++ -*-===//

#ifndef TOSCAC_LIB_SEMA_SCALARVALUE_H
#define TOSCAC_LIB_SEMA_SCALARVALUE_H

#include "toscac/Parse/SyntaxTree.h"
#include "toscac/Value/Value.h"

namespace toscac::sema {

/// What was written, by YAML's core schema. Numbers that are too large stay
/// texts.
Value scalarValue(const syntax::Node &node, ValueArena &arena);

} // namespace toscac::sema

#endif
