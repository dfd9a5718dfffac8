//===- EntityFacts.h - The entities of a plan for pages ---------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_ENTITYFACTS_H
#define TOSCAC_LIB_PLAN_ENTITYFACTS_H

#include "FoldNames.h"

namespace toscac {
class JSONWriter;
}

namespace toscac::planfile {

/// Writes `families`, those of one template or requirement together, in the
/// order of their patterns, and `entities`, one by one.
llvm::Error writeEntityFacts(Plan &plan, const FoldedNames &names,
                             JSONWriter &json);

} // namespace toscac::planfile

#endif
