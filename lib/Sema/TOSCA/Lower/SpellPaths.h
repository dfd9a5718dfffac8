//===- SpellPaths.h - The one form of paths ---------------------*- C++ -*-===//
///
/// \file
/// Rewrites the paths of queries into the form that Sema/Service.h describes:
/// what TOSCA 2.0 §10.3 lets people leave out is written.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_SPELLPATHS_H
#define TOSCAC_LIB_SEMA_TOSCA_SPELLPATHS_H

#include "Lower.h"

namespace toscac::sema {

/// \p expr with all its paths spelt out.
const Expr *spellPaths(Lowering &lowering, const Site &site, const Expr &expr);

} // namespace toscac::sema

#endif
